//! What is summed up over blocks and elements before any of them is judged.

use super::letters::Letters;
use crate::block::Mask;
use crate::block::outline::{Outline, Within};
use crate::html::Tag;
use crate::label::{Input, Labeller, Preset};

/// A block is long from so many words on, if few of them are linked: the length from which sentences are found.
const LONG: f32 = 12.0;
const LONG_LINKS: f32 = 0.35;

/// Sums over the first blocks, one more than there are blocks.
#[derive(Clone, Debug, Default)]
pub(super) struct Sums(Vec<f32>);

impl Sums {
    pub(super) fn new(values: impl Iterator<Item = f32>) -> Self {
        // In double precision: pages may have a million blocks.
        let mut total = 0f64;
        let mut sums = vec![0.0];
        sums.extend(values.map(|value| {
            total += f64::from(value);
            total as f32
        }));
        Sums(sums)
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

/// The blocks, the outline round them and the sums over both.
#[derive(Debug)]
pub(super) struct Aggregates {
    pub(super) outline: Outline,
    pub(super) letters: Vec<Letters>,
    pub(super) words: Vec<f32>,
    pub(super) link_share: Vec<f32>,
    /// 0 for text that is no heading.
    pub(super) heading: Vec<u8>,
    pub(super) word_sums: Sums,
    pub(super) link_sums: Sums,
    pub(super) long_sums: Sums,
    pub(super) long_count: Sums,
    pub(super) price_sums: Sums,
    pub(super) heading_sums: Sums,
    /// By block: is it content by the rules of the thesis, on its own and with all that `article` does behind them?
    pub(super) by_words: Vec<bool>,
    pub(super) by_article: Vec<bool>,
    /// Words of the latter.
    pub(super) article_sums: Sums,
}

impl Aggregates {
    pub(super) fn new(input: &Input<'_>, mask: Mask) -> Self {
        let blocks = input.blocks;
        let verdicts = |preset: Preset| {
            let labels = preset.label(input);
            (0..blocks.len()).map(|at| labels.verdict(at).content).collect::<Vec<bool>>()
        };
        let by_article = verdicts(Preset::Article);
        let outline = Outline::new(blocks, mask);
        let records = blocks.records();
        let letters: Vec<Letters> = (0..blocks.len()).map(|index| Letters::of(blocks, index, mask)).collect();
        let words: Vec<f32> = records.iter().map(|r| r.counts.words as f32).collect();
        let link_share: Vec<f32> = records.iter().map(|r| r.counts.link_density() as f32).collect();
        let is_long = |i: usize| words[i] >= LONG && link_share[i] < LONG_LINKS;
        let count = words.len();
        let heading: Vec<u8> = outline.innermost.iter().map(|&holder| heading_level(&outline, holder)).collect();
        Aggregates {
            word_sums: Sums::new(words.iter().copied()),
            link_sums: Sums::new(records.iter().map(|r| r.counts.link_words as f32)),
            long_sums: Sums::new((0..count).map(|i| if is_long(i) { words[i] } else { 0.0 })),
            long_count: Sums::new((0..count).map(|i| f32::from(u8::from(is_long(i))))),
            price_sums: Sums::new(letters.iter().map(|l| l.prices.min(1.0))),
            heading_sums: Sums::new(heading.iter().map(|&level| f32::from(u8::from(level > 0)))),
            article_sums: Sums::new((0..count).map(|i| if by_article[i] { words[i] } else { 0.0 })),
            by_words: verdicts(Preset::NumWordsRules),
            by_article,
            outline,
            letters,
            words,
            link_share,
            heading,
        }
    }

    /// How many blocks there are.
    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    pub(super) fn sum(&self, sums: &Sums, element: u32) -> f32 {
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
    pub(super) fn links_in(&self, element: u32) -> f32 {
        self.sum(&self.link_sums, element) / self.words_in(element).max(1.0)
    }

    pub(super) fn blocks_in(&self, element: u32) -> f32 {
        let element = &self.outline.elements[element as usize];
        (element.end - element.start) as f32
    }
}

/// The level of the heading that an element is or stands in, 0 for none. A link or a span inside it is inline, a `div` is not.
fn heading_level(outline: &Outline, holder: u32) -> u8 {
    let mut at = holder;
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
