//! `ZeroR`: always the class with most weight. The baseline of the thesis' table 4.9.

use super::dataset::Dataset;

/// The weights of the classes; the answer is the heaviest.
///
/// ```
/// use webstrata_lab::learn::{dataset::{Classes, Dataset}, zeror::ZeroR};
/// let data = Dataset::from_rows(Vec::new(), &[(vec![], 0, 1, 0), (vec![], 0, 1, 0), (vec![], 1, 40, 0)], Classes::Two);
/// assert_eq!(ZeroR::fit(&data, &data.rows()).shares(), [2.0 / 42.0, 40.0 / 42.0]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ZeroR {
    shares: Vec<f64>,
}

impl ZeroR {
    /// Learns from some rows.
    #[must_use]
    pub fn fit(data: &Dataset, rows: &[u32]) -> Self {
        ZeroR { shares: shares(&data.distribution(rows)) }
    }

    /// From shares that were kept.
    pub(super) fn from_shares(shares: Vec<f64>) -> Self {
        ZeroR { shares }
    }

    /// Share of each class.
    #[must_use]
    pub fn shares(&self) -> &[f64] {
        &self.shares
    }
}

/// Weights as shares of their sum; equal shares where all are 0.
pub(super) fn shares(weights: &[f64]) -> Vec<f64> {
    let sum: f64 = weights.iter().sum();
    weights.iter().map(|weight| if sum > 0.0 { weight / sum } else { 1.0 / weights.len() as f64 }).collect()
}

/// Number of the greatest value; the first of them.
pub(super) fn heaviest(weights: &[f64]) -> usize {
    let mut best = 0;
    for (at, weight) in weights.iter().enumerate() {
        if *weight > weights[best] {
            best = at;
        }
    }
    best
}
