//! How often running text mentions what the page is about.
//!
//! The paragraphs of an article repeat words of its headline; the teasers below it are about something else, although in form they are
//! text like any other. Words are compared by their first letters, because in many languages their endings
//! change, and as pairs of letters in scripts without spaces. The comparison needs no dictionary and no known language.

use super::aggregates::{Aggregates, PrefixSums};
use super::text_clusters::Cluster;
use super::text_words::LOWER;
use super::word_keys::{Key, KeySet, Start, packed, start};
use crate::block::{Blocks, is_unspaced};
use crate::html::scan::word;
use crate::label::letter_case::word_letter;
use crate::span::floor_char_boundary;

/// Words with fewer letters are not compared: most are articles and prepositions.
const MIN_LETTERS: usize = 4;

/// Letters of a word that are compared.
const STEM_LETTERS: usize = 5;

/// Bytes read per block; the rest of a longer block is assumed to be similar.
const MAX_BYTES: usize = 2048;

/// Mentions of the topic in the long blocks of a page.
#[derive(Debug)]
pub(super) struct Topic {
    /// Number of distinct topic words.
    pub(super) words: f32,
    mentions: PrefixSums,
    /// Long blocks with a mention.
    blocks: PrefixSums,
}

impl Topic {
    /// Reads the long blocks. `headline` is the block with the headline, `title` the page's title.
    pub(super) fn new(blocks: Blocks<'_>, aggregates: &Aggregates, headline: Option<usize>, title: Option<&str>) -> Self {
        let mut stems = Vec::new();
        match headline {
            Some(block) => for_each_stem_of(blocks, block, |stem| stems.push(stem)),
            None => for_each_stem(title.unwrap_or_default(), |stem| stems.push(stem)),
        }
        // The words of the headline, or of the title if there is no headline.
        let words = KeySet::new(stems);
        let mentions = |block: usize| {
            let is_long = aggregates.long_count.between(block, block + 1) > 0.0;
            if !is_long || words.len() == 0 || headline == Some(block) {
                return 0.0;
            }
            let mut mentions = 0u32;
            for_each_stem_of(blocks, block, |stem| mentions += u32::from(words.contains(stem)));
            mentions as f32
        };
        let counts: Vec<f32> = (0..aggregates.len()).map(mentions).collect();
        Topic {
            words: words.len() as f32,
            blocks: PrefixSums::new(counts.iter().map(|&count| f32::from(u8::from(count > 0.0)))),
            mentions: PrefixSums::new(counts.into_iter()),
        }
    }

    /// Mentions in a block.
    pub(super) fn mentions(&self, block: usize) -> f32 {
        self.mentions.between(block, block + 1)
    }

    /// Mentions per word of long text in a range of blocks.
    pub(super) fn density(&self, aggregates: &Aggregates, start: usize, end: usize) -> f32 {
        self.mentions.between(start, end) / aggregates.long_sums.between(start, end).max(1.0)
    }

    /// The same for the blocks of an element.
    pub(super) fn density_in(&self, aggregates: &Aggregates, element: u32) -> f32 {
        aggregates.sum(&self.mentions, element) / aggregates.long_in(element).max(1.0)
    }

    /// The same for a cluster.
    pub(super) fn density_of(&self, aggregates: &Aggregates, cluster: &Cluster) -> f32 {
        self.density(aggregates, cluster.start as usize, cluster.end as usize)
    }

    /// Share of the long blocks that mention the topic.
    pub(super) fn share_of_blocks(&self, aggregates: &Aggregates) -> f32 {
        self.blocks.total() / aggregates.long_count.total().max(1.0)
    }
}

/// Calls `each` with the stems of a text.
fn for_each_stem(text: &str, mut each: impl FnMut(u64)) {
    let mut stems = Stems::default();
    stems.read(text, &mut each);
    stems.end_word(&mut each);
}

/// Calls `each` with the stems of a block. Runs are read until they have [`MAX_BYTES`] bytes.
fn for_each_stem_of(blocks: Blocks<'_>, block: usize, mut each: impl FnMut(u64)) {
    let mut stems = Stems::default();
    let mut read = 0;
    for &run in blocks.runs_of(block) {
        if read >= MAX_BYTES {
            break;
        }
        if Blocks::run_is_spaced(run) {
            stems.end_word(&mut each);
            read += 1;
        }
        let text = blocks.dom().run_text(Blocks::run_node(run));
        let text = &text[..floor_char_boundary(&text, MAX_BYTES)];
        stems.read(text, &mut each);
        read += text.len();
    }
    stems.end_word(&mut each);
}

/// Splits text into stems: the first letters of each word that is long enough, and each pair of letters in scripts without spaces.
#[derive(Debug, Default)]
struct Stems {
    /// The letters that are compared.
    key: Key,
    letters: usize,
    /// The previous character, if it belongs to a script without spaces.
    previous: Option<char>,
}

/// Marks a pair of letters: none of them is a word.
const PAIR: u64 = 1 << 62;

