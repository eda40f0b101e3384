//! `strata`: a learned segmenter, and the only one that produces a hierarchy.
//!
//! A page is a sequence of text runs in a tree. For each gap between two neighbouring runs, a forest of small trees
//! estimates the probability that people would cut there: from the part of the page around the gap (its height, depth, share
//! of the text, number of children), the parts that end and start at it (tags, names, words, links, headings, repetition)
//! and the tags in the gap. A context pass corrects this by the results for the gaps around it. Gaps inside a line, and those
//! with nothing but line breaks, are never cut.
//!
//! There are two levels: one trained on the outer blocks of annotated pages, one on the inner blocks. Together they order the
//! gaps by strength ([`Hierarchy`]), and a [`Granularity`] determines where in that order to stop. Most errors of such a
//! method concern how finely the annotator wanted the page cut: with the best granularity for each page it scores far better
//! than with any single one for all pages.
//!
//! If the page has a layout, a layout pass corrects the fine cuts by the rendering at each gap.
//!
//! The gap model and its features follow a study of our own. The idea of cutting by learned decisions on the tree is from
//! Chakrabarti, Kumar, Punera: A Graph-Theoretic Approach to Webpage Segmentation, WWW 2008; the context pass is from Tu:
//! Auto-context and its Application to High-level Vision Tasks, CVPR 2008. `cuts.card.md` next to this file has the training
//! data and the scores.

mod aggregates;
mod context_pass;
mod features;
mod gap_batches;
mod gap_rows;
mod hierarchy;
mod layout_pass;
mod model;
mod name_hints;
mod name_words;
mod parts;

#[doc(hidden)]
pub use context_pass::ContextRows;
#[doc(hidden)]
pub use features::GapFeatures;
pub use hierarchy::{Granularity, Hierarchy, UnknownGranularity};
pub use layout_pass::LayoutModel;
#[doc(hidden)]
pub use layout_pass::LayoutRows;
pub use model::CutModel;
#[doc(hidden)]
pub use model::{CutProbabilities, context_pass, first_pass};

use super::{Segmentation, Segmenter};
use crate::block::Blocks;

/// The learned segmenter.
///
/// ```
/// use webstrata::{Page, segment::{Granularity, StrataSegmenter}};
/// let html = b"<div id=nav><ul><li><a href=/>Home</a><li><a href=/news>News</a><li><a href=/maps>Maps</a></ul></div>\
///     <div id=main><h1>Rain</h1><p>It has been raining in the valley for three days, and nobody can remember that.</p>\
///     <p>The river is over its banks, and the road to the next village is closed until the end of the week.</p></div>\
///     <div id=footer><p>Valley Post, 1 Main Street. All rights reserved.</p></div>";
/// let page = Page::parse(html);
/// let all = page.segments_by(&StrataSegmenter { granularity: Granularity::Value(1.0) });
/// let fine = page.segments_by(&StrataSegmenter::default());
/// let one = page.segments_by(&StrataSegmenter { granularity: Granularity::Value(0.0) });
/// assert!(all.len() > fine.len() && fine.len() > one.len());
/// assert_eq!(one.len(), 1);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StrataSegmenter {
    /// How finely pages are cut.
    pub granularity: Granularity,
}

impl StrataSegmenter {
    /// The gaps of a page by strength. `blocks` must be those of [`crate::block::GapModel::Tags`].
    ///
    /// ```
    /// use webstrata::{Page, block::GapModel, segment::{Granularity, Segmenter, StrataSegmenter}};
    /// let page = Page::parse(b"<p>one<p>two<hr><p>three");
    /// let blocks = page.blocks_by(GapModel::Tags);
    /// let hierarchy = StrataSegmenter::hierarchy(blocks);
    /// assert_eq!(hierarchy.gaps().count(), 2);
    /// assert_eq!(hierarchy.at(Granularity::Fine), StrataSegmenter::default().segment(blocks));
    /// ```
    #[must_use]
    pub fn hierarchy(blocks: Blocks<'_>) -> Hierarchy {
        CutModel::shipped().hierarchy(blocks)
    }
}

impl Segmenter for StrataSegmenter {
    fn name(&self) -> &'static str {
        "strata"
    }

    fn segment(&self, blocks: Blocks<'_>) -> Segmentation {
        StrataSegmenter::hierarchy(blocks).at(self.granularity)
    }
}
