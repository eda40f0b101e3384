//! Tokens by text density: two Beta distributions with a normal one between them (thesis, equation 4.18).
//!
//! The thesis has `c·(d·f_beta(x, a1, b1) + (1 - d)·f_beta(x, a2, b2)) + (1 - c)·φ_{μ,σ²}(e·x + f)`. Its `e`, `f`, `μ`, `σ²` and `1 - c`
//! describe a bell curve by five numbers, but data can determine only three: its height, its centre and its width. Those three are
//! fitted here. [`BetaNormalBeta::thesis`] converts the thesis' numbers.

use super::beta::{MAX_SHAPE, MIN_SHAPE, density, shapes};
use super::{Curve, Law, Parameter, Points, largest, parameter};

/// Largest centre of the bell curve, as a density; the mode of long text is above. Without this bound the bell may describe long text,
/// and a wide Beta the transition. That fits as well, but is not what the thesis means.
const MAX_CENTRE: f64 = 10.0;

/// The Beta–Normal–Beta law. The centre and the width of the bell curve are densities.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BetaNormalBeta {
    /// Divisor of densities.
    pub norm: f64,
}

const PARAMETERS: [Parameter; 9] = [
    parameter("a1", MIN_SHAPE, MAX_SHAPE),
    parameter("b1", MIN_SHAPE, MAX_SHAPE),
    parameter("a2", MIN_SHAPE, MAX_SHAPE),
    parameter("b2", MIN_SHAPE, MAX_SHAPE),
    parameter("c", 0.0, 10.0),
    parameter("d", 0.0, 1.0),
    parameter("height", 0.0, 1.0),
    parameter("centre", 0.0, MAX_CENTRE),
    parameter("width", 0.05, 40.0),
];

impl BetaNormalBeta {
    /// Converts the values that the thesis prints: `a1, b1, a2, b2, c, d, e, f, μ, σ²`.
    #[must_use]
    pub fn thesis(&self, [a1, b1, a2, b2, c, d, e, f, mean, variance]: [f64; 10]) -> Vec<f64> {
        let height = (1.0 - c) / (variance * std::f64::consts::TAU).sqrt();
        vec![a1, b1, a2, b2, c, d, height, (mean - f) / e * self.norm, variance.sqrt() / e * self.norm]
    }

    /// The three parts of the curve at `x`: long text, short text, and the transition between them.
    #[must_use]
    pub fn parts(&self, values: &[f64], x: f64) -> [f64; 3] {
        let &[a1, b1, a2, b2, c, d, height, centre, width] = values else { return [f64::NAN; 3] };
        let bell = height * (-((x - centre) / width).powi(2) / 2.0).exp();
        let x = x / self.norm;
        [c * d * density(a1, b1)(x), c * (1.0 - d) * density(a2, b2)(x), bell]
    }
}

impl Law for BetaNormalBeta {
    fn name(&self) -> &'static str {
        "Beta–Normal–Beta"
    }

    fn formula(&self) -> &'static str {
        "y = c · (d · f_beta(x, a1, b1) + (1 - d) · f_beta(x, a2, b2)) + height · exp(-((density - centre) / width)² / 2), x = density / x_norm"
    }

    fn parameters(&self) -> &[Parameter] {
        &PARAMETERS
    }

    fn curve<'a>(&'a self, values: &'a [f64]) -> Curve<'a> {
        let [a1, b1, a2, b2, c, d, height, centre, width] = std::array::from_fn(|at| values[at]);
        let (long, short) = (density(a1, b1), density(a2, b2));
        Box::new(move |x| {
            let bell = height * (-((x - centre) / width).powi(2) / 2.0).exp();
            let x = x / self.norm;
            c * (d * long(x) + (1.0 - d) * short(x)) + bell
        })
    }

    fn starts(&self, points: &Points) -> Vec<Vec<f64>> {
        let top = largest(points);
        // The mode among dense text, which is that of long text.
        let dense = points.x.iter().zip(&points.y).filter(|(x, _)| **x >= 8.0);
        let mode = dense.max_by(|a, b| a.1.total_cmp(b.1)).map_or(12.0, |at| *at.0) / self.norm;
        let mut starts = Vec::new();
        for spread in [60.0, 200.0, 600.0] {
            for short in [10.0, 40.0, 120.0] {
                for (centre, width) in [(7.0, 3.0), (9.5, 2.0), (4.0, 3.0), (9.0, 1.0)] {
                    let parts = [shapes(mode, spread), shapes(2.5 / self.norm, short)].concat();
                    let bell = [top / 5.0, centre, width];
                    starts.push(parts.into_iter().chain([1.0 / self.norm, 0.6]).chain(bell).collect());
                }
            }
        }
        starts
    }

    /// Long text first.
    fn ordered(&self, mut values: Vec<f64>) -> Vec<f64> {
        let mean = |at: usize| values[at] / (values[at] + values[at + 1]);
        if mean(0) < mean(2) {
            values.swap(0, 2);
            values.swap(1, 3);
            values[5] = 1.0 - values[5];
        }
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_the_thesis_give_its_curve() {
        let law = BetaNormalBeta { norm: 36.0 };
        let values = law.thesis([68.03, 132.5, 4.034, 54.49, 0.015, 0.64, 78.87, 7.834, 28.65, 6.489]);
        let curve = law.curve(&values);
        let shares: Vec<f64> = (1..36).map(|density| curve(f64::from(density))).collect();
        // The printed numbers, rounded as they are, form a distribution. Its modes are 2 and 10: the bell is at 9.5, although the
        // text gives 12 as the second mode and places the bell between 5 and 10.
        let sum: f64 = shares.iter().sum();
        assert!((sum - 1.0).abs() < 0.02, "{sum}");
        assert!(shares[1] > shares[0] && shares[1] > shares[2] && shares[9] > shares[8] && shares[9] > shares[10], "{shares:?}");
        let parts: f64 = law.parts(&values, 12.0).iter().sum();
        assert!((parts - curve(12.0)).abs() < 1e-12);
    }
}
