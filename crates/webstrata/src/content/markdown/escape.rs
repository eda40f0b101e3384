//! Escapes text that Markdown would otherwise interpret.

use crate::html::address::push_percent_encoded;

/// Where a stretch of text occurs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// At the start of a line, where block markers are recognised.
    LineStart,
    Line,
    Heading,
}

/// Appends text escaped so that it is read literally. With `math`, dollar signs are escaped too.
pub(super) fn escape(text: &str, place: Place, math: bool, out: &mut String) {
    let mut text = text;
    if place == Place::LineStart {
        text = line_start(text, out);
    }
    let mut before = None;
    let mut rest = text.char_indices().peekable();
    while let Some((at, c)) = rest.next() {
        let next = rest.peek().map(|&(_, c)| c);
        let special = match c {
            '\\' | '`' | '*' | '[' | ']' | '<' | '~' | '|' => true,
            '_' => !(is_word(before) && is_word(next)),
            '&' => is_reference(&text[at + 1..], true),
            '^' => at == 0,
            '#' => place == Place::Heading,
            '$' => math,
            _ => false,
        };
        if special {
            out.push('\\');
        }
        out.push(c);
        before = Some(c);
    }
}

/// Whether it is certainly a word character.
fn is_word(c: Option<char>) -> bool {
    c.is_some_and(|c| c.is_ascii_alphanumeric())
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
    // A colon is a marker in the row below a table header, and of definitions in some dialects.
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

/// Appends the address of a link, percent-encoding what would end it.
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

/// Whether `after` could make the preceding `&` a character reference. If the text `continues` elsewhere, its end counts too.
fn is_reference(after: &str, continues: bool) -> bool {
    let name = after.bytes().take(40).take_while(|b| b.is_ascii_alphanumeric() || *b == b'#').count();
    match after.as_bytes().get(name) {
        Some(b';') => name > 0,
        Some(_) => false,
        None => continues,
    }
}
