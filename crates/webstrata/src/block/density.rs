//! Text density (Kohlschütter's thesis, eq. 4.6) as an exact fraction.

use std::cmp::Ordering;

/// Words per line, without the last line unless it is the only one. A fraction of integers, so that
/// equality is exact, as the smoothing rule of Block Fusion (Algorithm 4.1) requires.
///
/// ```
/// use webstrata::block::Density;
/// let x = Density::new(12 + 13 + 4, 3, 4);
/// assert_eq!(x.value(), 12.5);
/// let y = Density::new(3, 1, 3);
/// assert_eq!(x.slope(y), (12.5 - 3.0) / 12.5);
/// assert!(x > y);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Density {
    words: u32,
    lines: u32,
}

impl Density {
    /// Density of a text with `words` words on `lines` lines, `last_line` of them on the last.
    #[must_use]
    pub fn new(words: u32, lines: u32, last_line: u32) -> Self {
        if lines <= 1 { Density { words, lines: 1 } } else { Density { words: words.saturating_sub(last_line), lines: lines - 1 } }
    }

    /// Words per line.
    #[must_use]
    pub fn value(self) -> f64 {
        f64::from(self.words) / f64::from(self.lines.max(1))
    }

    /// Slope delta (eq. 4.7): the difference of two densities over the larger one; 0 when both are 0.
    #[must_use]
    pub fn slope(self, other: Density) -> f64 {
        let (a, b) = (self.value(), other.value());
        let largest = a.max(b);
        if largest == 0.0 { 0.0 } else { (a - b).abs() / largest }
    }

    /// Whether the slope delta is at most `threshold`. Decided on integers, so that rounding cannot separate equal densities.
    #[must_use]
    pub fn is_within(self, other: Density, threshold: Threshold) -> bool {
        let (a, b) = (u128::from(self.words) * u128::from(other.lines), u128::from(other.words) * u128::from(self.lines));
        // |a - b| / max(a, b) <= t / 10^9
        a.abs_diff(b) * u128::from(Threshold::DENOMINATOR) <= a.max(b) * u128::from(threshold.0)
    }
}

/// A threshold for slope deltas, as a fraction with denominator 10^9: decimal thresholds such as 0.38 are exact, so that a slope of
/// 19/50 is within 0.38.
///
/// ```
/// use webstrata::block::{Density, Threshold};
/// let (ten, four) = (Density::new(10, 1, 10), Density::new(4, 1, 4));
/// assert!(ten.is_within(four, Threshold::new(0.6)) && !ten.is_within(four, Threshold::new(0.5)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Threshold(u64);

impl Threshold {
    const DENOMINATOR: u32 = 1_000_000_000;

    /// The threshold nearest to `value`; infinity (or any value of at least 1) accepts every pair.
    #[must_use]
    pub fn new(value: f64) -> Self {
        Threshold((value.clamp(0.0, 2.0) * f64::from(Threshold::DENOMINATOR)).round() as u64)
    }
}

impl PartialEq for Density {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Density {}

impl PartialOrd for Density {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Density {
    fn cmp(&self, other: &Self) -> Ordering {
        (u64::from(self.words) * u64::from(other.lines)).cmp(&(u64::from(other.words) * u64::from(self.lines)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worked_example_from_the_papers() {
        let x = Density::new(29, 3, 4);
        let y = Density::new(3, 1, 3);
        let fused = Density::new(32, 4, 3);
        assert_eq!(x.value(), 12.5);
        assert_eq!(y.value(), 3.0);
        assert!((fused.value() - 29.0 / 3.0).abs() < 1e-12);
    }

    #[test]
    fn slope_against_thresholds() {
        let ten = Density::new(10, 1, 10);
        let four = Density::new(4, 1, 4);
        assert!((ten.slope(four) - 0.6).abs() < 1e-12);
        assert!(ten.is_within(four, Threshold::new(0.6)));
        assert!(!ten.is_within(four, Threshold::new(0.59)));
        assert!(ten.is_within(four, Threshold::new(f64::INFINITY)));
        let zero = Density::new(0, 0, 0);
        assert!(zero.is_within(zero, Threshold::new(0.0)));
        assert_eq!(zero.slope(zero), 0.0);
        // Algorithm 4.1 uses <=: densities 15.5 and 25 have the slope 19/50.
        let (low, high) = (Density::new(31, 3, 0), Density::new(25, 1, 25));
        assert_eq!((low.value(), high.value()), (15.5, 25.0));
        assert!(low.is_within(high, Threshold::new(0.38)) && !low.is_within(high, Threshold::new(0.379_999_999)));
        // 6/2 and 9/3 are the same density.
        assert_eq!(Density::new(8, 3, 2), Density::new(10, 4, 1));
    }
}
