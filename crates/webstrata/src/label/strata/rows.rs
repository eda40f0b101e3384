//! A row of numbers for each block: what the model looks at.

use super::aggregates::Aggregates;
use super::containers::{Container, scores};
use super::elements::{Facts, TOPS};
use super::names::{Hint, Says};
use super::repeats::{Group, Repeats};
use super::titles::TitleWords;
use crate::block::Blocks;
use crate::block::outline::KINDS;
use crate::html::Tag;

/// Everything that rows are made from.
#[derive(Debug)]
pub(super) struct Rows<'p> {
    pub(super) blocks: Blocks<'p>,
    pub(super) aggregates: Aggregates,
    pub(super) repeats: Repeats,
    /// By element.
    facts: Vec<Facts>,
    hints: Vec<Hint>,
    half: Option<Container>,
    most: Option<Container>,
    /// By element: Readability's score, and the element where it is largest.
    scores: Vec<f32>,
    top: u32,
    titles: Vec<(f32, f32)>,
    /// The block with the headline, and whether it is an `h1`.
    headline: Option<(usize, bool)>,
    headlines: f32,
    /// By block: level of the heading before it, words since then, level of the one behind it.
    sections: Vec<(f32, f32, f32)>,
}

macro_rules! levels {
    ($name:literal) => {
        [
            concat!($name, "0"),
            concat!($name, "1"),
            concat!($name, "2"),
            concat!($name, "3"),
            concat!($name, "5"),
            concat!($name, "8"),
        ]
    };
}

/// Steps up from a block's innermost element.
const STEPS: [usize; 6] = [0, 1, 2, 3, 5, 8];

const WORDS: [&str; 6] = levels!("words^");
const LINKS: [&str; 6] = levels!("links^");
const BLOCKS: [&str; 6] = levels!("blocks^");
const SHARE: [&str; 6] = levels!("share^");
const LONG: [&str; 6] = levels!("long^");
const ALIKE: [&str; 6] = levels!("alike^");
const TAG: [&str; 6] = levels!("tag^");
const SAME: [&str; 6] = levels!("same-tag^");
const IMAGES: [&str; 6] = levels!("images^");
const FIELDS: [&str; 6] = levels!("fields^");

impl<'p> Rows<'p> {
    pub(super) fn new(blocks: Blocks<'p>, aggregates: Aggregates, repeats: Repeats, hints: Vec<Hint>, titles: &TitleWords) -> Self {
        let mut sums = Vec::new();
        let titles: Vec<(f32, f32)> = (0..aggregates.len()).map(|block| titles.overlap(blocks, block, &mut sums)).collect();
        let scores = scores(&aggregates);
        let mut top = 0;
        for (at, score) in scores.iter().enumerate() {
            if *score > scores[top] {
                top = at;
            }
        }
        let h1s = || (0..aggregates.len()).filter(|&block| aggregates.heading[block] == 1);
        let first_best = |blocks: &mut dyn Iterator<Item = usize>, of: &dyn Fn(usize) -> f32| {
            blocks.fold(None, |best: Option<usize>, block| match best {
                Some(old) if of(old) >= of(block) => Some(old),
                _ => Some(block),
            })
        };
        let headline = first_best(&mut h1s(), &|block| titles[block].0).map(|block| (block, true)).or_else(|| {
            let said = first_best(&mut (0..aggregates.len()), &|block| titles[block].1)?;
            (titles[said].1 > 0.5).then_some((said, false))
        });
        let body = aggregates.outline.elements.iter().position(|element| element.tag == Tag::BODY).unwrap_or(0) as u32;
        Rows {
            blocks,
            half: Container::with(&aggregates, 0.5),
            most: Container::with(&aggregates, 0.8),
            headlines: h1s().count() as f32,
            headline,
            sections: sections(&aggregates),
            scores,
            top: top as u32,
            facts: Facts::all(&aggregates, &repeats, body),
            titles,
            aggregates,
            repeats,
            hints,
        }
    }

