//! A page as a graph: its tree, the features of its nodes, and the pairs of leaves that are neighbours.

use super::energy::{Problem, fixed};
use super::node_features::{FEATURES, NodeFeatures, Row};
use super::pair_features::{PairRow, Pairs, probability};
use super::tree::Tree;
use super::weights::Weights;
use crate::block::Blocks;
use crate::html::Node;
use crate::layout::Area;
use crate::segment::Segmentation;
use std::ops::Range;

/// Maximum number of leaves of a page; larger pages are coarsened. Annotated pages have 160 on average.
pub const MAX_LEAVES: usize = 600;

/// Maximum number of labels: the inner nodes with the most words. With all of them, time would be quadratic in the page's size.
pub const MAX_LABELS: usize = 120;

/// Number of leaves below a leaf, in the order of their top edges, among which the nearest ones are searched.
const LOOK_AHEAD: usize = 200;

/// Pixels by which neighbours may overlap.
const TOLERANCE: f32 = 3.0;

/// Two neighbouring leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Neighbours {
    /// The first leaf.
    pub p: u32,
    /// The second leaf, later in the document.
    pub q: u32,
    /// The deepest inner node above both.
    pub above: u32,
}

/// The graph of a page.
///
/// ```
/// use webstrata::{Page, block::GapModel, segment::graphcut::PageGraph};
/// let page = Page::parse(b"<ul><li>one<li>two</ul><p>three");
/// let graph = PageGraph::new(page.blocks_by(GapModel::Tags));
/// assert_eq!((graph.leaves(), graph.inner(), graph.neighbours().len()), (3, 2, 2));
/// assert_eq!(graph.leaves_below(1), 0..2);
/// ```
#[derive(Clone, Debug)]
pub struct PageGraph {
    tree: Tree,
    nodes: NodeFeatures,
    neighbours: Vec<Neighbours>,
    labels: Vec<u32>,
}

impl PageGraph {
    /// The graph of a page. `blocks` must be those of [`crate::block::GapModel::Tags`].
    #[must_use]
    pub fn new(blocks: Blocks<'_>) -> Self {
        let tree = Tree::new(blocks, MAX_LEAVES);
        let nodes = NodeFeatures::new(blocks, &tree);
        let neighbours = neighbours(&tree, &nodes.areas);
        let labels = labels(&tree, &nodes);
        PageGraph { tree, nodes, neighbours, labels }
    }

    /// Number of leaves.
    #[must_use]
    pub fn leaves(&self) -> usize {
        self.tree.leaves.len()
    }

    /// Number of inner nodes.
    #[must_use]
    pub fn inner(&self) -> usize {
        self.tree.inner.len()
    }

    /// Whether the page has a layout.
    #[must_use]
    pub fn is_visual(&self) -> bool {
        self.nodes.visual
    }

    /// The blocks of a leaf.
    #[must_use]
    pub fn blocks_of(&self, leaf: usize) -> Range<u32> {
        let leaf = self.tree.leaves[leaf];
        leaf.start..leaf.end
    }

    /// The leaves below an inner node.
    #[must_use]
    pub fn leaves_below(&self, inner: usize) -> Range<u32> {
        self.tree.inner[inner].leaves.clone()
    }

