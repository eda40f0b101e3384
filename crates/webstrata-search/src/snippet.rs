//! Snippets: the part of the content that matches the query best.

use crate::words::Words;
use serde::Serialize;
use std::collections::HashMap;
use std::ops::Range;

/// Length of a snippet in bytes: about two lines.
const LENGTH: usize = 240;
/// Bytes of context before the first hit.
const BEFORE: usize = 60;

/// A part of the content with its hits.
///
/// ```
/// use webstrata_search::Snippet;
/// let snippet = Snippet::new("It rained. Rivers rose, and a river burst its banks.", &["river".into()], Some("en"));
/// let hits: Vec<&str> = snippet.hits.iter().map(|&[start, end]| &snippet.text[start..end]).collect();
/// assert_eq!(hits, ["Rivers", "river"]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Snippet {
    /// The text, on one line, without control characters.
    pub text: String,
    /// Byte ranges of the hits in the text.
    pub hits: Vec<[usize; 2]>,
}

impl Snippet {
    /// Makes a snippet of a text in a given language. `words` are words as they are indexed.
    #[must_use]
    pub fn new(text: &str, words: &[String], language: Option<&str>) -> Snippet {
        let numbers: HashMap<&str, usize> = words.iter().enumerate().map(|(number, word)| (word.as_str(), number)).collect();
        let mut found: Vec<(usize, Range<usize>)> = Vec::new();
        Words::new(language).each(text, &mut |word, bytes| found.extend(numbers.get(word).map(|&number| (number, bytes))));
        let first = best(&found);
        let start = found.get(first).map_or(0, |(_, bytes)| bytes.start.saturating_sub(BEFORE));
        let start = if start == 0 { 0 } else { boundary(text, start) };
        let end = text.len().min(start + LENGTH);
        let end = if end == text.len() { end } else { boundary(text, end) };
        let mut snippet = Snippet::default();
        if start > 0 {
            snippet.text.push('…');
        }
        let hits = found.iter().map(|(_, bytes)| bytes).filter(|bytes| start <= bytes.start && bytes.end <= end);
        let mut at = start;
        for hit in hits {
            push(&mut snippet.text, &text[at..hit.start]);
            let from = snippet.text.len();
            push(&mut snippet.text, &text[hit.clone()]);
            snippet.hits.push([from, snippet.text.len()]);
            at = hit.end;
        }
        push(&mut snippet.text, &text[at.min(end)..end]);
        let kept = snippet.text.trim_end().len();
        snippet.text.truncate(kept);
        if end < text.len() {
            snippet.text.push('…');
        }
        snippet
    }
}

/// The hit at which the best window starts: the most distinct words, then the most hits, then the earliest.
fn best(found: &[(usize, Range<usize>)]) -> usize {
    let (mut best, mut first, mut end) = ((0, 0), 0, 0);
    let mut counts: HashMap<usize, usize> = HashMap::new();
    for (at, (number, bytes)) in found.iter().enumerate() {
        while end < found.len() && found[end].1.end <= bytes.start + LENGTH - BEFORE {
            *counts.entry(found[end].0).or_default() += 1;
            end += 1;
        }
        let value = (counts.len(), end.saturating_sub(at));
        if value > best {
            (best, first) = (value, at);
        }
        if end <= at {
            end = at + 1;
        } else if let Some(count) = counts.get_mut(number) {
            *count -= 1;
            if *count == 0 {
                counts.remove(number);
            }
        }
    }
    first
}

/// The end of the last word before `at`, or else a character boundary.
fn boundary(text: &str, at: usize) -> usize {
    let at = (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    match text[..at].rfind(char::is_whitespace) {
        Some(space) if at - space < 40 => space + text[space..].chars().next().map_or(1, char::len_utf8),
        _ => at,
    }
}

/// Appends a text with white space collapsed and without control characters, which terminals would interpret.
fn push(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            c if c.is_whitespace() => {
                if !out.is_empty() && !out.ends_with(' ') {
                    out.push(' ');
                }
            }
            c if c.is_control() || is_direction(c) => {}
            c => out.push(c),
        }
    }
}

/// Whether a character changes the direction of text.
fn is_direction(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Cleans a text for a terminal: one line, without control characters.
#[must_use]
pub fn plain(text: &str) -> String {
    let mut out = String::new();
    push(&mut out, text);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn hits(snippet: &Snippet) -> BTreeSet<&str> {
        snippet.hits.iter().map(|&[start, end]| &snippet.text[start..end]).collect()
    }

    #[test]
    fn the_best_part_is_shown() {
        let filler = "Nothing of interest happened on that day or the day after. ".repeat(10);
        let text = format!("Rain. {filler}Then rain and snow fell\u{1b}[31m together.\n\n{filler}");
        let snippet = Snippet::new(&text, &["rain".into(), "snow".into()], Some("en"));
        assert_eq!(hits(&snippet), BTreeSet::from(["rain", "snow"]));
        assert!(
            snippet.text.starts_with('…') && snippet.text.ends_with('…') && !snippet.text.contains('\u{1b}'),
            "{}",
            snippet.text
        );
        let none = Snippet::new(&text, &["hail".into()], Some("en"));
        assert!(none.hits.is_empty() && none.text.starts_with("Rain. Nothing"));
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn hits_are_in_the_text(text in "([ab雨 \n\u{301}]|\\PC){0,400}") {
            let snippet = Snippet::new(&text, &["a".into(), "b".into(), "雨".into()], None);
            for &[start, end] in &snippet.hits {
                prop_assert!(start < end && snippet.text.get(start..end).is_some());
            }
            prop_assert!(snippet.text.len() <= 3 * LENGTH);
        }
    }
}
