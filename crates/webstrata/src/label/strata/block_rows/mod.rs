//! The features of each block, in the order in which the forests were trained. `docs/features.md` explains every name.

mod surroundings;

use super::aggregates::Aggregates;
use super::containers::{Container, readability_scores};
use super::element_stats::{ElementStats, TOP_LEVELS};
use super::names::{NameRoles, NameScores};
use super::repetition::{Group, Repetition};
use super::text_clusters::TextClusters;
use super::titles::TitleWords;
use super::topic::Topic;
use crate::block::Blocks;
use crate::html::Tag;
use surroundings::{Section, sections};

/// The data from which the rows are computed.
#[derive(Debug)]
pub(super) struct BlockRows<'p> {
    pub(super) blocks: Blocks<'p>,
    pub(super) aggregates: Aggregates,
    pub(super) repetition: Repetition,
    /// One entry per element.
    elements: Vec<ElementStats>,
    names: Vec<NameScores>,
    /// The smallest elements with half and with 80% of the long text.
    core: Option<Container>,
    main: Option<Container>,
    /// For each element: its Readability score; then the element with the highest.
    readability: Vec<f32>,
    top_scored: u32,
    /// For each block: overlap with the title.
    pub(super) titles: Vec<(f32, f32)>,
    /// The block with the headline, and whether it is an `h1`.
    pub(super) headline: Option<(usize, bool)>,
    h1s: f32,
    sections: Vec<Section>,
    pub(super) clusters: TextClusters,
    pub(super) topic: Topic,
}

/// Steps up from the block's innermost element.
const STEPS: [usize; 6] = [0, 1, 2, 3, 5, 8];

/// Repeats a block with each value of a constant. A loop would do the same, but leaves the places of the values in a batch
/// to be computed and checked when rows are written.
macro_rules! repeat {
    ($index:ident in [$($value:literal)*] $body:block) => {
        $({
            const $index: usize = $value;
            $body
        })*
    };
}
use repeat;

/// A feature's name at each of [`STEPS`].
macro_rules! at_steps {
    ($name:literal) => {
        [
            concat!($name, " element"),
            concat!($name, " parent"),
            concat!($name, " grandparent"),
            concat!($name, " ancestor 3"),
            concat!($name, " ancestor 5"),
            concat!($name, " ancestor 8"),
        ]
    };
}

const WORDS: [&str; 6] = at_steps!("word count of");
const LINKS: [&str; 6] = at_steps!("link density of");
const BLOCKS: [&str; 6] = at_steps!("block count of");
const SHARE: [&str; 6] = at_steps!("page share of");
const LONG: [&str; 6] = at_steps!("long-text share of");
const SIMILAR: [&str; 6] = at_steps!("similar siblings of");
const TAG: [&str; 6] = at_steps!("tag of");
const SAME_TAG: [&str; 6] = at_steps!("same-tag siblings of");
const IMAGES: [&str; 6] = at_steps!("image count of");
const FIELDS: [&str; 6] = at_steps!("form field count of");

/// The elements that a block can be inside, in the order of the bits of [`crate::block::outline::Within`].
const INSIDE: [&str; 26] = [
    "inside article",
    "inside main",
    "inside nav",
    "inside header",
    "inside footer",
    "inside aside",
    "inside form",
    "inside ul",
    "inside ol",
    "inside table",
    "inside section",
    "inside figure",
    "inside dl",
    "inside noscript",
    "inside details",
    "inside li",
    "inside blockquote",
    "inside pre",
    "inside td",
    "inside button",
    "inside heading",
    "inside p",
    "inside hidden element",
    "inside aria-hidden element",
    "inside address",
    "inside dialog",
];

fn flag(is: bool) -> f32 {
    f32::from(u8::from(is))
}

impl<'p> BlockRows<'p> {
    pub(super) fn new(
        blocks: Blocks<'p>,
        aggregates: Aggregates,
        repetition: Repetition,
        names: Vec<NameScores>,
        (titles, title): (&TitleWords, Option<&str>),
    ) -> Self {
        let mut words = Vec::new();
        let titles: Vec<(f32, f32)> = (0..aggregates.len()).map(|block| titles.overlap(blocks, block, &mut words)).collect();
        let readability = readability_scores(&aggregates);
        let mut top_scored = 0;
        for (at, score) in readability.iter().enumerate() {
            if *score > readability[top_scored] {
                top_scored = at;
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
            let best = first_best(&mut (0..aggregates.len()), &|block| titles[block].1)?;
            (titles[best].1 > 0.5).then_some((best, false))
        });
        let body = aggregates.outline.elements.iter().position(|element| element.tag == Tag::BODY).unwrap_or(0) as u32;
        BlockRows {
            blocks,
            core: Container::with_share(&aggregates, 0.5),
            main: Container::with_share(&aggregates, 0.8),
            h1s: h1s().count() as f32,
            topic: Topic::new(blocks, &aggregates, headline.map(|(block, _)| block), title),
            headline,
            sections: sections(&aggregates),
            clusters: TextClusters::new(&aggregates),
            readability,
            top_scored: top_scored as u32,
            elements: ElementStats::for_all(&aggregates, &repetition, body),
            titles,
            aggregates,
            repetition,
            names,
        }
    }

