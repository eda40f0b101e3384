//! Words, lines and linked words of a block, counted in one pass over its text.
//!
//! A **word** is a white-space delimited string with at least one letter or digit (thesis 4.4.2). In
//! scripts without spaces a word is a fixed number of letters, see [`UnspacedTokens`]. Lines come from
//! greedy wrapping at `w_max` = 80 characters; a longer word gets a line of its own.
//!
//! Building blocks spends most of its time in this loop, so it works on masks: eight words of eight
//! bytes give 64-bit masks of white space and non-ASCII bytes, and words are found by counting zeros.
//! Only words with non-ASCII characters are processed character by character.
//! `naive` in the tests is the simple version, and a property test checks that the two agree.

use super::density::Density;
use super::unspaced::{columns, is_unspaced};
use crate::html::scan::{self, word};
use crate::options::setters;

/// How words are counted in scripts without spaces: a fixed number of columns of letters is a word.
///
/// Columns rather than dictionary words: the published thresholds (9 to 11 words per line, 15 to 17 words
/// per block) were derived from English, where a line of 80 columns has 13 words. With four ideographs per word
/// a full line has 10. On 210 Chinese pages this beats ICU's dictionary words for four of five methods,
/// at a fraction of the cost; see the table in `docs/words.md`.
///
/// ```
/// use webstrata::Page;
/// let page = Page::parse("<p>地層は時間の本である".as_bytes());
/// assert_eq!(page.blocks().get(0).unwrap().counts().words, 3);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UnspacedTokens {
    /// Columns per word; an ideograph or kana takes two, a letter of Thai, Lao, Khmer or Burmese one.
    pub columns: u8,
}

impl Default for UnspacedTokens {
    fn default() -> Self {
        UnspacedTokens { columns: 8 }
    }
}

/// How words and lines are counted.
///
/// ```
/// use webstrata::{Page, PageOptions, block::{UnspacedTokens, WordOptions}};
/// let words = WordOptions::default().line_width(10).unspaced(UnspacedTokens { columns: 4 });
/// let options = PageOptions::default().words(words);
/// assert_eq!(Page::parse_with(b"<p>three short lines", &options).blocks().get(0).unwrap().counts().lines, 3);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct WordOptions {
    /// Line width in characters. The papers use 80; results are stable from 80 to 110.
    pub line_width: u32,
    /// Word size in scripts without spaces.
    pub unspaced: UnspacedTokens,
}

setters! { WordOptions { line_width: u32, unspaced: UnspacedTokens } }

impl Default for WordOptions {
    fn default() -> Self {
        WordOptions { line_width: 80, unspaced: UnspacedTokens::default() }
    }
}

/// The counts of a block.
///
/// ```
/// use webstrata::Page;
/// let page = Page::parse(b"<p>Read <a href=x>all about it</a> - now!");
/// let counts = page.blocks().get(0).unwrap().counts();
/// assert_eq!((counts.words, counts.link_words, counts.lines), (5, 3, 1));
/// assert_eq!(counts.fuse(counts).words, 10);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Counts {
    /// Words.
    pub words: u32,
    /// Words inside links.
    pub link_words: u32,
    /// Lines after wrapping.
    pub lines: u32,
    /// Words on the last line.
    pub last_line: u32,
    /// Characters of the words.
    pub chars: u32,
}

impl Counts {
    /// Counts a text as one block without links.
    ///
    /// ```
    /// use webstrata::block::{Counts, WordOptions};
    /// let counts = Counts::of_text("Rivers rose - at last!", &WordOptions::default());
    /// assert_eq!((counts.words, counts.lines), (4, 1));
    /// ```
    #[must_use]
    pub fn of_text(text: &str, options: &WordOptions) -> Counts {
        let mut counter = Counter::new(*options);
        counter.run(text, false);
        counter.finish()
    }

    /// Text density (thesis eq. 4.6).
    #[must_use]
    pub fn density(self) -> Density {
        Density::new(self.words, self.lines, self.last_line)
    }

    /// Share of the words that are in links; 0 without words.
    #[must_use]
    pub fn link_density(self) -> f64 {
        if self.words == 0 { 0.0 } else { f64::from(self.link_words) / f64::from(self.words) }
    }

    /// Average length of a word; 0 without words.
    #[must_use]
    pub fn word_length(self) -> f64 {
        if self.words == 0 { 0.0 } else { f64::from(self.chars) / f64::from(self.words) }
    }

