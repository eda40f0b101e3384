//! Geometric distributions fitted to counts: the thesis' random writers (4.4.4, equations 4.20 and 4.21).
//!
//! The share of blocks with `x` words is fitted by `(1 - p)^(x-1) p`, or by a mixture of two such distributions. Least squares over
//! `x` from 1 to the largest count observed, as for the other fits of the thesis. For given `p` of both parts the best weight has a closed
//! form, so the search is in one or two dimensions: a grid that shrinks around its best point.

use super::fit::{r_squared, r_squared_adjusted, rmse};

/// Points of the grid in each dimension, and how often it shrinks.
const GRID: usize = 24;
const ROUNDS: usize = 24;
/// The grid keeps this share of its size each round: more than two of its steps, so that the best point stays inside.
const SHRINK: f64 = 0.5;
/// The smallest and largest probability.
const RANGE: (f64, f64) = (1e-4, 0.9999);

/// A fitted mixture of two geometric distributions, or one of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Geometric {
    /// Weight of the first, short, part: `P_N(S)`; 1 if there is no other.
    pub weight: f64,
    /// Probability to end after a word of the first part: `P_S(N)` or `P_T(N)`.
    pub short: f64,
    /// Probability to end after a word of the second part: `P_L(N)`.
    pub long: f64,
    /// R², adjusted for the parameters.
    pub r_squared_adjusted: f64,
    /// Root mean squared error of the shares.
    pub rmse: f64,
}

impl Geometric {
    /// Fits one distribution to the shares of 1, 2, 3 …; none if there are fewer than five.
    ///
    /// ```
    /// use webstrata_lab::metrics::geometric::Geometric;
    /// let shares: Vec<f64> = (0..40).map(|x| 0.7f64.powi(x) * 0.3).collect();
    /// let fitted = Geometric::one(&shares).unwrap();
    /// assert!((fitted.short - 0.3).abs() < 1e-6 && fitted.rmse < 1e-6);
    /// ```
    #[must_use]
    pub fn one(shares: &[f64]) -> Option<Geometric> {
        let (_, best) = search(&[RANGE], &|point| residual(shares, 1.0, point[0], point[0]));
        Geometric::new(shares, 1.0, best[0], best[0], 1)
    }

    /// Fits a mixture of two.
    ///
    /// ```
    /// use webstrata_lab::metrics::geometric::Geometric;
    /// let shares: Vec<f64> = (0..200).map(|x| 0.75 * 0.6f64.powi(x) * 0.4 + 0.25 * 0.95f64.powi(x) * 0.05).collect();
    /// let fitted = Geometric::two(&shares).unwrap();
    /// assert!((fitted.weight - 0.75).abs() < 1e-3 && (fitted.short - 0.4).abs() < 1e-3 && (fitted.long - 0.05).abs() < 1e-3);
    /// ```
    #[must_use]
    pub fn two(shares: &[f64]) -> Option<Geometric> {
        let error = |point: &[f64]| residual(shares, weight(shares, point[0], point[1]), point[0], point[1]);
        let (_, best) = search(&[RANGE, RANGE], &error);
        let (short, long) = (best[0].max(best[1]), best[0].min(best[1]));
        Geometric::new(shares, weight(shares, short, long), short, long, 3)
    }

    fn new(shares: &[f64], weight: f64, short: f64, long: f64, parameters: usize) -> Option<Geometric> {
        if shares.len() < 5 {
            return None;
        }
        let fitted: Vec<f64> = curve(weight, short, long).take(shares.len()).collect();
        let r_squared_adjusted = r_squared_adjusted(r_squared(shares, &fitted), shares.len(), parameters);
        Some(Geometric { weight, short, long, r_squared_adjusted, rmse: rmse(shares, &fitted) })
    }

    /// The fitted shares of 1, 2, 3 …
    pub fn curve(&self) -> impl Iterator<Item = f64> + use<> {
        curve(self.weight, self.short, self.long)
    }
}

fn curve(weight: f64, short: f64, long: f64) -> impl Iterator<Item = f64> {
    let next = move |(a, b): &(f64, f64)| Some((a * (1.0 - short), b * (1.0 - long)));
    std::iter::successors(Some((short, long)), next).map(move |(a, b)| weight * a + (1.0 - weight) * b)
}

/// The best weight of the first part.
fn weight(shares: &[f64], short: f64, long: f64) -> f64 {
    let (mut above, mut below) = (0.0, 0.0);
    for ((share, a), b) in shares.iter().zip(curve(1.0, short, long)).zip(curve(0.0, short, long)) {
        above += (share - b) * (a - b);
        below += (a - b) * (a - b);
    }
    if below == 0.0 { 1.0 } else { (above / below).clamp(0.0, 1.0) }
}

fn residual(shares: &[f64], weight: f64, short: f64, long: f64) -> f64 {
    shares.iter().zip(curve(weight, short, long)).map(|(share, fitted)| (share - fitted).powi(2)).sum()
}

/// The point of a box, by logarithms, where a function is smallest.
fn search(ranges: &[(f64, f64)], error: &dyn Fn(&[f64]) -> f64) -> (f64, Vec<f64>) {
    let mut boxes: Vec<(f64, f64)> = ranges.iter().map(|range| (range.0.ln(), range.1.ln())).collect();
    let mut best = (f64::INFINITY, ranges.iter().map(|range| range.0).collect::<Vec<_>>());
    for _ in 0..ROUNDS {
        for number in 0..GRID.pow(boxes.len() as u32) {
            let mut rest = number;
            let mut point = Vec::with_capacity(boxes.len());
            for (low, high) in &boxes {
                point.push((low + (high - low) * (rest % GRID) as f64 / (GRID - 1) as f64).exp());
                rest /= GRID;
            }
            let found = error(&point);
            if found < best.0 {
                best = (found, point);
            }
        }
        for ((bounds, range), at) in boxes.iter_mut().zip(ranges).zip(&best.1) {
            let half = (bounds.1 - bounds.0) * SHRINK / 2.0;
            *bounds = ((at.ln() - half).max(range.0.ln()), (at.ln() + half).min(range.1.ln()));
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_of_the_thesis_are_found_again() {
        // Equations 4.20 and 4.21 with the thesis' own parameters.
        let one: Vec<f64> = curve(1.0, 0.3145, 0.3145).take(1122).collect();
        let fitted = Geometric::one(&one).unwrap();
        assert!((fitted.short - 0.3145).abs() < 1e-6 && fitted.r_squared_adjusted > 0.999_999, "{fitted:?}");
        let two: Vec<f64> = curve(0.7586, 0.3968, 0.04369).take(1122).collect();
        let fitted = Geometric::two(&two).unwrap();
        assert!((fitted.weight - 0.7586).abs() < 1e-4 && (fitted.short - 0.3968).abs() < 1e-4, "{fitted:?}");
        assert!((fitted.long - 0.04369).abs() < 1e-4, "{fitted:?}");
        // One part cannot describe two.
        assert!(Geometric::one(&two).unwrap().rmse > fitted.rmse);
    }

    #[test]
    fn shares_sum_to_one() {
        let sum: f64 = curve(0.7586, 0.3968, 0.04369).take(2000).sum();
        assert!((sum - 1.0).abs() < 1e-9);
        assert!(Geometric::one(&[0.5, 0.5]).is_none());
    }
}
