//! Title match: a block whose text equals the page's title, or the longest part of it, is the title.
//!
//! Titles contain the site's name ("Strata found – The Daily Rock"), so both the whole and the longest part are tried.

use super::letter_case::push_lower;
use super::unit::{Marks, StageInfo, Trail, Unit};
use super::{Input, Stage};
use crate::block::Counter;
use crate::html::{Dom, Tag};
use std::borrow::Cow;

/// Marks the blocks that match the page's title.
#[derive(Clone, Copy, Debug)]
pub(super) struct TitleMatch;

static TITLE_MATCH: StageInfo = StageInfo { name: "title-match", source: "boilerpipe", rules: &["title"] };

/// Separators of the parts of a title, with the spaces around them.
const SEPARATORS: [&str; 11] = [" | ", " » ", " « ", " - ", " – ", " — ", " : ", ": ", " / ", " · ", " • "];

/// Maximum number of words in a block that is compared with the title.
const MAX_WORDS: u32 = 60;

/// Nodes at the start of a page that are searched for metadata.
const HEAD_NODES: usize = 400;

/// The `content` of the first `meta` element with this property that has one.
pub(crate) fn head_property<'p>(dom: &'p Dom<'_>, property: &str) -> Option<Cow<'p, str>> {
    let metas = dom.nodes().take(HEAD_NODES).filter(|node| node.tag() == Tag::META);
    let named = metas.filter(|node| node.attribute("property").is_some_and(|name| name.eq_ignore_ascii_case(property)));
    named.filter_map(|node| node.attribute("content")).next()
}

/// The strings that count as the title, normalised.
fn candidates(title: &str) -> Vec<String> {
    let mut all = vec![normalised(title)];
    // A title without a separator is its own longest part.
    for separator in SEPARATORS.into_iter().filter(|separator| title.contains(separator)) {
        let longest = title.split(separator).map(normalised).max_by_key(String::len);
        all.extend(longest.filter(|part| part.split(' ').count() > 1 || !part.is_ascii()));
    }
    all.retain(|t| !t.is_empty());
    all.sort_unstable();
    all.dedup();
    all
}

/// The candidates of several titles of a page.
pub(crate) fn title_candidates(titles: &[&str]) -> Vec<String> {
    let mut all: Vec<String> = titles.iter().flat_map(|title| candidates(title)).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Share of the words that a heading and a title must have in common, in percent of the longer one.
const MIN_COMMON: usize = 70;

/// Whether a text matches one of the candidates: exactly or, for a heading, in most of its words, since titles for search
/// engines are often shortened or extended.
pub(crate) fn matches_title(candidates: &[String], text: &str, heading: bool) -> bool {
    let words = || text.split(' ').collect::<Vec<_>>();
    let similar = |candidate: &String| {
        let (ours, theirs): (Vec<&str>, Vec<&str>) = (words(), candidate.split(' ').collect());
        let common = ours.iter().filter(|word| theirs.contains(word)).count();
        ours.len() > 2 && common * 100 >= MIN_COMMON * ours.len().max(theirs.len())
    };
    candidates.binary_search_by(|candidate| candidate.as_str().cmp(text)).is_ok() || (heading && candidates.iter().any(similar))
}

/// The parts of titles other than the longest, normalised: names of the site and of sections.
pub(crate) fn site_parts(titles: &[&str]) -> Vec<String> {
    let mut all = Vec::new();
    for title in titles {
        for separator in SEPARATORS.into_iter().filter(|separator| title.contains(separator)) {
            let parts: Vec<String> = title.split(separator).map(normalised).collect();
            let longest = parts.iter().map(String::len).max().unwrap_or(0);
            all.extend(parts.into_iter().filter(|part| part.len() < longest));
        }
    }
    all
}

/// The longest part of a title that has several, normalised.
pub(crate) fn longest_part(title: &str) -> Option<String> {
    let separator = SEPARATORS.into_iter().find(|separator| title.contains(separator))?;
    title.split(separator).map(normalised).max_by_key(String::len)
}

/// Lower case, white space folded, typographic apostrophes and dashes plain.
pub(crate) fn normalised(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        for c in word.chars() {
            match c {
                '’' | '‘' | '`' => out.push('\''),
                '“' | '”' => out.push('"'),
                '–' | '—' => out.push('-'),
                _ => push_lower(c, &mut out),
            }
        }
    }
    out
}

/// Words and characters of a text, counted as in blocks.
pub(crate) fn size(text: &str, input: &Input<'_>) -> (u32, u32) {
    let mut counter = Counter::new(input.blocks.word_options());
    counter.run(text, false);
    let counts = counter.finish();
    (counts.words, counts.chars)
}

impl Stage for TitleMatch {
    fn info(&self) -> &'static StageInfo {
        &TITLE_MATCH
    }

    fn apply(&self, input: &Input<'_>, mut units: Vec<Unit>, _: &mut Trail) -> Vec<Unit> {
        let Some(title) = input.title else { return units };
        let candidates = candidates(title);
        let sizes: Vec<(u32, u32)> = candidates.iter().map(|text| size(text, input)).collect();
        for unit in &mut units {
            // The counts of words and characters rule out nearly all blocks.
            if unit.counts.words > MAX_WORDS || !sizes.contains(&(unit.counts.words, unit.counts.chars)) {
                continue;
            }
            if candidates.binary_search(&normalised(&input.text(unit))).is_ok() {
                unit.marks = unit.marks.with(Marks::TITLE);
            }
        }
        units
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_titles() {
        let found = candidates("Strata found in the  Alps – The Daily Rock");
        assert!(found.contains(&"strata found in the alps".to_owned()), "{found:?}");
        assert!(found.contains(&"strata found in the alps - the daily rock".to_owned()));
        assert!(!found.contains(&"the daily rock".to_owned()));
        assert_eq!(candidates(""), Vec::<String>::new());
        assert_eq!(candidates("Home"), ["home"]);
    }
}
