//! What is known of tokens: the same words come again and again, so each is looked at letter by letter only when it is new.
//!
//! The table has a fixed size. A cache line has room for two tokens: a new one takes the second place, and the first when it comes again, so
//! rare tokens do not displace frequent ones. Long tokens are not kept.

use super::terms::Terms;
use super::text::{ends_sentence, is_full_stop, length, term};
use webstrata_corpus::site::{Fingerprint, FingerprintMarks};

/// Longest token that is kept, in bytes: one in 150 is longer.
const MAX_TOKEN: usize = 15;
/// Pairs of entries: 2 MB, the second-level cache of a core. Nine of ten tokens are found.
const MAX_PAIRS: usize = 1 << 15;

/// What a token says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Facts {
    /// Its letters and digits.
    pub(super) letters: u32,
    /// Its term.
    pub(super) term: Option<u32>,
    /// Whether it ends with a full stop.
    pub(super) stop: bool,
    /// Whether it ends a sentence.
    pub(super) ends: bool,
    /// What it adds to the marks of a fingerprint.
    pub(super) marks: FingerprintMarks,
}

const TERM: u8 = 1;
const STOP: u8 = 2;
const ENDS: u8 = 4;
const DATE: u8 = 8;
const ADDRESS: u8 = 16;
/// Its normalised words are not a part of it in lower case, such as those of `don't`.
const OTHER_WORDS: u8 = 32;

/// A token that is known.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// The bytes of the token and, as the last byte, their number. No token is empty.
    key: u128,
    term: u32,
    /// Where its one normalised word starts.
    skip: u8,
    /// Bytes of its normalised word with the space behind it.
    words: u8,
    letters: u8,
    flags: u8,
}

const EMPTY: Entry = Entry { key: 0, term: 0, skip: 0, words: 0, letters: 0, flags: 0 };

impl Entry {
    #[inline]
    fn facts(&self) -> Facts {
        let has = |flag: u8| self.flags & flag != 0;
        Facts {
            letters: u32::from(self.letters),
            term: has(TERM).then_some(self.term),
            stop: has(STOP),
            ends: has(ENDS),
            marks: FingerprintMarks { date: has(DATE), address: has(ADDRESS) },
        }
    }

    /// The normalised word of the token, with a space behind it and more bytes behind that.
    #[inline]
    fn word(&self) -> [u8; 16] {
        let word = lower(self.key) >> (u32::from(self.skip) * 8);
        let letters = u32::from(self.words.saturating_sub(1)) * 8;
        (word & !(u128::MAX << letters) | u128::from(b' ') << letters).to_le_bytes()
    }
}

/// Latin capital letters of 16 bytes in lower case; the last byte is not a letter.
#[inline]
fn lower(bytes: u128) -> u128 {
    const EACH: u128 = u128::MAX / 255;
    let ascii = bytes & (EACH * 0x7f);
    // The upper bit of each byte: at least `A`, and above `Z`.
    let from_a = ascii + EACH * u128::from(0x80 - b'A');
    let above_z = ascii + EACH * u128::from(0x7f - b'Z');
    bytes | ((from_a & !above_z & !bytes & (EACH * 0x80)) >> 2)
}

/// Two entries in one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Pair([Entry; 2]);

/// The table.
#[derive(Debug)]
pub(super) struct Memo {
    pairs: Vec<Pair>,
    size: usize,
    /// For lower case and for normalised words.
    buffer: String,
}

impl Memo {
    /// A table for about as many tokens as there are terms in memory.
    pub(super) fn new(terms: usize) -> Memo {
        Memo { pairs: Vec::new(), size: terms.clamp(64, MAX_PAIRS).next_power_of_two(), buffer: String::new() }
    }

    /// Forgets all tokens: the numbers of terms mean something else now.
    pub(super) fn clear(&mut self) {
        self.pairs.fill(Pair([EMPTY; 2]));
    }

    /// What a token of a text says. Adds its normalised words to those of the text.
    ///
    /// `bytes` is the buffer that `token` is in, from its first byte on; what follows it is not looked at.
    #[inline]
    pub(super) fn token(&mut self, token: &str, bytes: &[u8], terms: &mut Terms, words: &mut Vec<u8>) -> Facts {
        let size = token.len();
        if size > MAX_TOKEN {
            return self.look(token, terms, words);
        }
        let raw = match bytes.first_chunk::<16>() {
            Some(bytes) => u128::from_le_bytes(*bytes) & !(u128::MAX << (size * 8)),
            None => token.bytes().rev().fold(0, |raw, byte| raw << 8 | u128::from(byte)),
        };
        let key = raw | (size as u128) << 120;
        let at = hash(key) & (self.size - 1);
        if let Some(Pair([first, second])) = self.pairs.get_mut(at) {
            if first.key != key && second.key == key {
                std::mem::swap(first, second);
            }
            if first.key == key {
                if first.flags & OTHER_WORDS != 0 {
                    normalize(token, &mut self.buffer, words);
                } else {
                    // A copy of a fixed size takes a few instructions.
                    let end = words.len() + usize::from(first.words);
                    words.extend_from_slice(&first.word());
                    words.truncate(end);
                }
                return first.facts();
            }
        }
        self.learn(token, key, at, terms, words)
    }

