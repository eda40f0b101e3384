//! Language-independent character statistics of a block, from one pass over its bytes.

use super::tags::inline_number;
use crate::block::{Blocks, Mask};
use crate::html::{INLINE, Tag, fnv, is_white};
use crate::label::letter_case::is_capital;
use crate::span::floor_char_boundary;
use std::ops::Range;

/// Character statistics of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct TextStats {
    /// Characters other than white space.
    pub(super) characters: f32,
    pub(super) digits: f32,
    pub(super) capitals: f32,
    pub(super) capitalised_words: f32,
    pub(super) commas: f32,
    /// Bullets, arrows, brackets, slashes and similar symbols.
    pub(super) symbols: f32,
    pub(super) sentences: f32,
    /// Final punctuation: 0 for none, 1 for a full stop or similar, 2 for a colon.
    pub(super) end: f32,
    /// Amounts of money.
    pub(super) prices: f32,
    /// Numbers of one, two or four digits followed by a date or time separator.
    pub(super) dates: f32,
    /// Text runs inside a link.
    pub(super) linked_runs: f32,
    /// Characters in bold, italics or underlined.
    pub(super) emphasised: f32,
    /// 1 if it contains a URL.
    pub(super) has_url: f32,
    /// A hash of the text; white space is ignored.
    pub(super) hash: u64,
    /// The inline element of its first run, as [`inline_number`].
    pub(super) inline: f32,
}

/// Nested inline elements examined per run; pages may nest them without limit.
const MAX_INLINE_DEPTH: usize = 6;

/// Bytes examined per block; the rest of a longer block is assumed to be similar.
const MAX_BYTES: usize = 4096;

impl TextStats {
    /// Reads block `index`.
    pub(super) fn new(blocks: Blocks<'_>, index: usize, mask: Mask) -> TextStats {
        let dom = blocks.dom();
        let mut scan = Scan { hash: fnv::OFFSET_BASIS, state: State { boundary: true, ..State::default() }, ..Scan::default() };
        let (mut linked_runs, mut emphasised_characters, mut inline) = (0u32, 0, 0.0);
        let mut left = MAX_BYTES;
        for (place, &run) in blocks.runs_of(index).iter().enumerate() {
            let node = Blocks::run_node(run);
            if Blocks::run_is_spaced(run) {
                scan.state.boundary = true;
            }
            linked_runs += u32::from(Blocks::run_is_linked(run));
            let (emphasised, tag) = inline_of(dom, node);
            if place == 0 {
                inline = tag;
            }
            if left == 0 {
                continue;
            }
            let source = dom.span_of(node).slice(dom.source());
            let source = &source[..floor_char_boundary(source, left)];
            // Reading stops once a character might not fit.
            left = if source.len() + 4 > left { 0 } else { left - source.len() };
            let before = scan.counts.characters;
            scan.read(source);
            if emphasised {
                emphasised_characters += scan.counts.characters - before;
            }
        }
        let Scan { counts, state, hash, .. } = scan;
        let mut stats = TextStats {
            characters: counts.characters as f32,
            digits: counts.digits as f32,
            capitals: counts.capitals as f32,
            capitalised_words: counts.capitalised_words as f32,
            commas: counts.commas as f32,
            symbols: counts.symbols as f32,
            sentences: (counts.sentences + u32::from(state.ended)) as f32,
            end: f32::from(state.end),
            prices: counts.prices as f32,
            dates: counts.dates as f32,
            linked_runs: linked_runs as f32,
            emphasised: emphasised_characters as f32,
            has_url: f32::from(u8::from(counts.has_url)),
            hash,
            inline,
        };
        if mask.capitals {
            (stats.capitals, stats.capitalised_words) = (0.0, 0.0);
        }
        if mask.punctuation {
            (stats.commas, stats.sentences, stats.end) = (0.0, 0.0, 0.0);
        }
        stats
    }
}

/// What is counted.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    characters: u32,
    digits: u32,
    capitals: u32,
    capitalised_words: u32,
    commas: u32,
    symbols: u32,
    sentences: u32,
    prices: u32,
    dates: u32,
    has_url: bool,
}

