//! Families of laws: curves with named, bounded parameters, and starting points for fitting them.
//!
//! | file | laws | thesis |
//! |---|---|---|
//! | `beta.rs` | Beta curve, mixture of three | 4.15–4.17 |
//! | `density.rs` | Beta–Normal–Beta | 4.18 |
//! | `writer.rs` | random writers with one and two kinds of text | 4.20, 4.21 |
//! | `rank.rs` | Zipf, Zipf–Mandelbrot, Zipf–Lavalette | 4.3, 4.3.2 |
//! | `menzerath.rs` | Menzerath–Altmann | 4.11, 4.12 |
//! | `negative_hypergeometric.rs` | negative hypergeometric | 4.2 |
//!
//! "Thesis" is Kohlschütter: Exploiting Links and Text Structure on the Web, Hannover 2011.

mod beta;
mod density;
mod menzerath;
mod negative_hypergeometric;
mod rank;
mod writer;

pub use beta::{BetaCurve, ThreeBetas};
pub use density::BetaNormalBeta;
pub use menzerath::{MenzerathAltmann, Truncation};
pub use negative_hypergeometric::NegativeHypergeometric;
pub use rank::{Zipf, ZipfLavalette, ZipfMandelbrot};
pub use writer::{StratifiedWriter, Writer};

/// A parameter of a law: its name and the range it must stay in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// Its name, as in the thesis.
    pub name: &'static str,
    /// Smallest value.
    pub low: f64,
    /// Largest value.
    pub high: f64,
}

const fn parameter(name: &'static str, low: f64, high: f64) -> Parameter {
    Parameter { name, low, high }
}

/// Data to which a law is fitted: `y` at `x`, where a point may represent several.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Points {
    /// Positions.
    pub x: Vec<f64>,
    /// Observed values.
    pub y: Vec<f64>,
    /// Number of points that each represents; empty if all weights are 1.
    pub weight: Vec<f64>,
}

impl Points {
    /// Points of weight 1.
    #[must_use]
    pub fn new(points: impl IntoIterator<Item = (f64, f64)>) -> Points {
        let (x, y) = points.into_iter().unzip();
        Points { x, y, weight: Vec::new() }
    }

    /// Number of points.
    #[must_use]
    pub fn len(&self) -> usize {
        self.x.len().min(self.y.len())
    }

    /// Whether there are no points.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The weight of a point.
    #[must_use]
    pub fn weight(&self, at: usize) -> f64 {
        self.weight.get(at).copied().unwrap_or(1.0)
    }
}

/// A curve with its parameters set.
pub type Curve<'a> = Box<dyn Fn(f64) -> f64 + 'a>;

/// A family of curves.
pub trait Law: Sync {
    /// Its name.
    fn name(&self) -> &'static str;

    /// Its formula, for display.
    fn formula(&self) -> &'static str;

    /// Its parameters.
    fn parameters(&self) -> &[Parameter];

    /// The curve with these values, one per parameter.
    fn curve<'a>(&'a self, values: &'a [f64]) -> Curve<'a>;

    /// Starting points for a fit to these points. The fitter adds variations of them.
    fn starts(&self, points: &Points) -> Vec<Vec<f64>>;

    /// The same curve with its components in canonical order, for laws whose components are interchangeable.
    fn ordered(&self, values: Vec<f64>) -> Vec<f64> {
        values
    }
}

/// The largest `y`, or the smallest positive number.
fn largest(points: &Points) -> f64 {
    points.y.iter().copied().fold(f64::MIN_POSITIVE, f64::max)
}
