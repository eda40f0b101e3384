//! Scores of a segmenter on a page with gold segments.
//!
//! The items of both partitions are the page's words (of the blocks of [`GapModel::Tags`], the atoms of all segmenters). A
//! word's gold cluster is the label of its first byte, its answer cluster the segment whose spans hold that
//! byte.
//!
//! People leave text unmarked. It is read in two ways, see [`Reading`]: it is left out, and the scores are of the marked
//! text only; or every stretch of it between two marked texts is a gold segment of its own, and the scores are of all text. Either
//! way the same pages are scored.

use crate::gold::LabelledSpans;
use crate::metrics::partition::{BCubed, Contingency};
use webstrata::Page;
use webstrata::block::{Block, GapModel};
use webstrata::segment::Segmenter;

/// Fewest words with a gold label on a page that is scored.
pub const LEAST_WORDS: usize = 10;

/// Why a page is not scored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LeftOut {
    /// Fewer than [`LEAST_WORDS`] words are marked.
    #[error("fewer than {LEAST_WORDS} words are marked")]
    FewWords,
    /// All marked words are in one gold segment: there is nothing to segment.
    #[error("all marked words are in one segment")]
    OneSegment,
}

/// What becomes of text that is not marked.
///
/// ```
/// use webstrata_lab::segmentation::Reading;
/// assert_eq!(Reading::ALL.map(Reading::name), ["marked text only", "all text"]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reading {
    /// It is left out.
    #[default]
    Marked,
    /// Every stretch of it between two marked texts is a segment.
    AllText,
}

impl Reading {
    /// Both.
    pub const ALL: [Reading; 2] = [Reading::Marked, Reading::AllText];

    /// What it is called in tables.
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
    /// The label of a marked one.
    Marked(u32),
    /// The number of a stretch that is not marked.
    Unmarked(u32),
}

/// A page and the gold labels of its words, to score any number of segmenters on.
#[derive(Clone, Debug)]
pub struct Task<'p> {
    page: &'p Page<'p>,
    /// First byte and gold segment of each word that is scored.
    words: Vec<(u32, Gold)>,
    /// Words with a label.
    marked: usize,
    /// Words of the page, marked or not.
    all: usize,
}

/// How well a segmentation agrees with the gold segments: of one page, or the mean over pages.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Score {
    /// Adjusted Rand.
    pub adjusted_rand: f64,
    /// Normalised mutual information.
    pub nmi: f64,
    /// BCubed precision, recall and F.
    pub bcubed: BCubed,
    /// Segments of the whole page, unmarked text included; a fraction in a mean.
    pub segments: f64,
}

impl<'p> Task<'p> {
    /// The marked words of a page with their gold labels: `gold` gives that of the text at a byte of the page's source.
    ///
    /// # Errors
    /// The page has too little gold to score anything on.
    pub fn new(page: &'p Page<'p>, gold: impl Fn(u32) -> Option<u32>) -> Result<Self, LeftOut> {
        Task::reading(page, gold, Reading::Marked)
    }

    /// The same with the choice of what becomes of words that are not marked.
    ///
    /// # Errors
    /// As above; what is not marked does not count for it.
    pub fn reading(page: &'p Page<'p>, gold: impl Fn(u32) -> Option<u32>, reading: Reading) -> Result<Self, LeftOut> {
        let blocks = page.blocks_by(GapModel::Tags);
        let starts: Vec<u32> =
            blocks.iter().flat_map(Block::tokens).filter_map(|token| token.spans.first().map(|span| span.start)).collect();
        let labels: Vec<Option<u32>> = starts.iter().map(|&start| gold(start)).collect();
        let marked: Vec<u32> = labels.iter().flatten().copied().collect();
        if marked.len() < LEAST_WORDS {
            return Err(LeftOut::FewWords);
        }
        if marked.iter().all(|label| *label == marked[0]) {
            return Err(LeftOut::OneSegment);
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

    /// Words of each gold segment, in the order of their marks.
    #[must_use]
    pub fn sizes(&self) -> Vec<usize> {
        let mut labels: Vec<Gold> = self.words.iter().map(|(_, gold)| *gold).collect();
        labels.sort_unstable();
        labels.chunk_by(|a, b| a == b).map(<[Gold]>::len).collect()
    }

    /// The score of cutting exactly where the gold segment changes. It is below 1 where a gold segment is in several stretches, as
    /// a block is that has others inside. `segments` are those of the words that are scored.
    #[must_use]
    pub fn perfect_cuts(&self) -> Score {
        let mut stretch = 0u32;
        let mut before = None;
        let number = |&(_, gold): &(u32, Gold)| {
            stretch += u32::from(before != Some(gold));
            before = Some(gold);
            (gold, stretch)
        };
        let table = Contingency::of(self.words.iter().map(number));
        Score::of(&table, table.answer_clusters())
    }

    /// Number of words with a gold label.
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
        // Every word is in a segment; one that were in none would be a cluster of its own kind, not lost.
        let table = Contingency::of(self.words.iter().map(|(_, gold)| *gold).zip(clusters));
        Score::of(&table, segments)
    }

    /// The score that is left when neighbouring segments are joined that have most of their words in the same gold segment (the first
    /// of equal ones). It says how much of the error comes from too many cuts and how much from wrong ones. `segments` are those that are
    /// left of the ones with words that are scored.
    #[must_use]
    pub fn joined(&self, segmenter: &dyn Segmenter) -> Score {
        let (clusters, _) = self.answer(segmenter);
        let mut joined = Vec::with_capacity(clusters.len());
        let (mut number, mut before) = (0u32, None);
        let mut at = 0;
        // Segments are rows of words.
        for same in clusters.chunk_by(|a, b| a == b) {
            let mut labels: Vec<Gold> = self.words[at..at + same.len()].iter().map(|(_, gold)| *gold).collect();
            labels.sort_unstable();
            let main = labels.chunk_by(|a, b| a == b).rev().max_by_key(|run| run.len()).map(|run| run[0]);
            number += u32::from(before != Some(main));
            before = Some(main);
            joined.extend(std::iter::repeat_n(number, same.len()));
            at += same.len();
        }
        let table = Contingency::of(self.words.iter().map(|(_, gold)| *gold).zip(joined));
        Score::of(&table, table.answer_clusters())
    }

    /// The number of each scored word's segment, and how many segments the page has.
    fn answer(&self, segmenter: &dyn Segmenter) -> (Vec<Option<usize>>, usize) {
        let segments = self.page.segments_by(segmenter);
        let spans: LabelledSpans<usize> =
            segments.iter().enumerate().flat_map(|(number, s)| s.spans().into_iter().map(move |span| (span, number))).collect();
        (self.words.iter().map(|&(start, _)| spans.at(start)).collect(), segments.len())
    }
}

impl Score {
    fn of(table: &Contingency, segments: usize) -> Score {
        Score { adjusted_rand: table.adjusted_rand(), nmi: table.nmi(), bcubed: table.bcubed(), segments: segments as f64 }
    }

