//! Samples of known laws: the fitter recovers the parameters within the standard errors that it reports.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use webstrata_corpus::io::Random;
use webstrata_stats::fit::{Criterion, Fitted, FrumkinaMethod, fit_counts, fit_frumkina};
use webstrata_stats::law::{Law, NegativeHypergeometric, StratifiedWriter, Writer};

/// Allowed distance of an estimate, in standard errors. A normal estimate exceeds it in one of 16,000 cases, and a run makes some 200
/// estimates. So the samples are the same in every run ([`SEED`]): with new ones, one run in a hundred would fail for no reason.
const ERRORS: f64 = 4.0;
const SEED: RngSeed = RngSeed::Fixed(2008);

/// Draws a sample of classes `0..shares.len()`.
fn sample(shares: &[f64], size: u32, random: &mut Random) -> Vec<u64> {
    let mut counts = vec![0; shares.len()];
    for _ in 0..size {
        let mut left = random.unit() * shares.iter().sum::<f64>();
        let class = shares.iter().position(|share| {
            left -= share;
            left < 0.0
        });
        counts[class.unwrap_or(shares.len() - 1)] += 1;
    }
    counts
}

/// The distance of each estimate, in standard errors.
fn distances(fitted: &Fitted, values: &[f64]) -> Vec<f64> {
    let parameters = fitted.parameters.iter().zip(values);
    parameters.filter_map(|(found, value)| found.error.map(|error| (found.value - value).abs() / error)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, rng_seed: SEED, ..ProptestConfig::default() })]

    #[test]
    fn writers(short in 0.3f64..0.9, short_end in 0.25f64..0.6, long_end in 0.02f64..0.08, seed: u64) {
        let values = [short, short_end, long_end];
        let curve = StratifiedWriter.curve(&values);
        let shares: Vec<f64> = (1..=400).map(|words| curve(f64::from(words))).collect();
        let counts = sample(&shares, 20_000, &mut Random::new(seed));
        let fitted = fit_counts(&StratifiedWriter, 1, &counts, Criterion::Likelihood).unwrap();
        let distances = distances(&fitted, &values);
        prop_assert!(distances.len() == 3 && distances.iter().all(|distance| *distance < ERRORS), "{fitted:?} {values:?}");
        prop_assert!(fitted.is_meaningful());
    }

    #[test]
    fn one_writer(end in 0.05f64..0.9, seed: u64) {
        let values = [end];
        let curve = Writer.curve(&values);
        let shares: Vec<f64> = (1..=400).map(|words| curve(f64::from(words))).collect();
        let fitted = fit_counts(&Writer, 1, &sample(&shares, 5_000, &mut Random::new(seed)), Criterion::Likelihood).unwrap();
        prop_assert!(distances(&fitted, &values).iter().all(|distance| *distance < ERRORS), "{fitted:?} {end}");
    }

    #[test]
    fn negative_hypergeometric(k in 1.0f64..6.0, part in 0.04f64..0.4, n in 8u32..25, seed: u64) {
        let law = NegativeHypergeometric { n };
        let m = k * part;
        let shares: Vec<f64> = (0..=n).map(|x| law.probability(k, m, x)).collect();
        let counts = sample(&shares, 20_000, &mut Random::new(seed));
        // The last class must occur, or the sample has another n.
        prop_assume!(counts[n as usize] > 0);
        for method in [FrumkinaMethod::Likelihood, FrumkinaMethod::Paper] {
            let fitted = fit_frumkina(&counts, method).unwrap();
            let distances = distances(&fitted, &[k, m]);
            prop_assert!(distances.len() == 2 && distances.iter().all(|distance| *distance < ERRORS), "{method:?} {fitted:?} {k} {m}");
            prop_assert_eq!(fitted.get("n"), Some(f64::from(n)));
        }
    }
}

/// The reported errors are neither too small nor too large: two thirds of the estimates are within one standard error.
#[test]
fn standard_errors_mean_what_they_say() {
    let values = [0.7586, 0.3968, 0.04369];
    let curve = StratifiedWriter.curve(&values);
    let shares: Vec<f64> = (1..=400).map(|words| curve(f64::from(words))).collect();
    let mut random = Random::new(3);
    let mut within = [0, 0];
    let mut all = 0;
    for _ in 0..50 {
        let counts = sample(&shares, 8_000, &mut random);
        let fitted = fit_counts(&StratifiedWriter, 1, &counts, Criterion::Likelihood).unwrap();
        for distance in distances(&fitted, &values) {
            all += 1;
            within[0] += u32::from(distance < 1.0);
            within[1] += u32::from(distance < 2.0);
        }
    }
    let share = within.map(|count| f64::from(count) / f64::from(all));
    assert!((0.55..0.80).contains(&share[0]) && share[1] > 0.88, "{share:?}");
}
