//! Candidates for each metadata field, collected in one traversal before any is selected.

use super::source::{Source, Value};
use crate::span::{Span, floor_char_boundary};

/// A field of the metadata.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    Title,
    Author,
    Published,
    Modified,
    Language,
    Direction,
    Site,
    Description,
    Canonical,
    Image,
    Tag,
    License,
    Feed,
    Amp,
    Kind,
}

const NUM_FIELDS: usize = 15;

/// Maximum number of candidates per field.
const MAX_CANDIDATES: usize = 256;

/// Maximum length of a value, enough for any plausible description; longer values are truncated.
const MAX_BYTES: usize = 4000;

/// A candidate; lower ranks are better.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) rank: u8,
    pub(super) value: Value<String>,
}

/// The candidates of each field, in document order.
#[derive(Debug, Default)]
pub(super) struct Candidates {
    fields: [Vec<Candidate>; NUM_FIELDS],
}

impl Candidates {
    /// Adds a candidate with white space collapsed; empty ones are ignored.
    pub(super) fn add(&mut self, field: Field, rank: u8, text: &str, source: Source, span: Option<Span>) {
        let list = &mut self.fields[field as usize];
        if list.len() >= MAX_CANDIDATES {
            return;
        }
        let value = collapse(&text[..floor_char_boundary(text, MAX_BYTES)]);
        if !value.is_empty() {
            list.push(Candidate { rank, value: Value { value, source, span } });
        }
    }

    pub(super) fn all(&self, field: Field) -> &[Candidate] {
        &self.fields[field as usize]
    }

    /// The candidates by rank, best first; candidates of equal rank stay in document order.
    pub(super) fn ranked(&self, field: Field) -> Vec<&Candidate> {
        let mut all: Vec<&Candidate> = self.all(field).iter().collect();
        all.sort_by_key(|c| c.rank);
        all
    }

    pub(super) fn best(&self, field: Field) -> Option<Value<String>> {
        self.ranked(field).first().map(|c| c.value.clone())
    }
}

/// Text with white space collapsed and without invisible characters, such as soft hyphens inside words.
pub(super) fn collapse(text: &str) -> String {
    let is_invisible = |c: &char| matches!(c, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{ad}');
    let mut out = String::with_capacity(text.len());
    let mut space = false;
    for c in text.chars().filter(|c| !is_invisible(c)) {
        if c.is_whitespace() || c.is_control() {
            space = !out.is_empty();
            continue;
        }
        if std::mem::take(&mut space) {
            out.push(' ');
        }
        out.push(c);
    }
    out
}

/// The letters and digits of a text in lower case, so that different spellings of a name have equal keys.
pub(super) fn key(text: &str) -> String {
    key_chars(text).collect()
}

/// The characters of [`key`].
pub(super) fn key_chars(text: &str) -> impl Iterator<Item = char> + '_ {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase)
}
