//! Keys of words: equal for equal words, case ignored, and different for different ones.
//!
//! Most words have a few ASCII letters. Those are read eight bytes at a time, and the key is the letters themselves. Unlike the hashes in
//! `text_words.rs`, keys are not stored in models.

use crate::label::hash_filter::HashFilter;

const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// Maximum number of letters that a key holds as they are.
const MAX_PACKED: usize = 7;

/// High bits of the bytes that are not ASCII letters or digits.
#[inline(always)]
const fn stops(eight: u64) -> u64 {
    let (low, small) = (eight & !HIGH, (eight & !HIGH) | (LOW * 0x20));
    // The sums carry into the high bit of bytes that are at least `a`, above `z`, at least `0` and above `9`, respectively.
    let letters = small.wrapping_add(LOW * 0x1f) & !small.wrapping_add(LOW * 0x05);
    let digits = low.wrapping_add(LOW * 0x50) & !low.wrapping_add(LOW * 0x46);
    !(letters | digits) & HIGH | eight & HIGH
}

/// What eight bytes of text start with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start {
    /// A word of this many ASCII letters, 0 to 7, and one ASCII character after it.
    Word(usize),
    /// Eight ASCII letters.
    Letters,
    /// Something else.
    Other,
}

/// What eight bytes of text, read as a little-endian number, start with.
#[inline(always)]
pub(super) fn start(eight: u64) -> Start {
    let stops = stops(eight);
    if stops == 0 {
        return Start::Letters;
    }
    // The lowest bit that is set belongs to the byte after the word.
    if eight & stops & stops.wrapping_neg() == 0 { Start::Word(stops.trailing_zeros() as usize / 8) } else { Start::Other }
}

/// The first `count` of eight letters, up to 7, in lower case.
#[inline(always)]
pub(super) const fn packed(eight: u64, count: usize) -> u64 {
    (eight | (LOW * 0x20)) & ((1 << (8 * count)) - 1)
}

/// A key under construction.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Key {
    value: u64,
    letters: usize,
    mixed: bool,
}

impl Key {
    /// A key of these letters, up to 7.
    #[inline(always)]
    pub(super) fn of_letters(eight: u64, count: usize) -> Self {
        Key { value: packed(eight, count), letters: count, mixed: false }
    }

    /// Adds a letter in lower case.
    #[inline]
    pub(super) fn add(&mut self, lower: impl Into<u32>) {
        let lower = lower.into();
        if lower < 0x80 && self.letters < MAX_PACKED && !self.mixed {
            self.value |= u64::from(lower) << (8 * self.letters);
        } else {
            self.mixed = true;
            self.value = (self.value.rotate_left(23) ^ u64::from(lower)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
        self.letters += 1;
    }

    /// The key; letters as they are leave the high bit free.
    pub(super) fn value(self) -> u64 {
        if self.mixed { self.value | 1 << 63 } else { self.value }
    }
}

/// A set of keys.
#[derive(Debug)]
pub(super) struct KeySet {
    /// Sorted.
    keys: Vec<u64>,
    filter: HashFilter<512>,
}

impl KeySet {
    pub(super) fn new(mut keys: Vec<u64>) -> Self {
        keys.sort_unstable();
        keys.dedup();
        KeySet { filter: HashFilter::new(keys.iter().copied().map(hash)), keys }
    }

    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }

    #[inline]
    pub(super) fn contains(&self, key: u64) -> bool {
        self.filter.may_contain(hash(key)) && self.keys.binary_search(&key).is_ok()
    }
}

/// Bits that depend on all letters of a key.
#[inline(always)]
fn hash(key: u64) -> u32 {
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn keys_differ_where_words_do() {
        let key = |word: &str| {
            let mut key = Key::default();
            word.chars().for_each(|c| key.add(c));
            key.value()
        };
        let words = ["", "a", "ab", "ba", "abcdefg", "abcdefgh", "abcdefgi", "é", "éa", "aé", "ä", "дом", "дон", "雨"];
        for (at, word) in words.iter().enumerate() {
            assert!(words[..at].iter().all(|other| key(other) != key(word)), "{word}");
        }
        assert_eq!(Key::of_letters(u64::from_le_bytes(*b"VALLEYS."), 5).value(), key("valle"));
    }

    proptest! {
        #[test]
        fn eight_bytes_at_a_time_match_single_bytes(bytes in prop::array::uniform8(any::<u8>())) {
            let letters = bytes.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
            let expected = match bytes.get(letters) {
                None => Start::Letters,
                Some(after) if after.is_ascii() => Start::Word(letters),
                Some(_) => Start::Other,
            };
            prop_assert_eq!(start(u64::from_le_bytes(bytes)), expected);
        }
    }
}
