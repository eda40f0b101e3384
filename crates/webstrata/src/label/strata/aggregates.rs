//! Sums over blocks and elements, computed before any block is scored.

use super::text_stats::TextStats;
use crate::block::Mask;
use crate::block::outline::{Outline, Within};
use crate::html::Tag;
use crate::label::Input;
use crate::label::article::ArticleVerdicts;

/// A block is long if it has at least this many words, about the length of a sentence, ...
pub(super) const LONG_MIN_WORDS: f32 = 12.0;
/// ... and a link density below this.
pub(super) const LONG_MAX_LINKS: f32 = 0.35;

/// Prefix sums over blocks, starting with 0.
#[derive(Clone, Debug, Default)]
pub(super) struct PrefixSums(Vec<f32>);

impl PrefixSums {
    pub(super) fn new(values: impl Iterator<Item = f32>) -> Self {
        // In double precision: a page may have a million blocks.
        let mut total = 0f64;
        let mut sums = vec![0.0];
        sums.extend(values.map(|value| {
            total += f64::from(value);
            total as f32
        }));
        PrefixSums(sums)
    }

    pub(super) fn between(&self, start: usize, end: usize) -> f32 {
        self.0[end] - self.0[start]
    }

    pub(super) fn before(&self, index: usize) -> f32 {
        self.0[index]
    }

    pub(super) fn total(&self) -> f32 {
        self.0.last().copied().unwrap_or(0.0)
    }
}

/// The outline of a page, facts about its blocks, and sums over both.
#[derive(Debug)]
pub(super) struct Aggregates {
    pub(super) outline: Outline,
    pub(super) text: Vec<TextStats>,
    pub(super) words: Vec<f32>,
    pub(super) link_density: Vec<f32>,
    /// For each block: heading level, 0 for other text.
    pub(super) heading: Vec<u8>,
    pub(super) word_sums: PrefixSums,
    pub(super) link_sums: PrefixSums,
    pub(super) long_sums: PrefixSums,
    pub(super) long_count: PrefixSums,
    pub(super) price_sums: PrefixSums,
    pub(super) heading_sums: PrefixSums,
    /// For each block: whether it repeats the page's title.
    pub(super) titles: Vec<bool>,
    /// For each block: whether the NumWords rules of the thesis, and the whole `article` preset, classify it as content.
    pub(super) by_words: Vec<bool>,
    pub(super) by_article: Vec<bool>,
    /// Words kept by the `article` preset.
    pub(super) article_sums: PrefixSums,
}

impl Aggregates {
    pub(super) fn new(input: &Input<'_>, mask: Mask) -> Self {
        let blocks = input.blocks;
        let ArticleVerdicts { titles, by_words, content: by_article } = ArticleVerdicts::new(input);
        let outline = Outline::new(blocks, mask);
        let records = blocks.records();
        let text: Vec<TextStats> = (0..blocks.len()).map(|index| TextStats::new(blocks, index, mask)).collect();
        let words: Vec<f32> = records.iter().map(|r| r.counts.words as f32).collect();
        let link_density: Vec<f32> = records.iter().map(|r| r.counts.link_density() as f32).collect();
        let is_long = |i: usize| words[i] >= LONG_MIN_WORDS && link_density[i] < LONG_MAX_LINKS;
        let count = words.len();
        let heading: Vec<u8> = outline.innermost.iter().map(|&innermost| heading_level(&outline, innermost)).collect();
        Aggregates {
            word_sums: PrefixSums::new(words.iter().copied()),
            link_sums: PrefixSums::new(records.iter().map(|r| r.counts.link_words as f32)),
            long_sums: PrefixSums::new((0..count).map(|i| if is_long(i) { words[i] } else { 0.0 })),
            long_count: PrefixSums::new((0..count).map(|i| f32::from(u8::from(is_long(i))))),
            price_sums: PrefixSums::new(text.iter().map(|text| text.prices.min(1.0))),
            heading_sums: PrefixSums::new(heading.iter().map(|&level| f32::from(u8::from(level > 0)))),
            article_sums: PrefixSums::new((0..count).map(|i| if by_article[i] { words[i] } else { 0.0 })),
            titles,
            by_words,
            by_article,
            outline,
            text,
            words,
            link_density,
            heading,
        }
    }

    /// Number of blocks.
    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    pub(super) fn sum(&self, sums: &PrefixSums, element: u32) -> f32 {
        let element = &self.outline.elements[element as usize];
        sums.between(element.start as usize, element.end as usize)
    }

    pub(super) fn words_in(&self, element: u32) -> f32 {
        self.sum(&self.word_sums, element)
    }

    pub(super) fn long_in(&self, element: u32) -> f32 {
        self.sum(&self.long_sums, element)
    }

    /// Share of the words in an element that are linked.
    pub(super) fn link_density_in(&self, element: u32) -> f32 {
        self.sum(&self.link_sums, element) / self.words_in(element).max(1.0)
    }

    pub(super) fn blocks_in(&self, element: u32) -> f32 {
        let element = &self.outline.elements[element as usize];
        (element.end - element.start) as f32
    }
}

/// The level of the heading that an element is or is inside, 0 for none. The heading need not be the parent: it may
/// contain a `div`.
fn heading_level(outline: &Outline, innermost: u32) -> u8 {
    let mut at = innermost;
    for _ in 0..4 {
        let element = &outline.elements[at as usize];
        if !element.within.has(Within::HEADING) {
            return 0;
        }
        match element.tag {
            Tag::H1 => return 1,
            Tag::H2 => return 2,
            Tag::H3 => return 3,
            Tag::H4 => return 4,
            Tag::H5 => return 5,
            Tag::H6 => return 6,
            _ => at = element.parent,
        }
    }
    6
}
