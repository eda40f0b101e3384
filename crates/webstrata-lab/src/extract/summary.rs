//! Summary of the scores of many pages.

use super::score::PageScore;

/// Means over pages (macro averages), median and share of bad pages.
///
/// ```
/// use webstrata_lab::{extract::{score::PageScore, summary::Summary}, gold::set::GoldPage};
/// let page = |gold: &str| GoldPage { gold_text: Some(gold.into()), ..GoldPage::default() };
/// let scores = [PageScore::new(&page("a b"), "a b"), PageScore::new(&page("a b"), "c")];
/// let summary = Summary::from_scores(&scores);
/// assert_eq!((summary.pages, summary.f1, summary.under_half), (2, 0.5, 0.5));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Summary {
    /// Number of pages with a gold text.
    pub pages: usize,
    /// Mean precision.
    pub precision: f64,
    /// Mean recall.
    pub recall: f64,
    /// Mean F1.
    pub f1: f64,
    /// Median F1.
    pub median: f64,
    /// Share of pages with F1 below 0.5.
    pub under_half: f64,
    /// Mean order-aware F1.
    pub sequence_f1: f64,
    /// Share of snippets, over all pages, that were correctly found or left out; NaN if there are none.
    pub snippets: f64,
}

impl Summary {
    /// Summarises the scores of some pages.
    #[must_use]
    pub fn from_scores<'s>(scores: impl IntoIterator<Item = &'s PageScore>) -> Summary {
        let mut summary = Summary::default();
        let mut f1: Vec<f64> = Vec::new();
        let (mut right, mut all) = (0u64, 0u64);
        for score in scores {
            right += u64::from(score.snippets_right);
            all += u64::from(score.snippets);
            let Some(words) = score.words else { continue };
            f1.push(words.bag.f1());
            summary.precision += words.bag.precision;
            summary.recall += words.bag.recall;
            summary.sequence_f1 += words.sequence.f1();
        }
        let n = f1.len().max(1) as f64;
        summary.pages = f1.len();
        summary.precision /= n;
        summary.recall /= n;
        summary.sequence_f1 /= n;
        summary.f1 = f1.iter().sum::<f64>() / n;
        summary.under_half = f1.iter().filter(|f| **f < 0.5).count() as f64 / n;
        summary.median = median(&mut f1);
        summary.snippets = if all == 0 { f64::NAN } else { right as f64 / all as f64 };
        summary
    }
}

/// The median; sorts the values. 0 for an empty list.
///
/// ```
/// use webstrata_lab::extract::summary::median;
/// assert_eq!(median(&mut [3.0, 1.0, 2.0]), 2.0);
/// assert_eq!(median(&mut [4.0, 1.0, 2.0, 3.0]), 2.5);
/// ```
#[must_use]
pub fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => 0.0,
        n if n % 2 == 1 => values[n / 2],
        n => f64::midpoint(values[n / 2 - 1], values[n / 2]),
    }
}
