//! What is known of a page before it is cut: its parts, the sums over them, and the rows that forests look at.

use super::aggregates::Aggregates;
use super::context_pass::{self, ContextRows};
use super::parts::Parts;
use super::rows::Rows;
use crate::block::{BlockOptions, BlockTable, Blocks, GapModel, Mask};
use crate::html::Dom;
use std::sync::LazyLock;

/// Names of the first look's columns. Read off a row, so that names and values cannot get apart.
static FIRST: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let dom = Dom::parse("<p>one<p>two");
    let table = BlockTable::new(&dom, &BlockOptions { gaps: GapModel::Tags, ..BlockOptions::default() });
    let mut names = Vec::new();
    let features = GapFeatures::new(table.with(&dom), Mask::default());
    if features.gaps() > 0 {
        features.view().row(0, |name, _| names.push(name));
    }
    names
});

/// Names of the second look's columns: those of the first, and what the first look said.
static SECOND: LazyLock<Vec<&'static str>> = LazyLock::new(|| [FIRST.as_slice(), &context_pass::COLUMNS].concat());

/// What is known of a page before it is cut.
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
    sums: Aggregates,
    headings: Vec<u32>,
}

impl GapFeatures {
    /// Reads a page; `blocks` are those of [`GapModel::Tags`].
    #[must_use]
    pub fn new(blocks: Blocks<'_>, mask: Mask) -> Self {
        let parts = Parts::new(blocks, mask);
        let sums = Aggregates::new(blocks, &parts);
        let mut last = 0;
        let headings = sums.atoms.iter().zip(1..).map(|(atom, number)| {
            if atom.heading > 0 {
                last = number;
            }
            last
        });
        GapFeatures { headings: headings.collect(), parts, sums }
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
    pub fn context_columns() -> &'static [&'static str] {
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
    pub fn context_rows(&self, said: &ContextRows<'_>, gaps: std::ops::Range<usize>, rows: &mut Vec<f32>) {
        let view = self.view();
        for gap in gaps {
            view.row(gap, |_, value| rows.push(value));
            said.row(gap, |value| rows.push(value));
        }
    }

    /// Aggregates up what a first look said: the probabilities that are to be mended, and those of the other model.
    #[must_use]
    pub fn context<'s>(&'s self, probabilities: &'s [f32], other: &'s [f32]) -> ContextRows<'s> {
        ContextRows::new(&self.parts, &self.sums, probabilities, other)
    }

    fn view(&self) -> Rows<'_> {
        Rows { parts: &self.parts, sums: &self.sums, headings: &self.headings }
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
        features(html, mask).view().row(gap, |name, value| assert!(row.insert(name, value).is_none(), "{name} twice"));
        row
    }

    const PAGE: &str = "<div class='mainMenu box'><ul><li><a href=a>One</a><li><a href=b>Two more</a><li><a href=c>Three</a></ul></div>\
        <div id=text><h2>Rain</h2><p>It rained for <b>three</b> days.</p><p>Then it <img> stopped.</p></div>";

    #[test]
    fn the_two_sides_of_a_gap() {
        // Gaps: two in the menu, one behind it, two in the text.
        let menu_to_text = row(PAGE, 2, Mask::default());
        for (name, value) in [
            ("outer-children", 2.0),
            ("outer-height", 2.0),
            ("outer-share", 1.0),
            ("left-words", 4.0),
            ("left-links", 1.0),
            ("left-items", 3.0),
            ("left-lists", 1.0),
            ("left-chain", 2.0),
            ("left-named-nav", 1.0),
            ("left-named-main", 1.0),
            ("left-named-module", 1.0),
            ("left-class", 1.0),
            ("left-id", 0.0),
            ("right-links", 0.0),
            ("right-id", 1.0),
            ("right-named-nav", 0.0),
            ("right-paragraphs", 2.0),
            ("right-headings", 1.0),
            ("right-first-heading", 2.0),
            ("right-images", 1.0),
            ("heading-behind", 2.0),
            ("headings", 1.0),
            ("same-tag", 1.0),
            ("same-look", 0.0),
            ("links-apart", -1.0),
            ("steps-up", 2.0),
            ("steps-down", 2.0),
            ("place", 0.0),
            ("two", 1.0),
            ("page-atoms", 6.0),
        ] {
            assert_eq!(menu_to_text[name], value, "{name}");
        }
    }

    #[test]
    fn what_repeats() {
        let items = row(PAGE, 1, Mask::default());
        for (name, value) in [
            ("left-alike", 3.0),
            ("same-look", 1.0),
            ("same-pattern", 1.0),
            ("outer-children", 3.0),
            ("outer-children-same-look", 1.0),
            ("place", 1.0),
            ("places-left", 0.0),
            ("items", 1.0),
        ] {
            assert_eq!(items[name], value, "{name}");
        }
    }

    #[test]
    fn masks_hide_names() {
        let hidden = row(PAGE, 2, Mask { names: 256, ..Mask::default() });
        assert_eq!((hidden["left-named-nav"], hidden["left-class"], hidden["right-id"]), (0.0, 0.0, 0.0));
        let plain = row(PAGE, 2, Mask::default());
        let others = |row: &BTreeMap<&str, f32>| (row["left-words"], row["outer-height"], row["left-tag"]);
        assert_eq!(others(&hidden), others(&plain));
    }

    #[test]
    fn rows_are_as_wide_as_their_columns() {
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
    fn what_the_first_look_said() {
        let features = features(PAGE, Mask::default());
        let probabilities = [0.1, 0.2, 0.9, 0.3, 0.6];
        let said = features.context(&probabilities, &[0.0; 5]);
        let mut row = Vec::new();
        said.row(2, |value| row.push(value));
        let columns: BTreeMap<&str, f32> = context_pass::COLUMNS.into_iter().zip(row).collect();
        for (name, value) in [
            ("first", 0.9),
            ("first-1", 0.2),
            ("first+1", 0.3),
            ("inside-left", 0.2),
            ("inside-right", 0.6),
            ("siblings-mean", -1.0),
            ("siblings-most", 0.9),
            ("before-outer", 1.0),
            ("behind-outer", 1.0),
            ("words-to-cut-before", 4.0),
            ("atoms-to-cut-before", 3.0),
            ("atoms-to-cut-behind", 2.0),
            ("page-cuts", 2.0),
        ] {
            assert_eq!(columns[name], value, "{name}");
        }
        let mut row = Vec::new();
        said.row(3, |value| row.push(value));
        let columns: BTreeMap<&str, f32> = context_pass::COLUMNS.into_iter().zip(row).collect();
        assert_eq!((columns["siblings-mean"], columns["siblings-above"], columns["before-outer"]), (0.6, 0.5, 0.9));
    }
}