/// The state after a character. It is reset at every letter, so it is small.
#[derive(Clone, Copy, Debug, Default)]
struct State {
    /// The next letter is the first of a word.
    boundary: bool,
    /// The final punctuation so far, as in [`TextStats`].
    end: u8,
    /// A sentence has ended if white space follows.
    ended: bool,
    /// Length of the current run of digits.
    digits: u8,
    /// The last character other than white space was a slash.
    slash: bool,
    /// The last character was a digit.
    number: bool,
    /// A currency symbol was seen, but no digit yet.
    currency: bool,
}

/// A scan over a block.
#[derive(Clone, Copy, Debug, Default)]
struct Scan {
    counts: Counts,
    state: State,
    hash: u64,
}

impl Scan {
    fn read(&mut self, text: &str) {
        let bytes = text.as_bytes();
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            match byte {
                // Most characters are lower-case ASCII letters, which are only counted.
                b'a'..=b'z' => {
                    let (hash, len, count) = lower_case_run(self.hash, &bytes[at..]);
                    at += len;
                    self.hash = hash;
                    self.counts.characters += count;
                    self.state = State::default();
                }
                0..=b' ' => {
                    at += 1;
                    self.after_space();
                }
                b'A'..=b'Z' => {
                    at += 1;
                    self.hash = fnv::add(self.hash, byte);
                    self.counts.characters += 1;
                    self.counts.capitals += 1;
                    self.counts.capitalised_words += u32::from(self.state.boundary);
                    self.state = State::default();
                }
                b'0'..=b'9' => {
                    at += 1;
                    self.hash = fnv::add(self.hash, byte);
                    self.counts.characters += 1;
                    self.read_digit();
                }
                b'!'..=b'/' | b':'..=b'@' | b'['..=b'`' | b'{'..=0x7f => {
                    at += 1;
                    self.hash = fnv::add(self.hash, byte);
                    self.counts.characters += 1;
                    self.read_other(char::from(byte));
                }
                _ => {
                    let Some(c) = text[at..].chars().next() else { return };
                    at += c.len_utf8();
                    if is_white(c) {
                        self.after_space();
                        continue;
                    }
                    self.hash = fnv::add(self.hash, c);
                    self.counts.characters += 1;
                    if LETTERS.contains(&c) {
                        let capital = u32::from(is_capital(c));
                        self.counts.capitals += capital;
                        self.counts.capitalised_words += capital & u32::from(self.state.boundary);
                        self.state = State::default();
                    } else {
                        self.read_other(c);
                    }
                }
            }
        }
    }

    /// The state after white space.
    fn after_space(&mut self) {
        self.counts.sentences += u32::from(std::mem::take(&mut self.state.ended));
        self.state.boundary = true;
        self.state.digits = 0;
    }

    fn read_digit(&mut self) {
        self.counts.digits += 1;
        self.counts.prices += u32::from(self.state.currency);
        // Longer runs are neither dates nor times.
        let digits = self.state.digits.saturating_add(1);
        self.state = State { digits, number: true, ..State::default() };
    }

    /// Reads a character other than white space, digits and ASCII letters.
    fn read_other(&mut self, c: char) {
        let State { boundary, mut end, mut ended, digits, slash, number, .. } = self.state;
        let mut currency = false;
        match c {
            '.' | '!' | '?' | '…' => (end, ended) = (1, true),
            '。' | '！' | '？' | '｡' | '।' | '۔' | '؟' | '։' | '።' => {
                self.counts.sentences += 1;
                (end, ended) = (1, false);
            }
            '"' | '”' | '’' | '»' | ')' | '」' | '』' | '）' => {} // after a full stop the sentence has still ended
            ':' | '：' => (end, ended) = (2, false),
            ',' | ';' | '，' | '、' | '；' | '،' | '؛' => {
                self.counts.commas += 1;
                (end, ended) = (0, false);
            }
            '|' | '«' | '›' | '‹' | '•' | '·' | '/' | '→' | '©' | '{' | '}' | '[' | ']' | '<' | '>' | '=' | '_' => {
                self.counts.symbols += 1;
                (end, ended) = (0, false);
            }
            '€' | '£' | '¥' | '₹' | '$' | '₽' | '元' | '円' | '₩' => {
                self.counts.prices += u32::from(number);
                currency = !number || self.state.currency;
                (end, ended) = (0, false);
            }
            _ => {
                let capital = u32::from(is_capital(c));
                self.counts.capitals += capital;
                self.counts.capitalised_words += capital & u32::from(boundary);
                (end, ended) = (0, false);
            }
        }
        // 2024-05-13, 13.05.2024, 05/13, 12:30, 2024年
        if matches!(c, '-' | '.' | '/' | ':' | '年' | '月') && matches!(digits, 1 | 2 | 4) {
            self.counts.dates += 1;
        }
        self.counts.has_url |= c == '/' && slash;
        self.state = State { boundary: false, end, ended, digits: 0, slash: c == '/', number: false, currency };
    }
}

