//! Segmenters: blocks to segments. All methods implement one trait.
//!
//! Each published method has its own file, which cites the paper. All take the blocks of a page (the atoms of the block-gap model,
//! [`crate::block::GapModel::Tags`]) and return a [`Segmentation`]: every word is in exactly one segment.

mod fusion;
mod getblockset;
pub mod graphcut;
mod options;
mod parts;
mod rendering;
mod rules;
pub mod strata;
mod taggap;
mod view;
mod wordwrap;

pub use fusion::{Fusion, FusionOptions, Smoothing};
pub use getblockset::GetBlockSet;
pub use options::SegmentOptions;
pub use parts::{Feature, FeatureCounts, Part, UnknownFeature};
pub use rules::{JustRules, RuleSet, UnknownRules};
pub use strata::{Granularity, Hierarchy, StrataSegmenter, UnknownGranularity};
pub use taggap::TagGap;
pub use view::{Segment, Segments, SegmentsIter};
pub use wordwrap::WordWrap;

use crate::block::Blocks;
use graphcut::{CClus, GCuts, Variant};
use std::fmt;
use std::str::FromStr;

/// Divides a page into segments.
///
/// ```
/// use webstrata::{Page, block::GapModel, segment::{Segmenter, TagGap}};
/// let page = Page::parse(b"<p>one <b>two</b>");
/// let segmentation = TagGap.segment(page.blocks_by(GapModel::Tags));
/// assert_eq!(segmentation.len(), 2);
/// ```
pub trait Segmenter: fmt::Debug + Send + Sync {
    /// The name shown to users.
    fn name(&self) -> &'static str;
    /// Divides the blocks; `blocks` are those of [`crate::block::GapModel::Tags`].
    fn segment(&self, blocks: Blocks<'_>) -> Segmentation;
}

/// Where a segment starts: at a block, or at a word inside one.
///
/// ```
/// use webstrata::segment::{Cut, Segmentation};
/// let two = Segmentation::from_cuts([Cut { block: 1, at: 0 }], 3);
/// assert_eq!(two.ranges().next(), Some((Cut { block: 0, at: 0 }, Cut { block: 1, at: 0 })));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cut {
    /// Index of the block.
    pub block: u32,
    /// Byte of the page's source at which the word starts; 0 for the block's own start.
    pub at: u32,
}

/// A partition of a page's words into segments, in document order.
///
/// ```
/// use webstrata::{Page, block::GapModel, segment::{JustRules, RuleSet, Segmenter}};
/// let page = Page::parse(b"<h1>Title</h1><p>One.<p>Two.<hr><p>Three.");
/// let segmentation = JustRules(RuleSet::paper()).segment(page.blocks_by(GapModel::Tags));
/// let blocks: Vec<_> = segmentation.ranges().map(|(from, to)| from.block..to.block).collect();
/// assert_eq!(blocks, [0..1, 1..3, 3..4]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Segmentation {
    /// Starts of the segments, ascending, followed by the end of the last one.
    cuts: Vec<Cut>,
    /// For each segment: its group. Empty if every segment is a group of its own.
    groups: Vec<u32>,
    /// For each segment: why it is one. Empty if the method gives no reasons.
    reasons: Vec<String>,
}

impl Segmentation {
    /// Creates a segmentation from the numbers of the blocks that start a segment, ascending. Block 0 always does.
    #[must_use]
    pub fn from_blocks(starts: impl IntoIterator<Item = u32>, blocks: usize) -> Self {
        Self::from_cuts(starts.into_iter().map(|block| Cut { block, at: 0 }), blocks)
    }

    /// Creates a segmentation from the starts of segments, ascending. Starts out of order or outside the page are ignored.
    #[must_use]
    pub fn from_cuts(starts: impl IntoIterator<Item = Cut>, blocks: usize) -> Self {
        let mut cuts: Vec<Cut> = Vec::new();
        if blocks > 0 {
            let end = Cut { block: u32::try_from(blocks).unwrap_or(u32::MAX), at: 0 };
            cuts.push(Cut::default());
            for cut in starts {
                if cuts.last().is_some_and(|last| *last < cut) && cut < end {
                    cuts.push(cut);
                }
            }
            cuts.push(end);
        }
        Segmentation { cuts, ..Segmentation::default() }
    }

