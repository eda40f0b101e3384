//! From probabilities to verdicts: the set of blocks with the highest expected F1.
//!
//! Keeping the `k` most probable words gives an expected F1 of about `2 hits / (kept + content)`, where `hits` is the
//! expected content among the words kept. The best `k` is found in one pass over the blocks by descending probability
//! (Jansche: A maximum expected utility framework, 2007, after Lewis 1995). A page with little certain content gets a
//! lower threshold than one with much: even if half of what is kept is wrong, that is the better answer.

/// The lowest probability to keep, clamped to `floor..=ceiling`, and the expected F-measure with weight `beta`.
///
/// ```
/// use webstrata::label::strata::best_threshold;
/// let (threshold, expected) = best_threshold(&[0.9, 0.8, 0.1], &[50.0, 30.0, 40.0], 1.0, 0.0, 1.0);
/// assert_eq!(threshold, 0.8);
/// assert!(expected > 0.8);
/// ```
/// `beta` above 1 favours recall, below 1 precision.
pub fn best_threshold(probabilities: &[f32], words: &[f32], beta: f32, floor: f32, ceiling: f32) -> (f32, f32) {
    let square = f64::from(beta) * f64::from(beta);
    let content: f64 = probabilities.iter().zip(words).map(|(&p, &w)| f64::from(p) * f64::from(w)).sum();
    let min = lowest_useful(probabilities, words, square, content);
    // Ties are broken by page order, so that the answer is reproducible. Integer keys compare faster than pairs.
    let mut order: Vec<u64> = probabilities
        .iter()
        .zip(0u32..)
        .filter(|(probability, _)| **probability >= min)
        .map(|(probability, at)| u64::from(!ascending(*probability)) << 32 | u64::from(at))
        .collect();
    order.sort_unstable();
    let (mut hits, mut kept) = (0f64, 0f64);
    let (mut max, mut threshold) = (0f64, 1f32);
    for at in order.into_iter().map(|key| key as u32) {
        let (probability, words) = (probabilities[at as usize], f64::from(words[at as usize]));
        hits += f64::from(probability) * words;
        kept += words;
        let expected = (1.0 + square) * hits / (kept + square * content).max(1e-9);
        if expected > max {
            (max, threshold) = (expected, probability);
        }
    }
    (threshold.clamp(floor, ceiling), max as f32)
}

/// A probability below which no block is worth keeping. Most blocks of a page are below it and need not be sorted.
///
/// A block raises an expected F-measure only if its probability is above that measure over `1 + square`, and the best answer is at least as
/// good as any other. The margin keeps rounding from mattering.
fn lowest_useful(probabilities: &[f32], words: &[f32], square: f64, content: f64) -> f32 {
    const MARGIN: f64 = 0.999;
    let (mut hits, mut kept) = (0f64, 0f64);
    for (&probability, &words) in probabilities.iter().zip(words) {
        if probability >= 0.5 {
            hits += f64::from(probability) * f64::from(words);
            kept += f64::from(words);
        }
    }
    (MARGIN * hits / (kept + square * content).max(1e-9)) as f32
}

/// An integer with the order of [`f32::total_cmp`].
fn ascending(value: f32) -> u32 {
    let bits = value.to_bits();
    if bits >> 31 == 0 { bits | 1 << 31 } else { !bits }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn integers_keep_the_order_of_floats() {
        let values = [f32::NEG_INFINITY, -1.0, -0.0, 0.0, 1e-40, 0.25, 0.5, 1.0, f32::INFINITY, f32::NAN];
        assert!(values.map(ascending).is_sorted());
    }

    /// Tries every threshold.
    fn by_trial(probabilities: &[f32], words: &[f32]) -> f64 {
        let content: f32 = probabilities.iter().zip(words).map(|(p, w)| p * w).sum();
        probabilities
            .iter()
            .map(|&threshold| {
                let kept = || probabilities.iter().zip(words).filter(|(p, _)| **p >= threshold);
                let hits: f32 = kept().map(|(p, w)| p * w).sum();
                f64::from(2.0 * hits / (kept().map(|(_, w)| w).sum::<f32>() + content))
            })
            .fold(0.0, f64::max)
    }

    #[test]
    fn no_threshold_is_better() {
        let probabilities = [0.9, 0.2, 0.75, 0.45, 0.05, 0.6];
        let words = [10.0, 30.0, 50.0, 20.0, 400.0, 3.0];
        let (threshold, expected) = best_threshold(&probabilities, &words, 1.0, 0.0, 1.0);
        assert!((f64::from(expected) - by_trial(&probabilities, &words)).abs() < 1e-6);
        assert_eq!(threshold, 0.45);
    }

    /// Considers all blocks.
    fn by_sorting_all(probabilities: &[f32], words: &[f32], beta: f32) -> (f32, f32) {
        let mut order: Vec<usize> = (0..probabilities.len()).collect();
        order.sort_by(|&a, &b| probabilities[b].total_cmp(&probabilities[a]).then(a.cmp(&b)));
        let content: f64 = probabilities.iter().zip(words).map(|(&p, &w)| f64::from(p) * f64::from(w)).sum();
        let square = f64::from(beta) * f64::from(beta);
        let (mut hits, mut kept, mut max, mut threshold) = (0f64, 0f64, 0f64, 1f32);
        for at in order {
            hits += f64::from(probabilities[at]) * f64::from(words[at]);
            kept += f64::from(words[at]);
            let expected = (1.0 + square) * hits / (kept + square * content).max(1e-9);
            if expected > max {
                (max, threshold) = (expected, probabilities[at]);
            }
        }
        (threshold, max as f32)
    }

    proptest! {
        #[test]
        fn improbable_blocks_do_not_matter(
            blocks in prop::collection::vec((prop_oneof![0f32..0.1, 0f32..1.0, Just(0.5f32), Just(0.25f32)], 1u16..300), 0..200),
            beta in prop::sample::select(&[0.5f32, 1.0, 2.0][..]),
        ) {
            let (probabilities, words): (Vec<f32>, Vec<f32>) = blocks.into_iter().map(|(p, w)| (p, f32::from(w))).unzip();
            prop_assert_eq!(best_threshold(&probabilities, &words, beta, 0.0, 1.0), by_sorting_all(&probabilities, &words, beta));
        }
    }

    #[test]
    fn beta_trades_precision_for_recall() {
        let probabilities = [0.9, 0.5, 0.3, 0.2];
        let words = [10.0; 4];
        let at = |beta| best_threshold(&probabilities, &words, beta, 0.0, 1.0).0;
        assert!(at(0.25) > at(1.0) && at(1.0) > at(4.0));
    }
}
