//! Options for segmenters that are chosen by name.

use super::{Granularity, RuleSet};
use crate::options::setters;

/// Options for [`Method::segmenter_with`](super::Method::segmenter_with). Each method uses those that apply to it.
///
/// ```
/// use webstrata::segment::{RuleSet, SegmentOptions};
/// let options = SegmentOptions::default().rules(RuleSet::paper()).theta(0.5).width(100);
/// assert_eq!((options.theta, options.width), (Some(0.5), 100));
/// assert_eq!(SegmentOptions::from(RuleSet::html5()), SegmentOptions::default());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct SegmentOptions {
    /// Tags that force or forbid a gap: for `bf-rulebased`, `just-rules` and `getblockset`.
    pub rules: RuleSet,
    /// Maximum slope delta between blocks that Block Fusion fuses; if `None`, that of the thesis: 0.38, or 0.60 with rules.
    pub theta: Option<f64>,
    /// Line width of `wordwrap`. That of text density is [`WordOptions::line_width`](crate::block::WordOptions::line_width).
    pub width: u32,
    /// Weight of separating text against the fit of segments, for `gcuts` and `cclus` and their variants; if `None`, the learned weight.
    pub lambda: Option<f64>,
    /// Granularity of `strata`.
    pub granularity: Granularity,
}

setters! { SegmentOptions { rules: RuleSet, width: u32, granularity: Granularity } into { theta: Option<f64>, lambda: Option<f64> } }

impl Default for SegmentOptions {
    fn default() -> Self {
        RuleSet::html5().into()
    }
}

impl From<RuleSet> for SegmentOptions {
    fn from(rules: RuleSet) -> Self {
        SegmentOptions { rules, theta: None, lambda: None, width: 80, granularity: Granularity::default() }
    }
}
