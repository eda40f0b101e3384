//! A large-margin metric: nodes of a segment are closer to each other than to nodes of other segments.
//!
//! Weinberger, Blitzer, Saul: Distance Metric Learning for Large Margin Nearest Neighbor Classification, NIPS 2006. For every leaf, its
//! nearest leaves of the same segment (targets) should be closer than any leaf of another segment (impostors), by a margin of 1.
//! The paper solves a semidefinite program in M; as in the authors' later work we do gradient descent in L with M = LᵀL, which is
//! positive semidefinite by construction and needs no projection. Impostors come from the same page, because labels never cross pages.

use rayon::prelude::*;
use webstrata::segment::graphcut::{FEATURES, Row};

/// Number of targets per leaf.
const TARGETS: usize = 3;

/// Number of impostors per leaf: the nearest ones.
const IMPOSTORS: usize = 10;

/// Number of gradient steps.
const STEPS: usize = 120;

/// A page: the features of its marked leaves and their marks.
#[derive(Clone, Debug, Default)]
pub struct MarkedRows {
    /// Features.
    pub rows: Vec<Row>,
    /// Marks.
    pub marks: Vec<u32>,
}

type Matrix = Vec<Row>;

/// Learns the matrix L, up to scale.
#[must_use]
pub fn learn(pages: &[MarkedRows]) -> Matrix {
    let mut metric: Matrix = scales(pages);
    let targets: Vec<Vec<Vec<usize>>> = pages.iter().map(|page| targets(page, &metric)).collect();
    let (mut loss, mut slope) = evaluate(pages, &targets, &metric);
    let mut rate = 0.1 / norm(&slope).max(1e-9);
    for _ in 0..STEPS {
        let mut next = metric.clone();
        for (row, slope) in next.iter_mut().zip(&slope) {
            row.iter_mut().zip(slope).for_each(|(weight, slope)| *weight -= (rate * *slope) as f32);
        }
        let (next_loss, next_slope) = evaluate(pages, &targets, &next);
        if next_loss < loss {
            let gained = loss - next_loss;
            (metric, slope, loss) = (next, next_slope, next_loss);
            rate *= 1.2;
            if gained < 1e-6 * loss {
                break;
            }
        } else {
            rate /= 2.0;
            if rate * norm(&slope) < 1e-6 {
                break;
            }
        }
    }
    metric
}

/// The initial matrix: every feature divided by its standard deviation.
fn scales(pages: &[MarkedRows]) -> Matrix {
    let rows = || pages.iter().flat_map(|page| &page.rows);
    let number = rows().count().max(1) as f32;
    (0..FEATURES)
        .map(|at| {
            let mean = rows().map(|row| row[at]).sum::<f32>() / number;
            let variance = rows().map(|row| (row[at] - mean).powi(2)).sum::<f32>() / number;
            let mut unit = [0.0; FEATURES];
            // A constant feature, such as visual ones without a layout, has no influence.
            unit[at] = if variance > 1e-8 { (1.0 / variance.sqrt()).min(20.0) / (FEATURES as f32).sqrt() } else { 0.0 };
            unit
        })
        .collect()
}

fn norm(matrix: &[Vec<f64>]) -> f64 {
    matrix.iter().flatten().map(|value| value * value).sum::<f64>().sqrt()
}

fn project(metric: &Matrix, rows: &[Row]) -> Vec<Row> {
    rows.iter()
        .map(|row| {
            let mut out = [0.0; FEATURES];
            for (place, weights) in out.iter_mut().zip(metric) {
                *place = weights.iter().zip(row).map(|(weight, value)| weight * value).sum();
            }
            out
        })
        .collect()
}

fn squared(a: &Row, b: &Row) -> f64 {
    a.iter().zip(b).map(|(a, b)| f64::from(a - b).powi(2)).sum()
}

/// For each leaf: the nearest leaves with the same mark.
fn targets(page: &MarkedRows, metric: &Matrix) -> Vec<Vec<usize>> {
    let rows = project(metric, &page.rows);
    let of = |leaf: usize| {
        let mut same: Vec<(f64, usize)> = (0..rows.len())
            .filter(|&other| other != leaf && page.marks[other] == page.marks[leaf])
            .map(|other| (squared(&rows[leaf], &rows[other]), other))
            .collect();
        same.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        same.into_iter().take(TARGETS).map(|(_, other)| other).collect()
    };
    (0..rows.len()).map(of).collect()
}

