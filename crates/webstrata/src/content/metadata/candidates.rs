//! Everything a page says about itself, before anything is chosen: candidates by field, candidates in one walk.

use super::source::{Source, Value};
use crate::span::Span;

/// What a candidate is a candidate for.
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

const FIELDS: usize = 15;

/// At most so many candidates are kept for a field.
const CAP: usize = 256;

/// Longer values are cut; descriptions are the longest that make sense.
const MAX_BYTES: usize = 4000;

/// A candidate. The lower the rank, the better.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) rank: u8,
    pub(super) value: Value<String>,
}

/// The candidates for each field, in the order in which they were met.
#[derive(Debug, Default)]
pub(super) struct Candidates {
    fields: [Vec<Candidate>; FIELDS],
}

impl Candidates {
    /// Notes a candidate, white space folded; an empty one is none.
    pub(super) fn add(&mut self, field: Field, rank: u8, text: &str, source: Source, span: Option<Span>) {
        let list = &mut self.fields[field as usize];
        if list.len() >= CAP {
            return;
        }
        let end = (0..=MAX_BYTES.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        let value = fold(&text[..end]);
        if !value.is_empty() {
            list.push(Candidate { rank, value: Value { value, source, span } });
        }
    }

    pub(super) fn all(&self, field: Field) -> &[Candidate] {
        &self.fields[field as usize]
    }

    /// The candidates with the best first; those of the same rank in the order of the page.
    pub(super) fn ranked(&self, field: Field) -> Vec<&Candidate> {
        let mut all: Vec<&Candidate> = self.all(field).iter().collect();
        all.sort_by_key(|c| c.rank);
        all
    }

    pub(super) fn best(&self, field: Field) -> Option<Value<String>> {
        self.ranked(field).first().map(|c| c.value.clone())
    }
}

/// White space folded into single spaces, and without what shows nothing: soft hyphens stand inside of words.
pub(super) fn fold(text: &str) -> String {
    let nothing = |c: &char| matches!(c, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{ad}');
    let mut out = String::with_capacity(text.len());
    let mut space = false;
    for c in text.chars().filter(|c| !nothing(c)) {
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

/// Letters and digits in lower case, nothing else: what two spellings of the same name have in common.
pub(super) fn key(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