    /// Calls back with the name and the value of each column, always in the same order.
    pub(super) fn row(&self, block: usize, mut put: impl FnMut(&'static str, f32)) {
        let mut round = [0u32; 10];
        let mut at = self.aggregates.outline.innermost[block];
        for place in &mut round {
            *place = at;
            at = self.aggregates.outline.parent(at);
        }
        self.own(block, &mut put);
        self.round(&round, &mut put);
        self.repeated(block, &round, &mut put);
        self.topmost(round[0], &mut put);
        self.containers(block, round[0], &mut put);
        self.scored(block, &round, &mut put);
        self.position(block, &mut put);
        self.neighbours(block, &mut put);
        self.headings(block, &mut put);
        self.named(round[0], &mut put);
        self.ruled(block, &round, &mut put);
    }

    /// What the published rules say: they know nothing of names and tags, and hold up where those are strange.
    fn ruled(&self, block: usize, round: &[u32; 10], put: &mut impl FnMut(&'static str, f32)) {
        let aggregates = &self.aggregates;
        put("word-rules", f32::from(u8::from(aggregates.by_words[block])));
        put("article-rules", f32::from(u8::from(aggregates.by_article[block])));
        const NAMES: [&str; 4] = ["article-rules^1", "article-rules^2", "article-rules^3", "article-rules^5"];
        for (name, step) in NAMES.into_iter().zip([1, 2, 3, 5]) {
            put(name, self.facts_of(round[step]).ruled);
        }
        let total = aggregates.article_sums.total();
        put("article-rules-page", total / aggregates.word_sums.total().max(1.0));
        put("article-rules-words", total);
        put("article-rules-before", aggregates.article_sums.before(block) / total.max(1.0));
        let (start, end) = (block.saturating_sub(4), (block + 5).min(aggregates.len()));
        put("article-rules-near", aggregates.article_sums.between(start, end) / aggregates.word_sums.between(start, end).max(1.0));
    }

    fn own(&self, block: usize, put: &mut impl FnMut(&'static str, f32)) {
        let aggregates = &self.aggregates;
        let letters = &aggregates.letters[block];
        let words = aggregates.words[block].max(1.0);
        let all = letters.all.max(1.0);
        let counts = self.blocks.records()[block].counts;
        put("words", aggregates.words[block]);
        put("characters", counts.chars as f32);
        put("links", aggregates.link_share[block]);
        put("link-runs", letters.links);
        put("link-runs/word", letters.links / words);
        put("bold", letters.bold / all);
        put("word-length", counts.word_length() as f32);
        put("digits", letters.digits / all);
        put("capitals", letters.capitals / all);
        put("capital-words", letters.capital_words / words);
        put("commas/word", letters.commas / words);
        put("signs/word", letters.signs / words);
        put("sentences", letters.sentences);
        put("words/sentence", words / letters.sentences.max(1.0));
        put("end", letters.end);
        put("density", counts.density().value() as f32);
        put("prices", letters.prices.min(3.0));
        put("dates", letters.dates.min(6.0));
        put("address", letters.address);
        put("copies", self.repeats.copies[block]);
        put("inline", letters.inline);
        let element = &aggregates.outline.elements[aggregates.outline.innermost[block] as usize];
        put("depth", f32::from(element.depth));
        put("nesting", f32::from(element.nesting));
        for (bit, kind) in KINDS.iter().enumerate() {
            put(kind, (element.within.0 >> bit & 1) as f32);
        }
    }

    fn facts_of(&self, element: u32) -> &Facts {
        &self.facts[element as usize]
    }

    fn round(&self, round: &[u32; 10], put: &mut impl FnMut(&'static str, f32)) {
        for (level, step) in STEPS.into_iter().enumerate() {
            let facts = self.facts_of(round[step]);
            put(WORDS[level], facts.words);
            put(LINKS[level], facts.links);
            put(BLOCKS[level], facts.blocks);
            put(SHARE[level], facts.share);
            put(LONG[level], facts.long);
            if level < 4 {
                put(ALIKE[level], facts.alike);
                put(TAG[level], facts.tag);
                put(SAME[level], facts.same_tag);
            }
            if level < 5 {
                put(IMAGES[level], facts.images);
                put(FIELDS[level], facts.fields);
            }
        }
    }

    fn repeated(&self, block: usize, round: &[u32; 10], put: &mut impl FnMut(&'static str, f32)) {
        let (aggregates, repeats) = (&self.aggregates, &self.repeats);
        let total = aggregates.word_sums.total().max(1.0);
        let mut most = 0;
        let mut unit = self.facts_of(round[0]);
        for (level, &at) in round[..7].iter().enumerate() {
            let facts = self.facts_of(at);
            if facts.alike > unit.alike {
                (most, unit) = (level, facts);
            }
        }
        put("most-alike", unit.alike);
        put("most-alike-level", most as f32);
        put("unit-words", unit.words);
        put("unit-links", unit.links);
        put("unit-headings", aggregates.sum(&aggregates.heading_sums, round[most]));
        put("row-share", unit.words * unit.alike / total);
        let none = Group::default();
        let group = match repeats.group[round[0] as usize] {
            0 => &none,
            number => &repeats.groups[number as usize - 1],
        };
        put("group-share", group.words / total);
        put("group-images", group.images / group.units.max(1.0));
        put("group-prices", group.prices / group.units.max(1.0));
        put("group-units", group.units);
        put("group-unit-words", group.words / group.units.max(1.0));
        put("in-best-group", f32::from(u8::from(repeats.in_best[round[0] as usize])));
        put(
            "to-best-group",
            repeats.best.map_or(-200.0, |best| {
                let group = &repeats.groups[best];
                let (block, start, end) = (block as f32, group.start as f32, group.end as f32);
                let behind = if block >= end { (block - end + 1.0).min(100.0) } else { 0.0 };
                if block < start { (block - start).max(-100.0) } else { behind }
            }),
        );
        let alike = &repeats.paths[repeats.path[block] as usize];
        put("path-blocks", alike.blocks);
        put("path-share", alike.words / total);
        put("path-links", alike.links / alike.words.max(1.0));
        put("path-words", alike.words / alike.blocks.max(1.0));
    }

    /// The outermost parts of the page that the block is in.
    fn topmost(&self, holder: u32, put: &mut impl FnMut(&'static str, f32)) {
        const NAMES: [[&str; 3]; TOPS] = [
            ["top0-share", "top0-links", "top0-long"],
            ["top1-share", "top1-links", "top1-long"],
            ["top2-share", "top2-links", "top2-long"],
            ["top3-share", "top3-links", "top3-long"],
        ];
        for (names, at) in NAMES.into_iter().zip(self.facts_of(holder).top) {
            let facts = self.facts_of(at);
            put(names[0], facts.share);
            put(names[1], facts.links);
            put(names[2], facts.long_share);
        }
    }

    fn containers(&self, block: usize, holder: u32, put: &mut impl FnMut(&'static str, f32)) {
        const NAMES: [[&str; 6]; 2] = [
            ["half-in", "half-depth", "half-share", "half-links", "half-distance", "half-tag"],
            ["most-in", "most-depth", "most-share", "most-links", "most-distance", "most-tag"],
        ];
        let elements = &self.aggregates.outline.elements;
        for (names, container) in NAMES.into_iter().zip([self.half, self.most]) {
            let values = container.map_or([-2.0; 6], |container| {
                let inside = container.holds(block);
                let outer = &elements[container.element as usize];
                let depth = f32::from(elements[holder as usize].depth) - f32::from(outer.depth);
                [
                    f32::from(u8::from(inside)),
                    if inside { depth } else { -1.0 },
                    container.share,
                    container.links,
                    container.distance(block),
                    self.facts_of(container.element).tag,
                ]
            });
            for (name, value) in names.into_iter().zip(values) {
                put(name, value);
            }
        }
    }

    fn scored(&self, block: usize, round: &[u32; 10], put: &mut impl FnMut(&'static str, f32)) {
        put("score", round[..5].iter().map(|&at| self.scores[at as usize]).fold(0.0, f32::max));
        let top = &self.aggregates.outline.elements[self.top as usize];
        put("in-top", f32::from(u8::from((top.start as usize..top.end as usize).contains(&block))));
    }

    fn position(&self, block: usize, put: &mut impl FnMut(&'static str, f32)) {
        let aggregates = &self.aggregates;
        let count = aggregates.len() as f32;
        put("place", block as f32 / count.max(1.0));
        put("from-start", (block as f32).min(300.0));
        put("from-end", (count - block as f32).min(300.0));
        put("words-before", aggregates.word_sums.before(block) / aggregates.word_sums.total().max(1.0));
        put("long-before", aggregates.long_sums.before(block) / aggregates.long_sums.total().max(1.0));
    }

    fn neighbours(&self, block: usize, put: &mut impl FnMut(&'static str, f32)) {
        let aggregates = &self.aggregates;
        const NEAR: [[&str; 3]; 4] = [
            ["words-1", "links-1", "tag-1"],
            ["words-2", "links-2", "tag-2"],
            ["words+1", "links+1", "tag+1"],
            ["words+2", "links+2", "tag+2"],
        ];
        let tag = |at: usize| self.facts_of(aggregates.outline.innermost[at]).tag;
        for (names, step) in NEAR.into_iter().zip([-1isize, -2, 1, 2]) {
            let at = block.checked_add_signed(step).filter(|&at| at < aggregates.len());
            put(names[0], at.map_or(-1.0, |at| aggregates.words[at]));
            put(names[1], at.map_or(-1.0, |at| aggregates.link_share[at]));
            put(names[2], at.map_or(-1.0, tag));
        }
        const FAR: [[&str; 5]; 3] = [
            ["window3-words", "window3-links", "window3-long", "ahead3", "behind3"],
            ["window8-words", "window8-links", "window8-long", "ahead8", "behind8"],
            ["window20-words", "window20-links", "window20-long", "ahead20", "behind20"],
        ];
        for (names, reach) in FAR.into_iter().zip([3, 8, 20]) {
            let (start, end) = (block.saturating_sub(reach), (block + reach + 1).min(aggregates.len()));
            let words = aggregates.word_sums.between(start, end);
            put(names[0], words);
            put(names[1], aggregates.link_sums.between(start, end) / words.max(1.0));
            put(names[2], aggregates.long_count.between(start, end));
            put(names[3], aggregates.long_sums.between(block, end));
            put(names[4], aggregates.long_sums.between(start, block));
        }
    }

    fn headings(&self, block: usize, put: &mut impl FnMut(&'static str, f32)) {
        let aggregates = &self.aggregates;
        let (of_block, of_title) = self.titles[block];
        put("title-block", of_block);
        put("title-page", of_title);
        let since = |from: usize| aggregates.word_sums.before(block) - aggregates.word_sums.before(from);
        put("from-headline", self.headline.map_or(-999.0, |(at, _)| (block as f32 - at as f32).clamp(-200.0, 200.0)));
        put(
            "words-from-headline",
            self.headline.filter(|(_, is_h1)| *is_h1).map_or(-9999.0, |(at, _)| since(at).clamp(-3000.0, 3000.0)),
        );
        put("headlines", self.headlines);
        put("level", f32::from(aggregates.heading[block]));
        let (before, words, behind) = self.sections[block];
        put("heading-before", before);
        put("words-from-heading", words.min(2000.0));
        put("heading-behind", behind);
    }

    /// What the names round a block say it is.
    pub(super) fn says(&self, block: usize) -> Says {
        self.hints[self.aggregates.outline.innermost[block] as usize].says
    }

    fn named(&self, holder: u32, put: &mut impl FnMut(&'static str, f32)) {
        let own = self.hints[holder as usize];
        let outer = self.hints[self.aggregates.outline.parent(holder) as usize];
        put("names-own", own.own);
        put("names-outer", outer.outer);
        put("names-any", own.any);
        put("names", own.own + outer.outer + own.any);
        put("comments", f32::from(u8::from(own.says.has(Says::COMMENTS))));
    }
}

/// By block: level of the last heading, words since then, level of the next one.
fn sections(aggregates: &Aggregates) -> Vec<(f32, f32, f32)> {
    let mut sections = Vec::with_capacity(aggregates.len());
    let mut last = None;
    for (block, &level) in aggregates.heading.iter().enumerate() {
        if level > 0 {
            last = Some(block);
        }
        let words = last.map_or(-1.0, |at| aggregates.word_sums.before(block) - aggregates.word_sums.before(at));
        sections.push((last.map_or(0.0, |at| f32::from(aggregates.heading[at])), words, -1.0));
    }
    let mut next = -1.0;
    for (section, &level) in sections.iter_mut().zip(&aggregates.heading).rev() {
        section.2 = next;
        if level > 0 {
            next = f32::from(level);
        }
    }
    sections
}

/// Tags as numbers, those that serve alike side by side.
pub(crate) fn tag_number(tag: Tag) -> f32 {
    let number: u8 = match tag {
        Tag::P => 1,
        Tag::BLOCKQUOTE => 2,
        Tag::PRE => 3,
        Tag::H1 => 4,
        Tag::H2 => 5,
        Tag::H3 => 6,
        Tag::H4 => 7,
        Tag::H5 => 8,
        Tag::H6 => 9,
        Tag::ARTICLE => 10,
        Tag::MAIN => 11,
        Tag::SECTION => 12,
        Tag::DIV => 13,
        Tag::BODY => 14,
        Tag::CENTER => 15,
        Tag::FIGURE => 16,
        Tag::FIGCAPTION => 17,
        Tag::CAPTION => 18,
        Tag::TABLE => 19,
        Tag::TBODY => 20,
        Tag::TR => 21,
        Tag::TD => 22,
        Tag::TH => 23,
        Tag::DL => 24,
        Tag::DT => 25,
        Tag::DD => 26,
        Tag::OL => 27,
        Tag::UL => 28,
        Tag::LI => 29,
        Tag::DETAILS => 30,
        Tag::SUMMARY => 31,
        Tag::NOSCRIPT => 32,
        Tag::HEADER => 33,
        Tag::NAV => 34,
        Tag::ASIDE => 35,
        Tag::FOOTER => 36,
        Tag::ADDRESS => 37,
        Tag::FORM => 38,
        Tag::FIELDSET => 39,
        Tag::LEGEND => 40,
        Tag::BUTTON => 41,
        _ => 0,
    };
    f32::from(number)
}