    /// The mean over pages, each measure for itself; zeros for no page.
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

    /// Gold: what stands before and behind `five`; `eleven` is not marked.
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
    fn text_without_a_mark_is_left_out_or_a_segment() {
        // Marked: a (5 words), then b (5); not marked: one word before a, two between, one behind.
        let html = "x<hr>a a a a a<hr>x x<hr>b b b b b<hr>x";
        let page = Page::parse(html.as_bytes());
        let gold = |byte: u32| match html.as_bytes()[byte as usize] {
            b'a' => Some(7),
            b'b' => Some(9),
            _ => None,
        };
        let [marked, all] =
            Reading::ALL.map(|reading| Task::reading(&page, gold, reading).unwrap_or_else(|why| unreachable!("{why}")));
        assert_eq!((marked.sizes(), marked.marked_words(), marked.words()), (vec![5, 5], 10, 14));
        assert_eq!((all.sizes(), all.marked_words(), all.gold_segments()), (vec![5, 5, 1, 2, 1], 10, 5));
        for task in [&marked, &all] {
            let score = task.score(&JustRules(RuleSet::paper()));
            assert_eq!((score.adjusted_rand, score.segments), (1.0, 5.0));
        }
        // One segment for all: nothing is told apart, and all text has more to tell apart.
        let one = |task: &Task<'_>| task.score(&WordWrap { width: 1000 }).bcubed.precision;
        assert_eq!((one(&marked), one(&all)), (0.5, (25.0 + 25.0 + 1.0 + 4.0 + 1.0) / 14.0 / 14.0));
    }

    #[test]
    fn segments_of_one_mark_are_joined() {
        // Gold: one two three four | five … ten. Atoms: one two three | four five | six | seven … ten | eleven.
        let page = Page::parse(HTML.as_bytes());
        let task = Task::new(&page, gold).unwrap_or_else(|why| unreachable!("{why}"));
        // "four five" is half and half: the first mark has it. Joined: one … five | six … ten.
        let joined = task.joined(&TagGap);
        let table = Contingency::of("0000111111".bytes().zip("0000011111".bytes()));
        assert_eq!((joined.adjusted_rand, joined.segments), (table.adjusted_rand(), 2.0));
        assert!(joined.adjusted_rand > task.score(&TagGap).adjusted_rand);
    }

    #[test]
    fn cuts_where_the_gold_changes() {
        // A block with another inside: a a b a a.
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
    fn pages_without_enough_gold_are_left_out() {
        let page = Page::parse(HTML.as_bytes());
        assert_eq!(Task::new(&page, |byte| gold(byte).filter(|_| byte > 30)).err(), Some(LeftOut::FewWords));
        assert_eq!(Task::new(&page, |_| Some(7)).err(), Some(LeftOut::OneSegment));
    }

    #[test]
    fn means() {
        let score = |x: f64| Score { adjusted_rand: x, nmi: 0.5, segments: 4.0, ..Score::default() };
        let mean = Score::mean(&[score(0.25), score(0.75)]);
        assert_eq!((mean.adjusted_rand, mean.nmi, mean.segments), (0.5, 0.5, 4.0));
        assert_eq!(Score::mean(&[]), Score::default());
    }
}