    /// Looks at a token and keeps what it says.
    #[inline(never)]
    fn learn(&mut self, token: &str, key: u128, at: usize, terms: &mut Terms, words: &mut Vec<u8>) -> Facts {
        let start = words.len();
        let facts = self.look(token, terms, words);
        let added = &words[start..];
        let skip = token.find(char::is_alphabetic).unwrap_or(0) as u8;
        let mut entry = Entry { key, term: facts.term.unwrap_or(0), skip, letters: facts.letters as u8, ..EMPTY };
        entry.words = added.len().min(MAX_TOKEN + 1) as u8;
        let other = !added.is_empty() && entry.word().get(..added.len()) != Some(added);
        let flags = [
            (facts.term.is_some(), TERM),
            (facts.stop, STOP),
            (facts.ends, ENDS),
            (facts.marks.date, DATE),
            (facts.marks.address, ADDRESS),
            (other, OTHER_WORDS),
        ];
        entry.flags = flags.iter().filter(|(has, _)| *has).map(|(_, flag)| flag).sum();
        if self.pairs.is_empty() {
            self.pairs.resize(self.size, Pair([EMPTY; 2]));
        }
        self.pairs[at].0[1] = entry;
        facts
    }

    /// Looks at a token. One of Latin letters only says little, which is seen soon.
    fn look(&mut self, token: &str, terms: &mut Terms, words: &mut Vec<u8>) -> Facts {
        if token.len() > MAX_TOKEN || !token.bytes().all(|byte| byte.is_ascii_alphabetic()) {
            return self.look_closely(token, terms, words);
        }
        let marks = normalize(token, &mut self.buffer, words);
        if marks.date {
            return self.look_closely(token, terms, words);
        }
        let term = self.buffer.trim_end_matches(' ');
        Facts { letters: token.len() as u32, term: Some(terms.number(term)), marks, ..Facts::default() }
    }

    /// Looks at a token letter by letter.
    fn look_closely(&mut self, token: &str, terms: &mut Terms, words: &mut Vec<u8>) -> Facts {
        let letters = length(token);
        let term = if letters > 0 { term(token, &mut self.buffer).map(|term| terms.number(term)) } else { None };
        let marks = normalize(token, &mut self.buffer, words);
        Facts { letters: letters as u32, term, stop: is_full_stop(token), ends: ends_sentence(token), marks }
    }
}

/// Adds the normalised words of a token.
fn normalize(token: &str, buffer: &mut String, words: &mut Vec<u8>) -> FingerprintMarks {
    buffer.clear();
    let marks = Fingerprint::normalize(token, buffer);
    words.extend_from_slice(buffer.as_bytes());
    marks
}

/// Spreads the bits of a token: the upper half of a product depends on all of them.
#[inline]
fn hash(key: u128) -> usize {
    let mixed = key as u64 ^ ((key >> 64) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23);
    ((mixed ^ (mixed >> 29)).wrapping_mul(0xd6e8_feb8_6659_fd93) >> 32) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use webstrata_corpus::io::TempDir;

    #[test]
    fn two_entries_are_a_cache_line() {
        assert_eq!((size_of::<Entry>(), size_of::<Pair>()), (32, 64));
    }

    #[test]
    fn lower_case_of_every_byte() {
        for byte in 0..=u8::MAX {
            let bytes: [u8; 16] = std::array::from_fn(|at| if at % 3 == 0 { byte } else { byte.wrapping_mul(at as u8) });
            assert_eq!(lower(u128::from_le_bytes(bytes)).to_le_bytes(), bytes.map(|byte| byte.to_ascii_lowercase()));
        }
    }

    proptest! {
        /// However small the table, a token says what a look at its letters says.
        #[test]
        fn as_letter_by_letter(tokens in prop::collection::vec("[aB.éÜİΣ日。?)0-]{1,12}|[a-cX.]{1,3}|www\\.[a-z]{3,30}|May\\.?|[ab\\x00]{1,3}", 1..200)) {
            let folder = TempDir::new(&std::env::temp_dir());
            let (mut terms, mut naive_terms) = (Terms::new(10_000, &folder), Terms::new(10_000, &folder));
            let (mut memo, mut naive) = (Memo::new(1), Memo::new(1));
            let text = tokens.join(" ");
            let mut at = 0;
            for token in &tokens {
                let (mut words, mut naive_words) = (b"before ".to_vec(), b"before ".to_vec());
                let found = memo.token(token, &text.as_bytes()[at..], &mut terms, &mut words);
                prop_assert_eq!(found, naive.look_closely(token, &mut naive_terms, &mut naive_words));
                prop_assert_eq!(words, naive_words);
                at += token.len() + 1;
            }
        }
    }
}
