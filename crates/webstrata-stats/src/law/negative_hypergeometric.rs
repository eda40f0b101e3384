//! The negative hypergeometric distribution (thesis, equation 4.2): Frumkina's law of text blocks. Also called Beta-binomial.
//!
//! `P_x = C(-M, x) · C(-K + M, n - x) / C(-K, n)` for `x` from 0 to `n`. Binomial coefficients of negative numbers are
//! `C(-a, k) = ± Γ(a + k) / (Γ(a) · k!)`, and the signs cancel.

use super::{Curve, Law, Parameter, Points, parameter};
use statrs::function::gamma::ln_gamma;

/// The distribution over `0..=n`, with the parameters `K` and `M`.
///
/// `K - M` is positive, so the second parameter of the fit is `M / K`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NegativeHypergeometric {
    /// The last class.
    pub n: u32,
}

const PARAMETERS: [Parameter; 2] = [parameter("K", 1e-4, 1e4), parameter("M/K", 1e-6, 1.0 - 1e-6)];

impl NegativeHypergeometric {
    /// The probability of a class.
    ///
    /// ```
    /// use webstrata_stats::law::NegativeHypergeometric;
    /// // Figure 4.12 of the thesis: 1800.9989 of 2334 pairs of blocks are expected in the first class.
    /// let law = NegativeHypergeometric { n: 17 };
    /// assert!((law.probability(2.30453585151999, 0.109889153462268, 0) * 2334.0 - 1800.9989).abs() < 1e-3);
    /// ```
    #[must_use]
    pub fn probability(&self, k: f64, m: f64, class: u32) -> f64 {
        if class > self.n {
            return 0.0;
        }
        let (n, x) = (f64::from(self.n), f64::from(class));
        (choose(m, x) + choose(k - m, n - x) - choose(k, n)).exp()
    }
}

/// `ln |C(-a, k)|`.
fn choose(a: f64, k: f64) -> f64 {
    ln_gamma(a + k) - ln_gamma(a) - ln_gamma(k + 1.0)
}

impl Law for NegativeHypergeometric {
    fn name(&self) -> &'static str {
        "negative hypergeometric"
    }

    fn formula(&self) -> &'static str {
        "y = C(-M, x) · C(-K + M, n - x) / C(-K, n), x = 0 … n"
    }

    fn parameters(&self) -> &[Parameter] {
        &PARAMETERS
    }

    fn curve<'a>(&'a self, values: &'a [f64]) -> Curve<'a> {
        Box::new(move |x| self.probability(values[0], values[0] * values[1], x as u32))
    }

    fn starts(&self, points: &Points) -> Vec<Vec<f64>> {
        let sum: f64 = points.y.iter().sum::<f64>().max(f64::MIN_POSITIVE);
        let mean = points.x.iter().zip(&points.y).map(|(x, y)| x * y).sum::<f64>() / sum;
        let share = (mean / f64::from(self.n.max(1))).clamp(1e-4, 1.0 - 1e-4);
        [0.2, 0.7, 1.5, 3.0, 8.0, 40.0].map(|k| vec![k, share]).to_vec()
    }
}