/// The loss and its gradient. All pages have equal weight.
fn evaluate(pages: &[MarkedRows], targets: &[Vec<Vec<usize>>], metric: &Matrix) -> (f64, Vec<Vec<f64>>) {
    let parts: Vec<(f64, Vec<f64>)> =
        pages.par_iter().zip(targets).map(|(page, targets)| evaluate_page(page, targets, metric)).collect();
    let mut loss = 0.0;
    // Σ w (x - y)(x - y)ᵀ over targets (w > 0) and impostors (w < 0).
    let mut outer = vec![0.0; FEATURES * FEATURES];
    for (part, sums) in &parts {
        loss += part;
        outer.iter_mut().zip(sums).for_each(|(sum, more)| *sum += more);
    }
    let gradient = metric
        .iter()
        .map(|row| {
            let of = |column: usize| {
                2.0 * row.iter().enumerate().map(|(at, w)| f64::from(*w) * outer[at * FEATURES + column]).sum::<f64>()
            };
            (0..FEATURES).map(of).collect()
        })
        .collect();
    (loss, gradient)
}

fn evaluate_page(page: &MarkedRows, targets: &[Vec<usize>], metric: &Matrix) -> (f64, Vec<f64>) {
    let rows = project(metric, &page.rows);
    let share = 1.0 / rows.len().max(1) as f64;
    let mut loss = 0.0;
    let mut outer = vec![0.0; FEATURES * FEATURES];
    let mut add = |a: usize, b: usize, weight: f64| {
        let difference: Vec<f64> = page.rows[a].iter().zip(&page.rows[b]).map(|(a, b)| f64::from(a - b)).collect();
        for (row, &x) in difference.iter().enumerate().filter(|(_, x)| **x != 0.0) {
            let places = &mut outer[row * FEATURES..(row + 1) * FEATURES];
            places.iter_mut().zip(&difference).for_each(|(place, y)| *place += weight * x * y);
        }
    };
    for (leaf, targets) in targets.iter().enumerate().filter(|(_, targets)| !targets.is_empty()) {
        let mut impostors: Vec<(f64, usize)> = (0..rows.len())
            .filter(|&other| page.marks[other] != page.marks[leaf])
            .map(|other| (squared(&rows[leaf], &rows[other]), other))
            .collect();
        impostors.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        impostors.truncate(IMPOSTORS);
        for &target in targets {
            let near = squared(&rows[leaf], &rows[target]);
            let mut pull = 1.0;
            loss += share * near;
            for &(far, impostor) in &impostors {
                let violation = 1.0 + near - far;
                if violation <= 0.0 {
                    break;
                }
                loss += share * violation;
                pull += 1.0;
                add(leaf, impostor, -share);
            }
            add(leaf, target, pull * share);
        }
    }
    (loss, outer)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two segments that differ in the first feature; the second feature is noise.
    fn pages() -> Vec<MarkedRows> {
        let row = |mark: u32, at: u32| {
            let mut row = [0.0; FEATURES];
            // Multiples of irrational numbers, so that no two distances are equal.
            row[0] = mark as f32 * 0.2 + (at as f32 * 0.618_034).fract() * 0.03;
            row[1] = ((at + 12 * mark) as f32 * 0.754_877).fract();
            row
        };
        let all: Vec<(u32, u32)> = (0..2).flat_map(|mark| (0..12).map(move |at| (mark, at))).collect();
        vec![MarkedRows {
            rows: all.iter().map(|&(mark, at)| row(mark, at)).collect(),
            marks: all.iter().map(|(mark, _)| *mark).collect(),
        }]
    }

    #[test]
    fn features_that_distinguish_segments_gain_weight() {
        let pages = pages();
        let start = scales(&pages);
        let learned = learn(&pages);
        let ratio = |metric: &Matrix| {
            let weight = |column: usize| metric.iter().map(|row| row[column] * row[column]).sum::<f32>();
            weight(0) / weight(1)
        };
        assert!(ratio(&learned) > 3.0 * ratio(&start), "{} {}", ratio(&learned), ratio(&start));
    }

    #[test]
    fn the_gradient_is_the_slope_of_the_loss() {
        let pages = pages();
        let metric = scales(&pages);
        let targets: Vec<_> = pages.iter().map(|page| targets(page, &metric)).collect();
        let (_, slope) = evaluate(&pages, &targets, &metric);
        for (row, column) in [(0, 0), (1, 1), (0, 1)] {
            let step = 1e-3;
            let moved = |by: f32| {
                let mut metric = metric.clone();
                metric[row][column] += by;
                evaluate(&pages, &targets, &metric).0
            };
            let measured = (moved(step) - moved(-step)) / f64::from(2.0 * step);
            assert!(
                (measured - slope[row][column]).abs() < 0.02 * slope[row][column].abs().max(1.0),
                "{measured} {}",
                slope[row][column]
            );
        }
    }
}
