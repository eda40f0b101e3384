//! Table 4.8: blocks and words by class.
//!
//! The thesis' shares are shown beside ours, with its last two rows swapped as its other numbers require: see
//! [`crate::gold::l3s_blocks`].

use crate::gold::l3s_blocks::Label;
use crate::learn::dataset::LabelledBlocks;
use crate::table::Table;

/// A row of table 4.8.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassRow {
    /// Name of the class.
    pub name: &'static str,
    /// Number of blocks.
    pub blocks: u64,
    /// Share of all blocks.
    pub block_share: f64,
    /// Number of words.
    pub words: u64,
    /// Share of all words.
    pub word_share: f64,
    /// The thesis' shares of blocks and words; `None` for the total.
    pub thesis: Option<(f64, f64)>,
}

/// Numbers of blocks and words in the thesis' whole set.
pub const THESIS_TOTAL: (u64, u64) = (72_662, 520_483);

/// The rows, as in the thesis.
///
/// ```
/// use webstrata::block::GapModel;
/// use webstrata_lab::gold::l3s_blocks::L3sBlocks;
/// use webstrata_lab::learn::{dataset::LabelledBlocks, tables::table_4_8};
/// let none = L3sBlocks { pages: Vec::new(), problems: Vec::new() };
/// let rows = table_4_8(&LabelledBlocks::new(&none, GapModel::Tags));
/// assert_eq!((rows[0].name, rows[0].blocks), ("total", 0));
/// ```
#[must_use]
pub fn table_4_8(blocks: &LabelledBlocks) -> Vec<ClassRow> {
    let mut counts = [(0u64, 0u64); Label::ALL.len()];
    for (label, words) in blocks.blocks() {
        counts[label as usize].0 += 1;
        counts[label as usize].1 += u64::from(words);
    }
    let sum = |labels: &[Label]| {
        labels.iter().map(|label| counts[*label as usize]).fold((0, 0), |sum, count| (sum.0 + count.0, sum.1 + count.1))
    };
    let total = sum(&Label::ALL);
    let share = |part: u64, of: u64| if of == 0 { 0.0 } else { part as f64 / of as f64 };
    let row = |name, labels: &[Label], thesis| {
        let (blocks, words) = sum(labels);
        ClassRow { name, blocks, block_share: share(blocks, total.0), words, word_share: share(words, total.1), thesis }
    };
    let thesis = |blocks: f64, words: f64| Some((blocks / 100.0, words / 100.0));
    vec![
        row("total", &Label::ALL, None),
        row("boilerplate", &[Label::NotContent], thesis(79.0, 35.0)),
        row("any content", &Label::ALL[1..], thesis(21.0, 65.0)),
        row(Label::Headline.name(), &[Label::Headline], thesis(1.0, 1.0)),
        row(Label::FullText.name(), &[Label::FullText], thesis(12.0, 51.0)),
        row(Label::Supplemental.name(), &[Label::Supplemental], thesis(3.0, 3.0)),
        row(Label::Comments.name(), &[Label::Comments], thesis(4.0, 9.0)),
        row(Label::Related.name(), &[Label::Related], thesis(1.0, 1.0)),
    ]
}

/// The rows as a printable table.
#[must_use]
pub fn class_table(rows: &[ClassRow]) -> Table {
    let mut table = Table::new(&["class", "blocks", "share", "thesis", "words", "share", "thesis"]);
    for row in rows {
        let thesis = row.thesis.map_or(("–".to_owned(), "–".to_owned()), |(blocks, words)| (percent(blocks), percent(words)));
        table.row(vec![
            row.name.to_owned(),
            row.blocks.to_string(),
            percent(row.block_share),
            thesis.0,
            row.words.to_string(),
            percent(row.word_share),
            thesis.1,
        ]);
    }
    table
}

fn percent(share: f64) -> String {
    format!("{:.1}%", share * 100.0)
}
