//! Scores of a segmenter on a page with gold segments.
//!
//! The items of both partitions are the page's words (of the blocks of [`GapModel::Tags`], the atoms of all segmenters). A
//! word's gold cluster is the label of its first byte, its answer cluster the segment whose spans contain that
//! byte.
//!
//! Annotators leave text unmarked. There are two readings, see [`Reading`]: either unmarked text is ignored, and the scores cover the
//! marked text only; or every unmarked stretch between two marked texts is a gold segment of its own, and the scores cover all text.
//! Both readings score the same pages.

use crate::gold::LabelledSpans;
use crate::metrics::partition::{BCubed, Contingency};
use webstrata::Page;
use webstrata::block::{Block, GapModel};
use webstrata::segment::Segmenter;

/// Minimum number of marked words for a page to be scored.
pub const MIN_WORDS: usize = 10;

/// Why a page is not scored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotScored {
    /// Fewer than [`MIN_WORDS`] words are marked.
    #[error("fewer than {MIN_WORDS} words are marked")]
    FewWords,
    /// All marked words are in one gold segment: there is nothing to segment.
    #[error("all marked words are in one segment")]
    OneSegment,
}

/// How unmarked text is treated.
///
/// ```
/// use webstrata_lab::segmentation::Reading;
/// assert_eq!(Reading::ALL.map(Reading::name), ["marked text only", "all text"]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reading {
    /// It is ignored.
    #[default]
    Marked,
    /// Every stretch of it between two marked texts is a gold segment.
    AllText,
}

impl Reading {
    /// Both readings.
    pub const ALL: [Reading; 2] = [Reading::Marked, Reading::AllText];

    /// The name in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Reading::Marked => "marked text only",
            Reading::AllText => "all text",
        }
    }
}

/// The gold segment of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Gold {
    /// Label of a marked word.
    Marked(u32),
    /// Index of an unmarked stretch.
    Unmarked(u32),
}

/// A page with the gold labels of its words, on which any number of segmenters can be scored.
#[derive(Clone, Debug)]
pub struct Task<'p> {
    page: &'p Page<'p>,
    /// First byte and gold segment of each scored word.
    words: Vec<(u32, Gold)>,
    /// Number of marked words.
    marked: usize,
    /// Number of words on the page.
    all: usize,
}

/// Agreement of a segmentation with the gold segments: of one page, or the mean over pages.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Score {
    /// Adjusted Rand.
    pub adjusted_rand: f64,
    /// Normalised mutual information.
    pub nmi: f64,
    /// BCubed precision, recall and F.
    pub bcubed: BCubed,
    /// Number of segments on the whole page, including unmarked text; fractional in a mean.
    pub segments: f64,
}

impl<'p> Task<'p> {
    /// Collects the marked words of a page with their gold labels; `gold` returns the label at a byte of the page's source.
    ///
    /// # Errors
    /// If the page has too little gold.
    pub fn new(page: &'p Page<'p>, gold: impl Fn(u32) -> Option<u32>) -> Result<Self, NotScored> {
        Task::with_reading(page, gold, Reading::Marked)
    }

    /// Like [`Task::new`], but with a choice of how to treat unmarked words.
    ///
    /// # Errors
    /// As for [`Task::new`]; unmarked words do not count.
    pub fn with_reading(page: &'p Page<'p>, gold: impl Fn(u32) -> Option<u32>, reading: Reading) -> Result<Self, NotScored> {
        let blocks = page.blocks_by(GapModel::Tags);
        let starts: Vec<u32> =
            blocks.iter().flat_map(Block::tokens).filter_map(|token| token.spans.first().map(|span| span.start)).collect();
        let labels: Vec<Option<u32>> = starts.iter().map(|&start| gold(start)).collect();
        let marked: Vec<u32> = labels.iter().flatten().copied().collect();
        if marked.len() < MIN_WORDS {
            return Err(NotScored::FewWords);
        }
        if marked.iter().all(|label| *label == marked[0]) {
            return Err(NotScored::OneSegment);
        }
        let mut words = Vec::with_capacity(starts.len());
        let (mut stretch, mut open) = (0, false);
        for (&start, label) in starts.iter().zip(labels) {
            match label {
                Some(label) => words.push((start, Gold::Marked(label))),
                None if reading == Reading::AllText => {
                    stretch += u32::from(!open);
                    words.push((start, Gold::Unmarked(stretch)));
                }
                None => {}
            }
            open = label.is_none();
        }
        Ok(Task { page, words, marked: marked.len(), all: starts.len() })
    }

