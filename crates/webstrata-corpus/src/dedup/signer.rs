//! From a text to the keys that find its duplicates.
//!
//! Texts with the same *join* key are duplicates: the hash of the text itself, and that of each band. *Hashes* are the entries of a
//! signature of smallest hashes: texts that share enough of them are duplicates ([`super::join`] finds these).

use super::options::{Scheme, Similarity};
use super::shingles::Shingler;
use super::signature::{permuted, sketched, smallest};
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

/// Seeds that keep kinds of keys apart; bands are seeded with their number.
const EXACT: u64 = 1 << 32;
const SHORT: u64 = 2 << 32;

/// The keys of a text.
///
/// ```
/// use webstrata_corpus::dedup::{Signer, Similarity};
/// let mut signer = Signer::new(Similarity::fineweb());
/// let text = "It has been raining in the valley for three days, and nobody there can remember when that last happened.";
/// let (one, other) = (signer.sign(text), signer.sign(&text.to_uppercase()));
/// assert_ne!(one.content, other.content);
/// assert_eq!(one.joins[1..], other.joins[1..]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signature {
    /// Hash of the unchanged text.
    pub content: u64,
    /// Bytes of the text.
    pub length: u64,
    /// Texts that share one of these are duplicates.
    pub joins: Vec<u64>,
    /// Texts that share enough of these are duplicates; ascending.
    pub hashes: Vec<u64>,
}

impl Similarity {
    /// Whether two texts are duplicates by their signatures.
    ///
    /// ```
    /// use webstrata_corpus::dedup::{Signer, Similarity};
    /// let similarity = Similarity::paper();
    /// let mut signer = Signer::new(similarity);
    /// let [one, other] = ["It rained all day.", "It rained all night."].map(|text| signer.sign(text));
    /// assert!(similarity.are_duplicates(&one, &one) && !similarity.are_duplicates(&one, &other));
    /// ```
    #[must_use]
    pub fn are_duplicates(self, a: &Signature, b: &Signature) -> bool {
        let shared = a.hashes.iter().filter(|hash| b.hashes.binary_search(hash).is_ok()).count();
        let enough = match self.clamped().scheme {
            Scheme::Smallest { agree, .. } => shared >= usize::from(agree),
            Scheme::Bands { .. } => false,
        };
        enough || a.joins.iter().any(|key| b.joins.contains(key))
    }
}

/// Signs many texts with the same buffers.
#[derive(Clone, Debug)]
pub struct Signer {
    similarity: Similarity,
    shingler: Shingler,
    entries: Vec<u64>,
    open: Vec<bool>,
    plain: bool,
}

impl Signer {
    /// Signs for this kind of comparison.
    #[must_use]
    pub fn new(similarity: Similarity) -> Self {
        let similarity = similarity.clamped();
        Signer { similarity, shingler: Shingler::new(similarity.width), entries: Vec::new(), open: Vec::new(), plain: false }
    }

    /// Like [`Signer::new`], with the plain min-hash method, one permutation per entry: for comparing speed and recall.
    #[must_use]
    pub fn with_permutations(similarity: Similarity) -> Self {
        Signer { plain: true, ..Signer::new(similarity) }
    }

    /// The signature of a text. A text without words has no keys and therefore no duplicates.
    pub fn sign(&mut self, text: &str) -> Signature {
        let shingles = self.shingler.shingles(text);
        let mut signature = Signature { content: xxh3_64(text.as_bytes()), length: text.len() as u64, ..Signature::default() };
        if shingles.is_empty() {
            return signature;
        }
        signature.joins.push(xxh3_64_with_seed(&signature.content.to_le_bytes(), EXACT));
        match self.similarity.scheme {
            Scheme::Smallest { kept, agree } => {
                smallest(shingles, kept.into(), &mut self.entries);
                if self.entries.len() < usize::from(agree) {
                    // Too few to share enough: such texts have to agree in all of them.
                    let few = self.entries.len() as u64;
                    signature.joins.push(combine(&self.entries, SHORT + few));
                } else {
                    signature.hashes.extend_from_slice(&self.entries);
                }
            }
            Scheme::Bands { bands, rows } => {
                let entries = usize::from(bands) * usize::from(rows);
                if self.plain {
                    permuted(shingles, entries, &mut self.entries);
                } else {
                    sketched(shingles, entries, &mut self.entries, &mut self.open);
                }
                let bands = self.entries.chunks_exact(rows.into()).zip(0..);
                signature.joins.extend(bands.map(|(rows, band)| combine(rows, band)));
            }
        }
        signature
    }
}

/// Combines several values into one key.
pub(crate) fn combine(values: &[u64], seed: u64) -> u64 {
    /// Typical number of rows per band; more are hashed in steps.
    const TYPICAL_ROWS: usize = 16;
    let mut bytes = [0; TYPICAL_ROWS * 8];
    values.chunks(TYPICAL_ROWS).fold(seed, |seed, values| {
        for (bytes, value) in bytes.chunks_exact_mut(8).zip(values) {
            bytes.copy_from_slice(&value.to_le_bytes());
        }
        xxh3_64_with_seed(&bytes[..values.len() * 8], seed)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_have_distinct_keys() {
        let mut signer = Signer::new(Similarity::fineweb());
        let text: String = (0..300).map(|i| format!("w{i} ")).collect();
        let mut joins = signer.sign(&text).joins;
        assert_eq!(joins.len(), 15);
        joins.sort_unstable();
        joins.dedup();
        assert_eq!(joins.len(), 15);
        assert!(signer.sign("").joins.is_empty() && signer.sign(" … ").joins.is_empty());
    }

    #[test]
    fn short_texts_must_agree_in_all() {
        let mut signer = Signer::new(Similarity::paper());
        let (one, other) = (signer.sign("page not found"), signer.sign("Page not found!"));
        assert!(one.hashes.is_empty() && one.joins[0] != other.joins[0] && one.joins[1] == other.joins[1]);
        assert_ne!(one.joins[1], signer.sign("page not there").joins[1]);
        assert_eq!(signer.sign("one two three four five six seven eight nine").hashes.len(), 4);
    }

    #[test]
    fn any_number_of_rows_is_hashed() {
        let values: Vec<u64> = (0..100).collect();
        assert_ne!(combine(&values, 0), combine(&values[..99], 0));
        assert_ne!(combine(&values, 0), combine(&values, 1));
        assert_ne!(combine(&values[..16], 0), combine(&values[..17], 0));
    }
}
