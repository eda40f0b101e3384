//! Weights of words: a small linear model.
//!
//! Authors name the parts of a page by purpose (`post-body`, `sidebarLeft`, `related_items`) and label them for readers
//! ("Related articles", "Add to basket"). Words that occur on several sites are stored as 32-bit hashes, each with its weights in
//! steps of 1/32.

use super::file::{ModelError, ModelReader, ModelWriter};
use crate::html::fnv;

/// Number of page types for which a word has weights.
const NUM_PAGE_TYPES: usize = 7;

/// Weights of a word in the names of the elements around a block. Words of short texts have a table of their own
/// ([`crate::label::strata::WordTables`]).
///
/// ```
/// use webstrata::model::WordWeights;
/// assert_eq!(WordWeights::default().any, 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WordWeights {
    /// Weight on the innermost element, in steps of [`WEIGHT_STEP`].
    pub own: i8,
    /// Weight on its parent.
    pub outer: i8,
    /// Weight on any element that contains the text.
    pub any: i8,
    /// For each page type: weight of a page with the word anywhere on it.
    pub page_types: [i8; NUM_PAGE_TYPES],
}

/// The unit of stored weights.
pub const WEIGHT_STEP: f32 = 1.0 / 32.0;

/// Weights by word.
///
/// ```
/// use webstrata::model::{WordTable, WordWeights, words_of_name};
/// let sidebar = words_of_name("sidebar").next().unwrap();
/// let table = WordTable::new(vec![(sidebar, WordWeights { any: -64, ..WordWeights::default() })]);
/// let words: Vec<u32> = words_of_name("leftSidebar-2").collect();
/// assert_eq!(words.len(), 2);
/// assert!(table.get(words[0]).is_none());
/// assert_eq!(table.get(words[1]).unwrap().1.any, -64);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WordTable {
    /// Sorted by word.
    entries: Vec<(u32, WordWeights)>,
    /// Hash table with linear probing: index of the entry plus one, 0 if empty.
    buckets: Vec<u16>,
    mask: u32,
}

/// Maximum number of words.
const MAX_WORDS: usize = 40_000;

impl WordTable {
    /// Creates a table of these words. Of a repeated word, the first entry is kept; words beyond the 40,000th are dropped.
    #[must_use]
    pub fn new(mut entries: Vec<(u32, WordWeights)>) -> Self {
        entries.sort_by_key(|(word, _)| *word);
        entries.dedup_by_key(|(word, _)| *word);
        entries.truncate(MAX_WORDS);
        let size = (entries.len() * 2 + 1).next_power_of_two();
        let mask = size as u32 - 1;
        let mut buckets = vec![0u16; size];
        for (index, (word, _)) in entries.iter().enumerate() {
            let mut at = scramble(*word) & mask;
            while buckets[at as usize] != 0 {
                at = (at + 1) & mask;
            }
            buckets[at as usize] = index as u16 + 1;
        }
        WordTable { entries, buckets, mask }
    }

    /// Number of words.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether the table is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Index and weights of a word.
    #[must_use]
    pub fn get(&self, word: u32) -> Option<(usize, WordWeights)> {
        let mut at = scramble(word) & self.mask;
        loop {
            // At most half of the buckets are full, so the search ends.
            let index = usize::from(*self.buckets.get(at as usize)?).checked_sub(1)?;
            let (found, weights) = self.entries[index];
            if found == word {
                return Some((index, weights));
            }
            at = (at + 1) & self.mask;
        }
    }

    /// The weights at an index returned by [`WordTable::get`].
    #[must_use]
    pub fn at(&self, index: usize) -> WordWeights {
        self.entries.get(index).map(|(_, weights)| *weights).unwrap_or_default()
    }

