//! Random writers (thesis, 4.4.4): the number of words in a block if the author ends it after each word with the same probability.
//!
//! With one kind of text this is the geometric distribution shifted by 1 (equation 4.20). The stratified writer first chooses short or
//! long text, each with a probability of its own (equation 4.21).

use super::{Curve, Law, Parameter, Points, parameter};

/// The writer with one kind of text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Writer;

const ONE: [Parameter; 1] = [parameter("P_T(N)", 1e-6, 1.0)];

impl Law for Writer {
    fn name(&self) -> &'static str {
        "random writer"
    }

    fn formula(&self) -> &'static str {
        "y = (1 - P_T(N))^(x - 1) · P_T(N)"
    }

    fn parameters(&self) -> &[Parameter] {
        &ONE
    }

    fn curve<'a>(&'a self, values: &'a [f64]) -> Curve<'a> {
        Box::new(geometric(values[0]))
    }

    fn starts(&self, _: &Points) -> Vec<Vec<f64>> {
        [0.02, 0.1, 0.3, 0.7].map(|end| vec![end]).to_vec()
    }
}

/// The writer of short and long text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StratifiedWriter;

const TWO: [Parameter; 3] = [parameter("P_N(S)", 0.0, 1.0), parameter("P_S(N)", 1e-6, 1.0), parameter("P_L(N)", 1e-6, 1.0)];

impl Law for StratifiedWriter {
    fn name(&self) -> &'static str {
        "stratified random writer"
    }

    fn formula(&self) -> &'static str {
        "y = P_N(S) · (1 - P_S(N))^(x - 1) · P_S(N) + (1 - P_N(S)) · (1 - P_L(N))^(x - 1) · P_L(N)"
    }

    fn parameters(&self) -> &[Parameter] {
        &TWO
    }

    fn curve<'a>(&'a self, values: &'a [f64]) -> Curve<'a> {
        let (short, long) = (geometric(values[1]), geometric(values[2]));
        Box::new(move |x| values[0] * short(x) + (1.0 - values[0]) * long(x))
    }

    fn starts(&self, _: &Points) -> Vec<Vec<f64>> {
        let mut starts = Vec::new();
        for weight in [0.4, 0.75, 0.9] {
            for short in [0.25, 0.4, 0.7] {
                for long in [0.01, 0.04, 0.1] {
                    starts.push(vec![weight, short, long]);
                }
            }
        }
        starts
    }

    /// Short text first.
    fn ordered(&self, values: Vec<f64>) -> Vec<f64> {
        if values[1] < values[2] { vec![1.0 - values[0], values[2], values[1]] } else { values }
    }
}

/// The geometric distribution shifted by 1, with its logarithm computed once.
fn geometric(end: f64) -> impl Fn(f64) -> f64 {
    let go_on = (1.0 - end).max(f64::MIN_POSITIVE).ln();
    move |x| (go_on * (x - 1.0)).exp() * end
}
