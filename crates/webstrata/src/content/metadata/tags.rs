//! Selects the tags from the candidates.
//!
//! Pages declare tags for readers, for search engines and for their own software, each in a different place. Only the best place
//! that has any is used: the others repeat the same tags in other words. Values that only the site's software understands are dropped.

use super::candidates::{Candidate, Field, key};
use super::select::FieldSelector;
use super::source::Value;
use std::collections::BTreeSet;

const MAX_TAGS: usize = 64;
/// Maximum number of words in a tag; anything longer is a sentence.
const MAX_WORDS: usize = 7;

impl FieldSelector {
    pub(super) fn tags(&self) -> Vec<Value<String>> {
        let ranked = self.candidates.ranked(Field::Tag);
        let mut rest = ranked.as_slice();
        while let Some(first) = rest.first() {
            let same = rest.iter().take_while(|c| c.value.source == first.value.source).count();
            let found = self.tags_of(&rest[..same]);
            if !found.is_empty() {
                return found;
            }
            rest = &rest[same..];
        }
        Vec::new()
    }

    /// The tags of one source.
    fn tags_of(&self, candidates: &[&Candidate]) -> Vec<Value<String>> {
        let split = |c: &&Candidate| {
            let parts = c.value.value.split([',', ';', '，', '、', '|']).map(|part| c.value.with(part.trim().to_owned()));
            parts.collect::<Vec<_>>()
        };
        let mut all: Vec<Value<String>> = candidates.iter().flat_map(split).take(4 * MAX_TAGS).collect();
        // Drop the namespaces of `topic/rain`, `place/valley`.
        if all.len() > 1 && all.iter().all(|tag| tag.value.matches('/').count() == 1 && !tag.value.contains(" /")) {
            all.iter_mut().for_each(|tag| tag.value = tag.value.rsplit('/').next().unwrap_or_default().to_owned());
        }
        let mut seen = BTreeSet::new();
        all.iter_mut().for_each(|tag| tag.value = unlabelled(&tag.value).to_owned());
        all.retain(|tag| is_tag(&tag.value) && !self.sites.contains(&key(&tag.value)));
        all.retain(|tag| seen.insert(key(&tag.value)));
        // Drop a tag that merely concatenates the others.
        let words: BTreeSet<String> =
            all.iter().filter(|tag| tag.value.split(' ').count() < 4).map(|tag| key(&tag.value)).collect();
        all.retain(|tag| tag.value.split(' ').count() < 4 || !tag.value.split(' ').all(|word| words.contains(&key(word))));
        // News agency codes: `AIRS08`, `MEAST`.
        let codes = all.iter().filter(|tag| is_code(&tag.value)).count();
        if all.len() >= 8 && codes * 5 >= all.len() * 4 {
            all.clear();
        }
        all.truncate(MAX_TAGS);
        all
    }
}

/// A tag without its number or label: `(1) rain`, `Category: rain`, `#rain`.
fn unlabelled(tag: &str) -> &str {
    let numbered = tag.strip_prefix('(').and_then(|rest| rest.split_once(") "));
    let tag = numbered.filter(|(number, _)| number.bytes().all(|b| b.is_ascii_digit())).map_or(tag, |(_, rest)| rest);
    let is_label = |label: &str| {
        ["category", "tag", "topic", "section", "keyword", "keywords", "subject"]
            .iter()
            .any(|known| label.eq_ignore_ascii_case(known))
    };
    let tag = tag.split_once(": ").filter(|(label, _)| is_label(label)).map_or(tag, |(_, rest)| rest);
    tag.trim().trim_start_matches('#').trim()
}

