//! The Menzerath–Altmann law: `y = C · x^a1 · e^(-a0·x) + d` (thesis, equation 4.11 without its higher terms) and the common form
//! without `a0` (equation 4.12).

use super::{Curve, Law, Parameter, Points, largest, parameter};

/// Which terms the law has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Truncation {
    /// `C · x^a1 + d`, equation 4.12.
    #[default]
    Power,
    /// `C · x^a1 · e^(-a0·x) + d`.
    PowerAndDecay,
}

/// The law, over `x / norm`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MenzerathAltmann {
    /// Its terms.
    pub terms: Truncation,
    /// Divisor of `x`, which keeps `a0` near 1 for long rank sequences.
    pub norm: f64,
}

const PARAMETERS: [Parameter; 4] =
    [parameter("C", -1e6, 1e6), parameter("a1", -5.0, 5.0), parameter("d", -1e6, 1e6), parameter("a0", -50.0, 50.0)];

impl Law for MenzerathAltmann {
    fn name(&self) -> &'static str {
        match self.terms {
            Truncation::Power => "Menzerath–Altmann",
            Truncation::PowerAndDecay => "Menzerath–Altmann with decay",
        }
    }

    fn formula(&self) -> &'static str {
        match self.terms {
            Truncation::Power => "y = C · u^a1 + d, u = x / x_norm",
            Truncation::PowerAndDecay => "y = C · u^a1 · e^(-a0·u) + d, u = x / x_norm",
        }
    }

    fn parameters(&self) -> &[Parameter] {
        match self.terms {
            Truncation::Power => &PARAMETERS[..3],
            Truncation::PowerAndDecay => &PARAMETERS,
        }
    }

    fn curve<'a>(&'a self, values: &'a [f64]) -> Curve<'a> {
        let (c, a1, d) = (values[0], values[1], values[2]);
        let a0 = values.get(3).copied().unwrap_or(0.0);
        Box::new(move |x| {
            let u = x / self.norm;
            c * u.powf(a1) * (-a0 * u).exp() + d
        })
    }

    fn starts(&self, points: &Points) -> Vec<Vec<f64>> {
        let (top, last) = (largest(points), points.y.last().copied().unwrap_or(0.0));
        let u = points.x.first().map_or(1.0, |x| x / self.norm).max(f64::MIN_POSITIVE);
        let mut starts = Vec::new();
        for a1 in [-1.0, -0.5, -0.2, -0.05, 0.05, 0.3] {
            let c = (top - last) / (u.powf(a1) - 1.0);
            for a0 in [0.0, 1.0] {
                let start = [c.clamp(-1e5, 1e5), a1, (last - c).clamp(-1e5, 1e5), a0];
                starts.push(start[..self.parameters().len()].to_vec());
            }
        }
        starts.dedup();
        starts
    }
}