    /// Creates a segmentation from the blocks that start a segment, ascending, each with the segment's group. The method considers all
    /// segments of a group to be one, although other text is between them in the document.
    ///
    /// ```
    /// use webstrata::segment::Segmentation;
    /// let columns = Segmentation::from_groups([(0, 7), (2, 9), (3, 7)], 4);
    /// assert_eq!((0..3).map(|segment| columns.group(segment)).collect::<Vec<_>>(), [0, 1, 0]);
    /// ```
    #[must_use]
    pub fn from_groups(starts: impl IntoIterator<Item = (u32, u32)>, blocks: usize) -> Self {
        let (mut firsts, mut labels): (Vec<u32>, Vec<u32>) = (Vec::new(), Vec::new());
        for (block, label) in starts {
            if firsts.last().is_none_or(|last| *last < block) && (block as usize) < blocks {
                firsts.push(block);
                labels.push(label);
            }
        }
        // Groups are numbered in the order in which they start.
        let mut order: Vec<u32> = labels.clone();
        order.sort_unstable();
        order.dedup();
        let mut numbers = vec![u32::MAX; order.len()];
        let mut next = 0;
        for label in &mut labels {
            let place = &mut numbers[order.partition_point(|known| known < label)];
            if *place == u32::MAX {
                *place = next;
                next += 1;
            }
            *label = *place;
        }
        let segmentation = Self::from_blocks(firsts, blocks);
        // A first segment that does not start at block 0 is added by `from_blocks`; then there is nothing to group.
        let groups = if segmentation.len() == labels.len() { labels } else { Vec::new() };
        Segmentation { groups, ..segmentation }
    }

    /// Adds a reason for each segment.
    #[must_use]
    pub fn with_reasons(self, reasons: impl IntoIterator<Item = String>) -> Self {
        Segmentation { reasons: reasons.into_iter().collect(), ..self }
    }

    /// The group of a segment: its own number, unless the method considers several segments one.
    #[must_use]
    pub fn group(&self, segment: usize) -> usize {
        self.groups.get(segment).map_or(segment, |group| *group as usize)
    }

    /// Whether the method may consider several segments one.
    #[must_use]
    pub fn is_grouped(&self) -> bool {
        !self.groups.is_empty()
    }

    /// Number of groups.
    #[must_use]
    pub fn groups(&self) -> usize {
        if self.groups.is_empty() { self.len() } else { self.groups.iter().max().map_or(0, |last| *last as usize + 1) }
    }

    /// Why a segment is one, if the method gives a reason.
    #[must_use]
    pub fn reason(&self, segment: usize) -> Option<&str> {
        self.reasons.get(segment).map(String::as_str)
    }

    /// Number of segments.
    #[must_use]
    pub fn len(&self) -> usize {
        self.cuts.len().saturating_sub(1)
    }

    /// Whether there are no segments: the page has no text.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Start and end of segment `index`.
    pub(crate) fn range(&self, index: usize) -> Option<(Cut, Cut)> {
        Some((*self.cuts.get(index)?, *self.cuts.get(index + 1)?))
    }

    /// Start and end of each segment.
    pub fn ranges(&self) -> impl Iterator<Item = (Cut, Cut)> + '_ {
        self.cuts.windows(2).map(|pair| (pair[0], pair[1]))
    }
}

/// The methods by name, for choosing one at run time.
///
/// ```
/// use webstrata::segment::{Method, RuleSet};
/// let method: Method = "bf-rulebased".parse()?;
/// assert_eq!(method.segmenter(RuleSet::html5()).name(), "bf-rulebased");
/// assert!("vips".parse::<Method>().unwrap_err().to_string().contains("bf-plain"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method {
    /// Lines of 80 characters.
    WordWrap,
    /// One segment per atom.
    TagGap,
    /// Block Fusion, densities only.
    BfPlain,
    /// Block Fusion with smoothing.
    BfSmoothed,
    /// Block Fusion with the smoothing of the thesis' footnote 6.
    BfSmoothedLow,
    /// Block Fusion with smoothing and tag rules.
    BfRulebased,
    /// Tag rules only.
    JustRules,
    /// Partitioning tags of the TKDE paper.
    GetBlockSet,
    /// Energy-minimising graph cuts.
    GCuts,
    /// Graph cuts without costs between parents and children.
    GCutsNp,
    /// Graph cuts without learned weights.
    GCutsNl,
    /// Correlation clustering.
    CClus,
    /// Correlation clustering without learned weights.
    CClusNl,
    /// Learned from manually segmented pages; at the granularity [`Granularity::Fine`].
    Strata,
}

