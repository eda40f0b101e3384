//! Statistics over the characters of a block, independent of language: one pass over its bytes.

use super::tags::inline_number;
use crate::block::groups::group_equal_keys;
use crate::block::outline::splitmix64;
use crate::block::{Blocks, Mask};
use crate::html::eight::small_letters;
use crate::html::scan::word;
use crate::html::{Dom, INLINE, Tag, fnv, is_white};
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
    /// Bullets, arrows, brackets, slashes and the like.
    pub(super) symbols: f32,
    pub(super) sentences: f32,
    /// Final punctuation: 0 none, 1 a full stop or the like, 2 a colon.
    pub(super) end: f32,
    /// Amounts of money.
    pub(super) prices: f32,
    /// Numbers of one, two or four digits followed by a separator of dates or times.
    pub(super) dates: f32,
    /// Text runs inside a link.
    pub(super) linked_runs: f32,
    /// Characters in bold, italics or underlined.
    pub(super) emphasised: f32,
    /// 1 if it contains a URL.
    pub(super) has_url: f32,
    /// The same for blocks with the same text, white space ignored; filled in by [`note_equal_texts`].
    pub(super) key: u64,
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
        let mut stats = TextStats::default();
        let mut scan = Scan { boundary: true, ..Scan::default() };
        let mut limit = Limit::default();
        for (place, &run) in blocks.runs_of(index).iter().enumerate() {
            let node = Blocks::run_node(run);
            if Blocks::run_is_spaced(run) {
                scan.boundary = true;
            }
            stats.linked_runs += f32::from(u8::from(Blocks::run_is_linked(run)));
            let (emphasised, tag) = inline_of(dom, node);
            if place == 0 {
                stats.inline = tag;
            }
            let part = limit.part(dom, node);
            if part.is_empty() {
                continue;
            }
            let before = stats.characters;
            scan.read(dom.source(), part, &mut stats);
            if emphasised {
                stats.emphasised += stats.characters - before;
            }
        }
        stats.end = scan.end;
        stats.sentences += f32::from(u8::from(scan.ended));
        if mask.capitals {
            (stats.capitals, stats.capitalised_words) = (0.0, 0.0);
        }
        if mask.punctuation {
            (stats.commas, stats.sentences, stats.end) = (0.0, 0.0, 0.0);
        }
        stats
    }
}

/// What is left of the bytes that are examined.
#[derive(Clone, Copy, Debug)]
struct Limit(usize);

impl Default for Limit {
    fn default() -> Self {
        Limit(MAX_BYTES)
    }
}

impl Limit {
    /// The part of a text node that is examined, as a range of the page's source.
    fn part(&mut self, dom: &Dom<'_>, node: u32) -> Range<usize> {
        let span = dom.span_of(node);
        let start = span.range().start;
        let len = floor_char_boundary(span.slice(dom.source()), self.0);
        // Reading stops at a character that does not fit.
        self.0 = if len + 4 > self.0 { 0 } else { self.0 - len };
        start..start + len
    }
}

/// A hash of a block's text; white space is ignored.
pub(super) fn text_hash(blocks: Blocks<'_>, index: usize) -> u64 {
    let (dom, mut limit) = (blocks.dom(), Limit::default());
    let mut hash = fnv::OFFSET_BASIS;
    for &run in blocks.runs_of(index) {
        let part = limit.part(dom, Blocks::run_node(run));
        let letters = dom.source().get(part).unwrap_or_default().chars().filter(|&c| !is_white(c));
        hash = letters.fold(hash, fnv::add);
    }
    hash
}

