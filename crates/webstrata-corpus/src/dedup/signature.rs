//! Signatures: the summary of a text's shingles.
//!
//! *Smallest*: the smallest distinct hashes (A. Broder, *On the resemblance and containment of documents*, 1997: the sketch without
//! replacement). *Bands*: one min-hash per entry; two texts agree in an entry with a probability equal to the Jaccard similarity of
//! their sets of shingles. The plain method needs `entries` hashes of every shingle ([`permuted`], kept for comparison). We use
//! S. Dahlgaard, M. Knudsen, M. Thorup, *Fast similarity sketching* (FOCS 2017): shingles are thrown into bins, round after
//! round with another hash, until every bin has its smallest; entries agree with the same probability, the estimate is no worse,
//! and the work is `shingles + entries · log(entries)` instead of their product.

use crate::io::mix;

/// The hash of a shingle in a round: the shingle itself in the first, and a different hash in each later one.
#[inline]
fn rehash(shingle: u64, round: u64) -> u64 {
    if round == 0 { shingle } else { mix(shingle ^ round.wrapping_mul(0xd6e8_feb8_6659_fd93)) }
}

/// The bin of a hash: its upper bits.
#[inline]
fn bin(hash: u64, bins: usize) -> usize {
    ((u128::from(hash) * bins as u128) >> 64) as usize
}

/// The `kept` smallest distinct hashes, ascending; all of them if there are fewer.
pub(crate) fn smallest(shingles: &[u64], kept: usize, signature: &mut Vec<u64>) {
    signature.clear();
    for &hash in shingles {
        if signature.len() == kept && signature.last().is_none_or(|&last| last <= hash) {
            continue;
        }
        if let Err(place) = signature.binary_search(&hash) {
            if signature.len() == kept {
                signature.pop();
            }
            signature.insert(place, hash);
        }
    }
}

/// Min-hashes by fast similarity sketching; none for a text without shingles.
pub(crate) fn sketched(shingles: &[u64], entries: usize, signature: &mut Vec<u64>, open: &mut Vec<bool>) {
    signature.clear();
    if shingles.is_empty() {
        return;
    }
    signature.resize(entries, u64::MAX);
    open.clear();
    open.resize(entries, true);
    let mut left = entries;
    for round in 0..2 * entries as u64 {
        // The first rounds hit bins at random; later rounds fill one bin each, so that it terminates.
        let certain = usize::try_from(round).ok().and_then(|round| round.checked_sub(entries));
        match certain {
            Some(certain) if !open[certain] => continue,
            Some(certain) => {
                for &shingle in shingles {
                    signature[certain] = signature[certain].min(rehash(shingle, round));
                }
            }
            None => {
                for &shingle in shingles {
                    let hash = rehash(shingle, round);
                    let bin = bin(hash, entries);
                    if open[bin] {
                        signature[bin] = signature[bin].min(hash);
                    }
                }
            }
        }
        for (open, &value) in open.iter_mut().zip(signature.iter()) {
            // A hash of u64::MAX leaves its bin open for another round; it does so for every text with that shingle.
            if *open && value != u64::MAX {
                *open = false;
                left -= 1;
            }
        }
        if left == 0 {
            break;
        }
    }
}