impl Method {
    /// All methods: those of the papers in the order of their tables, then ours.
    pub const ALL: [Method; 14] = [
        Method::WordWrap,
        Method::TagGap,
        Method::BfPlain,
        Method::BfSmoothed,
        Method::BfSmoothedLow,
        Method::BfRulebased,
        Method::JustRules,
        Method::GetBlockSet,
        Method::GCuts,
        Method::GCutsNp,
        Method::GCutsNl,
        Method::CClus,
        Method::CClusNl,
        Method::Strata,
    ];

    /// The methods of the papers, in the order of their tables.
    pub const PAPERS: [Method; 13] = {
        let [papers @ .., _] = Method::ALL;
        papers
    };

    /// The name shown to users.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Method::WordWrap => "wordwrap",
            Method::TagGap => "taggap",
            Method::BfPlain => "bf-plain",
            Method::BfSmoothed => "bf-smoothed",
            Method::BfSmoothedLow => "bf-smoothed-low",
            Method::BfRulebased => "bf-rulebased",
            Method::JustRules => "just-rules",
            Method::GetBlockSet => "getblockset",
            Method::GCuts => "gcuts",
            Method::GCutsNp => "gcuts-np",
            Method::GCutsNl => "gcuts-nl",
            Method::CClus => "cclus",
            Method::CClusNl => "cclus-nl",
            Method::Strata => "strata",
        }
    }

    /// The segmenter with its recommended options. `rules` matters only to methods with tag rules.
    #[must_use]
    pub fn segmenter(self, rules: RuleSet) -> Box<dyn Segmenter> {
        self.segmenter_with(&rules.into())
    }

    /// The segmenter with these options.
    ///
    /// ```
    /// use webstrata::{Page, segment::{Granularity, Method, SegmentOptions}};
    /// let page = Page::parse(b"<p>one<p>two three four");
    /// let one = Method::Strata.segmenter_with(&SegmentOptions::default().granularity(Granularity::Value(0.0)));
    /// assert_eq!(page.segments_by(&*one).len(), 1);
    /// let fused = |theta: f64| page.segments_by(&*Method::BfPlain.segmenter_with(&SegmentOptions::default().theta(theta))).len();
    /// assert_eq!((fused(0.5), fused(0.7)), (2, 1));
    /// ```
    #[must_use]
    pub fn segmenter_with(self, options: &SegmentOptions) -> Box<dyn Segmenter> {
        let fusion = |fusion: FusionOptions| Box::new(Fusion::new(fusion.theta(options.theta.unwrap_or(fusion.theta))));
        let lambda = options.lambda.map(|lambda| lambda as f32);
        let graph_cuts = |variant: Variant| {
            let method = GCuts::new(variant);
            Box::new(lambda.into_iter().fold(method, GCuts::lambda))
        };
        let clusters = |method: CClus| Box::new(lambda.into_iter().fold(method, CClus::lambda));
        match self {
            Method::WordWrap => Box::new(WordWrap { width: options.width }),
            Method::TagGap => Box::new(TagGap),
            Method::BfPlain => fusion(FusionOptions::plain()),
            Method::BfSmoothed => fusion(FusionOptions::smoothed()),
            Method::BfSmoothedLow => fusion(FusionOptions::smoothed_low()),
            Method::BfRulebased => fusion(FusionOptions::rule_based(options.rules)),
            Method::JustRules => Box::new(JustRules(options.rules)),
            Method::GetBlockSet => Box::new(GetBlockSet::for_rules(&options.rules)),
            Method::GCuts => graph_cuts(Variant::Full),
            Method::GCutsNp => graph_cuts(Variant::NoParents),
            Method::GCutsNl => graph_cuts(Variant::NotLearned),
            Method::CClus => clusters(CClus::default()),
            Method::CClusNl => clusters(CClus::untrained()),
            Method::Strata => Box::new(StrataSegmenter { granularity: options.granularity }),
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An unknown method name.
///
/// ```
/// use webstrata::segment::Method;
/// assert!("x".parse::<Method>().unwrap_err().to_string().contains("taggap"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown segmentation method '{0}'; choose one of: wordwrap taggap bf-plain bf-smoothed bf-smoothed-low bf-rulebased just-rules getblockset gcuts gcuts-np gcuts-nl cclus cclus-nl strata"
)]
pub struct UnknownMethod(String);

impl FromStr for Method {
    type Err = UnknownMethod;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Method::ALL.into_iter().find(|m| m.name() == name).ok_or_else(|| UnknownMethod(name.to_owned()))
    }
}
