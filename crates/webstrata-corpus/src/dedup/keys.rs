//! Keys and ranks of texts, for engines that join and sort them themselves.

use super::index::{Doc, confidence_number, date_number};
use super::options::Keep;
use super::signer::combine;

/// Calls `push` with a key for each combination of `agree` hashes, which must be ascending. Texts with the same key share all of
/// them.
pub(crate) fn combinations<E>(hashes: &[u64], agree: usize, mut push: impl FnMut(u64) -> Result<(), E>) -> Result<(), E> {
    if hashes.len() < agree {
        return Ok(());
    }
    let mut chosen: Vec<usize> = (0..agree).collect();
    let mut values = vec![0; agree];
    loop {
        for (value, &place) in values.iter_mut().zip(&chosen) {
            *value = hashes[place];
        }
        push(combine(&values, 0))?;
        // The next combination in order: the last position that can advance does, and those after it follow.
        let Some(place) = (0..agree).rev().find(|&place| chosen[place] < hashes.len() - agree + place) else { return Ok(()) };
        chosen[place] += 1;
        for next in place + 1..agree {
            chosen[next] = chosen[next - 1] + 1;
        }
    }
}

/// A key for each combination of `agree` hashes of a text that also occur in other texts: texts with the same key are duplicates.
///
/// ```
/// use webstrata_corpus::dedup::combination_keys;
/// let (one, other) = (combination_keys(vec![5, 1, 3], 2), combination_keys(vec![3, 9, 5], 2));
/// assert_eq!(one.len(), 3);
/// assert_eq!(one.iter().filter(|key| other.contains(key)).count(), 1);
/// ```
#[must_use]
pub fn combination_keys(mut hashes: Vec<u64>, agree: usize) -> Vec<u64> {
    hashes.sort_unstable();
    hashes.dedup();
    let mut keys = Vec::new();
    let Ok(()) = combinations::<std::convert::Infallible>(&hashes, agree.max(1), |key| {
        keys.push(key);
        Ok(())
    });
    keys
}

/// The rank of a text in its cluster: the text with the smallest rank is kept; ties go to the smallest id.
///
/// ```
/// use webstrata_corpus::dedup::{Keep, keep_rank};
/// assert!(keep_rank(Keep::Longest, 9, None, None) < keep_rank(Keep::Longest, 8, None, None));
/// assert!(keep_rank(Keep::Earliest, 1, Some("2023"), None) < keep_rank(Keep::Earliest, 1, Some("2024"), None));
/// ```
#[must_use]
pub fn keep_rank(keep: Keep, length: u64, date: Option<&str>, confidence: Option<f32>) -> u64 {
    let (date, confidence) = (date_number(date), confidence_number(confidence));
    Doc { id: String::new(), content: 0, length, date, confidence }.rank(keep)
}
