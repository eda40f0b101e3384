//! Body Text Extraction (Finn, Kushmerick, Smyth: Fact or Fiction: Content Classification for Digital Libraries, DELOS 2001): the
//! best-known competitor in the thesis' figure 4.21.
//!
//! A page is a sequence of words and tags. The content is the stretch with the most words inside and tags outside: the stretch that
//! maximises words minus tags. The paper tries all pairs of ends; Kadane's algorithm finds the maximum sum in one pass. A block
//! is content if most of its words are in the stretch.

use super::unit::{StageInfo, Trail, Unit};
use super::{Input, Stage};
use crate::html::token::{RawAttribute, RawTag, Repair, Sink, TextKind, TokenizerState, tokenize};
use crate::span::Span;

static INFO: StageInfo = StageInfo {
    name: "bte",
    source: "Finn, Kushmerick, Smyth 2001",
    rules: &[
        "content: {} of {} words are in the stretch with the most words and the fewest tags",
        "boilerplate: {} of {} words are in the stretch with the most words and the fewest tags",
    ],
};

/// The BTE stage.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bte;

impl Stage for Bte {
    fn info(&self) -> &'static StageInfo {
        &INFO
    }

    fn apply(&self, input: &Input<'_>, mut units: Vec<Unit>, trail: &mut Trail) -> Vec<Unit> {
        let source = input.blocks.dom().source();
        let mut tags = Tags { source, starts: Vec::new() };
        tokenize(source.as_bytes(), 0, Repair::On, &mut tags, &mut Vec::new());
        let mut words: Vec<u32> = Vec::new();
        let mut ends: Vec<usize> = Vec::new(); // of the words of each block
        for block in input.blocks {
            words.extend(block.tokens().iter().filter_map(|token| Some(token.spans.first()?.start)));
            ends.push(words.len());
        }
        // Words of a block may come from elements that the parser has moved; positions ascend within blocks only.
        let mut sorted = words.clone();
        sorted.sort_unstable();
        let best = stretch(&sorted, &tags.starts);
        for unit in &mut units {
            let start = (unit.first as usize).checked_sub(1).and_then(|before| ends.get(before)).copied().unwrap_or(0);
            let own = words.get(start..ends.get(unit.last as usize).copied().unwrap_or(start)).unwrap_or_default();
            let inside = own.iter().filter(|at| best.is_some_and(|best| (best.start..=best.end).contains(at))).count();
            let content = 2 * inside > own.len();
            let step = trail.note(&INFO, u8::from(!content), &[inside as f32, own.len() as f32]);
            trail.judge(unit, step);
            *unit = unit.decided(content, step);
        }
        units
    }
}

/// The first and the last word of the best stretch; both lists ascend. Ties go to the first stretch.
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
    use crate::label::Preset;
    use crate::{ExtractOptions, Page};
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

    fn text(html: &[u8]) -> String {
        Page::parse(html).extract_with(&ExtractOptions::paper(Preset::Bte)).text()
    }

    #[test]
    fn invisible_text_is_ignored() {
        let html = b"<script>many words that are not text of the page at all</script><p>It rains.</p><style>p {}</style>";
        assert_eq!(text(html), "It rains.");
        assert_eq!(text(b"<p><br></p>"), "");
        let menu = b"<ul><li>Home<li>News</ul><p>It rained <b>again</b> in the whole valley.</p><ul><li>Imprint</ul>";
        assert_eq!(text(menu), "It rained again in the whole valley.");
    }
}
