//! Information gain of single features: the thesis' figure 4.20.
//!
//! Computed as by Weka's `InfoGainAttributeEval`: numeric values are discretised ([`super::discretise`]), and the gain is
//! `H(class) - H(class | interval)` in bits. A feature without an accepted cut has gain 0.

use super::column::Column;
use super::dataset::Dataset;
use super::discretise::{cuts, gain, groups};

/// Weight of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weighting {
    /// Its number of words.
    Words,
    /// One.
    Blocks,
}

impl Weighting {
    pub(super) fn weight(self, data: &Dataset, row: usize) -> f64 {
        match self {
            Weighting::Words => data.weight(row),
            Weighting::Blocks => 1.0,
        }
    }
}

/// A feature and its gain.
#[derive(Clone, Debug, PartialEq)]
pub struct Gain {
    /// The feature.
    pub column: Column,
    /// Gain in bits.
    pub gain: f64,
    /// Number of intervals.
    pub intervals: usize,
}

/// The gain of every column, greatest first; ties in column order.
///
/// ```
/// use webstrata_lab::learn::{column::Column, dataset::{Classes, Dataset}, information_gain::{Weighting, information_gain}};
/// let rows: Vec<_> = (0..40).map(|x| (vec![(x % 2) as f32, x as f32], u8::from(x >= 20), 1, 0)).collect();
/// let data = Dataset::from_rows(Column::list("words,density").unwrap(), &rows, Classes::Two);
/// let gains = information_gain(&data, Weighting::Blocks);
/// assert_eq!((gains[0].column.to_string(), gains[0].gain, gains[1].gain), ("density".into(), 1.0, 0.0));
/// ```
#[must_use]
pub fn information_gain(data: &Dataset, weighting: Weighting) -> Vec<Gain> {
    let rows = data.rows();
    let mut gains: Vec<Gain> = data
        .columns()
        .iter()
        .enumerate()
        .map(|(at, &column)| {
            let groups = groups(data, at, &rows, |row| weighting.weight(data, row));
            let cuts = cuts(&groups, data.classes());
            Gain { column, gain: gain(&groups, &cuts, data.classes()), intervals: cuts.len() + 1 }
        })
        .collect();
    gains.sort_by(|a, b| b.gain.total_cmp(&a.gain));
    gains
}
