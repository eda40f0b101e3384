//! One tree: the leaf with the best split is split, until there are enough leaves.

use super::BoostOptions;
use super::bins::Binned;
use rayon::prelude::*;
use webstrata::learned::{Node, Tree};

/// First and second derivative of the loss, by row in use.
pub(super) type Gradients = Vec<(f32, f32)>;

/// Sums over the rows of a bin.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    gradient: f64,
    curvature: f64,
    rows: u32,
}

impl Sum {
    fn add(&mut self, other: Sum) {
        self.gradient += other.gradient;
        self.curvature += other.curvature;
        self.rows += other.rows;
    }

    fn without(self, other: Sum) -> Sum {
        Sum { gradient: self.gradient - other.gradient, curvature: self.curvature - other.curvature, rows: self.rows - other.rows }
    }

    /// How much a leaf with these rows lowers the loss, twice.
    fn merit(self, penalty: f64) -> f64 {
        self.gradient * self.gradient / (self.curvature + penalty)
    }

    fn value(self, options: &BoostOptions) -> f32 {
        (-self.gradient / (self.curvature + options.penalty) * f64::from(options.rate)) as f32
    }
}

#[derive(Clone, Copy, Debug)]
struct Split {
    gain: f64,
    column: usize,
    bin: usize,
}

/// A leaf that may still be split.
struct Leaf {
    node: usize,
    /// Places in the list of rows in use.
    rows: Vec<u32>,
    sum: Sum,
    /// By picked column: its bins.
    bins: Vec<Vec<Sum>>,
    best: Option<Split>,
}

/// A tree, and by leaf its value and its rows.
pub(super) struct Grown {
    pub(super) tree: Tree,
    pub(super) leaves: Vec<(f32, Vec<u32>)>,
}

/// Grows a tree over the picked columns.
pub(super) fn grow(table: &Binned, which: &[u32], gradients: &Gradients, columns: &[usize], options: &BoostOptions) -> Grown {
    let rows: Vec<u32> = (0..which.len() as u32).collect();
    let mut nodes = vec![Node::Leaf { value: 0.0 }];
    let bins = histograms(table, which, gradients, columns, &rows);
    let mut leaves = vec![leaf(0, rows, bins, gradients, columns, options)];
    while leaves.len() < options.leaves {
        let best = leaves.iter().enumerate().filter_map(|(at, leaf)| Some((leaf.best?.gain, at)));
        let Some((_, at)) = best.fold(None, |best: Option<(f64, usize)>, new| match best {
            Some(old) if old.0 >= new.0 => Some(old),
            _ => Some(new),
        }) else {
            break;
        };
        let parent = leaves.swap_remove(at);
        let Some(split) = parent.best else { break };
        let column = table.column(split.column);
        let (left, right): (Vec<u32>, Vec<u32>) =
            parent.rows.iter().partition(|&&row| usize::from(column[which[row as usize] as usize]) <= split.bin);
        // Only the smaller side is counted; the other is what is left of the parent.
        let left_is_smaller = left.len() <= right.len();
        let smaller = histograms(table, which, gradients, columns, if left_is_smaller { &left } else { &right });
        let larger: Vec<Vec<Sum>> =
            parent.bins.iter().zip(&smaller).map(|(a, b)| a.iter().zip(b).map(|(a, b)| a.without(*b)).collect()).collect();
        let (left_bins, right_bins) = if left_is_smaller { (smaller, larger) } else { (larger, smaller) };
        let first = nodes.len();
        nodes.extend([Node::Leaf { value: 0.0 }; 2]);
        nodes[parent.node] = Node::Split {
            column: split.column as u16,
            threshold: table.edge(split.column, split.bin),
            left: first as u16,
            right: first as u16 + 1,
            mean: parent.sum.value(options),
        };
        leaves.push(leaf(first, left, left_bins, gradients, columns, options));
        leaves.push(leaf(first + 1, right, right_bins, gradients, columns, options));
    }
    let mut values = Vec::with_capacity(leaves.len());
    for leaf in leaves {
        let value = leaf.sum.value(options);
        nodes[leaf.node] = Node::Leaf { value };
        values.push((value, leaf.rows));
    }
    Grown { tree: Tree { nodes }, leaves: values }
}

fn leaf(
    node: usize,
    rows: Vec<u32>,
    bins: Vec<Vec<Sum>>,
    gradients: &Gradients,
    columns: &[usize],
    options: &BoostOptions,
) -> Leaf {
    let mut sum = Sum::default();
    for &row in &rows {
        let (gradient, curvature) = gradients[row as usize];
        sum.add(Sum { gradient: f64::from(gradient), curvature: f64::from(curvature), rows: 1 });
    }
    let best = best_split(&bins, sum, columns, options);
    Leaf { node, rows, sum, bins, best }
}

/// By column: sums over the rows of each bin. Each column is summed up by one thread in the order of rows, so that the
/// sums are the same for any number of threads.
fn histograms(table: &Binned, which: &[u32], gradients: &Gradients, columns: &[usize], rows: &[u32]) -> Vec<Vec<Sum>> {
    columns
        .par_iter()
        .map(|&column| {
            let bins = table.column(column);
            let mut sums = vec![Sum::default(); table.bins_of(column)];
            for &row in rows {
                let (gradient, curvature) = gradients[row as usize];
                let sum = &mut sums[usize::from(bins[which[row as usize] as usize])];
                sum.gradient += f64::from(gradient);
                sum.curvature += f64::from(curvature);
                sum.rows += 1;
            }
            sums
        })
        .collect()
}

fn best_split(bins: &[Vec<Sum>], whole: Sum, columns: &[usize], options: &BoostOptions) -> Option<Split> {
    let mut best: Option<Split> = None;
    let enough = |sum: Sum| sum.rows as usize >= options.rows && sum.curvature >= options.curvature;
    for (sums, &column) in bins.iter().zip(columns) {
        let mut left = Sum::default();
        for (bin, sum) in sums.iter().enumerate().take(sums.len().saturating_sub(1)) {
            left.add(*sum);
            let right = whole.without(left);
            if !enough(left) || !enough(right) {
                continue;
            }
            let gain = left.merit(options.penalty) + right.merit(options.penalty) - whole.merit(options.penalty);
            if gain > 1e-9 && best.is_none_or(|best| gain > best.gain) {
                best = Some(Split { gain, column, bin });
            }
        }
    }
    best
}
