//! The features of L-Extractor (Debnath, Mitra, Pal, Giles, IEEE TKDE 17(9), 2005, section 7): counts of words and of tags by kind, in
//! the parts into which GetBlockSet partitions a page.

use crate::block::Blocks;
use crate::segment::{Feature, GetBlockSet};

/// The parts of a page with their features, each divided by its largest value on the page, and the part of each block.
///
/// ```
/// use webstrata::{Page, label::trained::parts::PartShares, segment::Feature};
/// let page = Page::parse(b"<div><a href=/>Home</a> <a href=/n>News</a></div><p>Four words of text");
/// let parts = PartShares::new(page.blocks());
/// assert_eq!((parts.of_block(0, Feature::Links), parts.of_block(1, Feature::Links)), (1.0, 0.0));
/// assert_eq!((parts.of_block(0, Feature::Text), parts.of_block(1, Feature::Text)), (0.5, 1.0));
/// assert_eq!(parts.len(), 2);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PartShares {
    /// For each part: the shares of its features.
    shares: Vec<[f32; Feature::COUNT]>,
    /// For each block: its part.
    part_of: Vec<u32>,
}

impl PartShares {
    /// Partitions a page by the list of tags for newer HTML.
    #[must_use]
    pub fn new(blocks: Blocks<'_>) -> Self {
        let (parts, part_of) = GetBlockSet::html5().parts_and_blocks(blocks);
        let most = Feature::ALL.map(|feature| parts.iter().map(|part| part.get(feature)).max().unwrap_or(0).max(1));
        let share = |count: u32, most: u32| (f64::from(count) / f64::from(most)) as f32;
        let shares = parts.iter().map(|part| Feature::ALL.map(|feature| share(part.get(feature), most[feature as usize])));
        PartShares { shares: shares.collect(), part_of }
    }

    /// Number of parts.
    #[must_use]
    pub fn len(&self) -> usize {
        self.shares.len()
    }

    /// Whether there are no parts.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.shares.is_empty()
    }

    /// The index of a block's part.
    #[must_use]
    pub fn part(&self, block: usize) -> Option<usize> {
        self.part_of.get(block).map(|&part| part as usize)
    }

    /// A feature of a part; 0 if there is no such part.
    #[must_use]
    pub fn get(&self, part: usize, feature: Feature) -> f32 {
        self.shares.get(part).map_or(0.0, |shares| shares[feature as usize])
    }

    /// A feature of a block's part.
    #[must_use]
    pub fn of_block(&self, block: usize, feature: Feature) -> f32 {
        self.part(block).map_or(0.0, |part| self.get(part, feature))
    }
}
