//! Fits laws to data, and measures the goodness of fit.
//!
//! [`fit`] fits a curve by least squares, from multiple starting points; [`fit_counts`] fits the counts of a sample, whose error is
//! known, by maximum likelihood or minimum chi squared. Both use the Levenberg–Marquardt implementation of the `rmpfit` crate, which
//! keeps parameters within their bounds.

mod counts;
mod fitter;
mod frumkina;
mod goodness;
mod result;

pub use counts::{Criterion, fit_counts};
pub use fitter::fit;
pub use frumkina::{Frumkina, FrumkinaMethod, fit_frumkina};
pub use goodness::{chi_squared, grouped, kullback_leibler, r_squared, r_squared_adjusted, rmse};
pub use result::{Caveat, ChiSquared, Estimate, FitError, Fitted, ranked};
