//! Words as they are indexed and searched: lower-cased and stemmed, by language and script.
//!
//! - Words consist of letters, digits and combining marks. Accents are kept, since they distinguish words in many languages.
//! - Chinese, Japanese, Thai, Lao, Khmer and Burmese are written without spaces. Their words are found by the Unicode Consortium's
//!   `icu_segmenter`: dictionaries for Chinese and Japanese, small neural networks for the others. Character bigrams would need
//!   no data, but they double the postings and match across words; the data adds about 3 MB to a program.
//! - Words are stemmed by Snowball (`frostem`, the stemmer that tantivy uses) in languages with an algorithm; others stay as they are.
//!
//! A page is stemmed by its own language; a query by all languages of the index, because it is too short to detect its language.

use frostem::{Algorithm, Stemmer};
use icu_segmenter::WordSegmenterBorrowed;
use icu_segmenter::options::WordBreakInvariantOptions;
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use unicode_general_category::{GeneralCategory, get_general_category};

/// Longer tokens are not words, and are left out.
const MAX_LEN: usize = 120;
/// Runs of letters without spaces are segmented in chunks of this size, so that the segmenter's tables stay small.
const MAX_RUN: usize = 2048;

/// Finds the words of texts in one language.
///
/// ```
/// use webstrata_search::Words;
/// let words = |language, text| Words::new(language).list(text);
/// assert_eq!(words(Some("en"), "The Rivers, running!"), ["the", "river", "run"]);
/// assert_eq!(words(None, "The Rivers"), ["the", "rivers"]);
/// assert_eq!(words(Some("de"), "Die Häuser"), ["die", "haus"]);
/// assert_eq!(words(Some("zh"), "我们喜欢图书"), ["我们", "喜欢", "图书"]);
/// assert_eq!(words(Some("th"), "ภาษาไทย"), ["ภาษา", "ไทย"]);
/// ```
pub struct Words {
    stemmer: Option<Stemmer>,
    segmenter: Option<WordSegmenterBorrowed<'static>>,
    lower: String,
}

impl fmt::Debug for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Words {{ stems: {} }}", self.stemmer.is_some())
    }
}

/// The primary subtag of a language tag in lower case: `pt` of `pt-BR`.
pub(crate) fn primary(language: &str) -> String {
    language.split(['-', '_']).next().unwrap_or_default().to_ascii_lowercase()
}

fn algorithm(language: &str) -> Option<Algorithm> {
    Some(match primary(language).as_str() {
        "ar" => Algorithm::Arabic,
        "da" => Algorithm::Danish,
        "de" => Algorithm::German,
        "el" => Algorithm::Greek,
        "en" => Algorithm::English,
        "es" => Algorithm::Spanish,
        "fi" => Algorithm::Finnish,
        "fr" => Algorithm::French,
        "hu" => Algorithm::Hungarian,
        "it" => Algorithm::Italian,
        "nl" => Algorithm::Dutch,
        "no" | "nb" | "nn" => Algorithm::Norwegian,
        "pt" => Algorithm::Portuguese,
        "ro" => Algorithm::Romanian,
        "ru" => Algorithm::Russian,
        "sv" => Algorithm::Swedish,
        "ta" => Algorithm::Tamil,
        "tr" => Algorithm::Turkish,
        _ => return None,
    })
}

/// Whether a character belongs to a script without spaces between words.
fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{0e00}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{19e0}'..='\u{19ff}'
        | '\u{3005}'..='\u{3007}' | '\u{3040}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}' | '\u{aa60}'..='\u{aa7f}' | '\u{f900}'..='\u{faff}' | '\u{ff66}'..='\u{ff9f}'
        | '\u{20000}'..='\u{3ffff}')
}

fn is_word_char(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric();
    }
    c.is_alphanumeric()
        || matches!(
            get_general_category(c),
            GeneralCategory::NonspacingMark | GeneralCategory::SpacingMark | GeneralCategory::EnclosingMark
        )
}

