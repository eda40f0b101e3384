//! Body Text Extraction (Finn, Kushmerick, Smyth: Fact or Fiction: Content Classification for Digital Libraries, DELOS 2001): the
//! best-known competitor in the thesis' figure 4.21.
//!
//! A page is a sequence of words and tags. The content is the stretch with the most words inside and tags outside: the stretch that
//! maximises words minus tags. The paper tries all pairs of ends; Kadane's algorithm finds the maximum sum in one
//! pass.

use crate::extract::run::Answers;
use webstrata::html::token::{RawAttribute, RawTag, Repair, Sink, TextKind, TokenizerState, tokenize};
use webstrata::{Page, Span};

/// BTE as a method under test.
///
/// ```
/// use webstrata_lab::{extract::run::Answers, figures::bte::Bte};
/// assert_eq!(Bte.name(), "BTE");
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Bte;

impl Answers for Bte {
    fn name(&self) -> &str {
        "BTE"
    }

    fn answer(&self, page: &Page<'_>) -> String {
        body_text(page)
    }
}

/// The text it extracts.
///
/// ```
/// use webstrata::Page;
/// use webstrata_lab::figures::bte::body_text;
/// let html = b"<ul><li>Home<li>News</ul><p>It rained <b>again</b> in the whole valley.</p><ul><li>Imprint</ul>";
/// assert_eq!(body_text(&Page::parse(html)), "It rained again in the whole valley.");
/// ```
#[must_use]
pub fn body_text(page: &Page<'_>) -> String {
    let source = page.dom().source();
    let mut tags = Tags { source, starts: Vec::new() };
    tokenize(source.as_bytes(), 0, Repair::On, &mut tags, &mut Vec::new());
    let words: Vec<(u32, String)> = page
        .blocks()
        .iter()
        .flat_map(|block| block.tokens())
        .filter_map(|token| Some((token.spans.first()?.start, token.text)))
        .collect();
    let Some(best) = stretch(&words.iter().map(|(start, _)| *start).collect::<Vec<_>>(), &tags.starts) else {
        return String::new();
    };
    let inside = words.into_iter().filter(|(start, _)| (best.start..=best.end).contains(start)).map(|(_, word)| word);
    inside.collect::<Vec<_>>().join(" ")
}

/// The first and the last word of the best stretch; both lists ascend.
fn stretch(words: &[u32], tags: &[u32]) -> Option<Span> {
    let (mut sum, mut from) = (0i64, None);
    let mut best: Option<(i64, Span)> = None;
    let mut tag = 0;
    for &word in words {
        while tags.get(tag).is_some_and(|start| *start < word) {
            sum -= 1;
            tag += 1;
        }
        if sum <= 0 {
            (sum, from) = (0, None);
        }
        sum += 1;
        let start = *from.get_or_insert(word);
        if best.is_none_or(|(most, _)| sum > most) {
            best = Some((sum, Span::new(start, word)));
        }
    }
    best.map(|(_, span)| span)
}

/// Records the positions of tags.
struct Tags<'s> {
    source: &'s str,
    starts: Vec<u32>,
}

impl Sink for Tags<'_> {
    fn text(&mut self, _: usize, _: usize, _: TextKind) {}

    fn start(&mut self, tag: RawTag, _: &[RawAttribute]) -> TokenizerState {
        self.starts.push(tag.start as u32);
        match self.source.get(tag.start + 1..tag.name_end).unwrap_or("").to_ascii_lowercase().as_str() {
            "script" => TokenizerState::Script,
            "style" | "xmp" | "iframe" | "noembed" | "noframes" => TokenizerState::Rawtext,
            "title" | "textarea" => TokenizerState::Rcdata,
            "plaintext" => TokenizerState::Plaintext,
            _ => TokenizerState::Data,
        }
    }

    fn end(&mut self, tag: RawTag) {
        self.starts.push(tag.start as u32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Tries all pairs of ends, as in the paper; the first of equal ones wins.
    fn naive(row: &[bool]) -> Option<i64> {
        let value = |word: &bool| if *word { 1 } else { -1 };
        let sums =
            (0..row.len()).flat_map(|from| (from + 1..=row.len()).map(move |to| row[from..to].iter().map(value).sum::<i64>()));
        sums.max().filter(|sum| *sum > 0)
    }

    proptest! {
        #[test]
        fn one_pass_matches_all_pairs(row in prop::collection::vec(any::<bool>(), 0..40)) {
            let places = |word: bool| (0u32..).zip(&row).filter(|(_, is)| **is == word).map(|(at, _)| at).collect::<Vec<_>>();
            let (words, tags) = (places(true), places(false));
            let found = stretch(&words, &tags).map(|span| {
                let inside = |list: &[u32]| list.iter().filter(|at| (span.start..=span.end).contains(at)).count() as i64;
                inside(&words) - inside(&tags)
            });
            prop_assert_eq!(found, naive(&row));
        }
    }

    #[test]
    fn invisible_text_is_ignored() {
        let html = b"<script>many words that are not text of the page at all</script><p>It rains.</p><style>p {}</style>";
        assert_eq!(body_text(&Page::parse(html)), "It rains.");
        assert_eq!(body_text(&Page::parse(b"<p><br></p>")), "");
    }
}
