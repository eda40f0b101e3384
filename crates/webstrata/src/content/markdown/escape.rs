//! Escapes text that Markdown would otherwise interpret.

use crate::html::address::push_percent_encoded;

/// Where a run of text occurs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// At the start of a line, where block markers are recognised.
    LineStart,
    Line,
    Heading,
}

/// How text is escaped.
#[derive(Clone, Copy)]
pub(super) struct Escape {
    pub(super) place: Place,
    /// Whether the document has formulas, so that dollar signs must also be escaped.
    pub(super) math: bool,
    /// Whether addresses in it may become links, because it is not inside a link already.
    pub(super) addresses: bool,
    /// Whether something other than white space follows.
    pub(super) continues: bool,
    /// End of the last link or code in the output, unless that may itself be mistaken for part of an address.
    pub(super) after: usize,
}

/// Appends text escaped so that it is read literally.
pub(super) fn escape(text: &str, how: Escape, out: &mut String) {
    let Escape { place, math, .. } = how;
    let mut text = text;
    let mut address = Address { escape: how, until: 0, breaks: false };
    if place == Place::LineStart {
        text = line_start(text, out);
    }
    let bytes = text.as_bytes();
    let mut written = 0; // number of bytes of the text
    let mut from = 0;
    while let Some(at) = bytes[from..].iter().position(|&b| MARKUP[usize::from(b)]).map(|length| from + length) {
        from = at + 1;
        out.push_str(&text[written..at]);
        written = at;
        let (before, next) = (at.checked_sub(1).and_then(|k| bytes.get(k)), bytes.get(at + 1));
        let special = match bytes[at] {
            b'<' if may_be_in_address(&out[how.after.min(out.len())..]) => {
                out.push_str("&lt;");
                written = at + 1;
                false
            }
            b'_' => !(is_word(before) && is_word(next)),
            b'&' => is_reference(&text[at + 1..], true),
            b'^' => at == 0,
            b'#' => place == Place::Heading,
            b'$' => math,
            b':' => text[at + 1..].starts_with("//") && address.breaks_at(text, at),
            b'.' => before.is_some_and(|b| b | 32 == b'w') && ends_with_www(&text[..at]) && address.breaks_at(text, at),
            _ => true,
        };
        if special {
            out.push('\\');
        }
    }
    out.push_str(&text[written..]);
}

/// The bytes that may have to be escaped.
static MARKUP: [bool; 256] = {
    let mut table = [false; 256];
    let bytes = b"\\`*[]<~|_&^#$:.";
    let mut at = 0;
    while at < bytes.len() {
        table[bytes[at] as usize] = true;
        at += 1;
    }
    table
};

/// Whether a character is escaped wherever it occurs.
fn is_special(c: char) -> bool {
    matches!(c, '\\' | '`' | '*' | '[' | ']' | '<' | '~' | '|')
}

/// An address in a text. Renderers with GitHub's extended autolinks turn it into a link up to the next white space or `<`, and
/// take backslashes in it literally. So if it needs any, the characters that identify it as an address are escaped as well.
struct Address {
    escape: Escape,
    /// End of the word for which `breaks` was computed.
    until: usize,
    breaks: bool,
}

impl Address {
    /// Whether the address recognised at `at` must not become a link.
    fn breaks_at(&mut self, text: &str, at: usize) -> bool {
        if at >= self.until {
            let rest = &text[at..];
            let length = rest.find(char::is_whitespace).unwrap_or(rest.len());
            let word = &rest[..length];
            self.until = at + length;
            let ends = self.until < text.len() || !self.escape.continues;
            self.breaks = !ends || word.contains(|c| is_special(c) || c == '&') || (self.escape.math && word.contains('$'));
            self.breaks &= self.escape.addresses;
        }
        self.breaks
    }
}

fn ends_with_www(text: &str) -> bool {
    let from = text.len().saturating_sub(3);
    text.get(from..).is_some_and(|end| end.eq_ignore_ascii_case("www"))
}

/// How far back the output is searched for an address.
const MAX_WORD_BYTES: usize = 64;

/// Whether the next output may be mistaken for part of an address. A backslash there would become part of the address, and
/// the `<` after it would start a tag.
pub(super) fn may_be_in_address(out: &str) -> bool {
    let mut word = out.as_bytes();
    let far = word.len() > MAX_WORD_BYTES;
    word = &word[word.len().saturating_sub(MAX_WORD_BYTES)..];
    let space = word.iter().rposition(u8::is_ascii_whitespace);
    let word = &word[space.map_or(0, |space| space + 1)..];
    let mut pairs = word.windows(3).map(|w| (w[0], w[1], w[2]));
    (far && space.is_none())
        || word.contains(&b'@')
        || word.ends_with(b"//")
        || pairs.any(|(a, b, c)| (a, b) == (b'/', b'/') || [a, b, c].eq_ignore_ascii_case(b"www"))
}

/// Whether a byte is certainly a word character.
fn is_word(byte: Option<&u8>) -> bool {
    byte.is_some_and(u8::is_ascii_alphanumeric)
}

/// Escapes a possible block marker and returns the rest.
fn line_start<'t>(text: &'t str, out: &mut String) -> &'t str {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = text.split_at(digits);
    out.push_str(number);
    let special = match rest.bytes().next() {
        Some(b'.' | b')') => digits > 0,
        Some(b'#' | b'>' | b'+' | b'-' | b'=' | b':') => digits == 0,
        _ => false,
    };
    if !special {
        return rest;
    }
    // A colon is special in the delimiter row of a table, and marks definitions in some dialects.
    let (marker, after) = rest.split_at(1);
    if marker != ":" || after.starts_with([' ', '-']) {
        out.push('\\');
    }
    out.push_str(marker);
    after
}

/// Length of the longest run of `c`.
pub(super) fn longest_run(text: &str, c: char) -> usize {
    let (mut longest, mut run) = (0, 0);
    for other in text.chars() {
        run = if other == c { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

/// Appends the address of a link, percent-encoding characters that would end it.
pub(super) fn address(target: &str, math: bool, out: &mut String) {
    for (at, c) in target.char_indices() {
        match c {
            // Characters that may end an address or start a construct that binds more tightly.
            '(' | ')' | '<' | '>' | '\\' | '`' | '|' | '"' => push_percent_encoded(c, out),
            '$' if math => push_percent_encoded(c, out),
            c if c.is_whitespace() || c.is_control() => push_percent_encoded(c, out),
            '&' if is_reference(&target[at + 1..], false) => out.push_str("&amp;"),
            c => out.push(c),
        }
    }
}

/// Whether `after` could make the preceding `&` a character reference. If the text `continues`, an incomplete reference counts.
fn is_reference(after: &str, continues: bool) -> bool {
    let name = after.bytes().take(40).take_while(|b| b.is_ascii_alphanumeric() || *b == b'#').count();
    match after.as_bytes().get(name) {
        Some(b';') => name > 0,
        Some(_) => false,
        None => continues,
    }
}