/// Whether a tag is meant for readers, and not an identifier, an address or the name of a setting.
fn is_tag(tag: &str) -> bool {
    let spaced = tag.contains(' ');
    let digits = tag.chars().filter(char::is_ascii_digit).count();
    let letters = tag.chars().filter(|c| c.is_alphabetic()).count();
    let hyphens = tag.matches('-').count();
    let identifier = !spaced && tag.len() >= 16 && digits >= 4 && tag.bytes().all(|b| b.is_ascii_hexdigit() || b == b'-');
    let setting = tag.contains('_') || (!spaced && tag.is_ascii() && (hyphens >= 3 || (tag.len() > 22 && hyphens == 0)));
    let namespaced = tag.split_once(':').is_some_and(|(label, rest)| {
        !rest.is_empty()
            && (!rest.starts_with(' ') || ["category", "tokens", "entity"].iter().any(|end| label.to_lowercase().ends_with(end)))
    });
    (1..=120).contains(&tag.len())
        && tag.split(' ').count() <= MAX_WORDS
        && (letters > 0 || (digits == 4 && tag.len() == 4))
        && !identifier
        && !setting
        && !namespaced
        && !tag.contains("://")
        && !tag.contains(['{', '}', '<', '>'])
}

/// Whether a tag may be a news agency code.
fn is_code(tag: &str) -> bool {
    tag.len() <= 8 && tag.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::metadata::tests::{list, metadata};

    #[test]
    fn what_readers_understand() {
        for tag in ["rain", "Bank of Montreal", "COVID-19", "2024", "雨", "Star Wars: Andor", "Papst Leo XIV.", "state-of-the art"]
        {
            assert!(is_tag(tag), "{tag}");
        }
        for tag in [
            "",
            "98be933f-38cf-4fba-b6c6-ad438e82010a",
            "100312362",
            "_Prio_3",
            "NLP Category: Politics",
            "PACKAGE:WORLD-NEWS",
            "stats-reach-team-all-articles",
            "splitscreenimageleftinset",
            "https://example.org/",
            "{{tag}}",
            "this is a whole sentence about the rain that fell",
        ] {
            assert!(!is_tag(tag), "{tag}");
        }
        for (tag, expected) in
            [("(1) rain", "rain"), ("Category: Rain", "Rain"), ("#rain", "rain"), ("Rain: a study", "Rain: a study")]
        {
            assert_eq!(unlabelled(tag), expected);
        }
    }

    #[test]
    fn the_best_source_is_taken_as_it_is() {
        let table = [
            (
                "<meta name=keywords content='rain, snow; Rain'><meta property=article:tag content=weather>",
                "weather (meta article:tag)",
            ),
            ("<meta name=keywords content='rain, snow; Rain'>", "rain; snow (meta keywords)"),
            (
                "<meta property=article:tag content=100312362><meta name=keywords content='rain, dailyrock.example'>",
                "rain (meta keywords)",
            ),
            (
                "<meta name=keywords content='rain fall, snow, hail, valley, snow hail valley snow'>",
                "rain fall; snow; hail; valley (meta keywords)",
            ),
            ("<meta name=keywords content='topic/rain & snow, place/valley'>", "rain & snow; valley (meta keywords)"),
            (
                r#"<script type=application/ld+json>{"@type":"NewsArticle","keywords":["rain","Category: Weather"]}</script>"#,
                "rain; Weather (json-ld keywords)",
            ),
            (
                "<article><p>Text</p><a href=/tag/rain>Rain</a> <a href=/topics/snow>Snow</a></article>",
                "Rain; Snow (tag link markup)",
            ),
            (
                "<article><ul class=article-tags><li><a href=/r>Rain</a><li><a href=/s>Snow</a></ul></article>",
                "Rain; Snow (tag link markup)",
            ),
            ("<nav><a href=/tag/rain>Rain</a></nav><article><p>Text</p></article>", " ()"),
            ("<article><a href=/tag/rain>Read all that we have ever written about the rain</a></article>", " ()"),
        ];
        for (html, expected) in table {
            assert_eq!(list(&metadata(html).tags), expected, "{html}");
        }
        let codes: String = (0..12).map(|n| format!("<meta property=article:tag content=ABC{n}>")).collect();
        assert_eq!(list(&metadata(&codes).tags), " ()");
    }
}
