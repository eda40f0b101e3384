//! The negative hypergeometric distribution fitted to counts: by maximum likelihood, or as the Altmann-Fitter did for the thesis.
//!
//! The printed `K` and `M` of figure 4.12 have the mean of the sample (`n·M/K`) to all digits. With that mean fixed, the grouped chi
//! squared is smallest within 0.05% of the printed `K`. So the paper's method keeps the mean and minimises chi squared.

use super::counts::{Criterion, MIN_OBSERVATIONS, fit_counts, pearson, test};
use super::fitter::Search;
use super::result::{Caveat, Estimate, FitError, Fitted};
use super::{r_squared, r_squared_adjusted, rmse};
use crate::law::{Curve, Law, NegativeHypergeometric, Parameter, Points};

/// How the parameters are estimated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FrumkinaMethod {
    /// By maximum likelihood.
    #[default]
    Likelihood,
    /// Minimum chi squared with the mean of the sample: reproduces the thesis' numbers.
    Paper,
}

/// The fit with the parameters of the thesis: `K`, `M` and `n`.
pub type Frumkina = Fitted;

/// Fits the distribution to the counts of the classes 0, 1, … The last class that occurs is `n`.
///
/// # Errors
/// As for [`fit_counts`].
pub fn fit_frumkina(counts: &[u64], method: FrumkinaMethod) -> Result<Frumkina, FitError> {
    let last = counts.iter().rposition(|count| *count > 0).unwrap_or(0);
    let counts = &counts[..counts.len().min(last + 1)];
    let law = NegativeHypergeometric { n: last as u32 };
    let likely = fit_counts(&law, 0, counts, Criterion::Likelihood)?;
    let observed: Vec<f64> = counts.iter().map(|count| *count as f64).collect();
    let sum: f64 = observed.iter().sum();
    let mut fitted = likely;
    let mut values = fitted.values();
    if method == FrumkinaMethod::Paper {
        let mean = observed.iter().enumerate().map(|(x, count)| x as f64 * count).sum::<f64>() / sum;
        let line = MeanKept { law, share: mean / last as f64 };
        let residuals = |curve: &dyn Fn(f64) -> f64, out: &mut [f64]| {
            let expected: Vec<f64> = (0..=last).map(|x| (curve(x as f64) * sum).max(1e-300)).collect();
            pearson(&observed, &expected, out);
        };
        let starts = [0.5, 0.8, 1.0, 1.2, 2.0].map(|times| vec![values[0] * times]).to_vec();
        let none = || FitError::NoStart { law: law.name().to_owned() };
        let best = Search::new(&line, counts.len(), &residuals).best(starts).ok_or_else(none)?;
        fitted.caveats = best.caveats(&line);
        fitted.starts = best.starts;
        values = vec![best.values[0], line.share];
    }
    let (k, m) = (values[0], values[0] * values[1]);
    let errors = errors(&law, &values, &observed).unwrap_or([None, None]);
    let shares: Vec<f64> = (0..=law.n).map(|x| law.probability(k, m, x)).collect();
    let points: Vec<f64> = observed.iter().map(|count| count / sum).collect();
    fitted.parameters = vec![
        Estimate { name: "K".into(), value: k, error: errors[0] },
        Estimate { name: "M".into(), value: m, error: errors[1] },
        Estimate { name: "n".into(), value: f64::from(law.n), error: None },
    ];
    fitted.r_squared = r_squared(&points, &shares);
    fitted.r_squared_adjusted = r_squared_adjusted(fitted.r_squared, points.len(), 3);
    fitted.rmse = rmse(&points, &shares);
    fitted.chi_squared = test(&observed, &shares, 3);
    if sum < MIN_OBSERVATIONS && !fitted.caveats.iter().any(|caveat| matches!(caveat, Caveat::FewObservations { .. })) {
        fitted.caveats.insert(0, Caveat::FewObservations { observations: sum as u64 });
    }
    Ok(fitted)
}

