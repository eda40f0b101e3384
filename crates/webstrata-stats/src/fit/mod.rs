//! Fitting laws to data, and how good the fit is.
//!
//! [`fit`] looks for the least squares of a curve, from many starts; [`fit_counts`] fits the counts of a sample, whose error is known,
//! by maximum likelihood or by the smallest chi squared. Levenberg and Marquardt's method is that of the `rmpfit` crate, which keeps
//! parameters within their bounds.

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
