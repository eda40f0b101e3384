//! Fits to counts: the sample size is known, so the errors of its classes are known and chi squared is meaningful.

use super::fitter::{Search, estimates};
use super::result::{Caveat, ChiSquared, FitError, Fitted};
use super::{chi_squared, grouped, r_squared, r_squared_adjusted, rmse};
use crate::law::{Law, Points};

/// Minimum expected observations per class for chi squared; smaller classes are grouped, as in the Altmann-Fitter.
pub(super) const MIN_EXPECTED: f64 = 1.0;
/// Smaller samples are too small.
pub(super) const MIN_OBSERVATIONS: f64 = 100.0;

/// The criterion that is optimised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Criterion {
    /// Maximum likelihood: standard errors are those of the theory.
    #[default]
    Likelihood,
    /// Minimum of Pearson's chi squared, over classes with at least one expected observation.
    ChiSquared,
}

/// Fits a distribution to the counts of the classes `first`, `first + 1`, …
///
/// ```
/// use webstrata_stats::{fit::{self, Criterion}, law::Writer};
/// // Half of the blocks end after each word.
/// let fitted = fit::fit_counts(&Writer, 1, &[4000, 2000, 1000, 500, 250, 125], Criterion::Likelihood).unwrap();
/// assert!((fitted.get("P_T(N)").unwrap() - 0.5).abs() < 0.02);
/// ```
///
/// # Errors
/// If there are too few classes, or only one has observations.
pub fn fit_counts(law: &dyn Law, first: u32, counts: &[u64], criterion: Criterion) -> Result<Fitted, FitError> {
    let parameters = law.parameters().len();
    let name = || law.name().to_owned();
    if counts.len() <= parameters {
        return Err(FitError::TooFewPoints { law: name(), parameters, points: counts.len() });
    }
    if counts.iter().filter(|count| **count > 0).count() < 2 {
        return Err(FitError::Degenerate { law: name() });
    }
    let observed: Vec<f64> = counts.iter().map(|count| *count as f64).collect();
    let sum: f64 = observed.iter().sum();
    let points = Points::new((first..).zip(&observed).map(|(x, count)| (f64::from(x), count / sum)));
    let residuals = |curve: &dyn Fn(f64) -> f64, out: &mut [f64]| {
        let expected: Vec<f64> = points.x.iter().map(|x| (curve(*x) * sum).max(1e-300)).collect();
        match criterion {
            Criterion::Likelihood => deviance(&observed, &expected, out),
            Criterion::ChiSquared => pearson(&observed, &expected, out),
        }
    };
    let best = Search::new(law, counts.len(), &residuals).best(law.starts(&points)).ok_or(FitError::NoStart { law: name() })?;
    let mut caveats = best.caveats(law);
    let parameters_found = estimates(law, &best, 1.0, &mut caveats);
    let curve = law.curve(&best.values);
    let fitted: Vec<f64> = points.x.iter().map(|x| curve(*x)).collect();
    if sum < MIN_OBSERVATIONS {
        caveats.insert(0, Caveat::FewObservations { observations: sum as u64 });
    }
    let r_squared = r_squared(&points.y, &fitted);
    Ok(Fitted {
        law: name(),
        formula: law.formula().to_owned(),
        parameters: parameters_found,
        r_squared,
        r_squared_adjusted: r_squared_adjusted(r_squared, counts.len(), parameters),
        rmse: rmse(&points.y, &fitted),
        chi_squared: test(&observed, &fitted, parameters),
        points: sum as u64,
        starts: best.starts,
        caveats,
    })
}

/// Chi squared of counts against shares, with small classes grouped.
pub(super) fn test(observed: &[f64], shares: &[f64], parameters: usize) -> Option<ChiSquared> {
    let sum: f64 = observed.iter().sum();
    let expected: Vec<f64> = shares.iter().map(|share| share * sum).collect();
    let (observed, expected) = grouped(observed, &expected, MIN_EXPECTED);
    let freedom = observed.len().checked_sub(parameters + 1).filter(|freedom| *freedom > 0)?;
    let (value, p) = chi_squared(&observed, &expected, freedom);
    Some(ChiSquared { value, freedom, p })
}

/// Signed roots of the deviance: the sum of their squares is smallest where the likelihood is largest.
fn deviance(observed: &[f64], expected: &[f64], out: &mut [f64]) {
    for ((o, e), out) in observed.iter().zip(expected).zip(out) {
        let term = if *o > 0.0 { o * (o / e).ln() } else { 0.0 };
        *out = (2.0 * (term - (o - e))).max(0.0).sqrt() * (o - e).signum();
    }
}

/// Pearson's residuals of grouped classes; a class merged into another has none.
pub(super) fn pearson(observed: &[f64], expected: &[f64], out: &mut [f64]) {
    out.fill(0.0);
    let (observed, expected) = grouped(observed, expected, MIN_EXPECTED);
    for ((o, e), out) in observed.iter().zip(&expected).zip(out) {
        *out = (o - e) / e.sqrt();
    }
}
