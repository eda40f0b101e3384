//! GetBlockSet (Debnath, Mitra, Pal, Giles: Automatic Identification of Informative Sections of Web
//! Pages, IEEE TKDE 17(9), 2005, 4.1–4.2): a page is partitioned by an ordered list of tags.
//!
//! The paper splits the page by the first tag, each part by the next, and so on, until no part
//! contains a listed tag. The resulting parts are atomic: the text between two neighbouring
//! boundaries of listed tags, start or end. This module computes them in one pass; the order of
//! the list determines only the step in which a boundary is found. A test keeps the recursive form as the oracle.

use super::{RuleSet, Segmentation, Segmenter};
use crate::block::Blocks;
use crate::html::{Tag, TagSet};

/// Partitions a page at the boundaries of the listed tags.
///
/// ```
/// use webstrata::{Page, block::GapModel, segment::{GetBlockSet, Segmenter}};
/// let page = Page::parse(b"<table><tr><td>a</td><td>b</td></tr><tr><td>c</table>d");
/// let parts = GetBlockSet::paper().segment(page.blocks_by(GapModel::Tags));
/// assert_eq!(parts.len(), 3); // a b | c | d
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GetBlockSet {
    /// Tags whose boundaries divide the page.
    pub tags: TagSet,
}

impl GetBlockSet {
    /// The paper's list.
    #[must_use]
    pub const fn paper() -> Self {
        GetBlockSet { tags: TagSet::from_tags(&[Tag::TABLE, Tag::TR, Tag::P, Tag::HR, Tag::UL, Tag::DIV, Tag::SPAN]) }
    }

    /// The paper's list extended to HTML5, without `span`, which nowadays occurs inside lines.
    #[must_use]
    pub const fn html5() -> Self {
        let blocks = TagSet::from_tags(&[
            Tag::OL,
            Tag::DL,
            Tag::SECTION,
            Tag::ARTICLE,
            Tag::ASIDE,
            Tag::NAV,
            Tag::HEADER,
            Tag::FOOTER,
            Tag::MAIN,
            Tag::FIGURE,
            Tag::FORM,
            Tag::BLOCKQUOTE,
            Tag::DETAILS,
            Tag::DIALOG,
            Tag::PRE,
            Tag::MENU,
        ]);
        GetBlockSet { tags: GetBlockSet::paper().tags.difference(TagSet::from_tags(&[Tag::SPAN])).union(blocks) }
    }

    /// The list for a rule set.
    #[must_use]
    pub fn for_rules(rules: &RuleSet) -> Self {
        if *rules == RuleSet::paper() { GetBlockSet::paper() } else { GetBlockSet::html5() }
    }
}

impl Default for GetBlockSet {
    fn default() -> Self {
        GetBlockSet::html5()
    }
}

impl Segmenter for GetBlockSet {
    fn name(&self) -> &'static str {
        "getblockset"
    }

    fn segment(&self, blocks: Blocks<'_>) -> Segmentation {
        let starts = blocks.iter().filter(|b| b.gap().intersects(self.tags)).map(|b| b.index() as u32);
        Segmentation::from_blocks(starts, blocks.len())
    }
}
