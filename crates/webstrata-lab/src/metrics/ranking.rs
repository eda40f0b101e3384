//! Ranked lists against judgements, and rankings against each other.
//!
//! NDCG has two forms: the thesis' discount (1 for the first rank, then log2 of the rank; Järvelin, Kekäläinen 2002) and that
//! of most tools, log2 of the rank plus one. They differ, so say which one you report.

use statrs::distribution::{ContinuousCDF, Normal};
pub use webstrata_corpus::graph::topics::measures::{average_precision, kendall_tau_b};

/// Share of the first `k` results that are relevant.
///
/// ```
/// assert_eq!(webstrata_lab::metrics::ranking::precision_at(4, &[true, false, true]), 0.5);
/// ```
#[must_use]
pub fn precision_at(k: usize, relevant: &[bool]) -> f64 {
    if k == 0 { 0.0 } else { relevant.iter().take(k).filter(|r| **r).count() as f64 / k as f64 }
}

/// Rank discount.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Discount {
    /// The thesis' form: 1, then log2(rank).
    Log2Rank,
    /// The common form: log2(rank + 1).
    Log2RankPlusOne,
}

/// Normalised discounted cumulative gain at `k`: the gain of the list relative to the best order of `all`.
///
/// ```
/// use webstrata_lab::metrics::ranking::{Discount, ndcg_at};
/// let gains = [3.0, 2.0, 3.0, 0.0, 1.0, 2.0];
/// // scikit-learn 1.9: ndcg_score of this list = 0.9608081943360617
/// assert!((ndcg_at(6, &gains, &gains, Discount::Log2RankPlusOne) - 0.9608081943360617).abs() < 1e-12);
/// ```
#[must_use]
pub fn ndcg_at(k: usize, gains: &[f64], all: &[f64], discount: Discount) -> f64 {
    let sum = |gains: &[f64]| -> f64 {
        let discounted = |(at, gain): (usize, &f64)| match discount {
            Discount::Log2Rank => gain / ((at + 1) as f64).log2().max(1.0),
            Discount::Log2RankPlusOne => gain / ((at + 2) as f64).log2(),
        };
        gains.iter().take(k).enumerate().map(discounted).sum()
    };
    let mut best = all.to_vec();
    best.sort_by(|a, b| b.total_cmp(a));
    let ideal = sum(&best);
    if ideal == 0.0 { 0.0 } else { sum(gains) / ideal }
}

/// Wilcoxon signed-rank test of paired values (Wilcoxon 1945; zero differences dropped, ties share their rank,
/// normal approximation with tie correction, without continuity correction).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wilcoxon {
    /// The smaller of the two sums of ranks.
    pub statistic: f64,
    /// Two-sided p-value.
    pub p: f64,
    /// Number of pairs that differ.
    pub pairs: usize,
}

/// Tests whether two methods differ on the same pages.
///
/// ```
/// let a = [0.9, 0.8, 0.7, 0.95, 0.6, 0.85, 0.75, 0.65, 0.99, 0.5];
/// let b = [0.85, 0.7, 0.72, 0.9, 0.5, 0.8, 0.7, 0.6, 0.98, 0.55];
/// let test = webstrata_lab::metrics::ranking::wilcoxon(&a, &b);
/// assert_eq!(test.pairs, 10);
/// ```
#[must_use]
pub fn wilcoxon(a: &[f64], b: &[f64]) -> Wilcoxon {
    let mut differences: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).filter(|d| *d != 0.0).collect();
    differences.sort_by(|x, y| x.abs().total_cmp(&y.abs()));
    let n = differences.len() as f64;
    let (mut plus, mut minus, mut ties, mut at) = (0.0, 0.0, 0.0, 0.0);
    for same in differences.chunk_by(|x, y| x.abs() == y.abs()) {
        let size = same.len() as f64;
        let rank = at + f64::midpoint(1.0, size);
        at += size;
        ties += size.powi(3) - size;
        for difference in same {
            *(if *difference > 0.0 { &mut plus } else { &mut minus }) += rank;
        }
    }
    let statistic = f64::min(plus, minus);
    let variance = (n * (n + 1.0) * (2.0 * n + 1.0) - ties / 2.0) / 24.0;
    let p = match Normal::standard().cdf((statistic - n * (n + 1.0) / 4.0) / variance.sqrt()) {
        p if p.is_nan() => 1.0,
        p => (2.0 * p).min(1.0),
    };
    Wilcoxon { statistic, p, pairs: differences.len() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_thesis_form_of_ndcg_by_hand() {
        // 3 + 2/1 + 3/log2(3), over 3 + 3/1 + 2/log2(3)
        let got = ndcg_at(3, &[3.0, 2.0, 3.0], &[3.0, 2.0, 3.0], Discount::Log2Rank);
        let log3 = 3f64.log2();
        assert!((got - (5.0 + 3.0 / log3) / (6.0 + 2.0 / log3)).abs() < 1e-12);
    }

    #[test]
    fn fast_tau_matches_the_naive_one() {
        let mut state = 3u64;
        let mut next = |most: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            ((state >> 33) % most) as f64
        };
        for n in 2..60 {
            let a: Vec<f64> = (0..n).map(|_| next(12)).collect();
            let b: Vec<f64> = (0..n).map(|_| next(20)).collect();
            let (mut sum, mut left, mut right) = (0.0, 0.0, 0.0);
            for i in 0..n {
                for j in 0..i {
                    let (x, y) = ((a[i] - a[j]).partial_cmp(&0.0), (b[i] - b[j]).partial_cmp(&0.0));
                    let sign = |o: Option<std::cmp::Ordering>| o.map_or(0.0, |o| f64::from(o as i8));
                    sum += sign(x) * sign(y);
                    left += sign(x).abs();
                    right += sign(y).abs();
                }
            }
            let naive = if left * right == 0.0 { 0.0 } else { sum / f64::sqrt(left * right) };
            assert!((kendall_tau_b(&a, &b) - naive).abs() < 1e-12, "{a:?} {b:?}");
        }
    }

    #[test]
    fn wilcoxon_matches_scipy() {
        let a = [0.9, 0.8, 0.7, 0.95, 0.6, 0.85, 0.75, 0.65, 0.99, 0.5];
        let b = [0.8125, 0.7, 0.75, 0.8, 0.35, 0.85, 0.625, 0.125, 0.5, 0.525];
        let test = wilcoxon(&a, &b);
        // scipy 1.17: wilcoxon(a, b, zero_method="wilcox", correction=False, method="approx")
        assert_eq!((test.statistic, test.pairs), (STATISTIC, 9));
        assert!((test.p - P).abs() < 1e-9, "{}", test.p);
    }

    const STATISTIC: f64 = 3.0;
    const P: f64 = 0.020879263166351643;
}
