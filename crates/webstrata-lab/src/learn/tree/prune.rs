//! Pruning: a subtree becomes a leaf if the leaf is expected to be no worse.
//!
//! - **Collapsing** (C4.5): if the subtree makes no fewer errors on the training rows.
//! - **Pessimistic** (C4.5's error-based pruning): errors are estimated by the upper bound of their confidence interval, with the normal
//!   approximation of the binomial. Subtrees are replaced by leaves, never by one of their branches (C4.5's subtree raising).
//! - **Reduced error** (Quinlan: Simplifying decision trees, 1987): errors are counted on held-out rows.

use super::{Node, Split, Tree, TreeBuilder, errors, reweigh, total};
use crate::learn::dataset::Dataset;
use statrs::distribution::{ContinuousCDF, Normal};

/// Pruning method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pruning {
    /// No pruning.
    None,
    /// By the upper bound of a confidence interval of the error.
    Pessimistic {
        /// C4.5 uses 0.25; lower values prune more.
        confidence: f64,
    },
    /// By the errors on a held-out third of the pages.
    ReducedError,
}

/// Replaces subtrees that make no fewer errors on the training rows.
#[must_use]
pub fn collapse(tree: &Tree) -> Tree {
    prune(tree, errors, 1e-3)
}

/// C4.5's error-based pruning, without raising of subtrees.
#[must_use]
pub fn pessimistic(tree: &Tree, confidence: f64) -> Tree {
    let z = Normal::new(0.0, 1.0).map_or(0.0, |normal| normal.inverse_cdf(1.0 - confidence.clamp(1e-6, 0.5)));
    prune(tree, |node| errors(node) + more_errors(total(node), errors(node), confidence, z), 0.1)
}

/// Replaces subtrees that make no fewer errors on held-out rows.
#[must_use]
pub fn reduced_error(tree: &Tree, data: &Dataset, held_out: &[u32]) -> Tree {
    let reweighed = reweigh(tree, data, held_out);
    let kept = keep(&reweighed, errors, 0.0);
    rebuild(tree, &kept)
}

/// Prunes bottom up: a subtree stays if its leaves together have fewer errors than it would as a leaf, by more than the slack.
fn prune(tree: &Tree, errors: impl Fn(&Node) -> f64, slack: f64) -> Tree {
    rebuild(tree, &keep(tree, errors, slack))
}

/// For each node: whether its split is kept.
fn keep(tree: &Tree, errors: impl Fn(&Node) -> f64, slack: f64) -> Vec<bool> {
    let mut kept = vec![false; tree.nodes().len()];
    let mut expected = vec![0.0; tree.nodes().len()];
    for (at, node) in tree.nodes().iter().enumerate().rev() {
        let alone = errors(node);
        expected[at] = alone;
        if let Some(split) = &node.split {
            let below = expected[split.low] + expected[split.high];
            if below + slack < alone {
                kept[at] = true;
                expected[at] = below;
            }
        }
    }
    kept
}

/// The tree with only the kept splits.
fn rebuild(tree: &Tree, kept: &[bool]) -> Tree {
    let mut pruned = TreeBuilder::default();
    let mut open: Vec<(usize, Option<(usize, bool)>)> = vec![(0, None)];
    while let Some((old, parent)) = open.pop() {
        let node = &tree.nodes()[old];
        let split = node.split.filter(|_| kept[old]);
        let at = pruned.push(Node { split, ..node.clone() }, parent);
        if let Some(Split { low, high, .. }) = split {
            open.push((high, Some((at, false))));
            open.push((low, Some((at, true))));
        }
    }
    pruned.finish()
}

/// C4.5's correction: errors added to `e` of `n` to reach the upper bound of the confidence interval of the error rate.
fn more_errors(n: f64, e: f64, confidence: f64, z: f64) -> f64 {
    if n <= 0.0 {
        return 0.0;
    }
    if e < 1.0 {
        let none = n * (1.0 - (confidence.ln() / n).exp());
        return if e <= 0.0 { none } else { none + e * (more_errors(n, 1.0, confidence, z) - none) };
    }
    if e + 0.5 >= n {
        return (n - e).max(0.0);
    }
    let f = (e + 0.5) / n;
    let upper = (f + z * z / (2.0 * n) + z * (f / n - f * f / n + z * z / (4.0 * n * n)).sqrt()) / (1.0 + z * z / n);
    upper * n - e
}

#[cfg(test)]
mod tests {
    use super::super::leaf;
    use super::*;

    #[test]
    fn expected_errors_by_hand() {
        let z = 0.674_489_750_196_082;
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-3, "{a} {b}");
        // Quinlan's book, 4.2: no error in 6, 9 and 1 cases: 6 × 0.206, 9 × 0.143, 1 × 0.750.
        near(more_errors(6.0, 0.0, 0.25, z), 6.0 * 0.2063);
        near(more_errors(9.0, 0.0, 0.25, z), 9.0 * 0.1428);
        near(more_errors(1.0, 0.0, 0.25, z), 0.75);
        // One error in 16: f = 0.09375, (f + 0.01422 + 0.05116) / 1.02843 = 0.15473, times 16, less the one.
        near(more_errors(16.0, 1.0, 0.25, z), 0.15473 * 16.0 - 1.0);
        assert_eq!(more_errors(2.0, 2.0, 0.25, z), 0.0);
    }

    fn node(weights: [f64; 2], split: Option<(usize, usize)>) -> Node {
        let split = split.map(|(low, high)| Split { column: 0, threshold: 1.0, low, high });
        Node { split, ..leaf(weights.to_vec()) }
    }

    #[test]
    fn leaves_that_answer_the_same_collapse() {
        let tree = Tree::from_ordered_nodes(vec![
            node([9.0, 21.0], Some((1, 4))),
            node([2.0, 20.0], Some((2, 3))),
            node([2.0, 8.0], None),
            node([0.0, 12.0], None),
            node([7.0, 1.0], None),
        ]);
        let pruned = collapse(&tree);
        assert_eq!(pruned.nodes(), [node([9.0, 21.0], Some((1, 2))), node([2.0, 20.0], None), node([7.0, 1.0], None)]);
        assert_eq!(pruned.leaves(), 2);
        // By hand: 9 + 1.56 errors as a leaf, 2 + 1.22 and 1 + 1.15 below it: the split stays.
        assert_eq!(pessimistic(&tree, 0.25), pruned);
    }
}