    /// Number of gold segments that have words.
    #[must_use]
    pub fn gold_segments(&self) -> usize {
        self.sizes().len()
    }

    /// Number of words in each gold segment, in the order of their marks.
    #[must_use]
    pub fn sizes(&self) -> Vec<usize> {
        let mut labels: Vec<Gold> = self.words.iter().map(|(_, gold)| *gold).collect();
        labels.sort_unstable();
        labels.chunk_by(|a, b| a == b).map(<[Gold]>::len).collect()
    }

    /// The score of cutting exactly where the gold segment changes. It is below 1 if a gold segment consists of several stretches, as
    /// for a block with nested blocks. `segments` counts segments of scored words only.
    #[must_use]
    pub fn perfect_cuts(&self) -> Score {
        let mut stretch = 0u32;
        let mut before = None;
        let number = |&(_, gold): &(u32, Gold)| {
            stretch += u32::from(before != Some(gold));
            before = Some(gold);
            (gold, stretch)
        };
        let table = Contingency::new(self.words.iter().map(number));
        Score::from_table(&table, table.answer_clusters())
    }

    /// Number of marked words.
    #[must_use]
    pub fn marked_words(&self) -> usize {
        self.marked
    }

    /// Number of words.
    #[must_use]
    pub fn words(&self) -> usize {
        self.all
    }

    /// Scores a segmenter.
    #[must_use]
    pub fn score(&self, segmenter: &dyn Segmenter) -> Score {
        let (clusters, segments) = self.answer(segmenter);
        // Every word is in a segment; a word outside would form a cluster of its own rather than be lost.
        let table = Contingency::new(self.words.iter().map(|(_, gold)| *gold).zip(clusters));
        Score::from_table(&table, segments)
    }

    /// Scores a partition given by a label for each word, since segments of a site method need not be sequences of words.
    ///
    /// ```
    /// use webstrata::Page;
    /// use webstrata_lab::segmentation::Task;
    /// let page = Page::parse(b"<p>one two three four five<p>six seven eight nine ten");
    /// let task = Task::new(&page, |byte| Some(u32::from(byte > 26))).unwrap();
    /// assert_eq!(task.score_labels(|byte| byte > 26).adjusted_rand, 1.0);
    /// assert_eq!(task.score_labels(|_| 0).adjusted_rand, 0.0);
    /// ```
    #[must_use]
    pub fn score_labels<L: Ord>(&self, label: impl Fn(u32) -> L) -> Score {
        let table = Contingency::new(self.words.iter().map(|(start, gold)| (*gold, label(*start))));
        Score::from_table(&table, table.answer_clusters())
    }