/// Gives blocks with the same text the same key, and other blocks others.
///
/// Equal texts have equal counts, and the counts of most long texts occur once on a page, so only short texts are hashed.
pub(super) fn note_equal_texts(blocks: Blocks<'_>, all: &mut [TextStats]) {
    let key = |stats: &TextStats| {
        let pair = |a: f32, b: f32| splitmix64(u64::from(a.to_bits()) << 32 | u64::from(b.to_bits()));
        // What does not depend on white space.
        splitmix64(pair(stats.characters, stats.capitals) ^ pair(stats.digits, stats.commas)) ^ u64::from(stats.symbols.to_bits())
    };
    let keys: Vec<u64> = all.iter().map(key).collect();
    let mut groups = Vec::new();
    let mut sizes = vec![0u32; group_equal_keys(&keys, &mut groups)];
    groups.iter().for_each(|&group| sizes[group as usize] += 1);
    for (index, (stats, (&key, &group))) in all.iter_mut().zip(keys.iter().zip(&groups)).enumerate() {
        stats.key = if sizes[group as usize] > 1 { splitmix64(key) ^ text_hash(blocks, index) } else { key };
    }
}

/// State of the scan over a block.
#[derive(Clone, Copy, Debug, Default)]
struct Scan {
    /// The next letter is the first of a word.
    boundary: bool,
    end: f32,
    /// A sentence has ended if white space follows.
    ended: bool,
    /// Length of the current run of digits.
    digits: u32,
    last: char,
    /// The last character was a digit.
    number: bool,
    /// A currency symbol was seen, but no digit yet.
    currency: bool,
}

impl Scan {
    /// Reads a part of a text.
    fn read(&mut self, text: &str, part: Range<usize>, stats: &mut TextStats) {
        let bytes = text.as_bytes();
        let Range { start: mut at, end } = part;
        while at < end {
            let byte = bytes[at];
            match byte {
                // Most characters are lower-case ASCII letters, which are only counted.
                b'a'..=b'z' => {
                    let count;
                    (at, count) = lower_case_run(&bytes[..end], at);
                    stats.characters += count as f32;
                    self.after_letter(bytes[at - 1]);
                }
                0..=b' ' => {
                    at += 1;
                    self.after_space(stats);
                }
                b'A'..=b'Z' => {
                    at += 1;
                    stats.characters += 1.0;
                    stats.capitals += 1.0;
                    stats.capitalised_words += f32::from(u8::from(self.boundary));
                    self.after_letter(byte);
                }
                _ => {
                    let Some(c) = text[at..].chars().next() else { return };
                    at += c.len_utf8();
                    if is_white(c) {
                        self.after_space(stats);
                        continue;
                    }
                    stats.characters += 1.0;
                    self.read_other(c, stats);
                    self.boundary = false;
                    self.last = c;
                }
            }
        }
    }

    /// The state after an ASCII letter.
    fn after_letter(&mut self, last: u8) {
        *self = Scan { last: char::from(last), ..Scan::default() };
    }

    /// The state after white space.
    fn after_space(&mut self, stats: &mut TextStats) {
        stats.sentences += f32::from(u8::from(std::mem::take(&mut self.ended)));
        self.boundary = true;
        self.digits = 0;
    }

    /// Reads a character other than white space and ASCII letters.
    fn read_other(&mut self, c: char, stats: &mut TextStats) {
        match c {
            '0'..='9' => {
                stats.digits += 1.0;
                self.digits += 1;
                if self.currency {
                    stats.prices += 1.0;
                    self.currency = false;
                }
                self.end = 0.0;
                self.ended = false;
                self.number = true;
                return;
            }
            '.' | '!' | '?' | '…' => (self.end, self.ended) = (1.0, true),
            '。' | '！' | '？' | '｡' | '।' | '۔' | '؟' | '։' | '።' => {
                stats.sentences += 1.0;
                (self.end, self.ended) = (1.0, false);
            }
            '"' | '”' | '’' | '»' | ')' | '」' | '』' | '）' => {} // after a full stop the sentence has still ended
            ':' | '：' => (self.end, self.ended) = (2.0, false),
            ',' | ';' | '，' | '、' | '；' | '،' | '؛' => {
                stats.commas += 1.0;
                (self.end, self.ended) = (0.0, false);
            }
            '|' | '«' | '›' | '‹' | '•' | '·' | '/' | '→' | '©' | '{' | '}' | '[' | ']' | '<' | '>' | '=' | '_' => {
                stats.symbols += 1.0;
                (self.end, self.ended) = (0.0, false);
            }
            '€' | '£' | '¥' | '₹' | '$' | '₽' | '元' | '円' | '₩' => {
                if self.number {
                    stats.prices += 1.0;
                } else {
                    self.currency = true;
                }
                (self.end, self.ended) = (0.0, false);
            }
            _ => {
                if is_capital(c) {
                    stats.capitals += 1.0;
                    stats.capitalised_words += f32::from(u8::from(self.boundary));
                }
                (self.end, self.ended) = (0.0, false);
            }
        }
        // 2024-05-13, 13.05.2024, 05/13, 12:30, 2024年
        if matches!(c, '-' | '.' | '/' | ':' | '年' | '月') && matches!(self.digits, 1 | 2 | 4) {
            stats.dates += 1.0;
        }
        if c == '/' && self.last == '/' {
            stats.has_url = 1.0;
        }
        self.digits = 0;
        self.number = false;
        if !matches!(c, '€' | '£' | '¥' | '₹' | '$' | '₽' | '元' | '円' | '₩') {
            self.currency = false;
        }
    }
}

