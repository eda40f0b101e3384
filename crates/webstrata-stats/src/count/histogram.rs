//! Histograms of small numbers: dense, and bounded by a last class that takes all larger values.

use serde::{Deserialize, Serialize};

/// Counts by class. `LAST` is the last class.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Histogram<const LAST: usize>(Vec<u64>);

impl<const LAST: usize> Histogram<LAST> {
    /// Adds to a class.
    #[inline]
    pub fn add(&mut self, class: usize, count: u64) {
        let class = class.min(LAST);
        if class >= self.0.len() {
            self.0.resize(class + 1, 0);
        }
        self.0[class] += count;
    }

    /// Adds another histogram.
    pub fn merge(&mut self, other: &Self) {
        if other.0.len() > self.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (count, other) in self.0.iter_mut().zip(&other.0) {
            *count += other;
        }
    }

    /// The sum of all counts; `None` if there are more classes than this histogram allows, or the sum exceeds `most`.
    pub(crate) fn check(&self, most: u64) -> Option<u64> {
        let sum = self.0.iter().try_fold(0u64, |sum, count| sum.checked_add(*count));
        sum.filter(|sum| self.0.len() <= LAST + 1 && *sum <= most)
    }

    /// The counts, from class 0 to the last that occurs.
    #[must_use]
    pub fn counts(&self) -> &[u64] {
        &self.0
    }

    /// The count of a class.
    #[must_use]
    pub fn get(&self, class: usize) -> u64 {
        self.0.get(class).copied().unwrap_or(0)
    }

    /// The sum of all counts.
    #[must_use]
    pub fn sum(&self) -> u64 {
        self.0.iter().sum()
    }
}
