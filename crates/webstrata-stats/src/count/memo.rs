//! A cache of token facts: words recur constantly, so a token is analysed letter by letter only when it is new.
//!
//! The table has a fixed size. A cache line holds two tokens: a new one takes the second place, and moves to the first when it occurs
//! again, so rare tokens do not displace frequent ones. Long tokens are not cached.
//!
//! A table entry is seldom in the first-level cache. So tokens are looked up in blocks: the entries of all tokens of a block are
//! read first, which takes about as long as reading one of them.

use super::terms::Terms;
use super::text::{ends_sentence, is_full_stop, length, term};
use std::hint::black_box;
use webstrata_corpus::site::{Fingerprint, FingerprintMarks};

/// Longest token that is cached, in bytes: one in 150 is longer.
const MAX_TOKEN: usize = 15;
/// Pairs of entries: 16 MB. That is larger than the second-level cache of a core, which does no harm because entries are prefetched, and
/// a miss costs ten times as much as a hit.
const MAX_PAIRS: usize = 1 << 18;

/// Facts about a token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Facts {
    /// Number of letters and digits.
    pub(super) letters: u32,
    /// Index of its term.
    pub(super) term: Option<u32>,
    /// Whether it ends with a full stop.
    pub(super) stop: bool,
    /// Whether it ends a sentence.
    pub(super) ends: bool,
    /// Its contribution to the marks of a fingerprint.
    pub(super) marks: FingerprintMarks,
}

const TERM: u8 = 1;
const STOP: u8 = 2;
const ENDS: u8 = 4;
const DATE: u8 = 8;
const ADDRESS: u8 = 16;
/// The normalised words are not a lower-cased substring of the token, as with `don't`.
const OTHER_WORDS: u8 = 32;

/// A cached token.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// The bytes of the token, with its length in the last byte. No token is empty.
    key: u128,
    term: u32,
    /// Where its single normalised word starts.
    skip: u8,
    /// Length of its normalised word with the trailing space.
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

    /// The normalised word of the token, followed by a space and unused bytes.
    #[inline]
    fn word(&self) -> [u8; 16] {
        let mut word = lower(self.key);
        if self.skip > 0 {
            word >>= u32::from(self.skip) * 8;
        }
        let letters = usize::from(self.words.saturating_sub(1) & 15);
        (word & FIRST[letters] | SPACE[letters]).to_le_bytes()
    }
}

/// Masks of the first bytes of 16, by their number. A lookup table, since a shift of 16 bytes takes many instructions.
const FIRST: [u128; 16] = {
    let mut first = [0; 16];
    let mut bytes = 1;
    while bytes < 16 {
        first[bytes] = u128::MAX >> (128 - 8 * bytes);
        bytes += 1;
    }
    first
};

/// A space after the given number of bytes.
const SPACE: [u128; 16] = {
    let mut space = [0; 16];
    let mut bytes = 0;
    while bytes < 16 {
        space[bytes] = (b' ' as u128) << (8 * bytes);
        bytes += 1;
    }
    space
};

/// A token to be looked up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    /// Its bytes and length, or 0 if it is too long to be cached.
    key: u128,
    /// Where it starts in the buffer.
    start: usize,
    /// Its length in bytes; 0 marks the start of a segment, and `start` is then the number of the segment.
    size: u32,
    /// Its index in the table.
    place: u32,
}

impl Token {
    /// Marks the start of a segment.
    pub(super) fn segment(number: usize) -> Token {
        Token { key: 0, start: number, size: 0, place: 0 }
    }

    /// The index of the segment that starts here, if one does.
    #[inline]
    pub(super) fn starts_segment(&self) -> Option<usize> {
        (self.size == 0).then_some(self.start)
    }

    fn text<'a>(&self, buffer: &'a str) -> &'a str {
        buffer.get(self.start..self.start + self.size as usize).unwrap_or_default()
    }
}

/// Lower-cases the ASCII capitals among 16 bytes; the last byte is not a letter.
#[inline]
fn lower(bytes: u128) -> u128 {
    const EACH: u128 = u128::MAX / 255;
    let ascii = bytes & (EACH * 0x7f);
    // The upper bit of each byte: set if at least `A`, and if above `Z`.
    let from_a = ascii + EACH * u128::from(0x80 - b'A');
    let above_z = ascii + EACH * u128::from(0x7f - b'Z');
    bytes | ((from_a & !above_z & !bytes & (EACH * 0x80)) >> 2)
}

/// Two entries in one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Pair([Entry; 2]);

