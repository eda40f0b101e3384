//! Scores of verdicts on the blocks of one or more pages.

use crate::metrics::blocks::{Confusion, area_under_roc};
use crate::metrics::words::Prf;

/// A block that has words: its gold label, the method's answer, and the method's score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judged {
    /// Whether it is content according to the gold label.
    pub gold: bool,
    /// Whether the method kept it.
    pub answer: bool,
    /// Number of words.
    pub words: u32,
    /// The method's score for content, if it has one.
    pub score: Option<f64>,
}

/// The measures. A measure that is undefined (no boilerplate, no score) is NaN.
///
/// ```
/// use webstrata_lab::blocks::score::{Figures, Judged};
/// let block = |gold, answer, words| Judged { gold, answer, words, score: None };
/// let figures = Figures::from_blocks(&[block(true, true, 30), block(true, false, 10), block(false, true, 5), block(false, false, 15)]);
/// assert_eq!((figures.blocks.precision, figures.blocks.recall), (0.5, 0.5));
/// assert_eq!((figures.words.precision, figures.words.recall), (30.0 / 35.0, 0.75));
/// assert_eq!(figures.false_positives, 0.25);
/// assert!(figures.area.is_nan());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figures {
    /// b-precision and b-recall; b-F is their harmonic mean.
    pub blocks: Prf,
    /// b-F.
    pub blocks_f: f64,
    /// Precision and recall with blocks weighted by words.
    pub words: Prf,
    /// Their F1.
    pub words_f1: f64,
    /// Share of boilerplate words that were kept.
    pub false_positives: f64,
    /// Area under the ROC curve, weighted by words; NaN if the method has no scores.
    pub area: f64,
}

/// Indices of the two classes.
const BOILERPLATE: usize = 0;
const CONTENT: usize = 1;

impl Figures {
    /// The measures of pooled blocks. As for texts, keeping nothing is right if there is nothing to keep.
    #[must_use]
    pub fn from_blocks(blocks: &[Judged]) -> Figures {
        let (mut by_block, mut by_word) = (Confusion::new(2), Confusion::new(2));
        for block in blocks {
            by_block.add(usize::from(block.gold), usize::from(block.answer), 1);
            by_word.add(usize::from(block.gold), usize::from(block.answer), u64::from(block.words));
        }
        let (blocks_prf, words) = (prf(&by_block), prf(&by_word));
        let (content, boilerplate) = (by_word.share(CONTENT), by_word.share(BOILERPLATE));
        let scored: Option<Vec<(f64, bool, f64)>> =
            blocks.iter().map(|block| Some((block.score?, block.gold, f64::from(block.words)))).collect();
        let area = scored.filter(|_| content > 0.0 && boilerplate > 0.0).map(|items| area_under_roc(&items));
        Figures {
            blocks: blocks_prf,
            blocks_f: blocks_prf.f1(),
            words,
            words_f1: words.f1(),
            false_positives: if boilerplate > 0.0 { by_word.false_positive_rate(CONTENT) } else { f64::NAN },
            area: area.unwrap_or(f64::NAN),
        }
    }

    /// The mean of each measure over the pages where it is defined.
    ///
    /// ```
    /// use webstrata_lab::blocks::score::{Figures, Judged};
    /// let block = |gold, answer| Judged { gold, answer, words: 1, score: Some(f64::from(u8::from(answer))) };
    /// let pages = [Figures::from_blocks(&[block(true, true), block(false, false)]), Figures::from_blocks(&[block(true, false)])];
    /// let mean = Figures::mean(&pages);
    /// assert_eq!((mean.blocks_f, mean.false_positives, mean.area), (0.5, 0.0, 1.0));
    /// ```
    #[must_use]
    pub fn mean(pages: &[Figures]) -> Figures {
        let mean = |figure: fn(&Figures) -> f64| {
            let defined: Vec<f64> = pages.iter().map(figure).filter(|value| !value.is_nan()).collect();
            if defined.is_empty() { f64::NAN } else { defined.iter().sum::<f64>() / defined.len() as f64 }
        };
        Figures {
            blocks: Prf { precision: mean(|f| f.blocks.precision), recall: mean(|f| f.blocks.recall) },
            blocks_f: mean(|f| f.blocks_f),
            words: Prf { precision: mean(|f| f.words.precision), recall: mean(|f| f.words.recall) },
            words_f1: mean(|f| f.words_f1),
            false_positives: mean(|f| f.false_positives),
            area: mean(|f| f.area),
        }
    }

    /// In the order of tables: b-precision, b-recall, b-F, precision, recall, F1, false positive rate, area.
    #[must_use]
    pub fn list(&self) -> [f64; 8] {
        let Figures { blocks, blocks_f, words, words_f1, false_positives, area } = *self;
        [blocks.precision, blocks.recall, blocks_f, words.precision, words.recall, words_f1, false_positives, area]
    }
}

fn prf(confusion: &Confusion) -> Prf {
    let right = confusion.cell(CONTENT, CONTENT);
    let answered = right + confusion.cell(BOILERPLATE, CONTENT);
    let wanted = right + confusion.cell(CONTENT, BOILERPLATE);
    Prf::new(right as usize, answered as usize, wanted as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeping_nothing_is_right_if_there_is_nothing_to_keep() {
        let block = |gold, answer| Judged { gold, answer, words: 7, score: Some(0.5) };
        let figures = Figures::from_blocks(&[block(false, false)]);
        assert_eq!((figures.blocks_f, figures.words_f1, figures.false_positives), (1.0, 1.0, 0.0));
        assert!(figures.area.is_nan(), "there is nothing to rank");
        let kept = Figures::from_blocks(&[block(false, true)]);
        assert_eq!((kept.blocks_f, kept.false_positives), (0.0, 1.0));
        assert!(Figures::from_blocks(&[block(true, true)]).false_positives.is_nan());
    }

    #[test]
    fn areas_are_weighted_by_words() {
        // In 3 · 10 + 1 · 4 of the 4 · 10 pairs of a content word and a boilerplate word, the content word has the higher score.
        let block = |gold, words, score| Judged { gold, answer: gold, words, score: Some(score) };
        let figures = Figures::from_blocks(&[block(true, 3, 0.9), block(false, 6, 0.5), block(true, 1, 0.4), block(false, 4, 0.1)]);
        assert!((figures.area - 34.0 / 40.0).abs() < 1e-12, "{}", figures.area);
    }
}
