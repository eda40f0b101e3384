//! Least squares from multiple starting points.

use super::r_squared_adjusted;
use super::result::{Caveat, Estimate, FitError, Fitted};
use crate::law::{Law, Parameter, Points};
use rmpfit::{MPConfig, MPError, MPFitter, MPMaxFev, MPPar, MPResult, MPSide, MPSuccess};
use webstrata_corpus::io::Random;

/// Variations of each starting point.
const VARIATIONS: u64 = 2;
/// Number of starting points to optimise, those with the smallest initial residuals, if there are too many data points for all.
const FOLLOWED: usize = 16;
/// Data points up to which all starting points are optimised.
const FEW_POINTS: usize = 100;
/// Starts whose sums of squares differ by less than this share found the same fit.
const SAME: f64 = 1e-6;
/// Minimum number of points per parameter for a meaningful fit.
const POINTS_PER_PARAMETER: usize = 2;
/// A parameter within this share of its range from an end is at its bound.
const AT_BOUND: f64 = 1e-7;
/// R² below which a horizontal line is about as good.
const MIN_R_SQUARED: f64 = 0.05;

/// Fits a law to points by least squares.
///
/// ```
/// use webstrata_stats::{fit, law::{Points, Zipf}};
/// let points = Points::new((1..=50).map(|rank| (f64::from(rank), 600.0 / f64::from(rank).powf(0.8))));
/// let fitted = fit::fit(&Zipf, &points).unwrap();
/// assert!((fitted.get("b").unwrap() - 0.8).abs() < 1e-6 && fitted.is_meaningful());
/// ```
///
/// # Errors
/// If there are too few points, or they do not vary.
pub fn fit(law: &dyn Law, points: &Points) -> Result<Fitted, FitError> {
    let parameters = law.parameters().len();
    let name = || law.name().to_owned();
    if points.len() <= parameters {
        return Err(FitError::TooFewPoints { law: name(), parameters, points: points.len() });
    }
    let first = points.y[0];
    let finite = points.x.iter().chain(&points.y).all(|value| value.is_finite());
    if !finite || points.y.iter().all(|y| *y == first) {
        return Err(FitError::Degenerate { law: name() });
    }
    let residuals = |curve: &dyn Fn(f64) -> f64, out: &mut [f64]| {
        for (at, out) in out.iter_mut().enumerate() {
            *out = (points.y[at] - curve(points.x[at])) * points.weight(at).sqrt();
        }
    };
    let best = Search::new(law, points.len(), &residuals).best(law.starts(points)).ok_or(FitError::NoStart { law: name() })?;
    let count: f64 = (0..points.len()).map(|at| points.weight(at)).sum();
    let mean = (0..points.len()).map(|at| points.weight(at) * points.y[at]).sum::<f64>() / count;
    let total: f64 = (0..points.len()).map(|at| points.weight(at) * (points.y[at] - mean).powi(2)).sum();
    let r_squared = 1.0 - best.squares / total;
    let mut caveats = best.caveats(law);
    // Standard errors of the parameters, from the scatter of the points themselves.
    let scatter = (best.squares / (points.len() - parameters) as f64).sqrt();
    let estimates = estimates(law, &best, scatter, &mut caveats);
    if points.len() < parameters * POINTS_PER_PARAMETER {
        caveats.insert(0, Caveat::FewPoints { points: points.len(), parameters });
    }
    if r_squared < MIN_R_SQUARED {
        caveats.push(Caveat::NoBetterThanMean);
    }
    Ok(Fitted {
        law: name(),
        formula: law.formula().to_owned(),
        parameters: estimates,
        r_squared,
        r_squared_adjusted: r_squared_adjusted(r_squared, count as usize, parameters),
        rmse: (best.squares / count).sqrt(),
        chi_squared: None,
        points: count as u64,
        starts: best.starts,
        caveats,
    })
}

/// The parameters with their standard errors.
pub(super) fn estimates(law: &dyn Law, best: &Best, scatter: f64, caveats: &mut Vec<Caveat>) -> Vec<Estimate> {
    let mut estimates = Vec::new();
    for (at, parameter) in law.parameters().iter().enumerate() {
        let (value, error) = (best.values[at], best.errors[at] * scatter);
        let error = (error.is_finite() && error > 0.0).then_some(error);
        let name = parameter.name.to_owned();
        if error.is_some_and(|error| error > value.abs()) {
            caveats.push(Caveat::Undetermined { parameter: name.clone() });
        }
        estimates.push(Estimate { name, value, error });
    }
    estimates
}

