//! FeatureExtractor and K-FeatureExtractor on site blocks (Debnath, Mitra, Pal, Giles, TKDE 2005, 5, Algorithms 3 and 4).
//!
//! The winner basket is the blocks of a page whose share of the desired feature exceeds the sum of their other shares. Shares are
//! recomputed within it; FeatureExtractor keeps the best block, K-FeatureExtractor the highest cluster of a k-means. The page library has
//! both as labellers; here they judge the same blocks as the paper's other methods, for any feature.

use super::blocks::{FEATURES, Maxima, SiteBlock};
use webstrata::label::cluster_floor;

/// Which blocks of the winner basket are content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Winners {
    /// The best: FeatureExtractor.
    Best,
    /// The highest of this many clusters (2 or 3 in the paper): K-FeatureExtractor.
    Cluster(usize),
}

/// For each block of a page: whether it is content. `feature` is an index into [`super::blocks::FEATURE_NAMES`], 0 for text.
///
/// ```
/// use webstrata::{Page, segment::GetBlockSet};
/// use webstrata_corpus::site::{blocks::block_set, feature_extractor::{Winners, extract}};
/// let html = format!("<div><a href=/>Home</a></div><p>{}<p>{}<p>Short.", "word ".repeat(50), "word ".repeat(40));
/// let blocks = block_set(&Page::parse(html.as_bytes()), &GetBlockSet::html5());
/// assert_eq!(extract(&blocks, 0, Winners::Best), [false, true, false, false]);
/// assert_eq!(extract(&blocks, 0, Winners::Cluster(2)), [false, true, true, false]);
/// ```
#[must_use]
pub fn extract(blocks: &[SiteBlock], feature: usize, winners: Winners) -> Vec<bool> {
    let feature = feature.min(FEATURES - 1);
    let maxima = Maxima::new(blocks);
    let wins = |block: &&SiteBlock| {
        let shares = maxima.shares(&block.values);
        shares[feature] > shares.iter().sum::<f64>() - shares[feature]
    };
    let again = Maxima::new(blocks.iter().filter(wins));
    let value = |block: &SiteBlock| again.shares(&block.values)[feature];
    let values: Vec<f64> = blocks.iter().filter(wins).map(value).collect();
    let mut free = true;
    let floor = match winners {
        Winners::Best => values.iter().copied().fold(0.0, f64::max),
        Winners::Cluster(k) => cluster_floor(&values, k),
    };
    let judge = |block: &SiteBlock| {
        let wins = wins(&block) && value(block) >= floor;
        // Of equal values the first wins.
        if wins && winners == Winners::Best { std::mem::replace(&mut free, false) } else { wins }
    };
    blocks.iter().map(judge).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(values: [u32; FEATURES]) -> SiteBlock {
        SiteBlock { values, ..SiteBlock::default() }
    }

    #[test]
    fn any_feature_can_be_desired() {
        let blocks =
            [block([10, 0, 0, 0, 9, 0, 0, 0, 0, 0]), block([90, 0, 0, 0, 1, 0, 0, 0, 0, 0]), block([2, 0, 0, 0, 0, 5, 0, 0, 0, 0])];
        assert_eq!(extract(&blocks, 0, Winners::Best), [false, true, false]);
        assert_eq!(extract(&blocks, 4, Winners::Best), [true, false, false]);
        assert_eq!(extract(&blocks, 5, Winners::Best), [false, false, true]);
        assert!(extract(&[], 0, Winners::Cluster(2)).is_empty());
    }

    #[test]
    fn equal_blocks_one_winner_or_one_cluster() {
        let blocks =
            [block([5; FEATURES].map(|_| 0)), block([7, 0, 0, 0, 0, 0, 0, 0, 0, 0]), block([7, 0, 0, 0, 0, 0, 0, 0, 0, 0])];
        assert_eq!(extract(&blocks, 0, Winners::Best), [false, true, false]);
        assert_eq!(extract(&blocks, 0, Winners::Cluster(2)), [false, true, true]);
    }
}