/// Standard errors of `K` and `M`, from the Fisher information at these values.
fn errors(law: &NegativeHypergeometric, values: &[f64], observed: &[f64]) -> Option<[Option<f64>; 2]> {
    let sum: f64 = observed.iter().sum();
    let weights: Vec<f64> = {
        let curve = law.curve(values);
        (0..observed.len()).map(|x| (curve(x as f64) * sum).max(1e-300).sqrt()).collect()
    };
    // Linearised around the fit, with the variances of its classes: a scoring step from here yields the covariances.
    let base: Vec<f64> = weights.iter().map(|weight| weight * weight).collect();
    let residuals = |curve: &dyn Fn(f64) -> f64, out: &mut [f64]| {
        for (at, out) in out.iter_mut().enumerate() {
            *out = (base[at] - curve(at as f64) * sum) / weights[at];
        }
    };
    let best = Search::new(law, observed.len(), &residuals).from(values.to_vec())?;
    let [kk, kr, _, rr] = std::array::from_fn(|at| best.covariance.get(at).copied().unwrap_or(f64::NAN));
    let (k, share) = (values[0], values[1]);
    let m = share * share * kk + k * k * rr + 2.0 * share * k * kr;
    Some([kk, m].map(|variance| (variance > 0.0).then(|| variance.sqrt())))
}

/// Distributions with a given mean.
struct MeanKept {
    law: NegativeHypergeometric,
    share: f64,
}

const K: [Parameter; 1] = [Parameter { name: "K", low: 1e-4, high: 1e4 }];

impl Law for MeanKept {
    fn name(&self) -> &'static str {
        self.law.name()
    }

    fn formula(&self) -> &'static str {
        self.law.formula()
    }

    fn parameters(&self) -> &[Parameter] {
        &K
    }

    fn curve<'a>(&'a self, values: &'a [f64]) -> Curve<'a> {
        Box::new(move |x| self.law.probability(values[0], values[0] * self.share, x as u32))
    }

    fn starts(&self, points: &Points) -> Vec<Vec<f64>> {
        self.law.starts(points).into_iter().map(|start| start[..1].to_vec()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::counts::MIN_EXPECTED;
    use super::super::{chi_squared, grouped};
    use super::*;

    /// Figure 4.12: pairs of neighbouring blocks by class of their density quotient, from class 1.
    const FIGURE: [u64; 18] = [1802, 180, 92, 80, 34, 36, 24, 18, 14, 16, 12, 12, 4, 2, 4, 2, 0, 2];
    const PRINTED: [f64; 2] = [2.304_535_851_519_99, 0.109_889_153_462_268];

    #[test]
    fn figure_4_12_is_reproduced() {
        let fitted = fit_frumkina(&FIGURE, FrumkinaMethod::Paper).unwrap();
        let value = |name| fitted.get(name).unwrap();
        assert!((value("K") / PRINTED[0] - 1.0).abs() < 0.001, "{fitted:?}");
        assert!((value("M") / PRINTED[1] - 1.0).abs() < 0.001, "{fitted:?}");
        assert_eq!(value("n"), 17.0);
        let test = fitted.chi_squared.unwrap();
        assert_eq!(test.freedom, 13);
        assert!((test.value - 14.2394).abs() < 0.001 && (test.p - 0.3572).abs() < 0.0005, "{test:?}");
        assert!(fitted.is_meaningful() && fitted.caveats.is_empty(), "{fitted:?}");
        // Maximum likelihood gives the same within 1%.
        let likely = fit_frumkina(&FIGURE, FrumkinaMethod::Likelihood).unwrap();
        for (name, printed) in ["K", "M"].iter().zip(PRINTED) {
            assert!((likely.get(name).unwrap() / printed - 1.0).abs() < 0.01, "{likely:?}");
        }
        assert!((likely.chi_squared.unwrap().value - 14.24).abs() < 0.01, "{likely:?}");
    }

    #[test]
    fn chi_squared_of_the_printed_parameters() {
        let law = NegativeHypergeometric { n: 17 };
        let observed = FIGURE.map(|count| count as f64);
        let expected: Vec<f64> = (0..18).map(|x| 2334.0 * law.probability(PRINTED[0], PRINTED[1], x)).collect();
        let (ungrouped, _) = chi_squared(&observed, &expected, 14);
        assert!((ungrouped - 19.07).abs() < 0.005, "{ungrouped}");
        let (observed, expected) = grouped(&observed, &expected, MIN_EXPECTED);
        assert_eq!(observed.len(), 17);
        let (chi, p) = chi_squared(&observed, &expected, 13);
        assert!((chi - 14.2394).abs() < 1e-4 && (p - 0.3572).abs() < 1e-4, "{chi} {p}");
    }

    #[test]
    fn a_small_sample_is_inconclusive() {
        let fitted = fit_frumkina(&[20, 6, 2, 1, 1], FrumkinaMethod::Paper).unwrap();
        assert!(!fitted.is_meaningful(), "{fitted:?}");
        assert!(fit_frumkina(&[20, 0, 0], FrumkinaMethod::Paper).is_err());
        assert!(fit_frumkina(&[], FrumkinaMethod::Paper).is_err());
    }
}
