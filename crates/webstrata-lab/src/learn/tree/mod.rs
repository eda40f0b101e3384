//! Decision trees in the style of C4.5 (Quinlan: C4.5, Programs for machine learning, 1993; Weka calls its version J48, the thesis
//! C4.8): numeric features, two branches per node.
//!
//! `grow.rs` builds a tree, `prune.rs` prunes it.
//!
//! The thesis requires leaves with "at least 1000 instances". Its trees have up to 125 leaves on 72,662 blocks: instances
//! are counted by weight, in words.

mod grow;
mod prune;

pub use grow::{Criterion, grow};
pub use prune::{Pruning, collapse, pessimistic, reduced_error};

use super::dataset::Dataset;
use webstrata::label::trained::classifier::heaviest;
pub use webstrata::label::trained::tree::{Node, Split, Tree, TreeBuilder};

/// Parameters of growing and pruning.
///
/// ```
/// use webstrata_lab::learn::tree::TreeOptions;
/// assert_eq!((TreeOptions::default().min_leaf, TreeOptions::thesis().min_leaf), (2.0, 1000.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TreeOptions {
    /// Minimum weight of the rows of a leaf.
    pub min_leaf: f64,
    /// Criterion that chooses splits.
    pub criterion: Criterion,
    /// Pruning method.
    pub pruning: Pruning,
}

impl Default for TreeOptions {
    /// C4.5's defaults: leaves of 2, gain ratio, pessimistic pruning at 25%.
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

/// Grows a tree from some rows and prunes it.
///
/// ```
/// use webstrata_lab::learn::{column::Column, dataset::{Classes, Dataset}, tree::{self, TreeOptions}};
/// let rows: Vec<_> = (0..40).map(|x| (vec![x as f32], u8::from(x >= 20), 1, 0)).collect();
/// let data = Dataset::from_rows(Column::list("words").unwrap(), &rows, Classes::Two);
/// let tree = tree::fit(&data, &data.rows(), &TreeOptions::default());
/// assert_eq!((tree.leaves(), tree.nodes()[0].split.unwrap().threshold), (2, 19.0));
/// assert_eq!([tree.predict(&[19.0]), tree.predict(&[19.5])], [0, 1]);
/// ```
#[must_use]
pub fn fit(data: &Dataset, rows: &[u32], options: &TreeOptions) -> Tree {
    match options.pruning {
        Pruning::None => grow(data, rows, options),
        Pruning::Pessimistic { confidence } => pessimistic(&collapse(&grow(data, rows, options)), confidence),
        Pruning::ReducedError => {
            // A third of the pages are held out for pruning.
            let (held_out, grown): (Vec<u32>, Vec<u32>) = rows.iter().partition(|&&row| data.page(row as usize).is_multiple_of(3));
            reduced_error(&grow(data, &grown, options), data, &held_out)
        }
    }
}

/// The same tree with class weights computed from other rows. Gives a published tree, which has none, its scores.
#[must_use]
pub fn reweigh(tree: &Tree, data: &Dataset, rows: &[u32]) -> Tree {
    let mut nodes = tree.nodes().to_vec();
    nodes.iter_mut().for_each(|node| node.weights = vec![0.0; data.classes()]);
    for &row in rows {
        let values: Vec<f32> = data.row(row as usize).collect();
        nodes[tree.walk(&values, |_, _| {})].weights[data.class(row as usize)] += data.weight(row as usize);
    }
    for at in (0..nodes.len()).rev() {
        if let Some(split) = nodes[at].split {
            nodes[at].weights =
                nodes[split.low].weights.iter().zip(&nodes[split.high].weights).map(|(low, high)| low + high).collect();
        }
    }
    Tree::from_ordered_nodes(nodes)
}

/// A leaf that answers the heaviest class.
fn leaf(weights: Vec<f64>) -> Node {
    Node { answer: heaviest(&weights), weights, split: None }
}

/// Weight of the rows whose class is not the node's answer.
fn errors(node: &Node) -> f64 {
    total(node) - node.weights[node.answer]
}

fn total(node: &Node) -> f64 {
    node.weights.iter().sum()
}
