//! Scores of forests and the chances they stand for.

/// From a score (log odds) to a chance.
///
/// ```
/// use webstrata::learned::{chance, log_odds};
/// assert_eq!((chance(0.0), log_odds(0.5)), (0.5, 0.0));
/// assert!((chance(log_odds(0.9)) - 0.9).abs() < 1e-6);
/// assert!(log_odds(1.0).is_finite() && log_odds(0.0).is_finite());
/// ```
#[must_use]
pub fn chance(score: f32) -> f32 {
    1.0 / (1.0 + (-score).exp())
}

/// From a chance to a score.
#[must_use]
pub fn log_odds(chance: f32) -> f32 {
    let chance = chance.clamp(1e-5, 1.0 - 1e-5);
    (chance / (1.0 - chance)).ln()
}
