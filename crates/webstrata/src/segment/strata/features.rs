//! The features of a page's gaps, computed from its parts and the sums over them.

use super::aggregates::Aggregates;
use super::context_pass::{self, ContextRows};
use super::gap_batches::GapBatches;
use super::gap_rows::GapRows;
use super::parts::Parts;
use crate::block::{BlockOptions, BlockTable, Blocks, GapModel, Mask};
use crate::html::Dom;
use std::sync::LazyLock;

/// Names of the features of the first pass, taken from a row so that names and values cannot diverge.
static FIRST: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let dom = Dom::parse("<p>one<p>two");
    let table = BlockTable::new(&dom, &BlockOptions { gaps: GapModel::Tags, ..BlockOptions::default() });
    let mut names = Vec::new();
    let features = GapFeatures::new(table.with(&dom), Mask::default());
    if features.gaps() > 0 {
        features.first_pass().row(0, |name, _| names.push(name));
    }
    names
});

/// Names of the features of the context pass: those of the first pass, and its predictions.
static CONTEXT: LazyLock<Vec<&'static str>> = LazyLock::new(|| [FIRST.as_slice(), &context_pass::COLUMNS].concat());

/// The features of all gaps of a page.
///
/// ```
/// use webstrata::{Page, block::{GapModel, Mask}, segment::strata::GapFeatures};
/// let page = Page::parse(b"<p>one <b>two</b><p>three");
/// let features = GapFeatures::new(page.blocks_by(GapModel::Tags), Mask::default());
/// assert_eq!(features.gaps(), 1);
/// assert_eq!(features.block(0), 2);
/// let mut row = Vec::new();
/// features.first_rows(0..1, &mut row);
/// assert_eq!(row.len(), GapFeatures::first_columns().len());
/// ```
#[derive(Debug)]
pub struct GapFeatures {
    parts: Parts,
    aggregates: Aggregates,
    headings: Vec<u32>,
}

impl GapFeatures {
    /// Reads a page. `blocks` must be those of [`GapModel::Tags`].
    #[must_use]
    pub fn new(blocks: Blocks<'_>, mask: Mask) -> Self {
        let parts = Parts::new(blocks, mask);
        let aggregates = Aggregates::new(blocks, &parts);
        let mut last = 0;
        let headings = aggregates.atoms.iter().zip(1..).map(|(atom, number)| {
            if atom.heading > 0 {
                last = number;
            }
            last
        });
        GapFeatures { headings: headings.collect(), parts, aggregates }
    }

    /// Number of gaps.
    #[must_use]
    pub fn gaps(&self) -> usize {
        self.parts.gaps.len()
    }

    /// Index of the first block after a gap.
    #[must_use]
    pub fn block(&self, gap: usize) -> u32 {
        self.parts.gaps[gap].block
    }

    /// Number of words before a gap.
    #[must_use]
    pub fn words_before(&self, gap: usize) -> u32 {
        self.aggregates.prefix[gap + 1].words
    }

    /// Number of words on the page.
    #[must_use]
    pub fn words(&self) -> u32 {
        self.aggregates.prefix.last().map_or(0, |all| all.words)
    }