/// Computes the residuals of a curve.
pub(super) type Residuals<'a> = &'a dyn Fn(&dyn Fn(f64) -> f64, &mut [f64]);

/// A search from multiple starting points.
pub(super) struct Search<'a> {
    law: &'a dyn Law,
    points: usize,
    residuals: Residuals<'a>,
    bounds: Vec<MPPar>,
    config: MPConfig,
}

/// The result of a search.
#[derive(Clone, Debug)]
pub(super) struct Best {
    pub(super) values: Vec<f64>,
    /// Standard errors for residuals of unit variance.
    pub(super) errors: Vec<f64>,
    /// Covariances, row by row.
    pub(super) covariance: Vec<f64>,
    pub(super) squares: f64,
    pub(super) starts: (usize, usize),
    converged: bool,
}

impl Best {
    /// Caveats reported by the optimiser.
    pub(super) fn caveats(&self, law: &dyn Law) -> Vec<Caveat> {
        let mut caveats = Vec::new();
        if !self.converged {
            caveats.push(Caveat::NotConverged);
        }
        for (parameter, value) in law.parameters().iter().zip(&self.values) {
            let near = (parameter.high - parameter.low) * AT_BOUND;
            if value - parameter.low < near.min(AT_BOUND) || parameter.high - value < near.min(AT_BOUND * parameter.high.abs()) {
                caveats.push(Caveat::AtBound { parameter: parameter.name.to_owned() });
            }
        }
        caveats
    }
}

impl MPFitter for Search<'_> {
    fn eval(&mut self, values: &[f64], deviates: &mut [f64]) -> MPResult<()> {
        let curve = self.law.curve(values);
        (self.residuals)(&*curve, deviates);
        if deviates.iter().all(|deviate| deviate.is_finite()) { Ok(()) } else { Err(MPError::Eval) }
    }

    fn number_of_points(&self) -> usize {
        self.points
    }

    fn config(&self) -> &MPConfig {
        &self.config
    }

    fn parameters(&self) -> &[MPPar] {
        &self.bounds
    }
}

impl<'a> Search<'a> {
    pub(super) fn new(law: &'a dyn Law, points: usize, residuals: Residuals<'a>) -> Self {
        let bounds = law.parameters().iter().map(bound).collect();
        let config = MPConfig { ftol: 1e-12, xtol: 1e-12, max_iter: 600, max_fev: MPMaxFev::Limited(12_000), ..MPConfig::new() };
        Search { law, points, residuals, bounds, config }
    }

    /// The best result over all starting points and their variations. Ties are broken by their order.
    pub(super) fn best(&mut self, starts: Vec<Vec<f64>>) -> Option<Best> {
        let mut tried: Vec<(f64, Vec<f64>)> = Vec::new();
        let mut deviates = vec![0.0; self.points];
        for (number, start) in starts.into_iter().enumerate() {
            for variation in 0..=VARIATIONS {
                let mut random = Random::for_item(number as u64, variation);
                let mut values = start.clone();
                for (value, parameter) in values.iter_mut().zip(self.law.parameters()) {
                    if variation > 0 {
                        *value *= (random.unit() * 1.4 - 0.7).exp();
                    }
                    *value = inside(*value, parameter);
                }
                if self.eval(&values, &mut deviates).is_ok() {
                    tried.push((deviates.iter().map(|deviate| deviate * deviate).sum(), values));
                }
            }
        }
        // The sort is stable, so equal starts keep their order.
        tried.sort_by(|a, b| a.0.total_cmp(&b.0));
        if self.points > FEW_POINTS {
            tried.truncate(FOLLOWED);
        }
        let followed = tried.len();
        let found: Vec<Best> = tried.into_iter().filter_map(|(_, values)| self.from(values)).collect();
        let least = found.iter().map(|best| best.squares).fold(f64::INFINITY, f64::min);
        let same = found.iter().filter(|best| best.squares <= least * (1.0 + SAME) + f64::MIN_POSITIVE).count();
        let best = found.into_iter().min_by(|a, b| a.squares.total_cmp(&b.squares))?;
        Some(Best { starts: (followed, same), ..best })
    }

