//! Features that describe where a block is: position, neighbours, headings, and what the published rules keep around it.

use super::{BlockRows, flag, repeat};
use crate::label::strata::aggregates::Aggregates;

/// Steps up from the block's innermost element to those outside it that are examined.
const OUTER: [usize; 4] = [1, 2, 3, 5];

/// Blocks before and after a block that are searched for mentions of the topic.
const TOPIC_REACH: usize = 8;

/// The position of a block among the headings.
#[derive(Clone, Copy, Debug)]
pub(super) struct Section {
    /// Level of the heading before it, 0 for none.
    level: f32,
    /// Words since that heading.
    words: f32,
    /// Level of the next heading, -1 for none.
    next: f32,
}

impl BlockRows<'_> {
    pub(super) fn position(&self, block: usize, put: &mut impl FnMut(&'static str, f32)) {
        let aggregates = &self.aggregates;
        let count = aggregates.len() as f32;
        put("relative position", block as f32 / count.max(1.0));
        put("blocks from start", (block as f32).min(300.0));
        put("blocks from end", (count - block as f32).min(300.0));
        put("share of words before", aggregates.word_sums.before(block) / aggregates.word_sums.total().max(1.0));
        put("share of long text before", aggregates.long_sums.before(block) / aggregates.long_sums.total().max(1.0));
    }

    pub(super) fn neighbours(&self, block: usize, put: &mut impl FnMut(&'static str, f32)) {
        let aggregates = &self.aggregates;
        const NEAR: [[&str; 3]; 4] = [
            ["word count of previous block", "link density of previous block", "tag of previous block"],
            ["word count of second previous block", "link density of second previous block", "tag of second previous block"],
            ["word count of next block", "link density of next block", "tag of next block"],
            ["word count of second next block", "link density of second next block", "tag of second next block"],
        ];
        let tag = |at: usize| self.element(aggregates.outline.innermost[at]).tag;
        const STEPS: [isize; 4] = [-1, -2, 1, 2];
        repeat!(AT in [0 1 2 3] {
            let at = block.checked_add_signed(STEPS[AT]).filter(|&at| at < aggregates.len());
            put(NEAR[AT][0], at.map_or(-1.0, |at| aggregates.words[at]));
            put(NEAR[AT][1], at.map_or(-1.0, |at| aggregates.link_density[at]));
            put(NEAR[AT][2], at.map_or(-1.0, tag));
        });
        const FAR: [[&str; 5]; 3] = [
            [
                "word count within 3 blocks",
                "link density within 3 blocks",
                "long blocks within 3 blocks",
                "long text in this and next 3 blocks",
                "long text in previous 3 blocks",
            ],
            [
                "word count within 8 blocks",
                "link density within 8 blocks",
                "long blocks within 8 blocks",
                "long text in this and next 8 blocks",
                "long text in previous 8 blocks",
            ],
            [
                "word count within 20 blocks",
                "link density within 20 blocks",
                "long blocks within 20 blocks",
                "long text in this and next 20 blocks",
                "long text in previous 20 blocks",
            ],
        ];
        const REACH: [usize; 3] = [3, 8, 20];
        repeat!(AT in [0 1 2] {
            let (start, end) = (block.saturating_sub(REACH[AT]), (block + REACH[AT] + 1).min(aggregates.len()));
            let words = aggregates.word_sums.between(start, end);
            put(FAR[AT][0], words);
            put(FAR[AT][1], aggregates.link_sums.between(start, end) / words.max(1.0));
            put(FAR[AT][2], aggregates.long_count.between(start, end));
            put(FAR[AT][3], aggregates.long_sums.between(block, end));
            put(FAR[AT][4], aggregates.long_sums.between(start, block));
        });
    }

    pub(super) fn headings(&self, block: usize, put: &mut impl FnMut(&'static str, f32)) {
        let aggregates = &self.aggregates;
        let (of_block, of_title) = self.titles[block];
        put("share of words in title", of_block);
        put("share of title words", of_title);
        let since = |from: usize| aggregates.word_sums.before(block) - aggregates.word_sums.before(from);
        put("blocks from headline", self.headline.map_or(-999.0, |(at, _)| (block as f32 - at as f32).clamp(-200.0, 200.0)));
        put(
            "words from headline",
            self.headline.filter(|(_, is_h1)| *is_h1).map_or(-9999.0, |(at, _)| since(at).clamp(-3000.0, 3000.0)),
        );
        put("h1 count", self.h1s);
        put("heading level", f32::from(aggregates.heading[block]));
        let section = self.sections[block];
        put("level of previous heading", section.level);
        put("words since previous heading", section.words.min(2000.0));
        put("level of next heading", section.next);
    }

    /// Features of the cluster of running text that the block is in or closest to.
    pub(super) fn cluster(&self, block: usize, put: &mut impl FnMut(&'static str, f32)) {
        let none = Default::default();
        let cluster = self.clusters.nearest(block);
        let distance = cluster.map_or(-200.0, |cluster| cluster.distance(block).clamp(-100.0, 100.0));
        let cluster = cluster.unwrap_or(&none);
        let long = cluster.long_blocks.max(1.0);
        put("distance to text cluster", distance);
        put("rank of text cluster", cluster.rank.min(20.0));
        put("word count of text cluster", cluster.words);
        put("share of long text in text cluster", cluster.words / self.aggregates.long_sums.total().max(1.0));
        put("words per long block of text cluster", cluster.words / long);
        put("linked lines per long block of text cluster", cluster.linked_lines / long);
        put(
            "blocks from headline to text cluster",
            self.headline.map_or(-999.0, |(at, _)| (cluster.start as f32 - at as f32).clamp(-200.0, 200.0)),
        );
    }

    /// How often the text around the block mentions the topic of the page.
    pub(super) fn topic(&self, block: usize, ancestors: &[u32; 10], put: &mut impl FnMut(&'static str, f32)) {
        let (aggregates, topic) = (&self.aggregates, &self.topic);
        put("topic mentions", topic.mentions(block).min(20.0));
        const NAMES: [&str; 4] = [
            "topic density of parent",
            "topic density of grandparent",
            "topic density of ancestor 3",
            "topic density of ancestor 5",
        ];
        repeat!(AT in [0 1 2 3] {
            put(NAMES[AT], topic.density_in(aggregates, ancestors[OUTER[AT]]));
        });
        let (start, end) = (block.saturating_sub(TOPIC_REACH), (block + TOPIC_REACH + 1).min(aggregates.len()));
        put("topic density within 8 blocks", topic.density(aggregates, start, end));
        let of_cluster = self.clusters.nearest(block).map_or(0.0, |cluster| topic.density_of(aggregates, cluster));
        put("topic density of text cluster", of_cluster);
        let of_page = topic.density(aggregates, 0, aggregates.len());
        put("relative topic density of text cluster", if of_page > 0.0 { (of_cluster / of_page).min(9.0) } else { -1.0 });
    }

    /// Verdicts of the published rules. They ignore names and tags, so they hold up where those are unusual.
    pub(super) fn rules(&self, block: usize, ancestors: &[u32; 10], put: &mut impl FnMut(&'static str, f32)) {
        let aggregates = &self.aggregates;
        put("content by NumWords rules", flag(aggregates.by_words[block]));
        put("content by article preset", flag(aggregates.by_article[block]));
        const NAMES: [&str; 4] = [
            "share kept by article preset in parent",
            "share kept by article preset in grandparent",
            "share kept by article preset in ancestor 3",
            "share kept by article preset in ancestor 5",
        ];
        repeat!(AT in [0 1 2 3] {
            put(NAMES[AT], self.element(ancestors[OUTER[AT]]).kept_by_rules);
        });
        let total = aggregates.article_sums.total();
        put("share kept by article preset on page", total / aggregates.word_sums.total().max(1.0));
        put("words kept by article preset on page", total);
        put("share of kept words before", aggregates.article_sums.before(block) / total.max(1.0));
        let (start, end) = (block.saturating_sub(4), (block + 5).min(aggregates.len()));
        let near = aggregates.article_sums.between(start, end) / aggregates.word_sums.between(start, end).max(1.0);
        put("share kept by article preset within 4 blocks", near);
    }
}

/// For each block: where it is among the headings.
pub(super) fn sections(aggregates: &Aggregates) -> Vec<Section> {
    let mut sections = Vec::with_capacity(aggregates.len());
    let mut last = None;
    for (block, &level) in aggregates.heading.iter().enumerate() {
        if level > 0 {
            last = Some(block);
        }
        let words = last.map_or(-1.0, |at| aggregates.word_sums.before(block) - aggregates.word_sums.before(at));
        sections.push(Section { level: last.map_or(0.0, |at| f32::from(aggregates.heading[at])), words, next: -1.0 });
    }
    let mut next = -1.0;
    for (section, &level) in sections.iter_mut().zip(&aggregates.heading).rev() {
        section.next = next;
        if level > 0 {
            next = f32::from(level);
        }
    }
    sections
}
