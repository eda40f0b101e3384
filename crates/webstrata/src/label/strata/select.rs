//! From probabilities to verdicts: the set of blocks with the highest expected F1.
//!
//! Keeping the `k` most probable words gives an expected F1 of about `2 hits / (kept + content)`, where `hits` is the
//! expected content among the words kept. The best `k` is found in one pass over the blocks by descending probability
//! (Jansche: A maximum expected utility framework, 2007, after Lewis 1995). A page with little certain content gets a
//! lower threshold than one with much: even if half of what is kept is wrong, that is the better answer. The expectation is over two
//! readings of the page (`readings.rs`).

use super::readings::{Expected, Readings};

/// The lowest probability to keep, at least `floor`, and the expected F-measure with weight `beta`.
///
/// ```
/// use webstrata::label::strata::best_threshold;
/// let (threshold, expected) = best_threshold(&[0.9, 0.8, 0.1], &[50.0, 30.0, 40.0], 1.0, 0.0, 0.0);
/// assert_eq!(threshold, 0.8);
/// assert!(expected > 0.8);
/// ```
/// `beta` above 1 favours recall, below 1 precision. `spread` says how much the blocks depend on each other (`readings.rs`); 0 if they do not.
pub fn best_threshold(probabilities: &[f32], words: &[f32], beta: f32, floor: f32, spread: f32) -> (f32, f32) {
    // Ties are broken by page order, so that the answer is reproducible. Integer keys compare faster than pairs.
    let mut order: Vec<u64> = probabilities
        .iter()
        .zip(0u32..)
        .map(|(probability, at)| u64::from(!ascending(*probability)) << 32 | u64::from(at))
        .collect();
    order.sort_unstable();
    let readings = Readings::new(spread).of_all(probabilities);
    let content = Expected::total(&readings, words);
    let square = f64::from(beta) * f64::from(beta);
    let (mut hits, mut kept) = (Expected::default(), 0f64);
    let (mut max, mut threshold) = (0f64, 1f32);
    for at in order.into_iter().map(|key| key as u32) {
        let (probability, words) = (probabilities[at as usize], words[at as usize]);
        hits.add(readings[at as usize], words);
        kept += f64::from(words);
        let expected = hits.f_measure(content, kept, square);
        if expected > max {
            (max, threshold) = (expected, probability);
        }
    }
    (threshold.clamp(floor, 1.0), max as f32)
}

/// An integer with the order of [`f32::total_cmp`].
fn ascending(value: f32) -> u32 {
    let bits = value.to_bits();
    if bits >> 31 == 0 { bits | 1 << 31 } else { !bits }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_keep_the_order_of_floats() {
        let values = [f32::NEG_INFINITY, -1.0, -0.0, 0.0, 1e-40, 0.25, 0.5, 1.0, f32::INFINITY, f32::NAN];
        assert!(values.map(ascending).is_sorted());
    }

    /// Tries every threshold.
    fn by_trial(probabilities: &[f32], words: &[f32], spread: f32) -> f64 {
        let stretch = (1.0 + std::f32::consts::FRAC_PI_8 * spread * spread).sqrt();
        let shifted = |p: f32, shift: f32| 1.0 / (1.0 + (-((p / (1.0 - p)).ln() * stretch + shift)).exp());
        let reading = |threshold: f32, shift: f32| {
            let blocks = || probabilities.iter().zip(words).map(|(p, w)| (*p, shifted(*p, shift), w));
            let content: f32 = blocks().map(|(_, p, w)| p * w).sum();
            let kept = || blocks().filter(|(own, _, _)| *own >= threshold);
            let hits: f32 = kept().map(|(_, p, w)| p * w).sum();
            2.0 * hits / (kept().map(|(_, _, w)| w).sum::<f32>() + content)
        };
        probabilities
            .iter()
            .map(|&threshold| f64::from(f32::midpoint(reading(threshold, -spread), reading(threshold, spread))))
            .fold(0.0, f64::max)
    }

    #[test]
    fn no_threshold_is_better() {
        let probabilities = [0.9, 0.2, 0.75, 0.45, 0.05, 0.6];
        let words = [10.0, 30.0, 50.0, 20.0, 400.0, 3.0];
        for (spread, best) in [(0.0, 0.45), (1.5, 0.45), (3.0, 0.6)] {
            let (threshold, expected) = best_threshold(&probabilities, &words, 1.0, 0.0, spread);
            assert!((f64::from(expected) - by_trial(&probabilities, &words, spread)).abs() < 1e-5);
            assert_eq!(threshold, best, "{spread}");
        }
    }

    #[test]
    fn a_text_among_doubtful_teasers_is_kept_alone() {
        let probabilities = [&[0.95; 4][..], &[0.4; 40]].concat();
        let words = [25.0; 44];
        let at = |spread| best_threshold(&probabilities, &words, 1.0, 0.0, spread).0;
        assert_eq!((at(0.0), at(3.0)), (0.4, 0.95));
    }

    #[test]
    fn beta_trades_precision_for_recall() {
        let probabilities = [0.9, 0.5, 0.3, 0.2];
        let words = [10.0; 4];
        let at = |beta| best_threshold(&probabilities, &words, beta, 0.0, 0.0).0;
        assert!(at(0.25) > at(1.0) && at(1.0) > at(4.0));
    }
}
