//! The result of a fit: parameters with standard errors, measures, and reasons not to trust it.

use crate::law::{Law, Points};
use serde::Serialize;
use std::fmt;

/// A parameter's value and its standard error.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// Name of the parameter.
    pub name: String,
    /// Its value.
    pub value: f64,
    /// Its standard error; none if the data do not determine it.
    pub error: Option<f64>,
}

/// Pearson's chi squared of counts, with classes grouped so that each has at least one expected observation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ChiSquared {
    /// Its value.
    pub value: f64,
    /// Degrees of freedom.
    pub freedom: usize,
    /// Probability of a value at least this large if the law holds.
    pub p: f64,
}

/// A reason why a fit means less than its R² suggests, or nothing at all.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Caveat {
    /// Hardly more points than parameters: any curve would pass through them.
    FewPoints {
        /// Points.
        points: usize,
        /// Parameters.
        parameters: usize,
    },
    /// A small sample.
    FewObservations {
        /// The sample size.
        observations: u64,
    },
    /// The best value of a parameter is at the end of its range.
    AtBound {
        /// The parameter.
        parameter: String,
    },
    /// The data do not determine a parameter: its error is as large as its value.
    Undetermined {
        /// The parameter.
        parameter: String,
    },
    /// The optimiser stopped before it converged.
    NotConverged,
    /// A horizontal line describes the data as well.
    NoBetterThanMean,
}

impl Caveat {
    /// Whether this makes the fit meaningless.
    #[must_use]
    pub fn is_fatal(&self) -> bool {
        matches!(self, Caveat::FewPoints { .. } | Caveat::FewObservations { .. } | Caveat::NotConverged | Caveat::NoBetterThanMean)
    }
}

impl fmt::Display for Caveat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Caveat::FewPoints { points, parameters } => write!(f, "{points} points for {parameters} parameters are too few"),
            Caveat::FewObservations { observations } => write!(f, "a sample of {observations} is too small"),
            Caveat::AtBound { parameter } => write!(f, "{parameter} is at the end of its range"),
            Caveat::Undetermined { parameter } => write!(f, "the data do not determine {parameter}"),
            Caveat::NotConverged => f.write_str("the optimiser did not converge"),
            Caveat::NoBetterThanMean => f.write_str("a horizontal line describes the data as well"),
        }
    }
}

/// A law with its fitted parameters.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fitted {
    /// Name of the law.
    pub law: String,
    /// Its formula.
    pub formula: String,
    /// Its parameters.
    pub parameters: Vec<Estimate>,
    /// Coefficient of determination.
    pub r_squared: f64,
    /// R² adjusted for the number of parameters.
    pub r_squared_adjusted: f64,
    /// Root mean squared error.
    pub rmse: f64,
    /// Chi squared, if the data are counts.
    pub chi_squared: Option<ChiSquared>,
    /// Number of points, counted by their weights.
    pub points: u64,
    /// Number of starts, and how many of them led to this fit.
    pub starts: (usize, usize),
    /// Reasons not to trust it.
    pub caveats: Vec<Caveat>,
}

impl Fitted {
    /// Values of all parameters.
    #[must_use]
    pub fn values(&self) -> Vec<f64> {
        self.parameters.iter().map(|parameter| parameter.value).collect()
    }

    /// The value of a parameter.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<f64> {
        self.parameters.iter().find(|parameter| parameter.name == name).map(|parameter| parameter.value)
    }

    /// Whether the fit is meaningful.
    #[must_use]
    pub fn is_meaningful(&self) -> bool {
        !self.caveats.iter().any(Caveat::is_fatal)
    }

    /// The predictions of the law at the points.
    #[must_use]
    pub fn predicted(&self, law: &dyn Law, points: &Points) -> Vec<f64> {
        let values = self.values();
        let curve = law.curve(&values);
        points.x.iter().map(|x| curve(*x)).collect()
    }
}

/// Sorts fits of several laws to the same data, best first: meaningful ones, by adjusted R².
#[must_use]
pub fn ranked(fits: impl IntoIterator<Item = Result<Fitted, FitError>>) -> Vec<Fitted> {
    let mut fits: Vec<Fitted> = fits.into_iter().flatten().collect();
    let key = |fit: &Fitted| if fit.r_squared_adjusted.is_nan() { f64::NEG_INFINITY } else { fit.r_squared_adjusted };
    fits.sort_by(|a, b| b.is_meaningful().cmp(&a.is_meaningful()).then(key(b).total_cmp(&key(a))));
    fits
}

/// Why there is no fit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FitError {
    /// No more points than parameters.
    #[error("{law} has {parameters} parameters and cannot be fitted to {points} points")]
    TooFewPoints {
        /// The law.
        law: String,
        /// Its parameters.
        parameters: usize,
        /// The points.
        points: usize,
    },
    /// All values are the same, or not finite.
    #[error("{law} cannot be fitted: the values do not vary or are not finite")]
    Degenerate {
        /// The law.
        law: String,
    },
    /// No start led to finite values.
    #[error("{law} cannot be fitted: no starting point led the optimiser to finite values")]
    NoStart {
        /// The law.
        law: String,
    },
}
