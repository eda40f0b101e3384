//! Beta curves (thesis, equations 4.15 to 4.17): `c` times the density of a Beta distribution, and the mean of three of them.
//!
//! The `x` of the data are divided by a constant that brings them below 1.

use super::{Curve, Law, Parameter, Points, largest, parameter};
use statrs::function::gamma::ln_gamma;

/// Largest `a` and `b`: at this value, the curve is far narrower than a class of any histogram here.
pub(super) const MAX_SHAPE: f64 = 20_000.0;
/// Smallest `a` and `b`: below this value, the curve is infinite at its ends.
pub(super) const MIN_SHAPE: f64 = 0.05;

/// The density of the Beta distribution (equation 4.15), with its constant computed once.
pub(super) fn density(a: f64, b: f64) -> impl Fn(f64) -> f64 {
    let constant = ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b);
    move |x| if x <= 0.0 || x >= 1.0 { 0.0 } else { (constant + (a - 1.0) * x.ln() + (b - 1.0) * (1.0 - x).ln()).exp() }
}

/// `a` and `b` for a given mean and concentration `a + b`.
pub(super) fn shapes(mean: f64, concentration: f64) -> [f64; 2] {
    let mean = mean.clamp(0.01, 0.99);
    [mean * concentration, (1.0 - mean) * concentration].map(|shape| shape.clamp(MIN_SHAPE * 2.0, MAX_SHAPE / 2.0))
}

/// `y = c · f_beta(x / norm, a, b)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BetaCurve {
    /// Divisor of `x`.
    pub norm: f64,
}

const BETA: [Parameter; 3] = [parameter("a", MIN_SHAPE, MAX_SHAPE), parameter("b", MIN_SHAPE, MAX_SHAPE), parameter("c", 0.0, 1e9)];

impl Law for BetaCurve {
    fn name(&self) -> &'static str {
        "Beta"
    }

    fn formula(&self) -> &'static str {
        "y = c · f_beta(x / x_norm, a, b)"
    }

    fn parameters(&self) -> &[Parameter] {
        &BETA
    }

    fn curve<'a>(&'a self, values: &'a [f64]) -> Curve<'a> {
        let (density, c) = (density(values[0], values[1]), values[2]);
        Box::new(move |x| c * density(x / self.norm))
    }

    fn starts(&self, points: &Points) -> Vec<Vec<f64>> {
        let sum: f64 = points.y.iter().sum::<f64>().max(f64::MIN_POSITIVE);
        let mean = points.x.iter().zip(&points.y).map(|(x, y)| x * y).sum::<f64>() / sum / self.norm;
        let mode = points.x.iter().zip(&points.y).max_by(|a, b| a.1.total_cmp(b.1)).map_or(mean, |at| at.0 / self.norm);
        let mut starts = Vec::new();
        for centre in [mean, mode] {
            for concentration in [3.0, 12.0, 60.0, 300.0, 2500.0] {
                let [a, b] = shapes(centre, concentration);
                let top = density(a, b)(centre.clamp(0.01, 0.99)).max(f64::MIN_POSITIVE);
                starts.push(vec![a, b, (largest(points) / top).min(1e6)]);
            }
        }
        starts
    }
}

/// `y = c/3 · (f_beta(x, a1, b1) + f_beta(x, a2, b2) + f_beta(x, a3, b3))` (equation 4.17 with equal weights, as the thesis prints it).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ThreeBetas {
    /// Divisor of `x`.
    pub norm: f64,
}

const THREE: [Parameter; 7] = [
    parameter("a1", MIN_SHAPE, MAX_SHAPE),
    parameter("b1", MIN_SHAPE, MAX_SHAPE),
    parameter("a2", MIN_SHAPE, MAX_SHAPE),
    parameter("b2", MIN_SHAPE, MAX_SHAPE),
    parameter("a3", MIN_SHAPE, MAX_SHAPE),
    parameter("b3", MIN_SHAPE, MAX_SHAPE),
    parameter("c", 0.0, 10.0),
];

impl Law for ThreeBetas {
    fn name(&self) -> &'static str {
        "three Betas"
    }

    fn formula(&self) -> &'static str {
        "y = c/3 · (f_beta(x, a1, b1) + f_beta(x, a2, b2) + f_beta(x, a3, b3)), x = density / x_norm"
    }

    fn parameters(&self) -> &[Parameter] {
        &THREE
    }

    fn curve<'a>(&'a self, values: &'a [f64]) -> Curve<'a> {
        let parts = [0, 2, 4].map(|at| density(values[at], values[at + 1]));
        let c = values[6] / 3.0;
        Box::new(move |x| c * parts.iter().map(|part| part(x / self.norm)).sum::<f64>())
    }

    fn starts(&self, _: &Points) -> Vec<Vec<f64>> {
        let mut starts = Vec::new();
        for long in [0.28, 0.33, 0.4] {
            for middle in [0.15, 0.25] {
                for spread in [50.0, 200.0] {
                    let parts = [shapes(long, spread), shapes(0.07, 30.0), shapes(middle, 40.0)];
                    starts.push(parts.concat().into_iter().chain([1.0 / self.norm]).collect());
                }
            }
        }
        starts
    }

    /// Long text first, then short text, then the transition between them.
    fn ordered(&self, values: Vec<f64>) -> Vec<f64> {
        let mut parts: Vec<[f64; 2]> = values.chunks(2).take(3).map(|part| [part[0], part[1]]).collect();
        parts.sort_by(|a, b| (b[0] / (b[0] + b[1])).total_cmp(&(a[0] / (a[0] + a[1]))));
        parts.swap(1, 2);
        parts.concat().into_iter().chain(values.get(6).copied()).collect()
    }
}
