//! 1R: one feature, cut into intervals, one class per interval (Holte: Very simple classification rules perform well on most commonly
//! used datasets, Machine Learning 11, 1993).
//!
//! The values of a feature are visited in ascending order. An interval grows until some class reaches the minimum, and further
//! while the following values are all of that class; equal values are never separated. Neighbouring intervals of the same class
//! are merged. The feature with the lowest error on the training rows wins, the first one on a tie.
//!
//! Holte's minimum is 6 examples, which is also the default of Weka's `OneR`. Weka ignores weights: a block is one example
//! ([`OneROptions::weka`]). The rule for average word length shows that the thesis used Weka's: it has 178 intervals there and
//! 170 here. If examples are weighted by words, with the minimum of a leaf ([`OneROptions::words`]), it has 21.

use super::dataset::Dataset;
use super::discretise::{Group, groups};
use super::information_gain::Weighting;
use webstrata::label::trained::classifier::{Interval, OneR, heaviest};

/// Parameters of 1R.
///
/// ```
/// assert_eq!(webstrata_lab::learn::oner::OneROptions::weka().min_bucket, 6.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OneROptions {
    /// Minimum weight of the most common class of an interval; the last interval may have less.
    pub min_bucket: f64,
    /// Weight of a row.
    pub weighting: Weighting,
}

impl OneROptions {
    /// A minimum of six blocks.
    #[must_use]
    pub fn weka() -> Self {
        OneROptions { min_bucket: 6.0, weighting: Weighting::Blocks }
    }

    /// A minimum of a thousand words, that of a leaf in the thesis' trees.
    #[must_use]
    pub fn words() -> Self {
        OneROptions { min_bucket: 1000.0, weighting: Weighting::Words }
    }
}

/// Learns a rule from some rows of a data set with at least one column.
///
/// ```
/// use webstrata_lab::learn::{column::Column, dataset::{Classes, Dataset}, oner::{self, OneROptions}};
/// let rows: Vec<_> = (0..40).map(|x| (vec![x as f32], u8::from(x >= 15), 1, 0)).collect();
/// let data = Dataset::from_rows(Column::list("words").unwrap(), &rows, Classes::Two);
/// let rule = oner::fit(&data, &data.rows(), &OneROptions::weka());
/// assert_eq!((rule.intervals().len(), rule.intervals()[0].below), (2, 14.5));
/// ```
#[must_use]
pub fn fit(data: &Dataset, rows: &[u32], options: &OneROptions) -> OneR {
    let mut best = OneR::constant(data.distribution(rows));
    let mut min_error = f64::INFINITY;
    for column in 0..data.columns().len() {
        let intervals = intervals(&groups(data, column, rows, |row| options.weighting.weight(data, row)), options.min_bucket);
        let error: f64 = intervals.iter().map(|i| i.weights.iter().sum::<f64>() - i.weights[heaviest(&i.weights)]).sum();
        if error < min_error
            && let Some(rule) = OneR::from_parts(column, intervals)
        {
            (best, min_error) = (rule, error);
        }
    }
    best
}

fn intervals(groups: &[Group], min_bucket: f64) -> Vec<Interval> {
    let mut intervals: Vec<Interval> = Vec::new();
    let mut at = 0;
    while at < groups.len() {
        let mut weights = vec![0.0; groups[at].weights.len()];
        let take = |at: &mut usize, weights: &mut Vec<f64>| {
            weights.iter_mut().zip(&groups[*at].weights).for_each(|(sum, weight)| *sum += weight);
            *at += 1;
        };
        while at < groups.len() && weights[heaviest(&weights)] < min_bucket {
            take(&mut at, &mut weights);
        }
        let class = heaviest(&weights);
        while at < groups.len() && groups[at].is_only(class) {
            take(&mut at, &mut weights);
        }
        let below = groups.get(at).map_or(f32::INFINITY, |next| between(groups[at - 1].value, next.value));
        match intervals.last_mut() {
            // On a tie the class of the neighbour wins, so that the two merge.
            Some(last) if weights[heaviest(&last.weights)] == weights[class] => {
                last.weights.iter_mut().zip(&weights).for_each(|(sum, weight)| *sum += weight);
                last.below = below;
            }
            _ => intervals.push(Interval { below, weights }),
        }
    }
    intervals
}

/// The midpoint of two values, above the lower one.
fn between(low: f32, high: f32) -> f32 {
    let midpoint = low + (high - low) / 2.0;
    if midpoint > low { midpoint } else { high }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::column::Column;
    use crate::learn::dataset::Classes;

    fn data(columns: &str, rows: &[(Vec<f32>, u8, u32, u32)]) -> Dataset {
        Dataset::from_rows(Column::list(columns).unwrap_or_default(), rows, Classes::Two)
    }

    /// Temperatures with yes (1) and no (0), after a textbook example.
    fn temperatures(last: [(u8, u8); 4]) -> Vec<(Vec<f32>, u8, u32, u32)> {
        let first = [(64, 1), (65, 0), (68, 1), (69, 1), (70, 1), (71, 0), (72, 0), (72, 1), (75, 1), (75, 1)];
        first.into_iter().chain(last).map(|(value, class)| (vec![f32::from(value)], class, 1, 0)).collect()
    }

    #[test]
    fn temperatures_by_hand() {
        let options = OneROptions { min_bucket: 3.0, ..OneROptions::weka() };
        let learn = |rows: &[(Vec<f32>, u8, u32, u32)]| {
            let data = data("words", rows);
            let rule = fit(&data, &data.rows(), &options);
            let errors = rows.iter().filter(|row| rule.predict(&row.0) != usize::from(row.1)).count();
            (rule.intervals().iter().map(|i| i.below).collect::<Vec<_>>(), errors)
        };
        // Up to 70: 4 yes, 1 no. Up to 75: 3 yes, 2 no; the two merge. The rest: 1 yes, 3 no.
        assert_eq!(learn(&temperatures([(80, 0), (81, 1), (83, 0), (85, 0)])), (vec![77.5, f32::INFINITY], 4));
        // The rest: 2 and 2, so it merges with its neighbour.
        assert_eq!(learn(&temperatures([(80, 0), (81, 1), (83, 1), (85, 0)])), (vec![f32::INFINITY], 5));
    }

    #[test]
    fn the_better_feature_wins_and_weights_count() {
        let rows: Vec<_> = (0..20).map(|x| (vec![(x % 3) as f32, x as f32], u8::from(x >= 8), 1 + x, 0)).collect();
        let data = data("words,density", &rows);
        let rule = fit(&data, &data.rows(), &OneROptions { weighting: Weighting::Words, ..OneROptions::weka() });
        assert_eq!((rule.column(), rule.intervals().len()), (1, 2));
        assert_eq!(rule.intervals()[0].weights, [36.0, 0.0]);
    }
}
