//! A linear support vector machine: C-SVC with the hinge loss, as in L-Extractor (Debnath and others, TKDE 2005) and the thesis (SMO
//! with a linear kernel).
//!
//! Solved in the dual by coordinate descent (Hsieh, Chang, Lin, Keerthi, Sundararajan: A dual coordinate descent method for
//! large-scale linear SVM, ICML 2008, the method of LIBLINEAR), each pass linear in the number of rows: minimise
//! `|w|²/2 + Σ C_i max(0, 1 - y_i w·x_i)`. Each row has its own `C_i`: `C` times its weight, with weights scaled to a mean of 1. The
//! bias is the weight of a feature that is always 1 and is regularised with the others, as in LIBLINEAR. Features are scaled to
//! `[0, 1]` by their range in the training rows; the planes returned are for unscaled features. Problems with more than two classes
//! are trained one against all others.

use super::dataset::Dataset;
use webstrata::label::trained::classifier::{Plane, Svm};
use webstrata_corpus::io::Random;

/// Parameters of training.
///
/// ```
/// assert_eq!(webstrata_lab::learn::svm::SvmOptions::default().c, 1.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SvmOptions {
    /// Cost of an error.
    pub c: f64,
    /// Tolerated violation of the optimality conditions.
    pub tolerance: f64,
    /// Maximum number of passes over the rows.
    pub max_passes: usize,
}

impl Default for SvmOptions {
    fn default() -> Self {
        SvmOptions { c: 1.0, tolerance: 0.05, max_passes: 1000 }
    }
}

/// Trains a machine on some rows.
///
/// ```
/// use webstrata_lab::learn::{column::Column, dataset::{Classes, Dataset}, svm::{self, SvmOptions}};
/// let rows: Vec<_> = (0..40).map(|x| (vec![x as f32], u8::from(x >= 20), 1, 0)).collect();
/// let data = Dataset::from_rows(Column::list("words").unwrap(), &rows, Classes::Two);
/// let svm = svm::fit(&data, &data.rows(), &SvmOptions { c: 100.0, ..SvmOptions::default() });
/// assert_eq!([svm.predict(&[17.0]), svm.predict(&[22.0])], [0, 1]);
/// ```
#[must_use]
pub fn fit(data: &Dataset, rows: &[u32], options: &SvmOptions) -> Svm {
    let scaled = Scaled::new(data, rows);
    Svm::from_planes(match data.classes() {
        0..=2 => vec![scaled.plane(1, options)],
        classes => (0..classes).map(|class| scaled.plane(class, options)).collect(),
    })
}

/// Scaled training rows, stored consecutively, with a last feature that is always 1.
struct Scaled {
    width: usize,
    values: Vec<f64>,
    classes: Vec<usize>,
    /// Weight of each row, relative to the mean weight.
    weights: Vec<f64>,
    /// For each column: the minimum, and the inverse of the range (0 for a constant).
    scale: Vec<(f64, f64)>,
}

impl Scaled {
    fn new(data: &Dataset, rows: &[u32]) -> Self {
        let columns = data.columns().len();
        let scale: Vec<(f64, f64)> = (0..columns)
            .map(|at| {
                let values = || rows.iter().map(|&row| f64::from(data.column(at)[row as usize]));
                let (low, high) = (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
                if high > low { (low, 1.0 / (high - low)) } else { (0.0, 0.0) }
            })
            .collect();
        let mut values = Vec::with_capacity(rows.len() * (columns + 1));
        for &row in rows {
            values.extend(data.row(row as usize).zip(&scale).map(|(value, (low, over))| (f64::from(value) - low) * over));
            values.push(1.0);
        }
        let total: f64 = rows.iter().map(|&row| data.weight(row as usize)).sum();
        let mean = total / rows.len().max(1) as f64;
        Scaled {
            width: columns + 1,
            values,
            classes: rows.iter().map(|&row| data.class(row as usize)).collect(),
            weights: rows.iter().map(|&row| data.weight(row as usize) / mean.max(f64::MIN_POSITIVE)).collect(),
            scale,
        }
    }

    /// The plane between a class and all others, for unscaled features.
    fn plane(&self, class: usize, options: &SvmOptions) -> Plane {
        let w = self.descend(class, options);
        let (weights, bias) = w.split_at(self.width - 1);
        let shift: f64 = weights.iter().zip(&self.scale).map(|(weight, (low, over))| weight * low * over).sum();
        Plane {
            weights: weights.iter().zip(&self.scale).map(|(weight, (_, over))| weight * over).collect(),
            bias: bias.iter().sum::<f64>() - shift,
        }
    }

    fn row(&self, at: usize) -> &[f64] {
        &self.values[at * self.width..(at + 1) * self.width]
    }

    /// Dual coordinate descent with shrinking.
    fn descend(&self, class: usize, options: &SvmOptions) -> Vec<f64> {
        let n = self.classes.len();
        let sign = |at: usize| if self.classes[at] == class { 1.0 } else { -1.0 };
        let norms: Vec<f64> = (0..n).map(|at| self.row(at).iter().map(|value| value * value).sum()).collect();
        let mut w = vec![0.0; self.width];
        let mut alpha = vec![0.0; n];
        let mut active: Vec<usize> = (0..n).collect();
        let mut random = Random::new(1);
        let (mut upper, mut lower) = (f64::INFINITY, f64::NEG_INFINITY);
        for _ in 0..options.max_passes {
            random.shuffle(&mut active);
            let (mut max, mut min) = (f64::NEG_INFINITY, f64::INFINITY);
            let mut kept = 0;
            for at in 0..active.len() {
                let i = active[at];
                let (row, y, cap) = (self.row(i), sign(i), options.c * self.weights[i]);
                let gradient = y * w.iter().zip(row).map(|(w, x)| w * x).sum::<f64>() - 1.0;
                // Shrink: skip a row at a bound in later passes if its gradient points outwards.
                if (alpha[i] == 0.0 && gradient > upper) || (alpha[i] >= cap && gradient < lower) {
                    continue;
                }
                active[kept] = i;
                kept += 1;
                let projected = if alpha[i] == 0.0 {
                    gradient.min(0.0)
                } else if alpha[i] >= cap {
                    gradient.max(0.0)
                } else {
                    gradient
                };
                max = max.max(projected);
                min = min.min(projected);
                if projected.abs() > 1e-12 {
                    let old = alpha[i];
                    alpha[i] = (old - gradient / norms[i]).clamp(0.0, cap);
                    let step = (alpha[i] - old) * y;
                    w.iter_mut().zip(row).for_each(|(w, x)| *w += step * x);
                }
            }
            active.truncate(kept);
            if max - min <= options.tolerance {
                if kept == n {
                    break;
                }
                // Check all rows once more before stopping.
                active = (0..n).collect();
                (upper, lower) = (f64::INFINITY, f64::NEG_INFINITY);
                continue;
            }
            upper = if max > 0.0 { max } else { f64::INFINITY };
            lower = if min < 0.0 { min } else { f64::NEG_INFINITY };
        }
        w
    }
}
