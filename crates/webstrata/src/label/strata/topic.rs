//! How often running text mentions what the page is about.
//!
//! The paragraphs of an article repeat words of its headline; the teasers below it are about something else, although in form they are
//! text like any other. Words are compared by their first letters, because in many languages their endings
//! change, and as pairs of letters in scripts without spaces. The comparison needs no dictionary and no known language.

use super::aggregates::{Aggregates, PrefixSums};
use super::text_clusters::Cluster;
use super::text_words::LOWER;
use crate::block::{Blocks, is_unspaced};
use crate::html::fnv;
use crate::label::hash_filter::HashFilter;
use crate::label::letter_case::word_letter;
use crate::span::floor_char_boundary;

/// Words with fewer letters are not compared: most are articles and prepositions.
const MIN_LETTERS: usize = 4;

/// Letters of a word that are compared.
const STEM_LETTERS: usize = 5;

/// Bytes read per block; the rest of a longer block is assumed to be similar.
const MAX_BYTES: usize = 2048;

/// The words of the headline, or of the title if there is no headline.
#[derive(Debug)]
struct TopicWords {
    /// Hashes, sorted.
    hashes: Vec<u32>,
    filter: HashFilter<512>,
}

impl TopicWords {
    fn new(mut hashes: Vec<u32>) -> Self {
        hashes.sort_unstable();
        hashes.dedup();
        TopicWords { filter: HashFilter::new(hashes.iter().copied()), hashes }
    }

    fn contains(&self, stem: u32) -> bool {
        self.filter.may_contain(stem) && self.hashes.binary_search(&stem).is_ok()
    }
}

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
        let words = TopicWords::new(stems);
        let mentions = |block: usize| {
            let is_long = aggregates.long_count.between(block, block + 1) > 0.0;
            if !is_long || words.hashes.is_empty() || headline == Some(block) {
                return 0.0;
            }
            let mut mentions = 0u32;
            for_each_stem_of(blocks, block, |stem| mentions += u32::from(words.contains(stem)));
            mentions as f32
        };
        let counts: Vec<f32> = (0..aggregates.len()).map(mentions).collect();
        Topic {
            words: words.hashes.len() as f32,
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
fn for_each_stem(text: &str, mut each: impl FnMut(u32)) {
    let mut stems = Stems::default();
    stems.read(text, &mut each);
    stems.end_word(&mut each);
}

/// Calls `each` with the stems of a block. Runs are read until they have [`MAX_BYTES`] bytes.
fn for_each_stem_of(blocks: Blocks<'_>, block: usize, mut each: impl FnMut(u32)) {
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

/// Splits text into stems: hashes of the first letters of each word that is long enough, and of each pair of letters in scripts without
/// spaces.
#[derive(Debug)]
struct Stems {
    hash: u32,
    letters: usize,
    /// The previous character, if it belongs to a script without spaces.
    previous: Option<char>,
}

impl Default for Stems {
    fn default() -> Self {
        Stems { hash: fnv::OFFSET_BASIS_32, letters: 0, previous: None }
    }
}

impl Stems {
    fn read(&mut self, text: &str, each: &mut impl FnMut(u32)) {
        let bytes = text.as_bytes();
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
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
                        each(fnv::add_32(fnv::add_32(fnv::OFFSET_BASIS_32, previous), lower));
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
            self.hash = fnv::add_32(self.hash, lower);
        }
        self.letters += 1;
    }

    fn end_word(&mut self, each: &mut impl FnMut(u32)) {
        if self.letters >= MIN_LETTERS {
            each(self.hash);
        }
        *self = Stems::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stems(text: &str) -> Vec<u32> {
        let mut stems = Vec::new();
        for_each_stem(text, |stem| stems.push(stem));
        stems
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
