//! TagGap: every text between two tags (`a` aside) is a segment. Baseline of the CIKM 2008 paper (5.1).

use super::{Segmentation, Segmenter};
use crate::block::Blocks;

/// Every block of the block-gap model is a segment of its own.
///
/// ```
/// use webstrata::{Page, segment::TagGap};
/// assert_eq!(Page::parse(b"one <b>two</b> three").segments_by(&TagGap).len(), 3);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TagGap;

impl Segmenter for TagGap {
    fn name(&self) -> &'static str {
        "taggap"
    }

    fn segment(&self, blocks: Blocks<'_>) -> Segmentation {
        Segmentation::from_blocks(0..blocks.len() as u32, blocks.len())
    }
}