    /// The score after joining neighbouring segments that have most of their words in the same gold segment (the first
    /// one on a tie). It separates the error of too many cuts from that of wrong cuts. `segments` counts the joined
    /// segments of scored words.
    #[must_use]
    pub fn joined(&self, segmenter: &dyn Segmenter) -> Score {
        let (clusters, _) = self.answer(segmenter);
        let mut joined = Vec::with_capacity(clusters.len());
        let (mut number, mut before) = (0u32, None);
        let mut at = 0;
        // Segments are sequences of words.
        for same in clusters.chunk_by(|a, b| a == b) {
            let mut labels: Vec<Gold> = self.words[at..at + same.len()].iter().map(|(_, gold)| *gold).collect();
            labels.sort_unstable();
            let main = labels.chunk_by(|a, b| a == b).rev().max_by_key(|run| run.len()).map(|run| run[0]);
            number += u32::from(before != Some(main));
            before = Some(main);
            joined.extend(std::iter::repeat_n(number, same.len()));
            at += same.len();
        }
        let table = Contingency::new(self.words.iter().map(|(_, gold)| *gold).zip(joined));
        Score::from_table(&table, table.answer_clusters())
    }

    /// The segment of each scored word, and the number of segments of the page.
    fn answer(&self, segmenter: &dyn Segmenter) -> (Vec<Option<usize>>, usize) {
        let segments = self.page.segments_by(segmenter);
        // Segments that the method merges into one group form one cluster.
        let groups = segments.segmentation();
        let spans = segments.iter().enumerate().flat_map(|(number, segment)| {
            let group = groups.group(number);
            segment.spans().into_iter().map(move |span| (span, group))
        });
        let spans: LabelledSpans<usize> = spans.collect();
        (self.words.iter().map(|&(start, _)| spans.at(start)).collect(), groups.groups())
    }
}

impl Score {
    fn from_table(table: &Contingency, segments: usize) -> Score {
        Score { adjusted_rand: table.adjusted_rand(), nmi: table.nmi(), bcubed: table.bcubed(), segments: segments as f64 }
    }

