//! What is known of a page before it is cut: its parts, the sums over them, and the rows that forests look at.

use super::parts::Parts;
use super::rows::Rows;
use super::second::{self, Said};
use super::sums::Sums;
use crate::block::{BlockOptions, BlockTable, Blocks, GapModel, Mask};
use crate::html::Dom;
use std::sync::LazyLock;

/// Names of the first look's columns. Read off a row, so that names and values cannot get apart.
static FIRST: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let dom = Dom::parse("<p>one<p>two");
    let table = BlockTable::new(&dom, &BlockOptions { gaps: GapModel::Tags, ..BlockOptions::default() });
    let mut names = Vec::new();
    let evidence = Evidence::new(table.with(&dom), Mask::default());
    if evidence.gaps() > 0 {
        evidence.view().row(0, |name, _| names.push(name));
    }
    names
});

/// Names of the second look's columns: those of the first, and what the first look said.
static SECOND: LazyLock<Vec<&'static str>> = LazyLock::new(|| [FIRST.as_slice(), &second::COLUMNS].concat());

/// What is known of a page before it is cut.
///
/// ```
/// use webstrata::{Page, block::{GapModel, Mask}, segment::strata::Evidence};
/// let page = Page::parse(b"<p>one <b>two</b><p>three", &Default::default());
/// let evidence = Evidence::new(page.blocks_by(GapModel::Tags), Mask::default());
/// assert_eq!(evidence.gaps(), 1);
/// assert_eq!(evidence.block(0), 2);
/// let mut row = Vec::new();
/// evidence.first_rows(0..1, &mut row);
/// assert_eq!(row.len(), Evidence::first_columns().len());
/// ```
#[derive(Debug)]
pub struct Evidence {
    parts: Parts,
    sums: Sums,
    headings: Vec<u32>,
}

impl Evidence {
    /// Reads a page; `blocks` are those of [`GapModel::Tags`].
    #[must_use]
    pub fn new(blocks: Blocks<'_>, mask: Mask) -> Self {
        let parts = Parts::new(blocks, mask);
        let sums = Sums::new(blocks, &parts);
        let mut last = 0;
        let headings = sums.atoms.iter().zip(1..).map(|(atom, number)| {
            if atom.heading > 0 {
                last = number;
            }
            last
        });
        Evidence { headings: headings.collect(), parts, sums }
    }

    /// How many gaps it may be cut at.
    #[must_use]
    pub fn gaps(&self) -> usize {
        self.parts.gaps.len()
    }

    /// The number of the first block behind a gap.
    #[must_use]
    pub fn block(&self, gap: usize) -> u32 {
        self.parts.gaps[gap].block
    }

    /// Words in front of a gap.
    #[must_use]
    pub fn words_before(&self, gap: usize) -> u32 {
        self.sums.before[gap + 1].words
    }

    /// Words of the page.
    #[must_use]
    pub fn words(&self) -> u32 {
        self.sums.before.last().map_or(0, |all| all.words)
    }

    /// Names of the first look's columns.
    #[must_use]
    pub fn first_columns() -> &'static [&'static str] {
        &FIRST
    }

    /// Names of the second look's columns.
    #[must_use]
    pub fn second_columns() -> &'static [&'static str] {
        &SECOND
    }

    /// Adds the first look's rows of some gaps to `rows`.
    pub fn first_rows(&self, gaps: std::ops::Range<usize>, rows: &mut Vec<f32>) {
        let view = self.view();
        for gap in gaps {
            view.row(gap, |_, value| rows.push(value));
        }
    }

    /// Adds the second look's rows of some gaps to `rows`, from what the first look said.
    pub fn second_rows(&self, said: &Said<'_>, gaps: std::ops::Range<usize>, rows: &mut Vec<f32>) {
        let view = self.view();
        for gap in gaps {
            view.row(gap, |_, value| rows.push(value));
            said.row(gap, |value| rows.push(value));
        }
    }

    /// Sums up what a first look said: the chances that are to be mended, and those of the other model.
    #[must_use]
    pub fn said<'s>(&'s self, chances: &'s [f32], other: &'s [f32]) -> Said<'s> {
        Said::new(&self.parts, &self.sums, chances, other)
    }

    fn view(&self) -> Rows<'_> {
        Rows { parts: &self.parts, sums: &self.sums, headings: &self.headings }
    }
}
