//! A linear support vector machine: C-SVC with the hinge loss, as L-Extractor (Debnath and others, TKDE 2005) and the thesis (SMO with a
//! linear kernel) have it.
//!
//! Solved in the dual by coordinate descent (Hsieh, Chang, Lin, Keerthi, Sundararajan: A dual coordinate descent method for
//! large-scale linear SVM, ICML 2008, the method of LIBLINEAR), linear in the rows for each pass: minimise `|w|²/2 + Σ C_i max(0, 1 - y_i w·x_i)`.
//! Each row has its own `C_i`: `C` times its weight, weights scaled so that their mean is 1. The bias is the weight of a feature that is
//! always 1 and is regularised with the others, as in LIBLINEAR. Features are scaled to `[0, 1]` by their range in the training
//! rows; what is kept are weights of the features as they are. For more than two classes: one against all others.

use super::dataset::Dataset;
use super::random::Random;
use super::zeror::heaviest;

/// How the machine is trained.
///
/// ```
/// assert_eq!(webstrata_lab::learn::svm::SvmOptions::default().c, 1.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SvmOptions {
    /// Price of an error.
    pub c: f64,
    /// How far the conditions of the optimum may be missed.
    pub tolerance: f64,
    /// Most passes over the rows.
    pub passes: usize,
}

impl Default for SvmOptions {
    fn default() -> Self {
        SvmOptions { c: 1.0, tolerance: 0.05, passes: 1000 }
    }
}

/// A plane.
#[derive(Clone, Debug, PartialEq)]
pub struct Plane {
    /// A weight for each column.
    pub weights: Vec<f64>,
    /// Added to their sum.
    pub bias: f64,
}

impl Plane {
    /// On which side of it a row is, and how far.
    #[must_use]
    pub fn score(&self, row: &[f32]) -> f64 {
        self.bias + self.weights.iter().zip(row).map(|(weight, value)| weight * f64::from(*value)).sum::<f64>()
    }
}

/// A trained machine: one plane for two classes (class 1 is above it), else one for each class.
///
/// ```
/// use webstrata_lab::learn::{column::Column, dataset::{Classes, Dataset}, svm::{Svm, SvmOptions}};
/// let rows: Vec<_> = (0..40).map(|x| (vec![x as f32], u8::from(x >= 20), 1, 0)).collect();
/// let data = Dataset::from_rows(Column::list("words").unwrap(), &rows, Classes::Two);
/// let machine = Svm::fit(&data, &data.rows(), &SvmOptions { c: 100.0, ..SvmOptions::default() });
/// assert_eq!([machine.answer(&[17.0]), machine.answer(&[22.0])], [0, 1]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Svm {
    planes: Vec<Plane>,
}

impl Svm {
    /// Trains a machine on some rows.
    #[must_use]
    pub fn fit(data: &Dataset, rows: &[u32], options: &SvmOptions) -> Self {
        let scaled = Scaled::new(data, rows);
        let planes = match data.classes() {
            0..=2 => vec![scaled.plane(1, options)],
            classes => (0..classes).map(|class| scaled.plane(class, options)).collect(),
        };
        Svm { planes }
    }

    /// A machine from its planes.
    pub(super) fn from_planes(planes: Vec<Plane>) -> Self {
        Svm { planes }
    }

    /// Its planes.
    #[must_use]
    pub fn planes(&self) -> &[Plane] {
        &self.planes
    }

    /// A score for each class, the greatest is the answer.
    #[must_use]
    pub fn scores(&self, row: &[f32]) -> Vec<f64> {
        match &self.planes[..] {
            [plane] => {
                let score = plane.score(row);
                vec![-score, score]
            }
            planes => planes.iter().map(|plane| plane.score(row)).collect(),
        }
    }

    /// The class of a row.
    #[must_use]
    pub fn answer(&self, row: &[f32]) -> usize {
        heaviest(&self.scores(row))
    }
}

/// Training rows with their features scaled, row by row, and a last feature that is 1.
struct Scaled {
    width: usize,
    values: Vec<f64>,
    classes: Vec<usize>,
    /// Weight of a row over the mean weight.
    weights: Vec<f64>,
    /// By column: least value, and one over the range (0 for a constant).
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

    /// The plane between a class and all others, for features as they are.
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
        for _ in 0..options.passes {
            random.shuffle(&mut active);
            let (mut most, mut least) = (f64::NEG_INFINITY, f64::INFINITY);
            let mut kept = 0;
            for at in 0..active.len() {
                let i = active[at];
                let (row, y, cap) = (self.row(i), sign(i), options.c * self.weights[i]);
                let gradient = y * w.iter().zip(row).map(|(w, x)| w * x).sum::<f64>() - 1.0;
                // A row at a bound that pulls outwards is left out of the following passes.
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
                most = most.max(projected);
                least = least.min(projected);
                if projected.abs() > 1e-12 {
                    let old = alpha[i];
                    alpha[i] = (old - gradient / norms[i]).clamp(0.0, cap);
                    let step = (alpha[i] - old) * y;
                    w.iter_mut().zip(row).for_each(|(w, x)| *w += step * x);
                }
            }
            active.truncate(kept);
            if most - least <= options.tolerance {
                if kept == n {
                    break;
                }
                // All rows are looked at once more before it is over.
                active = (0..n).collect();
                (upper, lower) = (f64::INFINITY, f64::NEG_INFINITY);
                continue;
            }
            upper = if most > 0.0 { most } else { f64::INFINITY };
            lower = if least < 0.0 { least } else { f64::NEG_INFINITY };
        }
        w
    }
}
