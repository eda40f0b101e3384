//! Text of nodes: character references decoded, NULs dropped, white space collapsed.

use super::node::flag;
use super::{Dom, Node};
use crate::html::eight::printable;
use crate::html::entity::{Place, decode};
use crate::html::scan::word;
use crate::html::tag::Tag;
use crate::span::Span;
use std::borrow::Cow;

impl<'d> Node<'d> {
    /// Text of the node and its descendants without scripts, styles and templates, white space collapsed.
    ///
    /// Text on both sides of a tag is one word unless white space or the end of a line separates it.
    ///
    /// ```
    /// use webstrata::html::Dom;
    /// let dom = Dom::parse("<p>Fish\n &amp; <b>ch</b>ips<script>1</script><p>Peas");
    /// assert_eq!(dom.text(), "Fish & chips Peas");
    /// ```
    #[must_use]
    pub fn text(self) -> String {
        let mut folded = Folded::default();
        let record = self.record();
        if record.tag == Tag::TEXT {
            folded.push(&self.dom().run_text(self.number()));
        }
        let mut at = self.number() + 1;
        while at < record.end {
            let node = Node::new(self.dom(), at);
            let child = node.record();
            if child.flags & flag::SPACE_BEFORE != 0 || (child.tag != Tag::TEXT && breaks_line(child.tag)) {
                folded.space();
            }
            if child.tag == Tag::TEXT {
                folded.push(&self.dom().run_text(at));
            } else if node.is_hidden_text() {
                at = child.end;
                continue;
            }
            at += 1;
            // The end of a block breaks the line, as does its start.
            if at < record.end && self.closes_line(child.parent, at) {
                folded.space();
            }
        }
        folded.text
    }

    /// Whether a block around the node before `next` ends there. `parent` is that node's parent.
    fn closes_line(self, mut parent: u32, next: u32) -> bool {
        while parent > self.number() {
            let record = self.dom().record(parent);
            if record.end > next {
                return false;
            }
            if breaks_line(record.tag) {
                return true;
            }
            parent = record.parent;
        }
        false
    }
}

/// Whether an element starts a new line.
fn breaks_line(tag: Tag) -> bool {
    !crate::html::INLINE.contains(tag)
}

impl Dom<'_> {
    /// A decoded text run: character references replaced where they apply, NULs dropped.
    pub(crate) fn run_text(&self, id: u32) -> Cow<'_, str> {
        self.part_text(id, self.span_of(id))
    }

    /// A decoded part of a text run. It must not start or end inside a character reference.
    pub(crate) fn part_text(&self, id: u32, span: Span) -> Cow<'_, str> {
        let record = self.record(id);
        let source = span.slice(self.source());
        let references = record.flags & flag::RAW == 0;
        if !needs_decoding(source, references) {
            return Cow::Borrowed(source);
        }
        let mut out = String::with_capacity(source.len());
        decode_run(source, references, &mut out);
        Cow::Owned(out)
    }
}

/// Whether a run has anything to decode.
#[inline]
pub(crate) fn needs_decoding(source: &str, references: bool) -> bool {
    if references { memchr::memchr2(b'&', 0, source.as_bytes()).is_some() } else { memchr::memchr(0, source.as_bytes()).is_some() }
}

/// Appends a run with its references replaced and its NULs dropped (the standard drops them from text).
pub(crate) fn decode_run(source: &str, references: bool, out: &mut String) {
    for piece in source.split('\0') {
        if references {
            decode(piece, Place::Text, out);
        } else {
            out.push_str(piece);
        }
    }
}

/// White space of a page: that of Unicode, plus control characters, which are invisible.
#[inline]
pub(crate) fn is_white(c: char) -> bool {
    c <= ' ' || c.is_whitespace()
}

/// Text with collapsed white space: single spaces between words, none at the ends.
#[derive(Default)]
pub(crate) struct Folded {
    pub(crate) text: String,
    space: bool,
    /// Whether the current line has no word yet.
    fresh: bool,
}

impl Folded {
    /// Separates the next word from the last.
    pub(crate) fn space(&mut self) {
        self.space = true;
    }

    /// Starts a new line.
    pub(crate) fn line(&mut self) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.space = false;
        self.fresh = true;
    }

    /// Appends a run.
    ///
    /// Text whose white space is already collapsed, which is most of it, is copied in bulk.
    pub(crate) fn push(&mut self, run: &str) {
        self.text.reserve(run.len() + 1);
        let mut rest = run;
        loop {
            let word = rest.trim_start_matches(is_white);
            if word.len() < rest.len() {
                self.space = true;
            }
            if word.is_empty() {
                return;
            }
            let end = collapsed_prefix(word);
            if self.space && !self.fresh && !self.text.is_empty() {
                self.text.push(' ');
            }
            self.space = false;
            self.fresh = false;
            self.text.push_str(&word[..end]);
            rest = &word[end..];
        }
    }
}

/// Length of the longest prefix of `text` that needs no collapsing: words with single spaces between them. A leading space
/// is not part of it, since it must be collapsed with the text before.
pub(crate) fn collapsed_prefix(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 0;
    loop {
        // A leading space is left to the loop below; later, the byte before `at` is never a space.
        while let Some(eight) = word(bytes, at).filter(|_| at > 0 || !text.starts_with(' ')).and_then(printable) {
            at += eight;
        }
        let end = bytes.len().min(at + 8);
        match collapsed_bytes(text, at, end) {
            Ok(next) if next >= bytes.len() => return next,
            Ok(next) => at = next,
            Err(next) => return next,
        }
    }
}

/// Continues a collapsed prefix byte by byte, up to `end` or a little further; the error is the position where it ends.
fn collapsed_bytes(text: &str, mut at: usize, end: usize) -> Result<usize, usize> {
    let bytes = text.as_bytes();
    while at < end {
        let byte = bytes[at];
        match byte {
            0x21..=0x7f => at += 1,
            b' ' if at > 0 && bytes.get(at + 1).is_some_and(|&next| next > b' ' && next < 0x80) => at += 2,
            0..=b' ' => return Err(at),
            // All white space beyond ASCII starts with one of these bytes.
            0xc2 | 0xe1..=0xe3 if text[at..].starts_with(is_white) => return Err(at),
            _ => {
                at += 1;
                while bytes.get(at).is_some_and(|&next| next & 0xc0 == 0x80) {
                    at += 1;
                }
            }
        }
    }
    Ok(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The naive implementation, for comparison.
    fn naive(runs: &[&str]) -> String {
        runs.concat().split(is_white).filter(|w| !w.is_empty()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn collapsing_equals_the_naive_version() {
        let pieces = [
            "a", "word", " ", "  ", "\n", "\u{a0}", "é", "地", "\u{3000}", "\u{2003}", "x y", " é", "é ", "\u{1}", "z ", "\u{85}",
            "ς", "longer words", "eight by", "a  b c d e f g h",
        ];
        let mut state = 7usize;
        for _ in 0..20_000 {
            let mut runs = Vec::new();
            for _ in 0..state % 9 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                runs.push(pieces[(state >> 33) % pieces.len()]);
            }
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let mut folded = Folded::default();
            runs.iter().for_each(|run| folded.push(run));
            assert_eq!(folded.text, naive(&runs), "{runs:?}");
        }
    }
}