    /// The mean over pages, measure by measure; zeros for no pages.
    #[must_use]
    pub fn mean(scores: &[Score]) -> Score {
        let mean = |value: &dyn Fn(&Score) -> f64| scores.iter().map(value).sum::<f64>() / scores.len().max(1) as f64;
        Score {
            adjusted_rand: mean(&|s| s.adjusted_rand),
            nmi: mean(&|s| s.nmi),
            bcubed: BCubed {
                precision: mean(&|s| s.bcubed.precision),
                recall: mean(&|s| s.bcubed.recall),
                f: mean(&|s| s.bcubed.f),
            },
            segments: mean(&|s| s.segments),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use webstrata::segment::{JustRules, RuleSet, TagGap, WordWrap};

    const HTML: &str = "<h2>one two three</h2><p>four five <b>six</b> seven eight nine ten</p>eleven";

    /// Gold: the text before and after `five`; `eleven` is unmarked.
    fn gold(byte: u32) -> Option<u32> {
        let at = |word: &str| HTML.find(word).map_or(0, |at| at as u32);
        (byte < at("eleven")).then_some(u32::from(byte >= at("five")))
    }

    #[test]
    fn marked_words_are_scored() {
        let page = Page::parse(HTML.as_bytes());
        let task = Task::new(&page, gold).unwrap_or_else(|why| unreachable!("{why}"));
        assert_eq!((task.marked_words(), task.words()), (10, 11));
        // Segments: `one two three`, `four … eleven`. Gold: 4 and 6 words; cells 3, 1, 6.
        let score = task.score(&JustRules(RuleSet::paper()));
        let (both, a, b, all) = (3.0 + 15.0, 6.0 + 15.0, 3.0 + 21.0, 45.0);
        let expected = a * b / all;
        assert!((score.adjusted_rand - (both - expected) / ((a + b) / 2.0 - expected)).abs() < 1e-12, "{score:?}");
        assert!((score.bcubed.precision - (9.0 / 3.0 + 1.0 / 7.0 + 36.0 / 7.0) / 10.0).abs() < 1e-12);
        // A cut inside a block counts as well: lines of 18 columns begin at `one`, `four`, `eight`.
        let wrapped = task.score(&WordWrap { width: 18 });
        assert!(wrapped.segments >= 3.0 && wrapped.bcubed.precision > score.bcubed.precision - 0.2);
        assert_eq!(task.score(&TagGap).segments, 5.0);
    }

    #[test]
    fn unmarked_text_is_ignored_or_a_segment() {
        // Marked: a (5 words), then b (5); unmarked: one word before a, two between, one after.
        let html = "x<hr>a a a a a<hr>x x<hr>b b b b b<hr>x";
        let page = Page::parse(html.as_bytes());
        let gold = |byte: u32| match html.as_bytes()[byte as usize] {
            b'a' => Some(7),
            b'b' => Some(9),
            _ => None,
        };
        let [marked, all] =
            Reading::ALL.map(|reading| Task::with_reading(&page, gold, reading).unwrap_or_else(|why| unreachable!("{why}")));
        assert_eq!((marked.sizes(), marked.marked_words(), marked.words()), (vec![5, 5], 10, 14));
        assert_eq!((all.sizes(), all.marked_words(), all.gold_segments()), (vec![5, 5, 1, 2, 1], 10, 5));
        for task in [&marked, &all] {
            let score = task.score(&JustRules(RuleSet::paper()));
            assert_eq!((score.adjusted_rand, score.segments), (1.0, 5.0));
        }
        // One segment for everything: nothing is separated, and with all text there is more to separate.
        let one = |task: &Task<'_>| task.score(&WordWrap { width: 1000 }).bcubed.precision;
        assert_eq!((one(&marked), one(&all)), (0.5, (25.0 + 25.0 + 1.0 + 4.0 + 1.0) / 14.0 / 14.0));
    }

    #[test]
    fn segments_of_one_mark_are_joined() {
        // Gold: one two three four | five … ten. Atoms: one two three | four five | six | seven … ten | eleven.
        let page = Page::parse(HTML.as_bytes());
        let task = Task::new(&page, gold).unwrap_or_else(|why| unreachable!("{why}"));
        // "four five" is half and half: the first mark wins. Joined: one … five | six … ten.
        let joined = task.joined(&TagGap);
        let table = Contingency::new("0000111111".bytes().zip("0000011111".bytes()));
        assert_eq!((joined.adjusted_rand, joined.segments), (table.adjusted_rand(), 2.0));
        assert!(joined.adjusted_rand > task.score(&TagGap).adjusted_rand);
    }

    #[test]
    fn ideal_cuts_follow_the_gold() {
        // A block with a nested block: a a b a a.
        let html = "a a a a<hr>b b b b b b<hr>a a";
        let page = Page::parse(html.as_bytes());
        let task =
            Task::new(&page, |byte| Some(u32::from(html.as_bytes()[byte as usize]))).unwrap_or_else(|why| unreachable!("{why}"));
        let perfect = task.perfect_cuts();
        // Pairs: shared 6 + 15 + 1, gold 15 + 15, answer 22, all 66.
        let expected = 30.0 * 22.0 / 66.0;
        assert!((perfect.adjusted_rand - (22.0 - expected) / (26.0 - expected)).abs() < 1e-12, "{perfect:?}");
        assert_eq!(perfect, task.score(&JustRules(RuleSet::paper())));
    }

    #[test]
    fn pages_without_enough_gold_are_skipped() {
        let page = Page::parse(HTML.as_bytes());
        assert_eq!(Task::new(&page, |byte| gold(byte).filter(|_| byte > 30)).err(), Some(NotScored::FewWords));
        assert_eq!(Task::new(&page, |_| Some(7)).err(), Some(NotScored::OneSegment));
    }

    #[test]
    fn means() {
        let score = |x: f64| Score { adjusted_rand: x, nmi: 0.5, segments: 4.0, ..Score::default() };
        let mean = Score::mean(&[score(0.25), score(0.75)]);
        assert_eq!((mean.adjusted_rand, mean.nmi, mean.segments), (0.5, 0.5, 4.0));
        assert_eq!(Score::mean(&[]), Score::default());
    }
}
