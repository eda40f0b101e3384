//! Scores of a segmenter on a page with gold segments.
//!
//! The items of both partitions are the page's words (of the blocks of [`GapModel::Tags`], the atoms of all segmenters). A
//! word's gold cluster is the label of its first byte, its answer cluster the segment whose spans hold that
//! byte. Words without a gold label are left out: scores are of the marked text only.

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

/// A page and the gold labels of its words, to score any number of segmenters on.
#[derive(Clone, Debug)]
pub struct Task<'p> {
    page: &'p Page<'p>,
    /// First byte and gold label of each marked word.
    words: Vec<(u32, u32)>,
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
    /// The words of a page with their gold labels: `gold` gives that of the text at a byte of the page's source.
    ///
    /// # Errors
    /// The page has too little gold to score anything on.
    pub fn new(page: &'p Page<'p>, gold: impl Fn(u32) -> Option<u32>) -> Result<Self, LeftOut> {
        let blocks = page.blocks_by(GapModel::Tags);
        let starts: Vec<u32> =
            blocks.iter().flat_map(Block::tokens).filter_map(|token| token.spans.first().map(|span| span.start)).collect();
        let words: Vec<(u32, u32)> = starts.iter().filter_map(|&start| Some((start, gold(start)?))).collect();
        if words.len() < LEAST_WORDS {
            return Err(LeftOut::FewWords);
        }
        if words.iter().all(|(_, label)| *label == words[0].1) {
            return Err(LeftOut::OneSegment);
        }
        Ok(Task { page, words, all: starts.len() })
    }

    /// Number of words with a gold label.
    #[must_use]
    pub fn marked_words(&self) -> usize {
        self.words.len()
    }

    /// Number of words.
    #[must_use]
    pub fn words(&self) -> usize {
        self.all
    }

    /// Scores a segmenter.
    #[must_use]
    pub fn score(&self, segmenter: &dyn Segmenter) -> Score {
        let segments = self.page.segments_by(segmenter);
        let spans: LabelledSpans<usize> =
            segments.iter().enumerate().flat_map(|(number, s)| s.spans().into_iter().map(move |span| (span, number))).collect();
        // Every word is in a segment; one that were in none would be a cluster of its own kind, not lost.
        let table = Contingency::of(self.words.iter().map(|&(start, gold)| (gold, spans.at(start))));
        Score { adjusted_rand: table.adjusted_rand(), nmi: table.nmi(), bcubed: table.bcubed(), segments: segments.len() as f64 }
    }
}

impl Score {
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
        let page = Page::parse(HTML.as_bytes(), &Default::default());
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
    fn pages_without_enough_gold_are_left_out() {
        let page = Page::parse(HTML.as_bytes(), &Default::default());
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
