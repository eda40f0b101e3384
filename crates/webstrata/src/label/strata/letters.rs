//! What the letters of a block say, whatever the language: one pass over its bytes.

use crate::block::{Blocks, Mask};
use crate::html::{INLINE, Tag, fnv, is_white};
use crate::label::letter_case::is_capital;

/// Counts over the letters of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Letters {
    /// Characters that are not white space.
    pub(super) all: f32,
    pub(super) digits: f32,
    pub(super) capitals: f32,
    /// Words that begin with a capital.
    pub(super) capital_words: f32,
    pub(super) commas: f32,
    pub(super) signs: f32,
    pub(super) sentences: f32,
    /// How it ends: 0 no point, 1 a full stop or its like, 2 a colon.
    pub(super) end: f32,
    /// Amounts of money.
    pub(super) prices: f32,
    /// Runs of digits of two or four places with a sign of dates or hours beside them.
    pub(super) dates: f32,
    /// Runs of text inside a link.
    pub(super) links: f32,
    /// Characters in bold or italics.
    pub(super) bold: f32,
    /// 1 when an address of the Web is in it.
    pub(super) address: f32,
    /// A number that blocks of the same text share.
    pub(super) sum: u64,
    /// The inline element that its first run is in, by [`inline`].
    pub(super) inline: f32,
}

/// Levels of inline elements that are looked at: pages nest them without end.
const LEVELS: usize = 6;

/// Bytes of a block that are looked at; the rest of a longer one is taken to be like them.
const BYTES: usize = 4096;

impl Letters {
    /// Reads block `index`.
    pub(super) fn of(blocks: Blocks<'_>, index: usize, mask: Mask) -> Letters {
        let dom = blocks.dom();
        let mut letters = Letters { sum: fnv::OFFSET_BASIS, ..Letters::default() };
        let mut scan = Scan { boundary: true, ..Scan::default() };
        let mut left = BYTES;
        for (place, &run) in blocks.runs_of(index).iter().enumerate() {
            let node = Blocks::run_node(run);
            if Blocks::run_is_spaced(run) {
                scan.boundary = true;
            }
            letters.links += f32::from(u8::from(Blocks::run_is_linked(run)));
            let (bold, tag) = inline_of(dom, node);
            if place == 0 {
                letters.inline = tag;
            }
            if left == 0 {
                continue;
            }
            let source = dom.span_of(node).slice(dom.source());
            let source = &source[..whole_letters(source, left)];
            // A letter that does not fit is the end of it.
            left = if source.len() + 4 > left { 0 } else { left - source.len() };
            let before = letters.all;
            scan.read(source, &mut letters);
            if bold {
                letters.bold += letters.all - before;
            }
        }
        letters.end = scan.end;
        letters.sentences += f32::from(u8::from(scan.ended));
        if mask.capitals {
            (letters.capitals, letters.capital_words) = (0.0, 0.0);
        }
        if mask.punctuation {
            (letters.commas, letters.sentences, letters.end) = (0.0, 0.0, 0.0);
        }
        letters
    }
}

/// Where a scan stands.
#[derive(Clone, Copy, Debug, Default)]
struct Scan {
    /// Is the next letter the first of a word?
    boundary: bool,
    end: f32,
    /// A sentence has ended, if white space comes next.
    ended: bool,
    /// Digits in a row.
    digits: u32,
    last: char,
    /// The last letter was a digit.
    number: bool,
    /// A sign of money came, and no digit yet.
    money: bool,
}

