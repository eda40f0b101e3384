//! Weights of the words that classes and ids are made of: a small linear model.
//!
//! Authors say in names what a part of a page is for: `post-body`, `sidebarLeft`, `related_items`. A word counts when it
//! occurs on several sites; the words are kept as 32-bit sums, each with its weights in steps of 1/32.

use super::file::{ModelError, Reader, Writer};
use crate::html::fnv;

/// PageTypes of pages that words speak for.
const PAGE_TYPES: usize = 7;

/// What a word says about text inside an element named by it.
///
/// ```
/// use webstrata::model::NameWeights;
/// assert_eq!(NameWeights::default().any, 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NameWeights {
    /// On the innermost element, in 32nds.
    pub own: i8,
    /// On the element round that.
    pub outer: i8,
    /// On any element round the text.
    pub any: i8,
    /// For each page type, anywhere on it.
    pub page_types: [i8; PAGE_TYPES],
}

/// The step of weights.
pub const STEP: f32 = 1.0 / 32.0;

/// Words and their weights.
///
/// ```
/// use webstrata::model::{NameTable, NameWeights, words_of_name};
/// let sidebar = words_of_name("sidebar").next().unwrap();
/// let table = NameTable::new(vec![(sidebar, NameWeights { any: -64, ..NameWeights::default() })]);
/// let words: Vec<u32> = words_of_name("leftSidebar-2").collect();
/// assert_eq!(words.len(), 2);
/// assert!(table.get(words[0]).is_none());
/// assert_eq!(table.get(words[1]).unwrap().1.any, -64);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NameTable {
    /// Sorted by word.
    entries: Vec<(u32, NameWeights)>,
    /// By the word's low bits: one more than the place of its entry, or of one that was there before; 0 for none.
    slots: Vec<u16>,
    mask: u32,
}

/// More words than a table may have.
const MOST: usize = 40_000;

impl NameTable {
    /// A table of these words. Of a word that comes twice the first entry counts; what is behind the 40,000th is left out.
    #[must_use]
    pub fn new(mut entries: Vec<(u32, NameWeights)>) -> Self {
        entries.sort_by_key(|(word, _)| *word);
        entries.dedup_by_key(|(word, _)| *word);
        entries.truncate(MOST);
        let size = (entries.len() * 2 + 1).next_power_of_two();
        let mask = size as u32 - 1;
        let mut slots = vec![0u16; size];
        for (place, (word, _)) in entries.iter().enumerate() {
            let mut at = spread(*word) & mask;
            while slots[at as usize] != 0 {
                at = (at + 1) & mask;
            }
            slots[at as usize] = place as u16 + 1;
        }
        NameTable { entries, slots, mask }
    }

    /// How many words it has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Has it none?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// A word's place in the table and its weights.
    #[must_use]
    pub fn get(&self, word: u32) -> Option<(usize, NameWeights)> {
        let mut at = spread(word) & self.mask;
        loop {
            // At most half of the slots are taken, so the search ends.
            let place = usize::from(*self.slots.get(at as usize)?).checked_sub(1)?;
            let (found, weights) = self.entries[place];
            if found == word {
                return Some((place, weights));
            }
            at = (at + 1) & self.mask;
        }
    }

    /// The weights at a place that [`NameTable::get`] gave.
    #[must_use]
    pub fn at(&self, place: usize) -> NameWeights {
        self.entries.get(place).map(|(_, weights)| *weights).unwrap_or_default()
    }

    /// Writes it.
    pub fn write(&self, out: &mut Writer) {
        out.u32(self.entries.len() as u32);
        for (word, weights) in &self.entries {
            out.u32(*word);
            for weight in [weights.own, weights.outer, weights.any].iter().chain(&weights.page_types) {
                out.u8(weight.to_le_bytes()[0]);
            }
        }
    }

    /// Reads it.
    ///
    /// # Errors
    /// When the file ends before it does.
    pub fn read(input: &mut Reader<'_>) -> Result<NameTable, ModelError> {
        let count = input.u32()? as usize;
        let mut entries = Vec::new();
        for _ in 0..count {
            let word = input.u32()?;
            let mut weights = [0i8; 3 + PAGE_TYPES];
            for weight in &mut weights {
                *weight = i8::from_le_bytes([input.u8()?]);
            }
            let [own, outer, any, page_types @ ..] = weights;
            entries.push((word, NameWeights { own, outer, any, page_types }));
        }
        Ok(NameTable::new(entries))
    }
}

fn spread(word: u32) -> u32 {
    word.wrapping_mul(0x9e37_79b1).rotate_left(15)
}

/// Words of one name that are read.
const WORDS: usize = 16;

/// Bytes of one word that are read.
const LETTERS: usize = 24;

/// The words of a name as sums (FNV-1a of their letters in lower case): parted by signs, by digits and by capitals behind
/// small letters. Words of one letter say nothing and are left out.
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
            let mut small = false;
            while let Some(&byte) = bytes.get(at) {
                let folded = FOLDED[usize::from(byte)];
                let capital = folded != byte;
                if folded == 0 || (small && capital) {
                    break;
                }
                small = !capital;
                if at - start < LETTERS {
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
    .take(WORDS)
}

/// The bytes of letters, in lower case; 0 for other bytes. All that is not ASCII counts as small letters.
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
    fn names_are_parted() {
        assert_eq!(words("post-Body post_body  postBody2"), words("post body post body post body"));
        assert_eq!(words("HTMLBox"), words("htmlbox"));
        assert!(words("a 1 - b").is_empty());
        assert_eq!(words("größe").len(), 1);
        assert_eq!(words(&"ab ".repeat(100)).len(), WORDS);
    }

    #[test]
    fn written_and_read_it_is_the_same() {
        let entry = |n: u32| (n.wrapping_mul(2_654_435_761), NameWeights { own: n as i8, any: -3, ..NameWeights::default() });
        let table = NameTable::new((0..1000).map(entry).collect());
        let mut out = Writer::default();
        table.write(&mut out);
        let bytes = out.finish();
        let read = NameTable::read(&mut Reader::new(&bytes).unwrap()).unwrap();
        assert_eq!(read, table);
        for n in 0..1000 {
            let (word, weights) = entry(n);
            assert_eq!(read.get(word).unwrap().1, weights);
        }
        assert!(read.get(1).is_none());
        assert!(NameTable::default().get(1).is_none());
    }
}
