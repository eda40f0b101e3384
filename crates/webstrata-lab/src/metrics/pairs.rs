//! Duplicate detection on judged pairs of pages (Chakrabarti and others 2008).

/// Rates over judged pairs.
///
/// ```
/// use webstrata_lab::metrics::pairs::PairRates;
/// let rates = PairRates::new([(true, true), (true, false), (false, false), (false, false)]);
/// assert_eq!((rates.duplicates, rates.others), (0.5, 1.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairRates {
    /// True-positive rate.
    pub duplicates: f64,
    /// True-negative rate.
    pub others: f64,
}

impl PairRates {
    /// Computes rates from pairs `(are duplicates, were reported as duplicates)`. A rate over no pairs is 1.
    pub fn new(pairs: impl IntoIterator<Item = (bool, bool)>) -> Self {
        let mut right = [0u64; 2];
        let mut all = [0u64; 2];
        for (gold, answer) in pairs {
            all[usize::from(gold)] += 1;
            right[usize::from(gold)] += u64::from(gold == answer);
        }
        let rate = |k: usize| if all[k] == 0 { 1.0 } else { right[k] as f64 / all[k] as f64 };
        PairRates { duplicates: rate(1), others: rate(0) }
    }
}