impl Words {
    /// Creates a word finder for a language, given as a BCP 47 tag; without stemming if it is unknown.
    #[must_use]
    pub fn new(language: Option<&str>) -> Words {
        let stemmer = language.and_then(algorithm).map(Stemmer::new);
        Words { stemmer, segmenter: None, lower: String::new() }
    }

    /// Whether words of this language are stemmed.
    #[must_use]
    pub fn has_stems(language: &str) -> bool {
        algorithm(language).is_some()
    }

    /// Calls `found` with each word and its byte range in the text.
    pub fn each(&mut self, text: &str, found: &mut dyn FnMut(&str, Range<usize>)) {
        let mut at = 0;
        while at < text.len() {
            let rest = &text[at..];
            let Some(first) = rest.chars().next() else { break };
            if !is_word_char(first) {
                at += first.len_utf8();
                continue;
            }
            let (mut len, mut unspaced) = (0, false);
            for c in rest.chars() {
                if !is_word_char(c) || len >= MAX_RUN {
                    break;
                }
                len += c.len_utf8();
                unspaced |= !c.is_ascii() && is_unspaced(c);
            }
            if unspaced {
                let segmenter = *self
                    .segmenter
                    .get_or_insert_with(|| icu_segmenter::WordSegmenter::new_auto(WordBreakInvariantOptions::default()));
                let mut start = 0;
                for end in segmenter.segment_str(&rest[..len]) {
                    if end > start {
                        self.word(text, at + start..at + end, found);
                    }
                    start = end;
                }
            } else {
                self.word(text, at..at + len, found);
            }
            at += len;
        }
    }

    fn word(&mut self, text: &str, bytes: Range<usize>, found: &mut dyn FnMut(&str, Range<usize>)) {
        let word = &text[bytes.clone()];
        if word.len() > MAX_LEN {
            return;
        }
        self.lower.clear();
        if word.is_ascii() {
            self.lower.push_str(word);
            self.lower.make_ascii_lowercase();
        } else {
            self.lower.extend(word.chars().flat_map(char::to_lowercase));
        }
        match &self.stemmer {
            Some(stemmer) => match stemmer.stem(&self.lower) {
                Cow::Borrowed(stem) => found(stem, bytes),
                Cow::Owned(stem) => found(&stem, bytes),
            },
            None => found(&self.lower, bytes),
        }
    }

    /// The words of a text.
    #[must_use]
    pub fn list(&mut self, text: &str) -> Vec<String> {
        let mut words = Vec::new();
        self.each(text, &mut |word, _| words.push(word.to_owned()));
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn words_of_scripts() {
        let words = |language: &str, text: &str| Words::new(Some(language)).list(text);
        assert_eq!(words("ja", "東京都に住んでいます").first().map(String::as_str), Some("東京"));
        assert_eq!(words("hi", "हिन्दी भाषा"), ["हिन्दी", "भाषा"]);
        assert_eq!(words("fr", "les chevaux"), ["le", "cheval"]);
        assert_eq!(words("en", "C3PO 東京 running"), ["c3po", "東京", "run"]);
        assert!(words("en", &"x".repeat(10_000)).is_empty());
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// Words are in order and do not overlap, and the text of a word yields the same word.
        #[test]
        fn words_have_bytes(text in "\\PC{0,60}", language in prop::sample::select(vec!["en", "de", "zh", "th", "ar", "xx"])) {
            let mut end = 0;
            let mut words = Words::new(Some(language));
            let mut bytes = Vec::new();
            words.each(&text, &mut |word, range| bytes.push((word.to_owned(), range)));
            for (_, range) in &bytes {
                prop_assert!(end <= range.start && range.start < range.end && text.is_char_boundary(range.start) && text.is_char_boundary(range.end));
                end = range.end;
            }
        }
    }
}
