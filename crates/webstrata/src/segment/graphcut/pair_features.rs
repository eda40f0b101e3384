//! Features of a pair of nodes: how much they differ, and how far apart they are in the tree and on the screen.

use super::node_features::{FEATURES, NodeFeatures, Row};
use super::tree::Tree;
use crate::segment::rendering::on_screen;

/// Number of features of a pair.
pub const PAIR_FEATURES: usize = FEATURES + 17;

/// The features of a pair, followed by a constant 1 for the bias.
pub type PairRow = [f32; PAIR_FEATURES + 1];

const LINKS: usize = 1;
const HEADINGS: usize = 6;

/// Computes the features of pairs on a page.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pairs<'p> {
    pub(super) tree: &'p Tree,
    pub(super) nodes: &'p NodeFeatures,
}

impl Pairs<'_> {
    /// The row of two leaves, `p` before `q`, with the deepest inner node above both.
    pub(super) fn leaves(&self, p: u32, q: u32, above: u32) -> PairRow {
        let (a, b) = (&self.nodes.leaves[p as usize], &self.nodes.leaves[q as usize]);
        let mut row = differences(a, b);
        let inner = &self.tree.inner;
        let (left, right) = (self.tree.leaves[p as usize], self.tree.leaves[q as usize]);
        let common = &inner[above as usize];
        let below = |parent: u32| inner[parent as usize].depth.saturating_sub(common.depth);
        let tags = |element: u32| self.tree.outline.elements[element as usize].tag;
        let tree = [
            f32::from(u8::from(left.parent == right.parent)),
            log((below(left.parent) + below(right.parent)) as f32, 3.0),
            (common.depth as f32 / 15.0).min(1.0),
            log((common.leaves.end - common.leaves.start) as f32, 7.0),
            f32::from(u8::from(tags(left.element) == tags(right.element))),
            log((q - p) as f32, 7.0),
            a[HEADINGS],
            b[HEADINGS],
            a[LINKS].min(b[LINKS]),
            a[LINKS].max(b[LINKS]),
        ];
        row[FEATURES..FEATURES + 10].copy_from_slice(&tree);
        let places = self.nodes.areas[p as usize];
        row[FEATURES + 10..PAIR_FEATURES].copy_from_slice(&on_screen(places, self.nodes.areas[q as usize]));
        row
    }

    /// The row of an inner node or a leaf and its parent.
    pub(super) fn child(&self, child: &Row, leaves: u32, parent: u32) -> PairRow {
        let node = &self.tree.inner[parent as usize];
        let above = &self.nodes.inner[parent as usize];
        let mut row = differences(child, above);
        let all = node.leaves.end - node.leaves.start;
        let tree = [
            leaves as f32 / all.max(1) as f32,
            log(leaves as f32, 7.0),
            (node.depth as f32 / 15.0).min(1.0),
            log(all as f32, 7.0),
            all as f32 / self.tree.leaves.len().max(1) as f32,
            above[0],
            child[HEADINGS],
            above[HEADINGS],
            child[LINKS],
            above[LINKS],
        ];
        row[FEATURES..FEATURES + 10].copy_from_slice(&tree);
        row
    }
}

fn log(value: f32, scale: f32) -> f32 {
    ((1.0 + value.max(0.0)).ln() / scale).min(1.5)
}

fn differences(a: &Row, b: &Row) -> PairRow {
    let mut row = [0.0; PAIR_FEATURES + 1];
    row.iter_mut().zip(a.iter().zip(b)).for_each(|(place, (a, b))| *place = (a - b).abs());
    row[PAIR_FEATURES] = 1.0;
    row
}

/// The probability that a logistic model assigns to a row.
#[must_use]
pub(super) fn probability(weights: &[f32], row: &PairRow) -> f32 {
    let sum: f32 = weights.iter().zip(row).map(|(weight, value)| weight * value).sum();
    crate::model::probability(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_weights_mean_even_odds() {
        assert_eq!(probability(&[], &[1.0; PAIR_FEATURES + 1]), 0.5);
        assert!(probability(&[2.0], &[1.0; PAIR_FEATURES + 1]) > 0.8);
    }
}
