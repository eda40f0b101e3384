//! The words of a block, each with the bytes it comes from.
//!
//! A simple pass over the characters, for callers that need individual words (word-wrap
//! segmentation, tests). The counts of all blocks come from [`super::words`], which is fast; a
//! property test checks that the two find the same words.

use super::unspaced::{columns, is_unspaced};
use super::{Block, Blocks, WordOptions};
use crate::html::entity::{Place, reference};
use crate::html::{flag, is_white};
use crate::span::{Span, offset};

/// One word of a block.
///
/// ```
/// use webstrata::Page;
/// let page = Page::parse(b"<p>Caf&eacute; <b>c</b>reme - yes");
/// let block = page.blocks().get(0).unwrap();
/// let words: Vec<String> = block.tokens().iter().map(|t| t.text.clone()).collect();
/// assert_eq!(words, ["Café", "creme", "yes"]);
/// assert_eq!(block.tokens()[1].spans.len(), 2);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// The word, character references decoded.
    pub text: String,
    /// The bytes it comes from; several spans if there are tags inside the word.
    pub spans: Vec<Span>,
    /// Its width in columns.
    pub columns: u32,
    /// Whether white space separates it from the previous word; false within scripts written without spaces.
    pub spaced: bool,
}

/// A decoded character and the bytes it comes from.
struct Sourced {
    c: char,
    span: Span,
    run: usize,
}

impl Block<'_> {
    /// The block's words in order.
    #[must_use]
    pub fn tokens(self) -> Vec<Token> {
        let mut reader = Reader { options: self.blocks.word_options(), ..Reader::default() };
        for (k, &run) in self.blocks.runs_of(self.index()).iter().enumerate() {
            if k > 0 && Blocks::run_is_spaced(run) {
                reader.end_word();
                reader.spaced = true;
            }
            let node = Blocks::run_node(run);
            let span = self.blocks.dom().span_of(node);
            let references = self.blocks.dom().record(node).flags & flag::RAW == 0;
            characters(span.slice(self.blocks.dom().source()), span.start, references, k, &mut |c| reader.push(&c));
        }
        reader.end_word();
        reader.tokens
    }
}

/// Calls `each` for every character of a run.
fn characters(source: &str, start: u32, references: bool, run: usize, each: &mut impl FnMut(Sourced)) {
    let mut at = 0;
    while let Some(c) = source[at..].chars().next() {
        let found = if c == '&' && references { reference(&source.as_bytes()[at..], Place::Text) } else { None };
        let len = found.map_or(c.len_utf8(), |r| r.len);
        let span = Span::new(start + offset(at), start + offset(at + len));
        at += len;
        match found {
            Some(r) => {
                each(Sourced { c: r.first, span, run });
                if let Some(second) = r.second {
                    each(Sourced { c: second, span, run });
                }
            }
            None if c == '\0' => {}
            None => each(Sourced { c, span, run }),
        }
    }
}

#[derive(Default)]
struct Reader {
    options: WordOptions,
    tokens: Vec<Token>,
    text: String,
    spans: Vec<(usize, Span)>,
    columns: u32,
    counts: bool,
    unspaced: u32,
    spaced: bool,
}

impl Reader {
    fn push(&mut self, sourced: &Sourced) {
        let c = sourced.c;
        if is_white(c) {
            self.end_word();
            self.spaced = true;
            return;
        }
        if is_unspaced(c) != (self.unspaced > 0) && !self.text.is_empty() {
            self.end_word();
        }
        self.text.push(c);
        match self.spans.last_mut() {
            Some((run, span)) if *run == sourced.run => span.end = sourced.span.end,
            _ => self.spans.push((sourced.run, sourced.span)),
        }
        if is_unspaced(c) {
            self.columns += columns(c);
            self.counts = true;
            self.unspaced += 1;
            if self.columns >= u32::from(self.options.unspaced.columns.max(1)) {
                self.end_word();
            }
        } else {
            self.columns += if c < '\u{2e80}' { 1 } else { columns(c) };
            self.counts |= c.is_alphanumeric();
        }
    }

    fn end_word(&mut self) {
        if self.counts {
            let spans = self.spans.iter().map(|&(_, span)| span).collect();
            self.tokens.push(Token { text: std::mem::take(&mut self.text), spans, columns: self.columns, spaced: self.spaced });
            self.spaced = false;
        }
        self.text.clear();
        self.spans.clear();
        self.columns = 0;
        self.counts = false;
        self.unspaced = 0;
    }
}
