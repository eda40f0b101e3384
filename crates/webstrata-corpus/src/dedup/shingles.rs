//! Words and their shingles as hashes, in one pass over a text.
//!
//! Words are separated by white space, converted to lower case, and reduced to letters and digits (`Don't!` is `dont`); in scripts
//! without spaces, each letter is a word. The hash of a shingle is a polynomial in the hashes of its words, so the next one follows
//! from the previous one, whatever the width.

use crate::io::mix;
use webstrata::block::is_unspaced;
use xxhash_rust::xxh3::xxh3_64;

/// The base of the polynomial: odd, so that every word of a shingle counts.
const BASE: u64 = 0x9e37_79b9_7f4a_7c15;

/// Byte classes: part of a word (its lower case), white space, ignored, or part of a multibyte character.
const SKIP: u8 = 0;
const SPACE: u8 = 1;
const MULTIBYTE: u8 = 2;
const BYTES: [u8; 256] = bytes();

const fn bytes() -> [u8; 256] {
    let mut table = [SKIP; 256];
    let mut byte = 0;
    while byte < 256 {
        let b = byte as u8;
        table[byte] = match b {
            b'0'..=b'9' | b'a'..=b'z' => b,
            b'A'..=b'Z' => b | 0x20,
            b' ' | 0x09..=0x0d => SPACE,
            0x80.. => MULTIBYTE,
            _ => SKIP,
        };
        byte += 1;
    }
    table
}

/// Makes the shingles of many texts with the same buffers.
///
/// ```
/// use webstrata_corpus::dedup::Shingler;
/// let mut shingler = Shingler::new(2);
/// let one = shingler.shingles("It was raining, again.").to_vec();
/// assert_eq!(one.len(), 3);
/// assert_eq!(one, shingler.shingles("it  was\nraining\tAGAIN"));
/// ```
#[derive(Clone, Debug)]
pub struct Shingler {
    window: Vec<u64>,
    /// The base to the power of the width: removes the oldest word from the polynomial.
    leaving: u64,
    word: Vec<u8>,
    shingles: Vec<u64>,
    hash: u64,
    words: usize,
}

impl Shingler {
    /// Shingles of `width` words, at least one.
    #[must_use]
    pub fn new(width: u8) -> Self {
        let width = usize::from(width.max(1));
        let leaving = (0..width).fold(1u64, |power, _| power.wrapping_mul(BASE));
        Shingler { window: vec![0; width], leaving, word: Vec::with_capacity(64), shingles: Vec::new(), hash: 0, words: 0 }
    }

    /// The hash of every shingle of a text, in order. A text shorter than a shingle is one shingle; one without words has none.
    pub fn shingles(&mut self, text: &str) -> &[u64] {
        self.shingles.clear();
        self.word.clear();
        (self.hash, self.words) = (0, 0);
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            match BYTES[usize::from(bytes[at])] {
                SKIP => at += 1,
                SPACE => {
                    self.end_word();
                    at += 1;
                }
                MULTIBYTE => {
                    let Some(c) = text[at..].chars().next() else { break };
                    self.push_char(c);
                    at += c.len_utf8();
                }
                letter => {
                    self.word.push(letter);
                    at += 1;
                }
            }
        }
        self.end_word();
        if (1..self.window.len()).contains(&self.words) {
            self.shingles.push(mix(self.hash ^ self.words as u64));
        }
        &self.shingles
    }

    /// Words in the last text.
    #[must_use]
    pub fn words(&self) -> usize {
        self.words
    }

    fn push_char(&mut self, c: char) {
        if c.is_whitespace() {
            self.end_word();
        } else if is_unspaced(c) {
            self.end_word();
            self.word.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            self.end_word();
        } else {
            for c in c.to_lowercase().filter(|c| c.is_alphanumeric()) {
                self.word.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            }
        }
    }

    #[inline]
    fn end_word(&mut self) {
        if self.word.is_empty() {
            return;
        }
        let entering = xxh3_64(&self.word);
        self.word.clear();
        let width = self.window.len();
        let slot = &mut self.window[self.words % width];
        self.hash = self.hash.wrapping_mul(BASE).wrapping_add(entering);
        if self.words >= width {
            self.hash = self.hash.wrapping_sub(slot.wrapping_mul(self.leaving));
        }
        *slot = entering;
        self.words += 1;
        if self.words >= width {
            self.shingles.push(mix(self.hash));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The definition: words as strings, every window from scratch.
    pub(crate) fn naive(text: &str, width: usize) -> Vec<u64> {
        let mut words: Vec<String> = Vec::new();
        for chunk in text.split(char::is_whitespace) {
            let mut word = String::new();
            for c in chunk.chars() {
                if is_unspaced(c) {
                    words.push(std::mem::take(&mut word));
                    words.push(c.to_string());
                } else {
                    word.extend(c.to_lowercase().filter(|c| c.is_alphanumeric()));
                }
            }
            words.push(word);
        }
        words.retain(|word| !word.is_empty());
        let hash = |window: &[String]| window.iter().fold(0u64, |h, w| h.wrapping_mul(BASE).wrapping_add(xxh3_64(w.as_bytes())));
        if words.is_empty() {
            return Vec::new();
        }
        if words.len() < width {
            return vec![mix(hash(&words) ^ words.len() as u64)];
        }
        words.windows(width).map(|window| mix(hash(window))).collect()
    }

    proptest! {
        #[test]
        fn one_pass_equals_the_definition(text in "([a-cA-C0-9 .,'\u{a0}äÄßİ層か。\n-]|\\PC){0,60}", width in 1u8..8) {
            let mut shingler = Shingler::new(width);
            shingler.shingles("what was there before");
            prop_assert_eq!(shingler.shingles(&text), naive(&text, usize::from(width)));
        }
    }

    #[test]
    fn the_order_of_words_counts() {
        let mut shingler = Shingler::new(3);
        let one = shingler.shingles("a b c").to_vec();
        for other in ["a c b", "b a c", "c b a", "a b c d e", "ab c", "a b"] {
            assert_ne!(one, shingler.shingles(other), "{other}");
        }
        assert!(shingler.shingles("").is_empty() && shingler.shingles(" – !\u{3000}").is_empty());
    }
}