    /// The result from one starting point.
    pub(super) fn from(&mut self, mut values: Vec<f64>) -> Option<Best> {
        let status = self.mpfit(&mut values).ok()?;
        let ordered = self.law.ordered(values.clone());
        let converged = !matches!(status.success, MPSuccess::NotDone | MPSuccess::MaxIter);
        if ordered == values {
            let (errors, covariance) = (status.xerror, status.covar);
            return Some(Best { values, errors, covariance, squares: status.best_norm, starts: (1, 1), converged });
        }
        // The errors must be reordered together with their parameters.
        let mut again = ordered;
        let status = self.mpfit(&mut again).ok()?;
        let (errors, covariance) = (status.xerror, status.covar);
        Some(Best { values: again, errors, covariance, squares: status.best_norm, starts: (1, 1), converged })
    }
}

fn bound(parameter: &Parameter) -> MPPar {
    MPPar {
        limited_low: true,
        limited_up: true,
        limit_low: parameter.low,
        limit_up: parameter.high,
        side: MPSide::Auto,
        ..MPPar::new()
    }
}

/// Moves a value inside the range of its parameter, away from its ends: an optimiser that starts at a bound may never leave it.
fn inside(value: f64, parameter: &Parameter) -> f64 {
    let room = (parameter.high - parameter.low) * 1e-9;
    value.clamp(parameter.low + room, parameter.high - room)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::{BetaCurve, BetaNormalBeta, StratifiedWriter, Writer, ZipfLavalette, ZipfMandelbrot};

    fn made(law: &dyn Law, values: &[f64], x: impl Iterator<Item = u32>) -> Points {
        let curve = law.curve(values);
        Points::new(x.map(|x| (f64::from(x), curve(f64::from(x)))))
    }

    #[test]
    fn exact_curves_are_found_again() {
        let (beta, lavalette) = (BetaCurve { norm: 79.0 }, ZipfLavalette { ranks: 300.0 });
        let cases: [(&dyn Law, Vec<f64>, u32); 5] = [
            (&Writer, vec![0.3145], 200),
            (&StratifiedWriter, vec![0.7586, 0.3968, 0.04369], 1122),
            (&beta, vec![1.926, 6.356, 0.013], 78),
            (&ZipfMandelbrot, vec![50.0, 1.2, 4.0], 500),
            (&lavalette, vec![0.01, 0.39], 300),
        ];
        for (law, values, last) in cases {
            let fitted = fit(law, &made(law, &values, 1..=last)).unwrap();
            for (found, value) in fitted.values().iter().zip(&values) {
                assert!((found - value).abs() < 1e-4 * value.abs(), "{} {:?} {values:?}", law.name(), fitted.values());
            }
            assert!(fitted.r_squared > 0.999_999_9 && fitted.is_meaningful(), "{fitted:?}");
        }
    }

    #[test]
    fn the_density_mixture_of_the_thesis_is_found_again() {
        let law = BetaNormalBeta { norm: 36.0 };
        let values = law.thesis([68.03, 132.5, 4.034, 54.49, 0.015, 0.64, 78.87, 7.834, 28.65, 6.489]);
        let fitted = fit(&law, &made(&law, &values, 1..36)).unwrap();
        assert!(fitted.r_squared > 0.999_99, "{fitted:?}");
        for (found, value) in fitted.values().iter().zip(&values) {
            assert!((found - value).abs() < 0.02 * value.abs(), "{:?} {values:?}", fitted.values());
        }
    }

    #[test]
    fn meaningless_fits_are_marked() {
        // Three points for three parameters, and points without a curve.
        assert!(matches!(
            fit(&StratifiedWriter, &Points::new([(1.0, 0.5), (2.0, 0.2), (3.0, 0.1)])),
            Err(FitError::TooFewPoints { .. })
        ));
        assert!(matches!(fit(&Writer, &Points::new((1..9).map(|x| (f64::from(x), 0.5)))), Err(FitError::Degenerate { .. })));
        let few = fit(&StratifiedWriter, &Points::new([(1.0, 0.5), (2.0, 0.2), (3.0, 0.12), (4.0, 0.05)])).unwrap();
        assert!(!few.is_meaningful() && matches!(few.caveats[0], Caveat::FewPoints { points: 4, parameters: 3 }), "{few:?}");
        let rising = fit(&Writer, &Points::new((1..30).map(|x| (f64::from(x), f64::from(x * x))))).unwrap();
        assert!(!rising.is_meaningful() && rising.caveats.contains(&Caveat::NoBetterThanMean), "{rising:?}");
        // Text of one kind, described by the law of two.
        let one = fit(&StratifiedWriter, &made(&Writer, &[0.3], 1..=60)).unwrap();
        assert!(!one.caveats.is_empty(), "{one:?}");
    }
}
