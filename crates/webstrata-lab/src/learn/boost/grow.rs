//! Grows one symmetric tree: on each level, all nodes are split by the same column and threshold, the one that reduces the total loss
//! most.
//!
//! Nodes have no lists of rows: each row stores its node, and one sequential pass over the rows builds a column's histograms for all
//! nodes together. Sequential memory access makes up for visiting all rows on every level.

use super::BoostOptions;
use super::bins::Binned;
use rayon::prelude::*;
use webstrata::model::{MAX_LEVELS, Split, Tree};

/// First and second derivative of the loss, by row.
pub(super) type Gradients = Vec<(f32, f32)>;

/// Sums over the rows of a bin.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    gradient: f64,
    curvature: f64,
}

impl Sum {
    fn add(&mut self, other: Sum) {
        self.gradient += other.gradient;
        self.curvature += other.curvature;
    }

    fn without(self, other: Sum) -> Sum {
        Sum { gradient: self.gradient - other.gradient, curvature: self.curvature - other.curvature }
    }

    /// Twice the loss reduction of a node with these rows.
    fn reduction(self, penalty: f64) -> f64 {
        self.gradient * self.gradient / (self.curvature + penalty)
    }

    /// The value of the node, shrunk towards its parent's.
    fn value(self, parent: f32, options: &BoostOptions) -> f32 {
        let own = -self.gradient * f64::from(options.rate);
        ((own + options.penalty * f64::from(parent)) / (self.curvature + options.penalty)) as f32
    }
}

/// The best split of all nodes of a level.
#[derive(Clone, Copy, Debug)]
struct Best {
    gain: f64,
    column: usize,
    bin: usize,
}

/// A tree, and for each row the value of its leaf.
pub(super) struct Grown {
    pub(super) tree: Tree,
    pub(super) values: Vec<f32>,
}

/// Grows a tree over the picked columns.
pub(super) fn grow(table: &Binned, gradients: &Gradients, columns: &[usize], options: &BoostOptions) -> Grown {
    let mut node = vec![0u8; gradients.len()];
    let mut sums = sums_of(&node, gradients, 1);
    let mut level: Vec<f32> = sums.iter().map(|sum| sum.value(0.0, options)).collect();
    let mut tree = Tree { splits: Vec::new(), values: level.clone() };
    while tree.splits.len() < options.levels.min(MAX_LEVELS) {
        let of_some = |some: &[usize]| {
            let counted = count(table, some, &node, gradients, sums.len());
            let best = |(counted, &column): (&Vec<Sum>, &usize)| best_of(counted, column, &sums, options);
            counted.iter().zip(some).filter_map(best).collect::<Vec<Best>>()
        };
        let found: Vec<Vec<Best>> = columns.par_chunks(COLUMNS_PER_PASS).map(of_some).collect();
        // On a tie the first column wins, for any number of threads.
        let best = found.into_iter().flatten().fold(None, |best: Option<Best>, new| match best {
            Some(old) if old.gain >= new.gain => Some(old),
            _ => Some(new),
        });
        let Some(best) = best else { break };
        for (node, &bin) in node.iter_mut().zip(table.column(best.column)) {
            *node = 2 * *node + u8::from(usize::from(bin) > best.bin);
        }
        sums = sums_of(&node, gradients, 2 * sums.len());
        level = sums.iter().enumerate().map(|(at, sum)| sum.value(level[at / 2], options)).collect();
        tree.splits.push(Split { column: best.column as u16, threshold: table.edge(best.column, best.bin) });
        tree.values.extend_from_slice(&level);
    }
    Grown { tree, values: node.into_iter().map(|node| level[usize::from(node)]).collect() }
}

fn sums_of(nodes: &[u8], gradients: &Gradients, count: usize) -> Vec<Sum> {
    let mut sums = vec![Sum::default(); count];
    for (&node, &(gradient, curvature)) in nodes.iter().zip(gradients) {
        sums[usize::from(node)].add(Sum { gradient: f64::from(gradient), curvature: f64::from(curvature) });
    }
    sums
}

/// Columns counted in one pass over the rows: consecutive additions to the same sum would wait for each other,
/// so several columns are interleaved.
const COLUMNS_PER_PASS: usize = 4;

/// For each column: sums over the rows of each bin of each node.
fn count(table: &Binned, columns: &[usize], nodes: &[u8], gradients: &Gradients, count: usize) -> Vec<Vec<Sum>> {
    let mut counted: Vec<Vec<Sum>> = columns.iter().map(|&column| vec![Sum::default(); table.bins_of(column) * count]).collect();
    if let ([a, b, c, d], [first, second, third, fourth]) = (columns, counted.as_mut_slice()) {
        let bins = [a, b, c, d].map(|&column| table.bins_of(column));
        let [a, b, c, d] = [a, b, c, d].map(|&column| table.column(column));
        let rows = nodes.iter().zip(gradients).zip(a.iter().zip(b)).zip(c.iter().zip(d));
        for (((&node, &(gradient, curvature)), (a, b)), (c, d)) in rows {
            let (node, sum) = (usize::from(node), Sum { gradient: f64::from(gradient), curvature: f64::from(curvature) });
            first[node * bins[0] + usize::from(*a)].add(sum);
            second[node * bins[1] + usize::from(*b)].add(sum);
            third[node * bins[2] + usize::from(*c)].add(sum);
            fourth[node * bins[3] + usize::from(*d)].add(sum);
        }
        return counted;
    }
    for (sums, &column) in counted.iter_mut().zip(columns) {
        let bins = table.bins_of(column);
        for ((&bin, &node), &(gradient, curvature)) in table.column(column).iter().zip(nodes).zip(gradients) {
            let sum = Sum { gradient: f64::from(gradient), curvature: f64::from(curvature) };
            sums[usize::from(node) * bins + usize::from(bin)].add(sum);
        }
    }
    counted
}

/// The best split of all nodes by a column. A node with too little weight on one side contributes no gain.
fn best_of(counted: &[Sum], column: usize, totals: &[Sum], options: &BoostOptions) -> Option<Best> {
    let bins = counted.len() / totals.len();
    let mut gains = vec![0.0; bins - 1];
    for (sums, &total) in counted.chunks_exact(bins).zip(totals) {
        let mut left = Sum::default();
        for (gain, sum) in gains.iter_mut().zip(sums) {
            left.add(*sum);
            let right = total.without(left);
            if left.curvature >= options.curvature && right.curvature >= options.curvature {
                *gain += left.reduction(options.penalty) + right.reduction(options.penalty) - total.reduction(options.penalty);
            }
        }
    }
    let better = |best: Option<Best>, (bin, gain): (usize, f64)| match best {
        Some(old) if old.gain >= gain => Some(old),
        _ if gain > 1e-9 => Some(Best { gain, column, bin }),
        _ => best,
    };
    gains.into_iter().enumerate().fold(None, better)
}
