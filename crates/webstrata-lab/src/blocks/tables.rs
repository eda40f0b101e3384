//! Results as tables: by method, and by page.

use super::run::Outcome;
use super::score::{Figures, Judged};
use super::set::BlockSet;
use crate::table::{Table, share};

/// Column headings, in the order of [`Figures::list`].
const SHOWN: [&str; 8] = ["b-P", "b-R", "b-F", "word P", "word R", "word F1", "FP rate", "ROC AuC"];
/// The same in CSV and JSON.
pub const NAMES: [&str; 8] = ["b_precision", "b_recall", "b_f", "precision", "recall", "f1", "false_positive_rate", "roc_auc"];

fn table(first: &str, outcomes: &[Outcome], figures: impl Fn(&Outcome) -> Figures) -> Table {
    let heading: Vec<&str> = std::iter::once(first).chain(SHOWN).collect();
    let mut table = Table::new(&heading);
    for outcome in outcomes {
        table.row(std::iter::once(outcome.name.clone()).chain(figures(outcome).list().map(share)).collect());
    }
    table
}

/// One row per method: the mean over pages.
#[must_use]
pub fn by_page(outcomes: &[Outcome]) -> Table {
    table("mean of pages", outcomes, Outcome::mean)
}

/// One row per method: all blocks pooled.
#[must_use]
pub fn overall(outcomes: &[Outcome]) -> Table {
    table("all blocks", outcomes, Outcome::overall)
}

/// All measures of all pages, with the underlying counts.
#[must_use]
pub fn pages(set: &BlockSet, outcomes: &[Outcome]) -> Table {
    let counts = ["blocks", "content_blocks", "kept_blocks", "words", "content_words", "kept_words"];
    let heading: Vec<&str> = ["set", "method", "page"].into_iter().chain(counts).chain(NAMES).collect();
    let mut table = Table::new(&heading);
    for outcome in outcomes {
        for (labelled, blocks) in set.labelled.pages.iter().zip(&outcome.pages) {
            let mut row = vec![set.name.clone(), outcome.name.clone(), labelled.gold.id.clone()];
            row.extend(Counts::new(blocks).list().map(|count| count.to_string()));
            row.extend(
                Figures::from_blocks(blocks).list().map(|value| if value.is_nan() { String::new() } else { format!("{value:.6}") }),
            );
            table.row(row);
        }
    }
    table
}

/// Numbers of blocks and words: all, content, kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Blocks.
    pub blocks: [u64; 3],
    /// Words.
    pub words: [u64; 3],
}

impl Counts {
    /// Counts blocks that have words.
    ///
    /// ```
    /// use webstrata_lab::blocks::{score::Judged, tables::Counts};
    /// let counts = Counts::new(&[Judged { gold: true, answer: false, words: 9, score: None }]);
    /// assert_eq!((counts.blocks, counts.words), ([1, 1, 0], [9, 9, 0]));
    /// ```
    #[must_use]
    pub fn new(blocks: &[Judged]) -> Counts {
        let mut counts = Counts::default();
        for block in blocks {
            for (at, counted) in [true, block.gold, block.answer].into_iter().enumerate() {
                counts.blocks[at] += u64::from(counted);
                counts.words[at] += if counted { u64::from(block.words) } else { 0 };
            }
        }
        counts
    }

    /// Blocks, content blocks, kept blocks, and the same for words.
    #[must_use]
    pub fn list(&self) -> [u64; 6] {
        let Counts { blocks: [a, b, c], words: [d, e, f] } = *self;
        [a, b, c, d, e, f]
    }
}
