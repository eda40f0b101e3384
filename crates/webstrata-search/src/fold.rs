//! Near-duplicate detection among results.
//!
//! Pages with the same words in their content have the same hash (the column `hash` of a run). Nearly identical content is found with
//! similarity hashes (M. Charikar: Similarity estimation techniques from rounding algorithms, STOC 2002): 64 bits over word
//! trigrams, at most 3 of which may differ (G. Manku, A. Jain, A. Das Sarma: Detecting near-duplicates for Web crawling, WWW 2007).
//! `webstrata dedup` is more careful; its clusters are used as well, if the index was built with them.

use xxhash_rust::xxh3::xxh3_64;

/// Maximum Hamming distance of near duplicates.
const MAX_DISTANCE: u32 = 3;
/// Texts with fewer words are compared by their exact hash only: the bits of a short text are mostly chance.
const MIN_WORDS: usize = 32;

/// The similarity hash of a text; 0 if it is too short.
///
/// ```
/// use webstrata_search::similarity_hash;
/// let text = (0..400).map(|i| format!("word{i} ")).collect::<String>();
/// let distance = (similarity_hash(&text) ^ similarity_hash(&format!("{text} at last"))).count_ones();
/// assert!(distance <= 3);
/// assert_eq!(similarity_hash("too short"), 0);
/// ```
#[must_use]
pub fn similarity_hash(text: &str) -> u64 {
    let mut counts = [0i32; 64];
    let (mut before, mut last, mut words) = (0u64, 0u64, 0usize);
    let mut lower = String::new();
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        lower.clear();
        lower.extend(word.chars().flat_map(char::to_lowercase));
        let hash = xxh3_64(lower.as_bytes());
        words += 1;
        if words > 2 {
            let trigram = xxh3_64(&[before, last, hash].map(u64::to_le_bytes).concat());
            for (bit, count) in counts.iter_mut().enumerate() {
                *count += if trigram >> bit & 1 == 1 { 1 } else { -1 };
            }
        }
        (before, last) = (last, hash);
    }
    if words < MIN_WORDS {
        return 0;
    }
    let bits = counts.iter().enumerate().filter(|(_, count)| **count > 0);
    bits.fold(0, |hash, (bit, _)| hash | 1 << bit).max(1)
}

/// The hashes by which pages are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Fingerprint {
    pub(crate) key: u64,
    pub(crate) hash: u64,
    pub(crate) similar: u64,
    pub(crate) cluster: u64,
}

impl Fingerprint {
    /// Whether two pages look the same to a reader.
    pub(crate) fn is_like(&self, other: &Fingerprint) -> bool {
        self.key == other.key
            || (self.cluster == other.cluster && self.cluster != 0)
            || (self.hash == other.hash && self.hash != 0)
            || (self.similar != 0 && other.similar != 0 && (self.similar ^ other.similar).count_ones() <= MAX_DISTANCE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_texts_are_far_apart() {
        let text = |seed: usize| (0..300).map(|i| format!("w{} ", (i * 7919 + seed * 104_729) % 5003)).collect::<String>();
        for (one, two) in [(1, 2), (3, 4), (5, 6)] {
            let distance = (similarity_hash(&text(one)) ^ similarity_hash(&text(two))).count_ones();
            assert!(distance > 10, "{distance}");
        }
        let same = Fingerprint { key: 1, hash: 7, ..Fingerprint::default() };
        assert!(
            same.is_like(&Fingerprint { key: 2, hash: 7, ..Fingerprint::default() })
                && !same.is_like(&Fingerprint { key: 2, hash: 8, ..Fingerprint::default() })
        );
    }
}