    /// Writes the table.
    pub fn write(&self, out: &mut ModelWriter) {
        out.u32(self.entries.len() as u32);
        for (word, weights) in &self.entries {
            out.u32(*word);
            for weight in [weights.own, weights.outer, weights.any].iter().chain(&weights.page_types) {
                out.u8(weight.to_le_bytes()[0]);
            }
        }
    }

    /// Reads a table.
    ///
    /// # Errors
    /// If the file is truncated.
    pub fn read(input: &mut ModelReader<'_>) -> Result<WordTable, ModelError> {
        let count = input.u32()? as usize;
        let mut entries = Vec::new();
        for _ in 0..count {
            let word = input.u32()?;
            let mut weights = [0i8; 3 + NUM_PAGE_TYPES];
            for weight in &mut weights {
                *weight = i8::from_le_bytes([input.u8()?]);
            }
            let [own, outer, any, page_types @ ..] = weights;
            entries.push((word, WordWeights { own, outer, any, page_types }));
        }
        Ok(WordTable::new(entries))
    }
}

fn scramble(word: u32) -> u32 {
    word.wrapping_mul(0x9e37_79b1).rotate_left(15)
}

/// Words read per name.
const MAX_NAME_WORDS: usize = 16;

/// Bytes read per word.
const MAX_WORD_BYTES: usize = 24;

/// The words of a name as hashes (FNV-1a of the lower-case letters). Words end at punctuation, at digits, and before a
/// capital that follows a lower-case letter; words of one letter are skipped.
pub fn words_of_name(name: &str) -> impl Iterator<Item = u32> + '_ {
    let bytes = name.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            while at < bytes.len() && FOLDED[usize::from(bytes[at])] == 0 {
                at += 1;
            }
            let start = at;
            let mut sum = fnv::OFFSET_BASIS_32;
            let mut lower = false;
            while let Some(&byte) = bytes.get(at) {
                let folded = FOLDED[usize::from(byte)];
                let capital = folded != byte;
                if folded == 0 || (lower && capital) {
                    break;
                }
                lower = !capital;
                if at - start < MAX_WORD_BYTES {
                    sum = fnv::add_32(sum, folded);
                }
                at += 1;
            }
            match at - start {
                0 => return None,
                1 => {}
                _ => return Some(sum),
            }
        }
    })
    .take(MAX_NAME_WORDS)
}

/// Letters in lower case, 0 for other bytes. Bytes above ASCII count as lower-case letters.
const FOLDED: [u8; 256] = {
    let mut folded = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        if (byte as u8).is_ascii_alphabetic() || byte >= 0x80 {
            folded[byte] = (byte as u8).to_ascii_lowercase();
        }
        byte += 1;
    }
    folded
};

#[cfg(test)]
mod tests {
    use super::*;

    fn words(name: &str) -> Vec<u32> {
        words_of_name(name).collect()
    }

    #[test]
    fn names_are_split_into_words() {
        assert_eq!(words("post-Body post_body  postBody2"), words("post body post body post body"));
        assert_eq!(words("HTMLBox"), words("htmlbox"));
        assert!(words("a 1 - b").is_empty());
        assert_eq!(words("größe").len(), 1);
        assert_eq!(words(&"ab ".repeat(100)).len(), MAX_NAME_WORDS);
    }

    #[test]
    fn tables_survive_a_round_trip() {
        let entry = |n: u32| (n.wrapping_mul(2_654_435_761), WordWeights { own: n as i8, any: -3, ..WordWeights::default() });
        let table = WordTable::new((0..1000).map(entry).collect());
        let mut out = ModelWriter::default();
        table.write(&mut out);
        let bytes = out.finish();
        let read = WordTable::read(&mut ModelReader::new(&bytes).unwrap()).unwrap();
        assert_eq!(read, table);
        for n in 0..1000 {
            let (word, weights) = entry(n);
            assert_eq!(read.get(word).unwrap().1, weights);
        }
        assert!(read.get(1).is_none());
        assert!(WordTable::default().get(1).is_none());
    }
}
