//! `strata`: a learned segmenter, and the only one that gives a hierarchy.
//!
//! A page is a row of text runs in a tree. For each gap between two neighbouring runs a forest of small trees says how likely
//! people would cut there, from the part of the page round the gap (its height, depth, share of the text, number of children),
//! the parts that end and start at it (tags, names, words, links, headings, what repeats) and what stands in the gap. A second
//! look sees what the first one said of the gaps round it. Gaps inside a line, and those of nothing but line breaks, are never
//! cut.
//!
//! Two models are asked: one learned from the outer blocks of marked pages, one from the inner ones. Together they order the
//! gaps by strength ([`Hierarchy`]), and a [`Granularity`] says where on that order to stop. Most of what such a method gets
//! wrong is how fine the person wanted it: with the best granularity for each page it is far better than with any one for all.
//!
//! The gap model and its features follow a study of our own; the idea to cut by learned decisions on the tree is that of
//! Chakrabarti, Kumar, Punera: A Graph-Theoretic Approach to Webpage Segmentation, WWW 2008, and the second look is Tu's:
//! Auto-context and its Application to High-level Vision Tasks, CVPR 2008. What it was learned from, and how good it is:
//! `cuts.card.md` beside this file.

mod aggregates;
mod context_pass;
mod features;
mod hierarchy;
mod hints;
mod model;
mod parts;
mod rows;

pub use context_pass::ContextRows;
pub use features::GapFeatures;
pub use hierarchy::{Granularity, Hierarchy, UnknownGranularity};
pub use model::{CutModel, CutProbabilities, context_pass, first_pass};

use super::{Segmentation, Segmenter};
use crate::block::Blocks;

/// The learned segmenter.
///
/// ```
/// use webstrata::{Page, segment::{Granularity, Strata}};
/// let html = b"<div id=nav><ul><li><a href=/>Home</a><li><a href=/news>News</a><li><a href=/maps>Maps</a></ul></div>\
///     <div id=main><h1>Rain</h1><p>It has been raining in the valley for three days, and nobody can remember that.</p>\
///     <p>The river is over its banks, and the road to the next village is closed until the end of the week.</p></div>\
///     <div id=footer><p>Valley Post, 1 Main Street. All rights reserved.</p></div>";
/// let page = Page::parse(html);
/// let all = page.segments_by(&Strata { granularity: Granularity::Value(1.0) });
/// let fine = page.segments_by(&Strata::default());
/// let one = page.segments_by(&Strata { granularity: Granularity::Value(0.0) });
/// assert!(all.len() > fine.len() && fine.len() > one.len());
/// assert_eq!(one.len(), 1);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Strata {
    /// How fine pages are cut.
    pub granularity: Granularity,
}

impl Strata {
    /// The cuts of a page by strength; `blocks` are those of [`crate::block::GapModel::Tags`].
    ///
    /// ```
    /// use webstrata::{Page, block::GapModel, segment::{Granularity, Segmenter, Strata}};
    /// let page = Page::parse(b"<p>one<p>two<hr><p>three");
    /// let blocks = page.blocks_by(GapModel::Tags);
    /// let hierarchy = Strata::hierarchy(blocks);
    /// assert_eq!(hierarchy.gaps().count(), 2);
    /// assert_eq!(hierarchy.at(Granularity::Fine), Strata::default().segment(blocks));
    /// ```
    #[must_use]
    pub fn hierarchy(blocks: Blocks<'_>) -> Hierarchy {
        CutModel::shipped().hierarchy(blocks)
    }
}

impl Segmenter for Strata {
    fn name(&self) -> &'static str {
        "strata"
    }

    fn segment(&self, blocks: Blocks<'_>) -> Segmentation {
        Strata::hierarchy(blocks).at(self.granularity)
    }
}