/// The cache.
#[derive(Debug)]
pub(super) struct Memo {
    pairs: Vec<Pair>,
    size: usize,
    /// Scratch space for lower case and for normalised words.
    buffer: String,
}

impl Memo {
    /// Creates a table for about half as many tokens as there are terms in memory.
    pub(super) fn new(terms: usize) -> Memo {
        Memo { pairs: Vec::new(), size: (terms / 4).clamp(64, MAX_PAIRS).next_power_of_two(), buffer: String::new() }
    }

    /// Removes all tokens, because the numbers of terms have changed meaning.
    pub(super) fn clear(&mut self) {
        self.pairs.fill(Pair([EMPTY; 2]));
    }

    /// Prepares a token of the buffer for lookup.
    #[inline]
    pub(super) fn find(&self, buffer: &[u8], start: usize, size: usize) -> Token {
        let mut token = Token { key: 0, start, size: u32::try_from(size).unwrap_or(u32::MAX), place: 0 };
        if let Some(first) = FIRST.get(size) {
            let rest = buffer.get(start..).unwrap_or_default();
            // The bytes after the token are read with it and masked out.
            let raw = match rest.first_chunk::<16>() {
                Some(bytes) => u128::from_le_bytes(*bytes) & first,
                None => rest.iter().take(size).rev().fold(0, |raw, byte| raw << 8 | u128::from(*byte)),
            };
            token.key = raw | (size as u128) << 120;
            token.place = (hash(token.key) & (self.size - 1)) as u32;
        }
        token
    }

    /// Reads the entries of tokens ahead, so that they are in the cache when the tokens are looked up.
    #[inline]
    pub(super) fn prefetch(&self, tokens: &[Token]) {
        let place = |token: &Token| self.pairs.get(token.place as usize).map_or(0, |pair| pair.0[0].flags);
        black_box(tokens.iter().fold(0, |read, token| read ^ place(token)));
    }

    /// Returns the facts about a token of the buffer, and adds its normalised words to those of the text.
    #[inline]
    pub(super) fn token(&mut self, token: &Token, buffer: &str, terms: &mut Terms, words: &mut Vec<u8>) -> Facts {
        let key = token.key;
        if let Some(Pair([first, second])) = self.pairs.get_mut(token.place as usize) {
            if first.key != key && second.key == key {
                std::mem::swap(first, second);
            }
            if first.key == key && key != 0 {
                if first.flags & OTHER_WORDS != 0 {
                    normalize(token.text(buffer), &mut self.buffer, words);
                } else {
                    // A copy of fixed size takes only a few instructions.
                    let end = words.len() + usize::from(first.words);
                    words.extend_from_slice(&first.word());
                    words.truncate(end);
                }
                return first.facts();
            }
        }
        self.learn(token, buffer, terms, words)
    }

    /// Analyses a token and caches the result.
    #[inline(never)]
    fn learn(&mut self, token: &Token, buffer: &str, terms: &mut Terms, words: &mut Vec<u8>) -> Facts {
        let (key, at, token) = (token.key, token.place as usize, token.text(buffer));
        if key == 0 {
            return self.look(token, terms, words);
        }
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

    /// Analyses a token, with a fast path for tokens of ASCII letters only.
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

    /// Analyses a token letter by letter.
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

/// Hashes a token: the upper half of a product depends on all bits.
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
        /// However small the table, cached facts equal those of a full analysis.
        #[test]
        fn matches_the_letter_by_letter_version(tokens in prop::collection::vec("[aB.éÜİΣ日。?)0-]{1,12}|[a-cX.]{1,3}|www\\.[a-z]{3,30}|May\\.?|[ab\\x00]{1,3}", 1..200)) {
            let folder = TempDir::new(&std::env::temp_dir());
            let (mut terms, mut naive_terms) = (Terms::new(10_000, &folder), Terms::new(10_000, &folder));
            let (mut memo, mut naive) = (Memo::new(1), Memo::new(1));
            let text = tokens.join(" ");
            let mut at = 0;
            for token in &tokens {
                let (mut words, mut naive_words) = (b"before ".to_vec(), b"before ".to_vec());
                let place = memo.find(text.as_bytes(), at, token.len());
                let found = memo.token(&place, &text, &mut terms, &mut words);
                prop_assert_eq!(found, naive.look_closely(token, &mut naive_terms, &mut naive_words));
                prop_assert_eq!(words, naive_words);
                at += token.len() + 1;
            }
        }
    }
}