/// Letters beyond ASCII, mostly Latin, Greek and Cyrillic. The symbols among them have no meaning here.
const LETTERS: Range<char> = '\u{c0}'..'\u{588}';

/// Reads lower-case ASCII letters, and single spaces between two of them, which change no state. Returns the hash, the
/// number of bytes and the number of letters. Not inlined, so that the hash stays in a register.
#[inline(never)]
fn lower_case_run(mut hash: u64, bytes: &[u8]) -> (u64, usize, u32) {
    let (mut at, mut count) = (0, 0);
    loop {
        let start = at;
        while let Some(&byte @ b'a'..=b'z') = bytes.get(at) {
            hash = fnv::add(hash, byte);
            at += 1;
        }
        count += (at - start) as u32;
        match bytes.get(at..at + 2) {
            Some([b' ', b'a'..=b'z']) => at += 1,
            _ => return (hash, at, count),
        }
    }
}

/// Whether a text node is emphasised, and its innermost inline element.
fn inline_of(dom: &crate::html::Dom<'_>, node: u32) -> (bool, f32) {
    let mut emphasised = false;
    let mut first = Tag::NONE;
    let mut at = dom.record(node).parent;
    for _ in 0..MAX_INLINE_DEPTH {
        let record = dom.record(at);
        if !INLINE.contains(record.tag) {
            break;
        }
        if first == Tag::NONE {
            first = record.tag;
        }
        emphasised |= matches!(record.tag, Tag::B | Tag::STRONG | Tag::EM | Tag::I | Tag::U);
        at = record.parent;
    }
    (emphasised, inline_number(first))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Page;

    fn stats(html: &str) -> TextStats {
        let page = Page::parse(html.as_bytes());
        TextStats::new(page.blocks(), 0, Mask::default())
    }

    #[test]
    fn sentences_in_several_scripts() {
        for (html, sentences, end) in [
            ("<p>It rains. Still, it rains!", 2.0, 1.0),
            ("<p>天気は雨です。明日も雨です。", 2.0, 1.0),
            ("<p>هل تمطر؟ نعم، تمطر.", 2.0, 1.0),
            ("<p>It costs 3.50 in shops", 0.0, 0.0),
            ("<p>As he said:", 0.0, 2.0),
            ("<p>«Rain.»", 1.0, 1.0),
        ] {
            let seen = stats(html);
            assert_eq!((seen.sentences, seen.end), (sentences, end), "{html}");
        }
    }

    #[test]
    fn prices_dates_links_and_emphasis() {
        assert_eq!(stats("<p>$ 12, 30 € and £5").prices, 3.0);
        assert_eq!(stats("<p>2024-05-13 12:30").dates, 3.0);
        let seen = stats("<p><a href=x>One</a> <b>Two</b> three http://x.y");
        assert_eq!(
            (seen.linked_runs, seen.emphasised, seen.capitalised_words, seen.has_url, seen.inline),
            (1.0, 3.0, 2.0, 1.0, 1.0)
        );
        assert_eq!(stats("<p>a  b").hash, stats("<p><i>a</i> b").hash);
    }

    #[test]
    fn masks_hide_what_some_scripts_lack() {
        let page = Page::parse(b"<p>It rains, again.");
        let masked = TextStats::new(page.blocks(), 0, Mask { capitals: true, punctuation: true, ..Mask::default() });
        assert_eq!((masked.capitals, masked.commas, masked.sentences, masked.end), (0.0, 0.0, 0.0, 0.0));
    }
}
