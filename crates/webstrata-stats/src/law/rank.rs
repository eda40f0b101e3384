//! Laws of ranked values: Zipf (thesis, equation 4.3), Zipf–Mandelbrot, Zipf–Lavalette (4.3.2).

use super::{Curve, Law, Parameter, Points, largest, parameter};

/// `y = C · x^-b`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Zipf;

const ZIPF: [Parameter; 2] = [parameter("C", 0.0, 1e12), parameter("b", 0.0, 10.0)];

impl Law for Zipf {
    fn name(&self) -> &'static str {
        "Zipf"
    }

    fn formula(&self) -> &'static str {
        "y = C · x^-b"
    }

    fn parameters(&self) -> &[Parameter] {
        &ZIPF
    }

    fn curve<'a>(&'a self, values: &'a [f64]) -> Curve<'a> {
        Box::new(move |x| values[0] * x.powf(-values[1]))
    }

    fn starts(&self, points: &Points) -> Vec<Vec<f64>> {
        let c = largest(points);
        [0.2, 0.5, 0.75, 1.0, 1.5, 2.5].map(|b| vec![c, b]).to_vec()
    }
}

/// `y = C · (x + q)^-b`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ZipfMandelbrot;

const MANDELBROT: [Parameter; 3] = [parameter("C", 0.0, 1e30), parameter("b", 0.0, 10.0), parameter("q", 0.0, 1e9)];

impl Law for ZipfMandelbrot {
    fn name(&self) -> &'static str {
        "Zipf–Mandelbrot"
    }

    fn formula(&self) -> &'static str {
        "y = C · (x + q)^-b"
    }

    fn parameters(&self) -> &[Parameter] {
        &MANDELBROT
    }

    fn curve<'a>(&'a self, values: &'a [f64]) -> Curve<'a> {
        Box::new(move |x| values[0] * (x + values[2]).powf(-values[1]))
    }

    fn starts(&self, points: &Points) -> Vec<Vec<f64>> {
        let top = largest(points);
        let mut starts = Vec::new();
        for b in [0.5, 0.8, 1.0, 1.5, 2.5] {
            for q in [0.0_f64, 1.0, 10.0, 1000.0] {
                starts.push(vec![top * (1.0 + q).powf(b), b, q]);
            }
        }
        starts
    }
}

/// `y = c · (u / (1 - u))^-a` with `u = x / (ranks + 1)`: Lavalette's extension, which also falls faster near the last rank.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ZipfLavalette {
    /// The last rank.
    pub ranks: f64,
}

const LAVALETTE: [Parameter; 2] = [parameter("c", 0.0, 1e12), parameter("a1", 0.0, 10.0)];

impl Law for ZipfLavalette {
    fn name(&self) -> &'static str {
        "Zipf–Lavalette"
    }

    fn formula(&self) -> &'static str {
        "y = c · (u / (1 - u))^-a1, u = x / (ranks + 1)"
    }

    fn parameters(&self) -> &[Parameter] {
        &LAVALETTE
    }

    fn curve<'a>(&'a self, values: &'a [f64]) -> Curve<'a> {
        Box::new(move |x| values[0] * ((self.ranks + 1.0 - x).max(0.5) / x).powf(values[1]))
    }

    fn starts(&self, points: &Points) -> Vec<Vec<f64>> {
        let top = largest(points);
        [0.1, 0.3, 0.5, 0.75, 1.0, 1.5].map(|a| vec![top / self.ranks.max(1.0).powf(a), a]).to_vec()
    }
}
