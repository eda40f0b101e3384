//! Power laws fitted to ranked counts: Zipf's law.
//!
//! `y = C x^-b` (Kohlschütter's thesis, 4.2.4 and table 4.2) is fitted to the counts, largest first: `x` is the rank, `y` the count
//! relative to the largest one. Least squares of `y` itself, not of its logarithm, as the thesis' errors of about 0.01 and its `C` near 1 imply.
//! For a given `b` the best `C` has a closed form, so the search is one-dimensional: a grid brackets `b`, a golden-section search refines it. (Existing
//! optimiser crates contain unsafe code or are unmaintained.)

use super::fit::{chi_squared, r_squared, r_squared_adjusted, rmse};

/// Largest exponent tried, and the number of grid steps.
const MAX_EXPONENT: f64 = 4.0;
const GRID: u32 = 80;
/// Steps of the golden-section search; more do not change the sum of squares.
const HALVINGS: u32 = 48;

/// A fitted power law and its goodness of fit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PowerLaw {
    /// The constant.
    pub c: f64,
    /// The exponent, without its sign.
    pub b: f64,
    /// Coefficient of determination.
    pub r_squared: f64,
    /// The same, adjusted for the exponent.
    pub r_squared_adjusted: f64,
    /// Root mean squared error of the shares.
    pub rmse: f64,
    /// Pearson's chi squared of the shares.
    pub chi_squared: f64,
}

impl PowerLaw {
    /// Fits counts, in any order; none if fewer than three are positive.
    ///
    /// ```
    /// use webstrata_lab::metrics::power_law::PowerLaw;
    /// let law = PowerLaw::fit(&[300, 600, 200, 150]).unwrap(); // 600 / rank
    /// assert!((law.c - 1.0).abs() < 1e-6 && (law.b - 1.0).abs() < 1e-6 && law.rmse < 1e-6);
    /// assert_eq!(PowerLaw::fit(&[3, 2]), None);
    /// ```
    #[must_use]
    pub fn fit(counts: &[usize]) -> Option<PowerLaw> {
        let mut counts: Vec<usize> = counts.iter().copied().filter(|count| *count > 0).collect();
        counts.sort_unstable_by(|a, b| b.cmp(a));
        if counts.len() < 3 {
            return None;
        }
        let shares: Vec<f64> = counts.iter().map(|count| *count as f64 / counts[0] as f64).collect();
        let b = exponent(&shares);
        let c = constant(&shares, b);
        let fitted: Vec<f64> = (1..=shares.len()).map(|rank| c * (rank as f64).powf(-b)).collect();
        let r_squared = r_squared(&shares, &fitted);
        Some(PowerLaw {
            c,
            b,
            r_squared,
            r_squared_adjusted: r_squared_adjusted(r_squared, shares.len(), 1),
            rmse: rmse(&shares, &fitted),
            chi_squared: chi_squared(&shares, &fitted, shares.len() - 2).0,
        })
    }

    /// The fitted share of a rank; the largest count has rank 1.
    #[must_use]
    pub fn at(&self, rank: f64) -> f64 {
        self.c * rank.powf(-self.b)
    }
}

/// The best constant for an exponent.
fn constant(shares: &[f64], b: f64) -> f64 {
    let (mut above, mut below) = (0.0, 0.0);
    for (at, share) in shares.iter().enumerate() {
        let power = ((at + 1) as f64).powf(-b);
        above += share * power;
        below += power * power;
    }
    above / below
}

/// The sum of squares of an exponent.
fn squares(shares: &[f64], b: f64) -> f64 {
    let c = constant(shares, b);
    shares.iter().enumerate().map(|(at, share)| (share - c * ((at + 1) as f64).powf(-b)).powi(2)).sum()
}

/// The exponent with the lowest sum of squares.
fn exponent(shares: &[f64]) -> f64 {
    let step = MAX_EXPONENT / f64::from(GRID);
    let (mut best, mut least) = (0.0, f64::INFINITY);
    for at in (0..=GRID).map(|number| f64::from(number) * step) {
        let left = squares(shares, at);
        if left < least {
            (best, least) = (at, left);
        }
    }
    let (mut low, mut high) = ((best - step).max(0.0), (best + step).min(MAX_EXPONENT));
    let golden = (5f64.sqrt() - 1.0) / 2.0;
    let mut inner = [high - golden * (high - low), low + golden * (high - low)];
    let mut left = inner.map(|b| squares(shares, b));
    for _ in 0..HALVINGS {
        if left[0] < left[1] {
            high = inner[1];
            inner = [high - golden * (high - low), inner[0]];
            left = [squares(shares, inner[0]), left[0]];
        } else {
            low = inner[0];
            inner = [inner[1], low + golden * (high - low)];
            left = [left[1], squares(shares, inner[1])];
        }
    }
    f64::midpoint(low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_scipy() {
        // scipy 1.17: curve_fit(lambda x, c, b: c * x ** -b, range(1, 11), y, p0=(1, 1)) with y = counts / 100.
        let law = PowerLaw::fit(&[100, 55, 40, 30, 24, 20, 15, 14, 12, 2]).unwrap_or_else(|| unreachable!());
        assert!((law.c - 1.016_164_979).abs() < 1e-5 && (law.b - 0.932_811_660).abs() < 1e-5, "{law:?}");
        let quality = [law.rmse - 0.035_572_091, law.r_squared - 0.982_750_236, law.chi_squared - 0.091_693_906];
        assert!(quality.iter().all(|off| off.abs() < 1e-5), "{law:?}");
    }

    #[test]
    fn data_without_a_power_law_fits_badly() {
        // Lines of equal length, and a short one.
        let law = PowerLaw::fit(&[13, 13, 13, 13, 13, 13, 13, 1]).unwrap_or_else(|| unreachable!());
        assert!(law.r_squared < 0.5, "{law:?}");
        assert_eq!((law.at(1.0), law.at(2.0)), (law.c, law.c * 2f64.powf(-law.b)));
    }
}
