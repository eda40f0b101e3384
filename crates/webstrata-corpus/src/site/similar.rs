//! Finds sets with a large overlap without comparing all pairs: prefix filtering (Chaudhuri, Ganti, Kaushik: A Primitive Operator
//! for Similarity Joins in Data Cleaning, ICDE 2006; Bayardo, Ma, Srikant: Scaling Up All Pairs Similarity Search, WWW 2007).
//!
//! All elements are put in one order, rare ones first. If a set A must share at least `t` elements with every set that is similar
//! to it, it shares at least one of its first `|A| - t + 1` elements with each of them. So only these are indexed and looked up. The bound
//! is exact: no similar pair is missed (up to `MAX_LISTED`), but matches are only candidates.

use std::collections::HashMap;

/// Maximum number of sets listed for an element, and of sets that need not share anything: comparing all pairs of them would take
/// quadratic time. Only crafted pages reach this limit, with thousands of blocks that have a term in common and differ only in their
/// tags; some of these are then missed.
const MAX_LISTED: usize = 1024;

/// An index over sets.
#[derive(Clone, Debug, Default)]
pub(super) struct SimilarSets {
    /// Number of sets that contain an element.
    frequency: HashMap<u64, u32>,
    /// For each element: the sets that have it in their prefix.
    postings: HashMap<u64, Vec<u32>>,
    /// Sets that need not share anything: candidates for each other.
    free: Vec<u32>,
}

impl SimilarSets {
    /// An index of sets, each with the minimum number of elements it must share.
    pub(super) fn new<'s>(sets: impl Iterator<Item = (&'s [u64], usize)> + Clone) -> Self {
        let mut index = SimilarSets::default();
        for (set, _) in sets.clone() {
            for &element in set {
                *index.frequency.entry(element).or_default() += 1;
            }
        }
        for (number, (set, min_shared)) in (0..).zip(sets) {
            if min_shared == 0 {
                if index.free.len() < MAX_LISTED {
                    index.free.push(number);
                }
                continue;
            }
            for element in index.prefix(set, min_shared) {
                let listed = index.postings.entry(element).or_default();
                if listed.len() < MAX_LISTED {
                    listed.push(number);
                }
            }
        }
        index
    }

    /// The first elements of a set in the common order that must be looked up.
    fn prefix(&self, set: &[u64], min_shared: usize) -> Vec<u64> {
        let mut order: Vec<(u32, u64)> = set.iter().map(|e| (self.frequency.get(e).copied().unwrap_or(0), *e)).collect();
        order.sort_unstable();
        order.truncate((set.len() + 1).saturating_sub(min_shared));
        order.into_iter().map(|(_, element)| element).collect()
    }

    /// Indices of the sets that may be similar to this one, ascending; they include the set itself if it was indexed.
    pub(super) fn candidates(&self, set: &[u64], min_shared: usize) -> Vec<u32> {
        let mut found: Vec<u32> = Vec::new();
        if min_shared == 0 {
            // Similar sets that share nothing are also free; others are found by shared elements.
            found.extend(&self.free);
            for element in set {
                found.extend(self.postings.get(element).into_iter().flatten());
            }
        } else {
            for element in self.prefix(set, min_shared) {
                found.extend(self.postings.get(&element).into_iter().flatten());
            }
            found.extend(&self.free);
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// Number of elements that two ascending lists share.
pub(super) fn overlap(a: &[u64], b: &[u64]) -> usize {
    let (mut at, mut other, mut shared) = (0, 0, 0);
    while at < a.len() && other < b.len() {
        match a[at].cmp(&b[other]) {
            std::cmp::Ordering::Less => at += 1,
            std::cmp::Ordering::Greater => other += 1,
            std::cmp::Ordering::Equal => {
                shared += 1;
                at += 1;
                other += 1;
            }
        }
    }
    shared
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Sets that share two thirds of the larger one are never missed.
        #[test]
        fn no_similar_pair_is_missed(sets in prop::collection::vec(prop::collection::btree_set(0u64..12, 0..9), 0..30)) {
            let sets: Vec<Vec<u64>> = sets.into_iter().map(|set| set.into_iter().collect()).collect();
            let min_shared = |set: &[u64]| (set.len() * 2).div_ceil(3);
            let index = SimilarSets::new(sets.iter().map(|set| (set.as_slice(), min_shared(set))));
            for (number, set) in (0u32..).zip(&sets) {
                let candidates = index.candidates(set, min_shared(set));
                for (other, with) in (0u32..).zip(&sets) {
                    if 3 * overlap(set, with) >= 2 * set.len().max(with.len()) {
                        prop_assert!(candidates.contains(&other), "{number} {other}");
                    }
                }
            }
        }
    }

    #[test]
    fn sets_that_are_all_alike_take_linear_time() {
        let sets: Vec<Vec<u64>> = (0..200_000u64).map(|n| vec![1, 2, 3 + n]).collect();
        let index = SimilarSets::new(sets.iter().map(|set| (set.as_slice(), usize::from(set[2] % 2 == 0))));
        assert!(sets.iter().step_by(1000).all(|set| index.candidates(set, 0).len() <= 4 * MAX_LISTED));
    }
}
