//! Tags that force a gap and tags that prevent one (thesis eq. 4.8), and the method that uses nothing else.

use super::{Segmentation, Segmenter};
use crate::block::Blocks;
use crate::html::{INLINE, Tag, TagSet};
use std::fmt;
use std::str::FromStr;

/// Two sets of tags: `force` always separates two blocks, a gap of nothing but `no_gap` never does.
///
/// ```
/// use webstrata::{html::Tag, segment::RuleSet};
/// assert!(RuleSet::paper().force.contains(Tag::H1) && !RuleSet::paper().force.contains(Tag::NAV));
/// assert!(RuleSet::html5().force.contains(Tag::NAV));
/// assert_eq!("paper".parse::<RuleSet>()?, RuleSet::paper());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RuleSet {
    /// The name shown to users.
    pub name: &'static str,
    /// A gap with one of these is never crossed.
    pub force: TagSet,
    /// A gap of nothing but these is always crossed.
    pub no_gap: TagSet,
}

const PAPER_FORCE: TagSet = TagSet::from_tags(&[
    Tag::H1,
    Tag::H2,
    Tag::H3,
    Tag::H4,
    Tag::H5,
    Tag::H6,
    Tag::UL,
    Tag::DL,
    Tag::OL,
    Tag::HR,
    Tag::TABLE,
    Tag::ADDRESS,
    Tag::IMG,
    Tag::SCRIPT,
]);

const PAPER_NO_GAP: TagSet = TagSet::from_tags(&[
    Tag::A,
    Tag::B,
    Tag::BR,
    Tag::EM,
    Tag::FONT,
    Tag::I,
    Tag::S,
    Tag::SPAN,
    Tag::STRONG,
    Tag::SUB,
    Tag::SUP,
    Tag::U,
    Tag::TT,
]);

/// Elements introduced after 2008.
const HTML5_FORCE: TagSet = TagSet::from_tags(&[
    Tag::NAV,
    Tag::HEADER,
    Tag::FOOTER,
    Tag::MAIN,
    Tag::ARTICLE,
    Tag::SECTION,
    Tag::ASIDE,
    Tag::FIGURE,
    Tag::FORM,
    Tag::IFRAME,
    Tag::VIDEO,
    Tag::AUDIO,
    Tag::PICTURE,
    Tag::DETAILS,
    Tag::DIALOG,
    Tag::MENU,
    Tag::SEARCH,
    Tag::HGROUP,
    Tag::FIELDSET,
]);

/// All inline elements, and `br` as in the papers.
const HTML5_NO_GAP: TagSet = INLINE.union(TagSet::from_tags(&[Tag::BR]));

impl RuleSet {
    /// The sets of the papers (2008).
    #[must_use]
    pub const fn paper() -> Self {
        RuleSet { name: "paper", force: PAPER_FORCE, no_gap: PAPER_NO_GAP }
    }

    /// The sets of the papers, extended to HTML5. The default.
    ///
    /// `svg` does not force a gap: icons are as common inside lines of text today as `img` was rare there in 2008.
    #[must_use]
    pub const fn html5() -> Self {
        RuleSet { name: "html5", force: PAPER_FORCE.union(HTML5_FORCE), no_gap: HTML5_NO_GAP }
    }

    /// Whether the gap is never crossed.
    #[must_use]
    pub const fn forces(&self, gap: TagSet) -> bool {
        gap.intersects(self.force)
    }

    /// Whether the gap is always crossed.
    #[must_use]
    pub const fn ignores(&self, gap: TagSet) -> bool {
        gap.is_subset(self.no_gap)
    }
}

impl Default for RuleSet {
    fn default() -> Self {
        RuleSet::html5()
    }
}

impl fmt::Display for RuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// An unknown rule set name.
///
/// ```
/// use webstrata::segment::RuleSet;
/// assert_eq!("x".parse::<RuleSet>().unwrap_err().to_string(), "unknown rule set 'x'; use paper or html5");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown rule set '{0}'; use paper or html5")]
pub struct UnknownRules(String);

impl FromStr for RuleSet {
    type Err = UnknownRules;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        [RuleSet::paper(), RuleSet::html5()].into_iter().find(|r| r.name == name).ok_or_else(|| UnknownRules(name.to_owned()))
    }
}

/// JustRules (thesis 4.2.2): a segment ends at every tag that forces a gap, and nowhere else.
/// The same as rule-based Block Fusion with an infinite threshold.
///
/// ```
/// use webstrata::{Page, segment::{JustRules, RuleSet}};
/// let page = Page::parse(b"<p>one<p>two<hr><p>three");
/// assert_eq!(page.segments_by(&JustRules(RuleSet::paper())).len(), 2);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct JustRules(pub RuleSet);

impl Segmenter for JustRules {
    fn name(&self) -> &'static str {
        "just-rules"
    }

    fn segment(&self, blocks: Blocks<'_>) -> Segmentation {
        let starts = blocks.iter().filter(|b| self.0.forces(b.gap())).map(|b| b.index() as u32);
        Segmentation::from_blocks(starts, blocks.len())
    }
}