    /// The element of an inner node.
    #[must_use]
    pub fn element<'p>(&self, blocks: Blocks<'p>, inner: usize) -> Node<'p> {
        let node = self.tree.outline.elements[self.tree.inner[inner].element as usize].node;
        Node::new(blocks.dom(), node)
    }

    /// The inner nodes that are labels.
    #[must_use]
    pub fn labels(&self) -> &[u32] {
        &self.labels
    }

    /// Features of the leaves.
    #[must_use]
    pub fn leaf_rows(&self) -> &[Row] {
        &self.nodes.leaves
    }

    /// Pairs of leaves that are next to each other in the document or on the screen.
    #[must_use]
    pub fn neighbours(&self) -> &[Neighbours] {
        &self.neighbours
    }

    fn pairs(&self) -> Pairs<'_> {
        Pairs { tree: &self.tree, nodes: &self.nodes }
    }

    /// Features of two neighbouring leaves.
    #[must_use]
    pub fn neighbour_row(&self, pair: Neighbours) -> PairRow {
        self.pairs().leaves(pair.p, pair.q, pair.above)
    }

    /// The features of all pairs of a leaf with later leaves, in order.
    pub fn later_rows(&self, p: u32) -> impl Iterator<Item = (u32, PairRow)> + '_ {
        let mut above = self.tree.leaves[p as usize].parent;
        (p + 1..self.leaves() as u32).map(move |q| {
            above = self.tree.common_ancestor(above, self.tree.leaves[q as usize].parent);
            (q, self.pairs().leaves(p, q, above))
        })
    }

    /// Children and their parents: the leaves of the child, those of the parent, and the features of the pair; leaves first.
    pub fn parent_rows(&self) -> impl Iterator<Item = (Range<u32>, Range<u32>, PairRow)> + '_ {
        let pairs = self.pairs();
        let leaves = (0..self.leaves() as u32).map(move |leaf| {
            let parent = self.tree.leaves[leaf as usize].parent;
            (leaf..leaf + 1, parent, &self.nodes.leaves[leaf as usize])
        });
        let inner = (0..self.inner()).map(|node| {
            let Range { start, end } = self.leaves_below(node);
            (start..end, self.tree.inner[node].parent, &self.nodes.inner[node])
        });
        leaves.chain(inner).map(move |(below, parent, row)| {
            let number = below.end - below.start;
            (below, self.leaves_below(parent as usize), pairs.child(row, number, parent))
        })
    }

    /// Maximal runs of leaves with the same label.
    pub fn runs<'l>(&self, labels: &'l [u32]) -> impl Iterator<Item = Range<usize>> + 'l {
        let mut next = 0;
        labels.chunk_by(|a, b| a == b).map(move |run| {
            let start = next;
            next += run.len();
            start..next
        })
    }

    /// The segmentation for these leaf labels. Runs of leaves with the same label are parts of one segment.
    #[must_use]
    pub fn segmentation(&self, labels: &[u32], blocks: usize) -> Segmentation {
        let starts = self.runs(labels).map(|run| (self.tree.leaves[run.start].start, labels[run.start]));
        Segmentation::from_groups(starts, blocks)
    }

    /// The energy of the page's labellings. `parents` is false for the variant without parents (GCuts-NP).
    #[must_use]
    pub fn problem(&self, weights: &Weights, lambda: f32, parents: bool) -> Problem {
        let leaves: Vec<Row> = self.nodes.leaves.iter().map(|row| weights.project(row)).collect();
        let inner: Vec<Row> = self.nodes.inner.iter().map(|row| weights.project(row)).collect();
        let costs = |rows: &[Row]| {
            let of =
                |row: &Row| self.labels.iter().map(|&label| fixed(distance(row, &inner[label as usize]))).collect::<Vec<u32>>();
            rows.iter().flat_map(of).collect::<Vec<u32>>()
        };
        let part = |model: &[f32], row: &PairRow| fixed(lambda * probability(model, row));
        let neighbours = self.neighbours.iter().map(|&pair| (pair.p, pair.q, part(&weights.neighbours, &self.neighbour_row(pair))));
        let mut edges: Vec<u32> =
            self.parent_rows().map(|(_, _, row)| if parents { part(&weights.parents, &row) } else { 0 }).collect();
        let inner_edges = edges.split_off(self.leaves());
        Problem {
            labels: self.labels.len(),
            inner_parents: self.tree.inner.iter().map(|node| node.parent).collect(),
            inner_costs: costs(&inner),
            inner_edges,
            leaf_parents: self.tree.leaves.iter().map(|leaf| leaf.parent).collect(),
            leaf_costs: costs(&leaves),
            leaf_edges: edges,
            neighbours: neighbours.collect(),
        }
    }
}

/// Euclidean distance between two projected rows.
fn distance(a: &Row, b: &Row) -> f32 {
    (0..FEATURES).map(|at| (a[at] - b[at]) * (a[at] - b[at])).sum::<f32>().sqrt()
}