    /// Calls `put` with the name and the value of each feature, always in the same order.
    pub(super) fn row(&self, block: usize, mut put: impl FnMut(&'static str, f32)) {
        let mut ancestors = [0u32; 10];
        let mut at = self.aggregates.outline.innermost[block];
        for ancestor in &mut ancestors {
            *ancestor = at;
            at = self.aggregates.outline.parent(at);
        }
        self.text(block, &mut put);
        self.ancestors(&ancestors, &mut put);
        self.repetition(block, &ancestors, &mut put);
        self.top_levels(ancestors[0], &mut put);
        self.containers(block, ancestors[0], &mut put);
        self.readability(block, &ancestors, &mut put);
        self.position(block, &mut put);
        self.neighbours(block, &mut put);
        self.headings(block, &mut put);
        self.cluster(block, &mut put);
        self.topic(block, &ancestors, &mut put);
        self.names(ancestors[0], &mut put);
        self.rules(block, &ancestors, &mut put);
    }

    fn text(&self, block: usize, put: &mut impl FnMut(&'static str, f32)) {
        let aggregates = &self.aggregates;
        let text = &aggregates.text[block];
        let words = aggregates.words[block].max(1.0);
        let characters = text.characters.max(1.0);
        let counts = self.blocks.records()[block].counts;
        put("word count", aggregates.words[block]);
        put("character count", counts.chars as f32);
        put("link density", aggregates.link_density[block]);
        put("linked runs", text.linked_runs);
        put("linked runs per word", text.linked_runs / words);
        put("emphasised share", text.emphasised / characters);
        put("mean word length", counts.word_length() as f32);
        put("digit share", text.digits / characters);
        put("capital share", text.capitals / characters);
        put("capitalised words share", text.capitalised_words / words);
        put("commas per word", text.commas / words);
        put("symbols per word", text.symbols / words);
        put("sentence count", text.sentences);
        put("words per sentence", words / text.sentences.max(1.0));
        put("final punctuation", text.end);
        put("text density", counts.density().value() as f32);
        put("price count", text.prices.min(3.0));
        put("date count", text.dates.min(6.0));
        put("has URL", text.has_url);
        put("identical blocks", self.repetition.identical[block]);
        put("inline element", text.inline);
        let element = &aggregates.outline.elements[aggregates.outline.innermost[block] as usize];
        put("depth", f32::from(element.depth));
        put("list and table nesting", f32::from(element.nesting));
        let within = element.within.0;
        repeat!(BIT in [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25] {
            put(INSIDE[BIT], if within & (1 << BIT) != 0 { 1.0 } else { 0.0 });
        });
    }

    fn element(&self, element: u32) -> &ElementStats {
        &self.elements[element as usize]
    }

    fn ancestors(&self, ancestors: &[u32; 10], put: &mut impl FnMut(&'static str, f32)) {
        repeat!(LEVEL in [0 1 2 3 4 5] {
            let stats = self.element(ancestors[STEPS[LEVEL]]);
            put(WORDS[LEVEL], stats.words);
            put(LINKS[LEVEL], stats.link_density);
            put(BLOCKS[LEVEL], stats.blocks);
            put(SHARE[LEVEL], stats.share);
            put(LONG[LEVEL], stats.long);
            if LEVEL < 4 {
                put(SIMILAR[LEVEL], stats.similar);
                put(TAG[LEVEL], stats.tag);
                put(SAME_TAG[LEVEL], stats.same_tag);
            }
            if LEVEL < 5 {
                put(IMAGES[LEVEL], stats.images);
                put(FIELDS[LEVEL], stats.fields);
            }
        });
    }

    fn repetition(&self, block: usize, ancestors: &[u32; 10], put: &mut impl FnMut(&'static str, f32)) {
        let (aggregates, repetition) = (&self.aggregates, &self.repetition);
        let total = aggregates.word_sums.total().max(1.0);
        let mut steps = 0;
        let mut unit = self.element(ancestors[0]);
        for (level, &at) in ancestors[..7].iter().enumerate() {
            let stats = self.element(at);
            if stats.similar > unit.similar {
                (steps, unit) = (level, stats);
            }
        }
        put("repeated unit count", unit.similar);
        put("steps to repeated unit", steps as f32);
        put("word count of repeated unit", unit.words);
        put("link density of repeated unit", unit.link_density);
        put("heading count of repeated unit", aggregates.sum(&aggregates.heading_sums, ancestors[steps]));
        put("page share of repeated units", unit.words * unit.similar / total);
        let none = Group::default();
        let group = match repetition.group[ancestors[0] as usize] {
            0 => &none,
            number => &repetition.groups[number as usize - 1],
        };
        put("page share of group", group.words / total);
        put("share of group units with image", group.images / group.units.max(1.0));
        put("share of group units with price", group.prices / group.units.max(1.0));
        put("unit count of group", group.units);
        put("words per unit of group", group.words / group.units.max(1.0));
        put("inside main group", flag(repetition.in_main_group[ancestors[0] as usize]));
        put(
            "distance to main group",
            repetition.main_group.map_or(-200.0, |main| {
                let group = &repetition.groups[main];
                let (block, start, end) = (block as f32, group.start as f32, group.end as f32);
                let after = if block >= end { (block - end + 1.0).min(100.0) } else { 0.0 };
                if block < start { (block - start).max(-100.0) } else { after }
            }),
        );
        let path = &repetition.paths[repetition.path[block] as usize];
        put("block count of path", path.blocks);
        put("page share of path", path.words / total);
        put("link density of path", path.link_words / path.words.max(1.0));
        put("words per block of path", path.words / path.blocks.max(1.0));
    }

    /// Features of the outermost elements that contain the block.
    fn top_levels(&self, innermost: u32, put: &mut impl FnMut(&'static str, f32)) {
        const NAMES: [[&str; 3]; TOP_LEVELS] = [
            ["page share of top level 1", "link density of top level 1", "share of long text in top level 1"],
            ["page share of top level 2", "link density of top level 2", "share of long text in top level 2"],
            ["page share of top level 3", "link density of top level 3", "share of long text in top level 3"],
            ["page share of top level 4", "link density of top level 4", "share of long text in top level 4"],
        ];
        let top = self.element(innermost).top;
        repeat!(LEVEL in [0 1 2 3] {
            let stats = self.element(top[LEVEL]);
            put(NAMES[LEVEL][0], stats.share);
            put(NAMES[LEVEL][1], stats.link_density);
            put(NAMES[LEVEL][2], stats.long_share);
        });
    }

    fn containers(&self, block: usize, innermost: u32, put: &mut impl FnMut(&'static str, f32)) {
        const NAMES: [[&str; 6]; 2] = [
            [
                "inside core container",
                "depth below core container",
                "page share of core container",
                "link density of core container",
                "distance to core container",
                "tag of core container",
            ],
            [
                "inside main container",
                "depth below main container",
                "page share of main container",
                "link density of main container",
                "distance to main container",
                "tag of main container",
            ],
        ];
        let elements = &self.aggregates.outline.elements;
        let containers = [self.core, self.main];
        repeat!(AT in [0 1] {
            let values = containers[AT].map_or([-2.0; 6], |container| {
                let inside = container.contains(block);
                let outer = &elements[container.element as usize];
                let depth = f32::from(elements[innermost as usize].depth) - f32::from(outer.depth);
                [
                    flag(inside),
                    if inside { depth } else { -1.0 },
                    container.share,
                    container.link_density,
                    container.distance(block),
                    self.element(container.element).tag,
                ]
            });
            repeat!(VALUE in [0 1 2 3 4 5] {
                put(NAMES[AT][VALUE], values[VALUE]);
            });
        });
    }

    fn readability(&self, block: usize, ancestors: &[u32; 10], put: &mut impl FnMut(&'static str, f32)) {
        put("Readability score", ancestors[..5].iter().map(|&at| self.readability[at as usize]).fold(0.0, f32::max));
        let top = &self.aggregates.outline.elements[self.top_scored as usize];
        put("inside top-scored element", flag((top.start as usize..top.end as usize).contains(&block)));
    }

    /// The roles that the names of the elements around a block suggest.
    pub(super) fn name_roles(&self, block: usize) -> NameRoles {
        self.names[self.aggregates.outline.innermost[block] as usize].roles
    }

    fn names(&self, innermost: u32, put: &mut impl FnMut(&'static str, f32)) {
        let own = self.names[innermost as usize];
        let outer = self.names[self.aggregates.outline.parent(innermost) as usize];
        put("name weight of element", own.own);
        put("name weight of parent", outer.outer);
        put("name weight of ancestors", own.any);
        put("name weight", own.own + outer.outer + own.any);
        put("inside comments", flag(own.roles.intersects(NameRoles::COMMENTS)));
    }
}
