//! Goodness-of-fit measures.

use statrs::distribution::{ChiSquared, ContinuousCDF};

/// Coefficient of determination: 1 minus the residual share of the variance.
///
/// ```
/// let (x, y) = ([1.0, 2.0, 3.0, 4.0, 5.0], [2.1, 3.9, 6.2, 7.8, 10.1]);
/// let line: Vec<f64> = x.iter().map(|x| 1.99 * x + 0.05).collect();
/// // scipy 1.17: linregress(x, y).rvalue ** 2
/// assert!((webstrata_stats::fit::r_squared(&y, &line) - 0.997305328900977).abs() < 1e-12);
/// ```
#[must_use]
pub fn r_squared(observed: &[f64], fitted: &[f64]) -> f64 {
    let mean = observed.iter().sum::<f64>() / observed.len().max(1) as f64;
    let total: f64 = observed.iter().map(|y| (y - mean).powi(2)).sum();
    if total == 0.0 { 1.0 } else { 1.0 - residual(observed, fitted) / total }
}

/// R² adjusted for the number of fitted parameters (without the constant).
///
/// ```
/// let adjusted = webstrata_stats::fit::r_squared_adjusted(0.9, 11, 2);
/// assert!((adjusted - 0.875).abs() < 1e-12); // 1 - 0.1 * 10 / 8
/// ```
#[must_use]
pub fn r_squared_adjusted(r_squared: f64, observations: usize, parameters: usize) -> f64 {
    let free = observations as f64 - parameters as f64 - 1.0;
    if free <= 0.0 { f64::NAN } else { 1.0 - (1.0 - r_squared) * (observations as f64 - 1.0) / free }
}

/// Root mean squared error.
///
/// ```
/// assert_eq!(webstrata_stats::fit::rmse(&[1.0, 2.0], &[1.0, 4.0]), 2f64.sqrt());
/// ```
#[must_use]
pub fn rmse(observed: &[f64], fitted: &[f64]) -> f64 {
    if observed.is_empty() { 0.0 } else { (residual(observed, fitted) / observed.len() as f64).sqrt() }
}

fn residual(observed: &[f64], fitted: &[f64]) -> f64 {
    observed.iter().zip(fitted).map(|(y, f)| (y - f).powi(2)).sum()
}

/// Pearson's chi squared of counts, and its p-value for the given degrees of freedom.
///
/// ```
/// let (observed, expected) = ([16.0, 18.0, 16.0, 14.0, 12.0, 12.0], [16.0, 16.0, 16.0, 16.0, 16.0, 8.0]);
/// let (chi, p) = webstrata_stats::fit::chi_squared(&observed, &expected, 5);
/// // scipy 1.17: chisquare(observed, expected)
/// assert!((chi - 3.5).abs() < 1e-12 && (p - 0.6233876277495822).abs() < 1e-9);
/// ```
#[must_use]
pub fn chi_squared(observed: &[f64], expected: &[f64], freedom: usize) -> (f64, f64) {
    let chi = observed.iter().zip(expected).filter(|(_, e)| **e > 0.0).map(|(o, e)| (o - e).powi(2) / e).sum::<f64>();
    let p = ChiSquared::new(freedom as f64).map_or(f64::NAN, |chi_squared| chi_squared.sf(chi));
    (chi, p)
}

/// Merges neighbouring classes, from the last, until each has at least `minimum` expected: chi squared is meaningless for fewer.
///
/// ```
/// use webstrata_stats::fit::grouped;
/// let (observed, expected) = grouped(&[9.0, 0.0, 2.0], &[8.5, 1.3, 0.6], 1.0);
/// assert_eq!((observed, expected), (vec![9.0, 2.0], vec![8.5, 1.9]));
/// ```
#[must_use]
pub fn grouped(observed: &[f64], expected: &[f64], minimum: f64) -> (Vec<f64>, Vec<f64>) {
    let mut groups: Vec<(f64, f64)> = Vec::with_capacity(observed.len());
    for (o, e) in observed.iter().zip(expected).rev() {
        match groups.last_mut() {
            Some(last) if last.1 < minimum => {
                last.0 += o;
                last.1 += e;
            }
            _ => groups.push((*o, *e)),
        }
    }
    // A remainder at the first class is merged into its neighbour.
    if let Some((o, e)) = groups.pop_if(|last| last.1 < minimum) {
        match groups.last_mut() {
            Some(last) => {
                last.0 += o;
                last.1 += e;
            }
            None => groups.push((o, e)),
        }
    }
    groups.into_iter().rev().unzip()
}

/// Kullback–Leibler divergence of `q` from `p` in nats; both are normalised to sum to 1. Infinite if `q` is 0 where `p` is not.
///
/// ```
/// let divergence = webstrata_stats::fit::kullback_leibler(&[5.0, 3.0, 2.0], &[4.0, 4.0, 2.0]);
/// // scipy 1.17: entropy([0.5, 0.3, 0.2], [0.4, 0.4, 0.2])
/// assert!((divergence - 0.025267153921570557).abs() < 1e-12);
/// ```
#[must_use]
pub fn kullback_leibler(p: &[f64], q: &[f64]) -> f64 {
    let (sum_p, sum_q) = (p.iter().sum::<f64>(), q.iter().sum::<f64>());
    let term = |(p, q): (&f64, &f64)| if *p == 0.0 { 0.0 } else { (p / sum_p) * ((p / sum_p) / (q / sum_q)).ln() };
    p.iter().zip(q).map(term).sum()
}
