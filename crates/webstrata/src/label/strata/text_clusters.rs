//! Clusters of running text: long blocks with few other blocks between them.
//!
//! An article is one cluster, usually below the headline. A portal has another one for each list of teasers, and there the
//! long blocks alternate with linked lines. The difference matters both for the type of a page and for the verdict on a block.

use super::aggregates::Aggregates;
use super::containers::distance;

/// A cluster: the blocks from its first long one to its last.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Cluster {
    pub(super) start: u32,
    /// One past its last block.
    pub(super) end: u32,
    /// Words in its long blocks, and their number.
    pub(super) words: f32,
    pub(super) long_blocks: f32,
    /// Blocks in it that are mostly one link and long enough for a headline.
    pub(super) linked_lines: f32,
    /// Number of clusters with more words.
    pub(super) rank: f32,
}

/// All clusters of a page, in page order.
#[derive(Clone, Debug, Default)]
pub(super) struct TextClusters {
    pub(super) clusters: Vec<Cluster>,
    /// Number of linked lines on the page, and their words.
    pub(super) linked_lines: f32,
    pub(super) linked_line_words: f32,
}

/// Number of short blocks after which a cluster ends.
const MAX_GAP: usize = 3;

/// A linked line has at least this many words ...
const LINE_MIN_WORDS: f32 = 4.0;
/// ... and a link density above this.
const LINE_MIN_LINKS: f32 = 0.7;

/// Whether a block is a linked line.
pub(super) fn is_linked_line(aggregates: &Aggregates, block: usize) -> bool {
    aggregates.words[block] >= LINE_MIN_WORDS && aggregates.link_density[block] > LINE_MIN_LINKS
}

impl TextClusters {
    pub(super) fn new(aggregates: &Aggregates) -> Self {
        let mut found = TextClusters::default();
        // Linked lines since the last long block: they belong to a cluster only if it continues after them.
        let mut pending = 0.0;
        for block in 0..aggregates.len() {
            if is_linked_line(aggregates, block) {
                found.linked_lines += 1.0;
                found.linked_line_words += aggregates.words[block];
                pending += 1.0;
            }
            let words = aggregates.long_sums.between(block, block + 1);
            if words == 0.0 {
                continue;
            }
            match found.clusters.last_mut() {
                Some(last) if block - last.end as usize <= MAX_GAP => {
                    last.end = block as u32 + 1;
                    last.words += words;
                    last.long_blocks += 1.0;
                    last.linked_lines += pending;
                }
                _ => found.clusters.push(Cluster {
                    start: block as u32,
                    end: block as u32 + 1,
                    words,
                    long_blocks: 1.0,
                    ..Cluster::default()
                }),
            }
            pending = 0.0;
        }
        let mut order: Vec<usize> = (0..found.clusters.len()).collect();
        order.sort_by(|&a, &b| found.clusters[b].words.total_cmp(&found.clusters[a].words).then(a.cmp(&b)));
        for (rank, at) in order.into_iter().enumerate() {
            found.clusters[at].rank = rank as f32;
        }
        found
    }

    /// The cluster with the most words.
    pub(super) fn largest(&self) -> Option<&Cluster> {
        self.clusters.iter().find(|cluster| cluster.rank == 0.0)
    }

    /// The cluster that a block is in or closest to; ties go to the later one, which a heading introduces.
    pub(super) fn nearest(&self, block: usize) -> Option<&Cluster> {
        let after = self.clusters.partition_point(|cluster| cluster.end as usize <= block);
        let (next, previous) = (self.clusters.get(after), after.checked_sub(1).and_then(|at| self.clusters.get(at)));
        match (previous, next) {
            (Some(previous), Some(next)) if previous.distance(block).abs() < next.distance(block).abs() => Some(previous),
            (previous, next) => next.or(previous),
        }
    }
}

impl Cluster {
    /// Blocks between it and a block: 0 inside, negative before it.
    pub(super) fn distance(&self, block: usize) -> f32 {
        distance(self.start, self.end, block)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Page;
    use crate::block::Mask;

    fn clusters(html: &str) -> TextClusters {
        let page = Page::parse(html.as_bytes());
        TextClusters::new(&Aggregates::new(&page.input(), Mask::default()))
    }

    const LONG: &str = "<p>It has been raining in the valley for three days, and nobody can remember when that last happened.";
    const SHORT: &str = "<p>Rain";
    const LINE: &str = "<p><a href=/>Nobody had expected the rain</a>";

    #[test]
    fn a_long_gap_separates_clusters() {
        let found = clusters(&[LONG, SHORT, SHORT, SHORT, LONG, SHORT, SHORT, SHORT, SHORT, LONG].concat());
        let ranges: Vec<(u32, u32, f32)> = found.clusters.iter().map(|c| (c.start, c.end, c.rank)).collect();
        assert_eq!(ranges, [(0, 5, 0.0), (9, 10, 1.0)]);
        assert_eq!(found.largest(), Some(&found.clusters[0]));
        let nearest: Vec<u32> = (0..10).map(|block| found.nearest(block).unwrap().start).collect();
        assert_eq!(nearest, [0, 0, 0, 0, 0, 0, 0, 9, 9, 9]);
        assert_eq!(found.clusters[0].distance(6), 2.0);
        assert_eq!(found.clusters[1].distance(6), -3.0);
    }

    #[test]
    fn teasers_alternate_with_linked_lines() {
        let found = clusters(&[LONG, LINE, LONG, LINE, LONG, LINE].concat());
        assert_eq!((found.clusters[0].linked_lines, found.clusters[0].long_blocks), (2.0, 3.0));
        assert_eq!((found.linked_lines, found.linked_line_words), (3.0, 15.0));
    }

    #[test]
    fn a_page_without_running_text_has_none() {
        let found = clusters(SHORT);
        assert!(found.clusters.is_empty() && found.largest().is_none() && found.nearest(0).is_none());
    }
}