/// The inner nodes with the most words, in document order.
fn labels(tree: &Tree, nodes: &NodeFeatures) -> Vec<u32> {
    let mut labels: Vec<u32> = (0..tree.inner.len() as u32).collect();
    if labels.len() > MAX_LABELS {
        let words = |label: u32| nodes.inner[label as usize][0];
        labels.sort_by(|&a, &b| words(b).total_cmp(&words(a)).then(a.cmp(&b)));
        labels.truncate(MAX_LABELS);
        labels.sort_unstable();
    }
    labels
}

/// Neighbours in the document, and for each leaf the nearest one below it and to its right.
fn neighbours(tree: &Tree, areas: &[Area]) -> Vec<Neighbours> {
    let mut pairs: Vec<(u32, u32)> = (1..tree.leaves.len() as u32).map(|q| (q - 1, q)).collect();
    let mut order: Vec<u32> = (0..areas.len() as u32).filter(|&leaf| !areas[leaf as usize].is_empty()).collect();
    order.sort_by(|&a, &b| areas[a as usize].y.total_cmp(&areas[b as usize].y).then(a.cmp(&b)));
    for (at, &leaf) in order.iter().enumerate() {
        let area = areas[leaf as usize];
        let (mut below, mut right) = ((f32::INFINITY, leaf), (f32::INFINITY, leaf));
        // Leaves that start higher may still be to the right.
        let near = &order[at.saturating_sub(LOOK_AHEAD / 4)..(at + LOOK_AHEAD).min(order.len())];
        for &other in near.iter().filter(|&&other| other != leaf) {
            let there = areas[other as usize];
            let over = there.x < area.right() && area.x < there.right();
            let beside = there.y < area.bottom() && area.y < there.bottom();
            let place = if over && there.y >= area.bottom() - TOLERANCE {
                &mut below
            } else if beside && there.x >= area.right() - TOLERANCE {
                &mut right
            } else {
                continue;
            };
            let distance = area.distance(there);
            if (distance, other) < *place {
                *place = (distance, other);
            }
        }
        pairs.extend([below.1, right.1].into_iter().filter(|&other| other != leaf).map(|other| (leaf.min(other), leaf.max(other))));
    }
    pairs.sort_unstable();
    pairs.dedup();
    let above = |p: u32, q: u32| tree.common_ancestor(tree.leaves[p as usize].parent, tree.leaves[q as usize].parent);
    pairs.into_iter().map(|(p, q)| Neighbours { p, q, above: above(p, q) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Page;
    use crate::block::GapModel;
    use crate::layout::{Layout, Rendered};

    #[test]
    fn neighbours_on_the_screen_need_not_be_neighbours_in_the_document() {
        // Two columns of two lines each: the left one is first in the document.
        let page = Page::parse(b"<div><p>a<p>b</div><div><p>c<p>d</div>");
        let mut layout = Layout::new(200.0, 100.0, page.dom().len());
        let texts: Vec<_> = page.blocks_by(GapModel::Tags).iter().flat_map(|block| block.runs().collect::<Vec<_>>()).collect();
        for (&text, (x, y)) in texts.iter().zip([(0.0, 0.0), (0.0, 50.0), (100.0, 0.0), (100.0, 50.0)]) {
            layout.set(text, Rendered::new(Area::new(x, y, 90.0, 40.0)));
        }
        let page = page.with_layout(layout);
        let graph = PageGraph::new(page.blocks_by(GapModel::Tags));
        let pairs: Vec<(u32, u32)> = graph.neighbours().iter().map(|pair| (pair.p, pair.q)).collect();
        assert_eq!(pairs, [(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)]);
        assert!(graph.is_visual());
    }

    #[test]
    fn later_rows_equal_rows_of_single_pairs() {
        let page = Page::parse(b"<div><ul><li>a<li>b</ul><p>c</div><div><p>d<div><p>e<p>f</div></div>");
        let graph = PageGraph::new(page.blocks_by(GapModel::Tags));
        for p in 0..graph.leaves() as u32 {
            for (q, row) in graph.later_rows(p) {
                let parent = |leaf: u32| graph.tree.leaves[leaf as usize].parent;
                let above = graph.tree.common_ancestor(parent(p), parent(q));
                assert_eq!(row, graph.neighbour_row(Neighbours { p, q, above }));
            }
        }
        assert_eq!(graph.parent_rows().count(), graph.leaves() + graph.inner());
    }
}
