//! `ZeroR`: always the class with the most weight. The baseline of the thesis' table 4.9.

use super::dataset::Dataset;
use webstrata::label::trained::classifier::{ZeroR, shares};

/// Counts the classes of some rows.
///
/// ```
/// use webstrata_lab::learn::{dataset::{Classes, Dataset}, zeror};
/// let data = Dataset::from_rows(Vec::new(), &[(vec![], 0, 1, 0), (vec![], 0, 1, 0), (vec![], 1, 40, 0)], Classes::Two);
/// assert_eq!(zeror::fit(&data, &data.rows()).shares(), [2.0 / 42.0, 40.0 / 42.0]);
/// ```
#[must_use]
pub fn fit(data: &Dataset, rows: &[u32]) -> ZeroR {
    ZeroR::from_shares(shares(&data.distribution(rows)))
}