/// Reads lower-case ASCII letters from `at`, and single spaces between two of them, which change no state. Returns where they end and the number of letters.
fn lower_case_run(bytes: &[u8], mut at: usize) -> (usize, u32) {
    let mut count = 0;
    while let Some(eight) = word(bytes, at).and_then(small_letters) {
        at += eight.bytes;
        count += eight.letters;
    }
    loop {
        let start = at;
        while let Some(b'a'..=b'z') = bytes.get(at) {
            at += 1;
        }
        count += (at - start) as u32;
        match bytes.get(at..at + 2) {
            Some([b' ', b'a'..=b'z']) => at += 1,
            _ => return (at, count),
        }
    }
}

/// Whether a text node is emphasised, and its innermost inline element.
fn inline_of(dom: &Dom<'_>, node: u32) -> (bool, f32) {
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
    }

    #[test]
    fn equal_texts_have_equal_keys() {
        let texts = ["a  b", "<i>a</i> b", "ab", "ba", "Ab", "Über 30 Tage", "Ü<b>ber30Tage</b>", "Über 31 Tage", "", "x"];
        let long = "the same words again and again ".repeat(200);
        let html: String = texts.iter().copied().chain([&*long, &*long]).map(|text| format!("<p>{text}</p>")).collect();
        let page = Page::parse(html.as_bytes());
        let blocks = page.blocks();
        let mut all: Vec<TextStats> = (0..blocks.len()).map(|index| TextStats::new(blocks, index, Mask::default())).collect();
        note_equal_texts(blocks, &mut all);
        for (index, stats) in all.iter().enumerate() {
            for (other, other_stats) in all.iter().enumerate() {
                assert_eq!(stats.key == other_stats.key, text_hash(blocks, index) == text_hash(blocks, other), "{index} {other}");
            }
        }
        assert_eq!(text_hash(blocks, 0), text_hash(blocks, 2));
    }

    #[test]
    fn letters_are_counted_as_one_by_one() {
        for text in [
            "ab", "ab cd ef gh ij kl", "abcdefgh ", "abcdefg hi", "abcdefg  hi", "abcdefghi Jk", "abcdefg\u{a0}x",
            "a b c d e f g h i ",
        ] {
            let (end, letters) = lower_case_run(text.as_bytes(), 0);
            let is_part = |at: usize| {
                let is_letter = |at: usize| text.as_bytes().get(at).is_some_and(u8::is_ascii_lowercase);
                is_letter(at) || (text.as_bytes().get(at) == Some(&b' ') && is_letter(at + 1))
            };
            assert_eq!(end, (0..).take_while(|&at| is_part(at)).count(), "{text}");
            assert_eq!(letters as usize, text[..end].bytes().filter(|&byte| byte != b' ').count(), "{text}");
        }
    }

    #[test]
    fn masks_hide_what_some_scripts_lack() {
        let page = Page::parse(b"<p>It rains, again.");
        let masked = TextStats::new(page.blocks(), 0, Mask { capitals: true, punctuation: true, ..Mask::default() });
        assert_eq!((masked.capitals, masked.commas, masked.sentences, masked.end), (0.0, 0.0, 0.0, 0.0));
    }
}
