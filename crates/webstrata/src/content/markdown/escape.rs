//! Text that Markdown would read as more than text, with backslashes before it.

use crate::html::address::push_percent_encoded;

/// Where a stretch of text stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// At the start of a line, where markers of blocks are seen.
    LineStart,
    Line,
    Heading,
}

/// Appends text so that it is read as that text, where dollar signs make a formula if `math` says so.
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

/// Is it a character that a word goes on with, for certain?
fn is_word(c: Option<char>) -> bool {
    c.is_some_and(|c| c.is_ascii_alphanumeric())
}

/// Writes what could be the marker of a block, and gives back the rest.
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
    // A colon is a marker in the row below a table's head, and of definitions in some dialects.
    let (marker, behind) = rest.split_at(1);
    if marker != ":" || behind.starts_with([' ', '-']) {
        out.push('\\');
    }
    out.push_str(marker);
    behind
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

/// Appends the address of a link; what would end it is written in percents.
pub(super) fn address(target: &str, math: bool, out: &mut String) {
    for (at, c) in target.char_indices() {
        match c {
            // What may end an address, or begin something that binds more tightly.
            '(' | ')' | '<' | '>' | '\\' | '`' | '|' | '"' => push_percent_encoded(c, out),
            '$' if math => push_percent_encoded(c, out),
            c if c.is_whitespace() || c.is_control() => push_percent_encoded(c, out),
            '&' if is_reference(&target[at + 1..], false) => out.push_str("&amp;"),
            c => out.push(c),
        }
    }
}

/// Could `behind` make the `&` before it a character reference? Where text goes on elsewhere, its end may too.
fn is_reference(behind: &str, goes_on: bool) -> bool {
    let name = behind.bytes().take(40).take_while(|b| b.is_ascii_alphanumeric() || *b == b'#').count();
    match behind.as_bytes().get(name) {
        Some(b';') => name > 0,
        Some(_) => false,
        None => goes_on,
    }
}