    /// Counts of this text followed by `next`; lines are concatenated without wrapping again (thesis 4.2.2).
    #[must_use]
    pub fn fuse(self, next: Counts) -> Counts {
        Counts {
            words: self.words.saturating_add(next.words),
            link_words: self.link_words.saturating_add(next.link_words),
            lines: self.lines.saturating_add(next.lines),
            last_line: next.last_line,
            chars: self.chars.saturating_add(next.chars),
        }
    }
}

/// Counts the words of one block, run by run. A word may continue from one run to the next.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counter {
    counts: Counts,
    /// Column after the last word of the current line.
    column: u32,
    line_words: u32,
    /// Whether a word is open, with its characters and columns so far.
    open: bool,
    chars: u32,
    columns: u32,
    /// Whether the open word has a letter or digit.
    counts_as_word: bool,
    /// Whether the open word started inside a link.
    linked: bool,
    /// Letters of a script without spaces since the last word was counted.
    unspaced: u32,
    options: WordOptions,
    /// Whether white space follows the last counted word.
    spaced: bool,
    /// Whether the last character was white space.
    pub(crate) trailing_space: bool,
}

const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// Gathers the high bits of eight bytes into the low eight bits.
#[inline(always)]
fn gather(high: u64) -> u64 {
    (high >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// Masks of up to 64 bytes, read eight at a time: white space (or control characters), and non-ASCII bytes.
#[inline(always)]
fn masks(bytes: &[u8], words: usize) -> (u64, u64) {
    let (mut white, mut non_ascii) = (0u64, 0u64);
    for k in 0..words {
        let Some(w) = word(bytes, 8 * k) else { break };
        // Low seven bits above 0x20 carry into the high bit.
        let above = (w & !HIGH).wrapping_add(LOW * 0x5f);
        white |= gather(!(above | w) & HIGH) << (8 * k);
        non_ascii |= gather(w & HIGH) << (8 * k);
    }
    (white, non_ascii)
}

impl Counter {
    pub(crate) fn new(options: WordOptions) -> Self {
        Counter {
            counts: Counts::default(),
            column: 0,
            line_words: 0,
            open: false,
            chars: 0,
            columns: 0,
            counts_as_word: false,
            linked: false,
            unspaced: 0,
            options,
            spaced: false,
            trailing_space: false,
        }
    }

    /// Returns the counts, including the open word, and resets the counter.
    pub(crate) fn finish(&mut self) -> Counts {
        self.end_word();
        let mut counts = self.counts;
        if self.line_words > 0 {
            counts.lines += 1;
            counts.last_line = self.line_words;
        }
        *self = Counter::new(self.options);
        counts
    }

    /// Opens a word unless one is open. A word counts as linked if it starts in a link.
    #[inline(always)]
    fn open_word(&mut self, link: bool) {
        if !self.open {
            self.open = true;
            self.linked = link;
        }
    }

    /// Ends the open word at white space, or at a tag that separates words.
    #[inline(always)]
    pub(crate) fn space(&mut self) {
        self.end_word();
        self.spaced = true;
    }

    /// Ends the open word.
    #[inline(always)]
    fn end_word(&mut self) {
        if self.open {
            self.open = false;
            if self.counts_as_word {
                self.place(self.columns, self.chars);
            }
            self.counts_as_word = false;
            self.unspaced = 0;
            self.chars = 0;
            self.columns = 0;
        }
    }

    /// Adds a word to the current line, or to a new one.
    #[inline(always)]
    fn place(&mut self, columns: u32, chars: u32) {
        self.counts.words += 1;
        self.counts.link_words += u32::from(self.linked);
        self.counts.chars += chars;
        let gap = u32::from(self.column != 0 && self.spaced);
        self.spaced = false;
        if self.column != 0 && self.column + gap + columns > self.options.line_width {
            self.counts.lines += 1;
            self.line_words = 0;
            self.column = columns;
        } else {
            self.column += gap + columns;
        }
        self.line_words += 1;
    }

    /// Adds one run of decoded text without NULs.
    pub(crate) fn run(&mut self, text: &str, link: bool) {
        let bytes = text.as_bytes();
        let mut at = 0;
        while at + 64 <= bytes.len() {
            let (white, non_ascii) = masks(&bytes[at..at + 64], 8);
            self.chunk(text, at, 64, white, non_ascii, link);
            at += 64;
        }
        if at < bytes.len() {
            let rest = bytes.len() - at;
            let mut last = [0x21u8; 64];
            last[..rest].copy_from_slice(&bytes[at..]);
            let (white, non_ascii) = masks(&last, rest.div_ceil(8));
            self.chunk(text, at, rest, white, non_ascii, link);
        }
    }

    /// Processes a chunk of up to 64 bytes at `at`, given its masks.
    #[inline(always)]
    fn chunk(&mut self, text: &str, at: usize, len: usize, white: u64, non_ascii: u64, link: bool) {
        let bytes = text.as_bytes();
        let mut k = 0usize;
        while k < len {
            let spaces = (!(white >> k)).trailing_zeros() as usize;
            if spaces > 0 {
                self.space();
                self.trailing_space = true;
                k += spaces;
                continue;
            }
            let word = ((white >> k).trailing_zeros() as usize).min(len - k);
            let part = (non_ascii >> k) & mask(word);
            if part == 0 {
                self.ascii(&bytes[at + k..at + k + word], link);
            } else {
                self.any_script(bytes, at + k, word, link);
            }
            k += word;
        }
    }

    /// Adds an ASCII piece of a word.
    #[inline(always)]
    fn ascii(&mut self, piece: &[u8], link: bool) {
        if self.unspaced > 0 {
            self.end_word(); // `本book` is two words
        }
        self.open_word(link);
        self.trailing_space = false;
        self.chars += piece.len() as u32;
        self.columns += piece.len() as u32;
        if !self.counts_as_word {
            self.counts_as_word = scan::is(piece[0], scan::ALNUM) || piece.iter().any(|&c| scan::is(c, scan::ALNUM));
        }
    }

    /// Adds `len` bytes at `at` that have no ASCII white space. They may start or end inside a character, which
    /// belongs to the piece with its first byte.
    #[inline(never)]
    fn any_script(&mut self, bytes: &[u8], at: usize, len: usize, link: bool) {
        let mut i = at;
        while i < at + len && bytes[i] & 0xc0 == 0x80 {
            i += 1;
        }
        while i < at + len {
            let (c, size) = character(bytes, i);
            i += size;
            if c.is_whitespace() {
                self.space();
                self.trailing_space = true;
                continue;
            }
            self.trailing_space = false;
            if is_unspaced(c) {
                self.unspaced_letter(c, link);
                continue;
            }
            if self.unspaced > 0 {
                self.end_word();
            }
            self.open_word(link);
            self.chars += 1;
            self.columns += if c < '\u{2e80}' { 1 } else { columns(c) };
            if !self.counts_as_word {
                self.counts_as_word = c.is_alphanumeric();
            }
        }
    }

    fn unspaced_letter(&mut self, c: char, link: bool) {
        if self.unspaced == 0 {
            self.end_word();
        }
        self.open_word(link);
        self.counts_as_word = true;
        self.unspaced += 1;
        self.chars += 1;
        self.columns += columns(c);
        if self.columns >= u32::from(self.options.unspaced.columns.max(1)) {
            let (columns, chars) = (self.columns, self.chars);
            self.place(columns, chars);
            self.open = false;
            self.counts_as_word = false;
            self.unspaced = 0;
            self.chars = 0;
            self.columns = 0;
        }
    }
}

/// The lowest `n` bits, `n` from 1 to 64.
#[inline(always)]
fn mask(n: usize) -> u64 {
    u64::MAX >> (64 - n.clamp(1, 64))
}

/// The character that starts at `at` in valid UTF-8, and its length.
#[inline(always)]
fn character(bytes: &[u8], at: usize) -> (char, usize) {
    let byte = |k: usize| u32::from(bytes.get(at + k).copied().unwrap_or(0) & 0x3f);
    let first = u32::from(bytes[at]);
    let (code, size) = match first {
        0..=0x7f => (first, 1),
        0x80..=0xdf => ((first & 0x1f) << 6 | byte(1), 2),
        0xe0..=0xef => ((first & 0x0f) << 12 | byte(1) << 6 | byte(2), 3),
        _ => ((first & 0x07) << 18 | byte(1) << 12 | byte(2) << 6 | byte(3), 4),
    };
    (char::from_u32(code).unwrap_or('\u{fffd}'), size)
}