    /// Names of the features of the first pass, in order.
    #[must_use]
    pub fn first_columns() -> &'static [&'static str] {
        &FIRST
    }

    /// Names of the features of the context pass, in order.
    #[must_use]
    pub fn context_columns() -> &'static [&'static str] {
        &CONTEXT
    }

    /// Appends the first-pass rows of some gaps to `rows`.
    pub fn first_rows(&self, gaps: std::ops::Range<usize>, rows: &mut Vec<f32>) {
        let first = self.first_pass();
        for gap in gaps {
            first.row(gap, |_, value| rows.push(value));
        }
    }

    /// Appends the context-pass rows of some gaps to `rows`.
    pub fn context_rows(&self, context: &ContextRows<'_>, gaps: std::ops::Range<usize>, rows: &mut Vec<f32>) {
        let first = self.first_pass();
        for gap in gaps {
            first.row(gap, |_, value| rows.push(value));
            context.row(gap, |value| rows.push(value));
        }
    }

    /// Prepares the context pass: `probabilities` are the first-pass probabilities to correct, `other` those of the other
    /// level.
    #[must_use]
    pub fn context<'s>(&'s self, probabilities: &'s [f32], other: &'s [f32]) -> ContextRows<'s> {
        ContextRows::new(&self.parts, &self.aggregates, probabilities, other)
    }

    pub(super) fn parts(&self) -> &Parts {
        &self.parts
    }

    /// The rows of all gaps, ready to be scored.
    pub(super) fn batches(&self) -> GapBatches<'_> {
        GapBatches::new(self.first_pass())
    }

    fn first_pass(&self) -> GapRows<'_> {
        GapRows { parts: &self.parts, aggregates: &self.aggregates, headings: &self.headings }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Page;
    use std::collections::BTreeMap;

    fn features(html: &str, mask: Mask) -> GapFeatures {
        GapFeatures::new(Page::parse(html.as_bytes()).blocks_by(GapModel::Tags), mask)
    }

    fn row(html: &str, gap: usize, mask: Mask) -> BTreeMap<&'static str, f32> {
        let mut row = BTreeMap::new();
        features(html, mask).first_pass().row(gap, |name, value| assert!(row.insert(name, value).is_none(), "{name} twice"));
        row
    }

    const PAGE: &str = "<div class='mainMenu box'><ul><li><a href=a>One</a><li><a href=b>Two more</a><li><a href=c>Three</a></ul></div>\
        <div id=text><h2>Rain</h2><p>It rained for <b>three</b> days.</p><p>Then it <img> stopped.</p></div>";

    #[test]
    fn both_sides_of_a_gap() {
        // Gaps: two in the menu, one after it, two in the text.
        let menu_to_text = row(PAGE, 2, Mask::default());
        for (name, value) in [
            ("outer child count", 2.0),
            ("outer height", 2.0),
            ("outer page share", 1.0),
            ("left word count", 4.0),
            ("left link density", 1.0),
            ("left list item count", 3.0),
            ("left list count", 1.0),
            ("left chain length", 2.0),
            ("left name hint nav", 1.0),
            ("left name hint main", 1.0),
            ("left name hint module", 1.0),
            ("left has class", 1.0),
            ("left has id", 0.0),
            ("right link density", 0.0),
            ("right has id", 1.0),
            ("right name hint nav", 0.0),
            ("right paragraph count", 2.0),
            ("right heading count", 1.0),
            ("right heading level of first atom", 2.0),
            ("right image count", 1.0),
            ("heading level of right atom", 2.0),
            ("heading in gap", 1.0),
            ("same tag", 1.0),
            ("same tag and class", 0.0),
            ("link density difference", -1.0),
            ("steps up from left atom", 2.0),
            ("steps down to right atom", 2.0),
            ("index of left part", 0.0),
            ("only two parts", 1.0),
            ("atom count of page", 6.0),
        ] {
            assert_eq!(menu_to_text[name], value, "{name}");
        }
    }

    #[test]
    fn repeated_parts() {
        let items = row(PAGE, 1, Mask::default());
        for (name, value) in [
            ("left similar siblings", 3.0),
            ("same tag and class", 1.0),
            ("same child tags", 1.0),
            ("outer child count", 3.0),
            ("outer share of children with same tag and class", 1.0),
            ("index of left part", 1.0),
            ("parts after right part", 0.0),
            ("list item in gap", 1.0),
        ] {
            assert_eq!(items[name], value, "{name}");
        }
    }

    #[test]
    fn masks_hide_names() {
        let hidden = row(PAGE, 2, Mask { names: 256, ..Mask::default() });
        assert_eq!((hidden["left name hint nav"], hidden["left has class"], hidden["right has id"]), (0.0, 0.0, 0.0));
        let plain = row(PAGE, 2, Mask::default());
        let others = |row: &BTreeMap<&str, f32>| (row["left word count"], row["outer height"], row["left tag"]);
        assert_eq!(others(&hidden), others(&plain));
    }

    #[test]
    fn rows_are_as_wide_as_their_names() {
        for html in ["", "<p>x", PAGE, &"<div>x".repeat(300), &"<math><mi>x<mtext><p>y".repeat(40)] {
            let features = features(html, Mask::default());
            let probabilities = vec![0.5; features.gaps()];
            let (mut first, mut second) = (Vec::new(), Vec::new());
            features.first_rows(0..features.gaps(), &mut first);
            features.context_rows(&features.context(&probabilities, &probabilities), 0..features.gaps(), &mut second);
            assert_eq!(first.len(), features.gaps() * GapFeatures::first_columns().len());
            assert_eq!(second.len(), features.gaps() * GapFeatures::context_columns().len());
            assert!(first.iter().chain(&second).all(|value| value.is_finite()));
        }
    }

    #[test]
    fn context_of_a_gap() {
        let features = features(PAGE, Mask::default());
        let probabilities = [0.1, 0.2, 0.9, 0.3, 0.6];
        let context = features.context(&probabilities, &[0.0; 5]);
        let mut row = Vec::new();
        context.row(2, |value| row.push(value));
        let columns: BTreeMap<&str, f32> = context_pass::COLUMNS.into_iter().zip(row).collect();
        for (name, value) in [
            ("first-pass probability", 0.9),
            ("probability of previous gap", 0.2),
            ("probability of next gap", 0.3),
            ("highest probability inside left part", 0.2),
            ("highest probability inside right part", 0.6),
            ("mean probability of sibling gaps", -1.0),
            ("highest probability of sibling gaps", 0.9),
            ("probability of gap before outer part", 1.0),
            ("probability of gap after outer part", 1.0),
            ("words since previous cut", 4.0),
            ("atoms since previous cut", 3.0),
            ("atoms until next cut", 2.0),
            ("cut count of page", 2.0),
        ] {
            assert_eq!(columns[name], value, "{name}");
        }
        let mut row = Vec::new();
        context.row(3, |value| row.push(value));
        let columns: BTreeMap<&str, f32> = context_pass::COLUMNS.into_iter().zip(row).collect();
        assert_eq!(
            (
                columns["mean probability of sibling gaps"],
                columns["share of sibling gaps above"],
                columns["probability of gap before outer part"]
            ),
            (0.6, 0.5, 0.9)
        );
    }
}