/// Min-hashes by the plain method: each entry has its own permutation, `a·x + b`, and takes the minimum over all shingles.
pub(crate) fn permuted(shingles: &[u64], entries: usize, signature: &mut Vec<u64>) {
    /// Entries computed together: they fit in registers.
    const LANES: usize = 8;
    signature.clear();
    if shingles.is_empty() {
        return;
    }
    for start in (0..entries).step_by(LANES) {
        let factor = |entry: usize| mix((start + entry) as u64 * 2 + 1) | 1;
        let addend = |entry: usize| mix((start + entry) as u64 * 2 + 2);
        let (factors, addends): ([u64; LANES], [u64; LANES]) = (std::array::from_fn(factor), std::array::from_fn(addend));
        let mut least = [u64::MAX; LANES];
        for &shingle in shingles {
            for entry in 0..LANES {
                least[entry] = least[entry].min(shingle.wrapping_mul(factors[entry]).wrapping_add(addends[entry]));
            }
        }
        signature.extend_from_slice(&least[..LANES.min(entries - start)]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn signature(method: impl Fn(&[u64], &mut Vec<u64>), shingles: &[u64]) -> Vec<u64> {
        let mut signature = vec![7];
        method(shingles, &mut signature);
        signature
    }

    fn sketch(shingles: &[u64], entries: usize) -> Vec<u64> {
        signature(|s, out| sketched(s, entries, out, &mut vec![false]), shingles)
    }

    /// The definition of fast similarity sketching: over all rounds, the smallest (round, hash) in each bin.
    fn by_definition(shingles: &[u64], entries: usize) -> Vec<u64> {
        let mut best = vec![(u64::MAX, u64::MAX); entries];
        for round in 0..2 * entries as u64 {
            for &shingle in shingles {
                let hash = rehash(shingle, round);
                let place = if round < entries as u64 { bin(hash, entries) } else { usize::try_from(round).unwrap() - entries };
                best[place] = best[place].min((round, hash));
            }
        }
        best.into_iter().filter(|_| !shingles.is_empty()).map(|(_, hash)| hash).collect()
    }

    proptest! {
        #[test]
        fn the_sketch_is_as_defined(shingles in prop::collection::vec(any::<u64>(), 0..80), entries in 1usize..40) {
            prop_assert_eq!(sketch(&shingles, entries), by_definition(&shingles, entries));
        }

        #[test]
        fn the_smallest_hashes_are_kept(shingles in prop::collection::vec(0u64..40, 0..60), kept in 1usize..10) {
            let want: Vec<u64> = shingles.iter().copied().collect::<BTreeSet<_>>().into_iter().take(kept).collect();
            prop_assert_eq!(signature(|s, out| smallest(s, kept, out), &shingles), want);
        }

        #[test]
        fn permutations_take_the_minimum(shingles in prop::collection::vec(any::<u64>(), 1..20), entries in 1usize..20) {
            let signature = signature(|s, out| permuted(s, entries, out), &shingles);
            prop_assert_eq!(signature.len(), entries);
            for (entry, &least) in signature.iter().enumerate() {
                let (a, b) = (mix(entry as u64 * 2 + 1) | 1, mix(entry as u64 * 2 + 2));
                prop_assert_eq!(Some(least), shingles.iter().map(|x| x.wrapping_mul(a).wrapping_add(b)).min());
            }
        }

        #[test]
        fn repeats_and_order_do_not_count(shingles in prop::collection::vec(any::<u64>(), 1..50)) {
            let mut again = shingles.clone();
            again.reverse();
            again.extend_from_slice(&shingles);
            prop_assert_eq!(sketch(&shingles, 32), sketch(&again, 32));
            prop_assert_eq!(signature(|s, out| smallest(s, 8, out), &shingles), signature(|s, out| smallest(s, 8, out), &again));
        }
    }

    /// Two sets of `size` shingles with `shared` in common, from a seed.
    fn sets(seed: u64, size: u64, shared: u64) -> (Vec<u64>, Vec<u64>, f64) {
        let shingle = |i: u64| mix(mix(seed).wrapping_add(i));
        let a = (0..size).map(shingle).collect();
        let b = (size - shared..2 * size - shared).map(shingle).collect();
        (a, b, shared as f64 / (2 * size - shared) as f64)
    }

    /// The share of equal entries estimates the Jaccard similarity: the mean over many pairs is within four standard errors of
    /// it, and the spread is not above that of independent entries.
    #[test]
    fn agreement_estimates_similarity() {
        const ENTRIES: usize = 112;
        const PAIRS: u64 = 400;
        for (size, shared) in [(5, 3), (40, 20), (150, 15), (150, 120), (1000, 900), (3000, 1000)] {
            for kind in ["sketched", "permuted"] {
                let (mut sum, mut squares, mut true_value) = (0.0, 0.0, 0.0);
                for seed in 0..PAIRS {
                    let (a, b, jaccard) = sets(seed * 7919 + size, size, shared);
                    let sign = |s: &[u64]| {
                        if kind == "sketched" { sketch(s, ENTRIES) } else { signature(|s, out| permuted(s, ENTRIES, out), s) }
                    };
                    let equal = sign(&a).iter().zip(&sign(&b)).filter(|(a, b)| a == b).count() as f64 / ENTRIES as f64;
                    sum += equal;
                    squares += (equal - jaccard).powi(2);
                    true_value = jaccard;
                }
                let (mean, spread) = (sum / PAIRS as f64, (squares / PAIRS as f64).sqrt());
                let expected = (true_value * (1.0 - true_value) / ENTRIES as f64).sqrt();
                let error = (mean - true_value).abs();
                assert!(error < 4.0 * expected / (PAIRS as f64).sqrt(), "{kind} {size}/{shared}: {mean} for {true_value}");
                assert!(spread < 1.2 * expected, "{kind} {size}/{shared}: spread {spread}, expected {expected}");
            }
        }
    }

    /// Bands find pairs as often as the formula says: `1 - (1 - s^rows)^bands`, within four standard errors and the
    /// small effect of drawing without replacement.
    #[test]
    fn bands_find_pairs_as_often_as_predicted() {
        const PAIRS: u64 = 600;
        for (size, shared) in [(800, 680), (800, 720), (800, 760)] {
            let mut found = [0u64; 2];
            let mut jaccard = 0.0;
            for seed in 0..PAIRS {
                let (a, b, similarity) = sets(seed * 104_729 + shared, size, shared);
                jaccard = similarity;
                let signs = [
                    (sketch(&a, 112), sketch(&b, 112)),
                    (signature(|s, out| permuted(s, 112, out), &a), signature(|s, out| permuted(s, 112, out), &b)),
                ];
                for (found, (a, b)) in found.iter_mut().zip(&signs) {
                    *found += u64::from(a.chunks(8).zip(b.chunks(8)).any(|(a, b)| a == b));
                }
            }
            let expected_share = 1.0 - (1.0 - jaccard.powi(8)).powi(14);
            let error = 4.0 * (expected_share * (1.0 - expected_share) / PAIRS as f64).sqrt() + 0.01;
            for (kind, found) in ["sketched", "permuted"].iter().zip(found) {
                let share = found as f64 / PAIRS as f64;
                assert!(
                    (share - expected_share).abs() < error,
                    "{kind}: {share} of the pairs at {jaccard}, {expected_share} expected"
                );
            }
        }
    }
}
