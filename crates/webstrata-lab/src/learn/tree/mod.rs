//! A decision tree in the manner of C4.5 (Quinlan: C4.5, Programs for machine learning, 1993; Weka calls its version J48, the thesis
//! C4.8): numeric features, two branches a node.
//!
//! `grow.rs` makes it, `prune.rs` cuts it back, and a table of nodes is what is left.
//!
//! The thesis asks for leaves with "at least 1000 instances". Its trees have up to 125 leaves on 72,662 blocks: instances
//! are counted by weight, in words.

mod grow;
mod prune;

pub use grow::{Criterion, grow};
pub use prune::{Pruning, collapse, pessimistic, reduced_error};

use super::dataset::Dataset;
use super::zeror::{heaviest, shares};

/// A test of a node: values up to the threshold go to `low`, others to `high`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Split {
    /// Number of the column.
    pub column: usize,
    /// The threshold, a value of the training rows.
    pub threshold: f32,
    /// Node for values up to it.
    pub low: usize,
    /// Node for values above it.
    pub high: usize,
}

/// A node: a leaf when it has no split.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Weight of each class among the training rows that come here.
    pub weights: Vec<f64>,
    /// The class that is answered here.
    pub answer: usize,
    /// How it goes on.
    pub split: Option<Split>,
}

/// How a tree is made.
///
/// ```
/// use webstrata_lab::learn::tree::TreeOptions;
/// assert_eq!((TreeOptions::default().min_leaf, TreeOptions::thesis().min_leaf), (2.0, 1000.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TreeOptions {
    /// Least weight of the rows of a leaf.
    pub min_leaf: f64,
    /// By what a split is chosen.
    pub criterion: Criterion,
    /// How it is cut back.
    pub pruning: Pruning,
}

impl Default for TreeOptions {
    /// C4.5's own: leaves of 2, gain ratio, pessimistic pruning at 25%.
    fn default() -> Self {
        TreeOptions { min_leaf: 2.0, criterion: Criterion::GainRatio, pruning: Pruning::Pessimistic { confidence: 0.25 } }
    }
}

impl TreeOptions {
    /// Leaves of 1000 words.
    #[must_use]
    pub fn thesis() -> Self {
        TreeOptions { min_leaf: 1000.0, ..TreeOptions::default() }
    }
}

/// A decision tree.
///
/// ```
/// use webstrata_lab::learn::{column::Column, dataset::{Classes, Dataset}, tree::{Tree, TreeOptions}};
/// let rows: Vec<_> = (0..40).map(|x| (vec![x as f32], u8::from(x >= 20), 1, 0)).collect();
/// let data = Dataset::from_rows(Column::list("words").unwrap(), &rows, Classes::Two);
/// let tree = Tree::fit(&data, &data.rows(), &TreeOptions::default());
/// assert_eq!((tree.leaves(), tree.nodes()[0].split.unwrap().threshold), (2, 19.0));
/// assert_eq!([tree.answer(&[19.0]), tree.answer(&[19.5])], [0, 1]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    nodes: Vec<Node>,
}

impl Tree {
    /// Grows a tree from some rows and prunes it.
    #[must_use]
    pub fn fit(data: &Dataset, rows: &[u32], options: &TreeOptions) -> Self {
        match options.pruning {
            Pruning::None => grow(data, rows, options),
            Pruning::Pessimistic { confidence } => pessimistic(&collapse(&grow(data, rows, options)), confidence),
            Pruning::ReducedError => {
                // A third of the pages is held back to prune by.
                let (held, grown): (Vec<u32>, Vec<u32>) = rows.iter().partition(|&&row| data.page(row as usize).is_multiple_of(3));
                reduced_error(&grow(data, &grown, options), data, &held)
            }
        }
    }

    /// A tree from nodes: the first is the root, a node stands behind its parent, every node has one parent.
    pub(super) fn from_nodes(nodes: Vec<Node>) -> Option<Self> {
        let mut reached = vec![false; nodes.len()];
        *reached.first_mut()? = true;
        for (at, node) in nodes.iter().enumerate() {
            for child in node.split.iter().flat_map(|split| [split.low, split.high]) {
                let seen = reached.get_mut(child)?;
                if *seen || child <= at {
                    return None;
                }
                *seen = true;
            }
        }
        reached.iter().all(|seen| *seen).then_some(Tree { nodes })
    }

    /// A tree from nodes that this program wrote down, in that form.
    pub(super) fn written(nodes: Vec<Node>) -> Self {
        debug_assert!(Tree::from_nodes(nodes.clone()).is_some(), "the nodes are a tree");
        Tree { nodes }
    }

    /// Its nodes; the first is the root.
    #[must_use]
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Number of leaves.
    #[must_use]
    pub fn leaves(&self) -> usize {
        self.nodes.iter().filter(|node| node.split.is_none()).count()
    }

    /// Number of the leaf of a row; calls `on_the_way` with each split and whether the row went low.
    fn walk(&self, row: &[f32], mut on_the_way: impl FnMut(&Split, bool)) -> usize {
        let mut at = 0;
        // Children stand behind their parents: this ends.
        while let Some(split) = &self.nodes[at].split {
            let low = row[split.column] <= split.threshold;
            on_the_way(split, low);
            at = if low { split.low } else { split.high };
        }
        at
    }

    /// The leaf of a row.
    #[must_use]
    pub fn leaf(&self, row: &[f32]) -> &Node {
        &self.nodes[self.walk(row, |_, _| {})]
    }

    /// The splits on the way of a row, each with whether it went to the low side.
    #[must_use]
    pub fn path(&self, row: &[f32]) -> Vec<(Split, bool)> {
        let mut path = Vec::new();
        self.walk(row, |split, low| path.push((*split, low)));
        path
    }

    /// The class of a row.
    #[must_use]
    pub fn answer(&self, row: &[f32]) -> usize {
        self.leaf(row).answer
    }

    /// Share of each class in the row's leaf.
    #[must_use]
    pub fn scores(&self, row: &[f32]) -> Vec<f64> {
        shares(&self.leaf(row).weights)
    }

    /// The same tree and the same answers, with the weights of other rows: what a tree from a paper gets its scores by.
    #[must_use]
    pub fn weighed(&self, data: &Dataset, rows: &[u32]) -> Tree {
        let mut nodes = self.nodes.clone();
        nodes.iter_mut().for_each(|node| node.weights = vec![0.0; data.classes()]);
        for &row in rows {
            let values: Vec<f32> = data.row(row as usize).collect();
            nodes[self.walk(&values, |_, _| {})].weights[data.class(row as usize)] += data.weight(row as usize);
        }
        for at in (0..nodes.len()).rev() {
            if let Some(split) = nodes[at].split {
                nodes[at].weights =
                    nodes[split.low].weights.iter().zip(&nodes[split.high].weights).map(|(low, high)| low + high).collect();
            }
        }
        Tree { nodes }
    }
}

impl Node {
    /// A leaf that answers the heaviest class.
    fn leaf(weights: Vec<f64>) -> Self {
        Node { answer: heaviest(&weights), weights, split: None }
    }

    /// Weight of the rows that are of another class than the answer.
    fn errors(&self) -> f64 {
        self.total() - self.weights[self.answer]
    }

    fn total(&self) -> f64 {
        self.weights.iter().sum()
    }
}