impl Scan {
    fn read(&mut self, text: &str, letters: &mut Letters) {
        let bytes = text.as_bytes();
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            match byte {
                // Most letters are small ones of the alphabet, and say nothing but that they are there.
                b'a'..=b'z' => {
                    let (sum, len, count) = small_letters(letters.sum, &bytes[at..]);
                    at += len;
                    letters.sum = sum;
                    letters.all += count as f32;
                    self.plain(bytes[at - 1]);
                }
                0..=b' ' => {
                    at += 1;
                    self.space(letters);
                }
                b'A'..=b'Z' => {
                    at += 1;
                    letters.sum = fnv::add(letters.sum, byte);
                    letters.all += 1.0;
                    letters.capitals += 1.0;
                    letters.capital_words += f32::from(u8::from(self.boundary));
                    self.plain(byte);
                }
                _ => {
                    let Some(c) = text[at..].chars().next() else { return };
                    at += c.len_utf8();
                    if is_white(c) {
                        self.space(letters);
                        continue;
                    }
                    letters.all += 1.0;
                    letters.sum = fnv::add(letters.sum, c);
                    self.letter(c, letters);
                    self.boundary = false;
                    self.last = c;
                }
            }
        }
    }

    /// Behind a letter of the alphabet.
    fn plain(&mut self, last: u8) {
        *self = Scan { last: char::from(last), ..Scan::default() };
    }

    /// Behind white space.
    fn space(&mut self, letters: &mut Letters) {
        letters.sentences += f32::from(u8::from(std::mem::take(&mut self.ended)));
        self.boundary = true;
        self.digits = 0;
    }

    fn letter(&mut self, c: char, letters: &mut Letters) {
        match c {
            '0'..='9' => {
                letters.digits += 1.0;
                self.digits += 1;
                if self.money {
                    letters.prices += 1.0;
                    self.money = false;
                }
                self.end = 0.0;
                self.ended = false;
                self.number = true;
                return;
            }
            '.' | '!' | '?' | '…' => (self.end, self.ended) = (1.0, true),
            '。' | '！' | '？' | '｡' | '।' | '۔' | '؟' | '։' | '።' => {
                letters.sentences += 1.0;
                (self.end, self.ended) = (1.0, false);
            }
            '"' | '”' | '’' | '»' | ')' | '」' | '』' | '）' => {} // behind a full stop the sentence has still ended
            ':' | '：' => (self.end, self.ended) = (2.0, false),
            ',' | ';' | '，' | '、' | '；' | '،' | '؛' => {
                letters.commas += 1.0;
                (self.end, self.ended) = (0.0, false);
            }
            '|' | '«' | '›' | '‹' | '•' | '·' | '/' | '→' | '©' | '{' | '}' | '[' | ']' | '<' | '>' | '=' | '_' => {
                letters.signs += 1.0;
                (self.end, self.ended) = (0.0, false);
            }
            '€' | '£' | '¥' | '₹' | '$' | '₽' | '元' | '円' | '₩' => {
                if self.number {
                    letters.prices += 1.0;
                } else {
                    self.money = true;
                }
                (self.end, self.ended) = (0.0, false);
            }
            _ => {
                if is_capital(c) {
                    letters.capitals += 1.0;
                    letters.capital_words += f32::from(u8::from(self.boundary));
                }
                (self.end, self.ended) = (0.0, false);
            }
        }
        // 2024-05-13, 13.05.2024, 05/13, 12:30, 2024年
        if matches!(c, '-' | '.' | '/' | ':' | '年' | '月') && matches!(self.digits, 1 | 2 | 4) {
            letters.dates += 1.0;
        }
        if c == '/' && self.last == '/' {
            letters.address = 1.0;
        }
        self.digits = 0;
        self.number = false;
        if !matches!(c, '€' | '£' | '¥' | '₹' | '$' | '₽' | '元' | '円' | '₩') {
            self.money = false;
        }
    }
}

/// Reads small letters of the alphabet, and single spaces between two of them, which leave no trace: the sum behind them,
/// how many bytes they take and how many letters they are. By itself, so that the sum stays in a register.
#[inline(never)]
fn small_letters(mut sum: u64, bytes: &[u8]) -> (u64, usize, u32) {
    let (mut at, mut count) = (0, 0);
    loop {
        let start = at;
        while let Some(&byte @ b'a'..=b'z') = bytes.get(at) {
            sum = fnv::add(sum, byte);
            at += 1;
        }
        count += (at - start) as u32;
        match bytes.get(at..at + 2) {
            Some([b' ', b'a'..=b'z']) => at += 1,
            _ => return (sum, at, count),
        }
    }
}

/// Bytes of `text` that are whole letters, at most `most`.
fn whole_letters(text: &str, most: usize) -> usize {
    if text.len() <= most {
        return text.len();
    }
    (0..=most).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

/// Is a text node bold or in italics, and what is the innermost inline element round it?
fn inline_of(dom: &crate::html::Dom<'_>, node: u32) -> (bool, f32) {
    let mut bold = false;
    let mut first = Tag::NONE;
    let mut at = dom.record(node).parent;
    for _ in 0..LEVELS {
        let record = dom.record(at);
        if !INLINE.contains(record.tag) {
            break;
        }
        if first == Tag::NONE {
            first = record.tag;
        }
        bold |= matches!(record.tag, Tag::B | Tag::STRONG | Tag::EM | Tag::I | Tag::U);
        at = record.parent;
    }
    (bold, inline(first))
}

/// Inline elements as numbers.
fn inline(tag: Tag) -> f32 {
    match tag {
        Tag::NONE => 0.0,
        Tag::A => 1.0,
        Tag::SPAN => 2.0,
        Tag::B | Tag::STRONG => 3.0,
        Tag::EM | Tag::I => 4.0,
        Tag::FONT => 5.0,
        Tag::LABEL => 6.0,
        Tag::TIME => 7.0,
        Tag::SMALL => 8.0,
        Tag::CODE => 9.0,
        Tag::CITE => 10.0,
        _ => 11.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Page;

    fn letters(html: &str) -> Letters {
        let page = Page::parse(html.as_bytes());
        Letters::of(page.blocks(), 0, Mask::default())
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
            let seen = letters(html);
            assert_eq!((seen.sentences, seen.end), (sentences, end), "{html}");
        }
    }

    #[test]
    fn money_dates_links_and_looks() {
        assert_eq!(letters("<p>$ 12, 30 € and £5").prices, 3.0);
        assert_eq!(letters("<p>2024-05-13 12:30").dates, 3.0);
        let seen = letters("<p><a href=x>One</a> <b>Two</b> three http://x.y");
        assert_eq!((seen.links, seen.bold, seen.capital_words, seen.address, seen.inline), (1.0, 3.0, 2.0, 1.0, 1.0));
        assert_eq!(letters("<p>a  b").sum, letters("<p><i>a</i> b").sum);
    }

    #[test]
    fn masks_hide_what_other_scripts_lack() {
        let page = Page::parse(b"<p>It rains, again.");
        let masked = Letters::of(page.blocks(), 0, Mask { capitals: true, punctuation: true, ..Mask::default() });
        assert_eq!((masked.capitals, masked.commas, masked.sentences, masked.end), (0.0, 0.0, 0.0, 0.0));
    }
}
