//! Conversion between forest scores (logits) and probabilities.

/// The probability of a logit: the logistic function.
///
/// ```
/// use webstrata::model::{probability, logit};
/// assert_eq!((probability(0.0), logit(0.5)), (0.5, 0.0));
/// assert!((probability(logit(0.9)) - 0.9).abs() < 1e-6);
/// assert!(logit(1.0).is_finite() && logit(0.0).is_finite());
/// ```
#[must_use]
pub fn probability(score: f32) -> f32 {
    1.0 / (1.0 + (-score).exp())
}

/// The logit of a probability: the logarithm of its odds. Finite even for 0 and 1.
#[must_use]
pub fn logit(probability: f32) -> f32 {
    let probability = probability.clamp(1e-5, 1.0 - 1e-5);
    (probability / (1.0 - probability)).ln()
}