impl Stems {
    fn read(&mut self, text: &str, each: &mut impl FnMut(u64)) {
        let bytes = text.as_bytes();
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            if self.letters == 0
                && let Some(eight) = word(bytes, at)
            {
                match start(eight) {
                    Start::Word(letters) => {
                        if letters >= MIN_LETTERS {
                            each(packed(eight, letters.min(STEM_LETTERS)));
                        }
                        self.previous = None;
                        at += letters + 1;
                        continue;
                    }
                    Start::Letters => {
                        *self = Stems { key: Key::of_letters(eight, STEM_LETTERS), letters: 8, previous: None };
                        at += 8;
                        continue;
                    }
                    Start::Other => {}
                }
            }
            if let Some(&lower) = LOWER.get(usize::from(byte)) {
                at += 1;
                self.previous = None;
                if lower == 0 {
                    self.end_word(each);
                } else {
                    self.add(lower);
                }
                continue;
            }
            let Some(c) = text[at..].chars().next() else { return };
            at += c.len_utf8();
            match word_letter(c) {
                None => self.end_word(each),
                Some(lower) if is_unspaced(c) => {
                    let previous = self.previous;
                    self.end_word(each);
                    if let Some(previous) = previous {
                        each(PAIR | u64::from(previous) << 32 | u64::from(lower));
                    }
                    self.previous = Some(lower);
                }
                Some(lower) => {
                    self.previous = None;
                    self.add(lower);
                }
            }
        }
    }

    #[inline]
    fn add(&mut self, lower: impl Into<u32>) {
        if self.letters < STEM_LETTERS {
            self.key.add(lower);
        }
        self.letters += 1;
    }

    fn end_word(&mut self, each: &mut impl FnMut(u64)) {
        if self.letters >= MIN_LETTERS {
            each(self.key.value());
        }
        *self = Stems::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn stems(text: &str) -> Vec<u64> {
        let mut stems = Vec::new();
        for_each_stem(text, |stem| stems.push(stem));
        stems
    }

    /// The stems as text, character by character.
    fn naive(text: &str) -> Vec<String> {
        let (mut found, mut word, mut previous) = (Vec::new(), String::new(), None);
        for c in text.chars().chain([' ']) {
            let lower = word_letter(c);
            let pair = lower.filter(|_| is_unspaced(c));
            if let Some(lower) = lower.filter(|_| pair.is_none()) {
                word.push(lower);
            } else {
                let letters: Vec<char> = std::mem::take(&mut word).chars().collect();
                if letters.len() >= MIN_LETTERS {
                    found.push(letters.into_iter().take(STEM_LETTERS).collect());
                }
                found.extend(previous.zip(pair).map(|(a, b)| format!("pair {a}{b}")));
            }
            previous = pair;
        }
        found
    }

    fn text() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            8 => prop::sample::select(&["a", "Be", "rain", "VALLEY", "7", "1994", "abcdefg", "abcdefgh", "abcdefghi", "Kilometres"][..]),
            6 => prop::sample::select(&[" ", "  ", "-", "\n", ". ", "@", "[", "`", "{", "/", ":", "\0"][..]),
            2 => prop::sample::select(&["é", "É", "—", "ß", "Д", "大", "雨", "ก", "\u{212a}", "\u{a0}", "𝒜", "İ", "한"][..]),
        ];
        prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn keys_stand_for_the_naive_stems(text in text()) {
            let (expected, keys) = (naive(&text), stems(&text));
            prop_assert_eq!(expected.len(), keys.len(), "{:?}", expected);
            let (mut by_stem, mut by_key) = (BTreeMap::new(), BTreeMap::new());
            for (stem, key) in expected.into_iter().zip(keys) {
                prop_assert_eq!(*by_stem.entry(stem.clone()).or_insert(key), key);
                prop_assert_eq!(by_key.entry(key).or_insert(stem.clone()), &stem);
            }
        }
    }

    #[test]
    fn mentions_are_counted_in_long_text_only() {
        let page = crate::Page::parse(
            "<title>Floods</title><h1>Rain in the valleys</h1><p>Rain.<p>There was rain <b>and</b> more rain in every val<i>ley</i> \
             of the country, he said.<p>The price of oil fell again on Monday after a week in which it had risen."
                .as_bytes(),
        );
        let aggregates = Aggregates::new(&page.input(), crate::block::Mask::default());
        let topic = Topic::new(page.blocks(), &aggregates, Some(0), page.title());
        assert_eq!([0, 1, 2, 3].map(|block| topic.mentions(block)), [0.0, 0.0, 3.0, 0.0]);
        assert_eq!((topic.words, topic.share_of_blocks(&aggregates)), (2.0, 0.5));
    }

    #[test]
    fn inflected_words_are_equal() {
        assert_eq!(stems("Москва"), stems("МОСКВЫ"));
        assert_eq!(stems("valley"), stems("the valleys of"));
        assert_ne!(stems("rain"), stems("rail"));
    }

    #[test]
    fn scripts_without_spaces_have_pairs() {
        assert_eq!(stems("大雨谷").len(), 2);
        assert_eq!(stems("大雨谷")[1], stems("雨谷")[0]);
    }
}
