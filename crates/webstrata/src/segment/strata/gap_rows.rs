//! The features of each gap for the first pass, in the order in which the forests were trained. `docs/features.md` explains
//! every name.

use super::aggregates::{Aggregates, COUNTED};
use super::name_hints::HINTS;
use super::parts::{Gap, NONE, Part, Parts};
use crate::block::outline::Within;
use crate::html::{Tag, TagSet};

/// Which part a feature describes: the one around the gap, the one that ends at it, or the one that starts at it.
#[derive(Clone, Copy, Debug)]
enum Side {
    Outer,
    Left,
    Right,
}

/// The name of a feature for each side.
macro_rules! named {
    ($side:expr, $name:literal) => {
        match $side {
            Side::Outer => concat!("outer ", $name),
            Side::Left => concat!("left ", $name),
            Side::Right => concat!("right ", $name),
        }
    };
}

/// The data from which the rows are computed.
#[derive(Clone, Copy, Debug)]
pub(super) struct GapRows<'g> {
    pub(super) parts: &'g Parts,
    pub(super) aggregates: &'g Aggregates,
    /// For each atom: index plus one of the last heading up to and including it, 0 for none.
    pub(super) headings: &'g [u32],
}

const HEADINGS: TagSet = TagSet::from_tags(&[Tag::H1, Tag::H2, Tag::H3, Tag::H4, Tag::H5, Tag::H6]);
const LISTS: TagSet = TagSet::from_tags(&[Tag::UL, Tag::OL, Tag::DL, Tag::MENU]);
const ITEMS: TagSet = TagSet::from_tags(&[Tag::LI, Tag::DT, Tag::DD]);
const FIELDS: TagSet = TagSet::from_tags(&[Tag::INPUT, Tag::SELECT, Tag::TEXTAREA, Tag::BUTTON]);
const MEDIA: TagSet = TagSet::from_tags(&[Tag::IFRAME, Tag::OBJECT, Tag::EMBED, Tag::VIDEO, Tag::AUDIO]);
const SECTIONS: TagSet =
    TagSet::from_tags(&[Tag::SECTION, Tag::ARTICLE, Tag::ASIDE, Tag::NAV, Tag::HEADER, Tag::FOOTER, Tag::MAIN]);

/// Number of features that are not about a single part, and of those of a part.
pub(super) const OWN_COLUMNS: usize = 51;
pub(super) const PART_COLUMNS: usize = 33 + COUNTED + HINTS.len();

pub(super) type OwnValues = [f32; OWN_COLUMNS];
pub(super) type PartValues = [f32; PART_COLUMNS];

/// Values without their names.
struct Values<const N: usize> {
    values: [f32; N],
    len: usize,
}

impl<const N: usize> Values<N> {
    const EMPTY: Self = Values { values: [0.0; N], len: 0 };

    fn put(&mut self, value: f32) {
        if let Some(slot) = self.values.get_mut(self.len) {
            *slot = value;
            self.len += 1;
        }
    }
}

fn flag(is: bool) -> f32 {
    f32::from(u8::from(is))
}

fn share(part: u32, whole: u32) -> f32 {
    part as f32 / whole.max(1) as f32
}

impl GapRows<'_> {
    /// Calls `put` with the name and the value of each feature, always in the same order.
    pub(super) fn row(&self, gap: usize, mut put: impl FnMut(&'static str, f32)) {
        let index = gap;
        let gap = &self.parts.gaps[index];
        self.own(index, &mut put);
        self.part(Side::Outer, gap.outer, &mut put);
        self.part(Side::Left, gap.left, &mut put);
        self.part(Side::Right, gap.right, &mut put);
        put("atom count of page", self.parts.count() as f32);
        put("word count of page", self.words());
    }

    /// The features that are not about a single part.
    fn own(&self, index: usize, put: &mut impl FnMut(&'static str, f32)) {
        let gap = &self.parts.gaps[index];
        let part = |at: u32| &self.parts.parts[at as usize];
        self.tags(gap, put);
        self.atoms(index, put);
        self.between(gap, part(gap.outer), part(gap.left), part(gap.right), put);
    }

    /// The values of the same features.
    pub(super) fn own_values(&self, gap: usize) -> OwnValues {
        let mut values = Values::EMPTY;
        self.own(gap, &mut |_, value| values.put(value));
        values.values
    }

    /// The values of the features of a part.
    pub(super) fn part_values(&self, part: u32) -> PartValues {
        let mut values = Values::EMPTY;
        // The side matters only for the names.
        self.part(Side::Outer, part, &mut |_, value| values.put(value));
        values.values
    }

    /// The values of the features of the page.
    pub(super) fn page_values(&self) -> [f32; 2] {
        [self.parts.count() as f32, self.words()]
    }

    fn words(&self) -> f32 {
        self.aggregates.prefix.last().map_or(0.0, |all| all.words as f32)
    }

    /// Features of the tags in the gap.
    fn tags(&self, gap: &Gap, put: &mut impl FnMut(&'static str, f32)) {
        put("elements ended", gap.ended as f32);
        put("elements started", gap.started as f32);
        put("hr in gap", flag(gap.tags.contains(Tag::HR)));
        put("image in gap", flag(gap.tags.contains(Tag::IMG)));
        put("heading in gap", flag(gap.tags.intersects(HEADINGS)));
        put("list in gap", flag(gap.tags.intersects(LISTS)));
        put("list item in gap", flag(gap.tags.intersects(ITEMS)));
        put("table in gap", flag(gap.tags.contains(Tag::TABLE)));
        put("table row in gap", flag(gap.tags.contains(Tag::TR)));
        put("table cell in gap", flag(gap.tags.contains(Tag::TD)));
        put("form in gap", flag(gap.tags.contains(Tag::FORM)));
        put("form field in gap", flag(gap.tags.intersects(FIELDS)));
        put("media in gap", flag(gap.tags.intersects(MEDIA)));
        put("div in gap", flag(gap.tags.contains(Tag::DIV)));
        put("section in gap", flag(gap.tags.intersects(SECTIONS)));
        put("paragraph in gap", flag(gap.tags.contains(Tag::P)));
        put("script in gap", flag(gap.tags.contains(Tag::SCRIPT)));
        put("br in gap", flag(gap.tags.contains(Tag::BR)));
    }

    /// Features of the atoms on both sides.
    fn atoms(&self, gap: usize, put: &mut impl FnMut(&'static str, f32)) {
        let (left, right) = (&self.aggregates.atoms[gap], &self.aggregates.atoms[gap + 1]);
        let steps = |atom: usize| {
            let leaf = &self.parts.parts[self.parts.leaf[atom] as usize];
            leaf.depth - self.parts.parts[self.parts.gaps[gap].outer as usize].depth
        };
        put("steps up from left atom", steps(gap) as f32);
        put("steps down to right atom", steps(gap + 1) as f32);
        put("word count of left atom", left.words as f32);
        put("word count of right atom", right.words as f32);
        put("link density of left atom", share(left.link_words, left.words));
        put("link density of right atom", share(right.link_words, right.words));
        put("heading level of left atom", f32::from(left.heading));
        put("heading level of right atom", f32::from(right.heading));
        put("left atom is bold", flag(left.bold));
        put("right atom is bold", flag(right.bold));
        put("word count ratio of atoms", (left.words as f32 + 1.0) / (right.words as f32 + 1.0));
        let density = |words: u32, lines: u32| words as f32 / lines.max(1) as f32;
        let (a, b) = (density(left.words, left.lines), density(right.words, right.lines));
        put("text density slope", (a - b).abs() / a.max(b).max(1e-6));
        let heading = self.headings[gap];
        put("atoms since heading", if heading == 0 { 999.0 } else { (gap + 1) as f32 - heading as f32 });
        put(
            "right atom is alone",
            flag(gap + 2 >= self.aggregates.atoms.len() || self.parts.gaps[gap + 1].ended > self.parts.gaps[gap].started),
        );
    }

    /// Features that compare the two parts.
    fn between(&self, gap: &Gap, outer: &Part, left: &Part, right: &Part, put: &mut impl FnMut(&'static str, f32)) {
        let (parts, aggregates) = (self.parts, self.aggregates);
        let tag = |part: &Part| parts.outside(part).map(|element| element.tag);
        let (l, r) = (gap.left as usize, gap.right as usize);
        put("same tag", flag(tag(left) == tag(right)));
        put("same tag and class", flag(aggregates.appearance[l] == aggregates.appearance[r]));
        put("same class", flag(aggregates.names[l].class != 0 && aggregates.names[l].class == aggregates.names[r].class));
        put("same child tags", flag(aggregates.child_patterns[l] == aggregates.child_patterns[r]));
        put("height difference", left.height as f32 - right.height as f32);
        put("index of left part", left.index as f32);
        put("parts after right part", (outer.children as f32 - right.index as f32 - 1.0).max(0.0));
        put("only two parts", flag(outer.children == 2));
        let (a, b, all) = (aggregates.totals(left), aggregates.totals(right), aggregates.totals(outer));
        let mean = |words: u32, part: &Part| words as f32 / (part.end - part.start).max(1) as f32;
        put("log ratio of words per atom", (mean(a.words, left) + 1.0).ln() - (mean(b.words, right) + 1.0).ln());
        put("link density difference", share(b.link_words, b.words) - share(a.link_words, a.words));
        put("log ratio of word counts", (a.words as f32 + 1.0).ln() - (b.words as f32 + 1.0).ln());
        put("word count of smaller part", a.words.min(b.words) as f32);
        put("page share of smaller part", share(a.words.min(b.words), self.words() as u32));
        put("height of lower part", left.height.min(right.height) as f32);
        put("height of higher part", left.height.max(right.height) as f32);
        put("share of outer words in both parts", share(a.words.saturating_add(b.words), all.words));
        put("share of page words before", share(aggregates.prefix[right.start as usize].words, self.words() as u32));
        put(
            "share of outer words before",
            share(aggregates.prefix[right.start as usize].words - aggregates.prefix[outer.start as usize].words, all.words),
        );
        let hints = |at: usize| aggregates.names[at].hints;
        put("differing name hints", (hints(l) ^ hints(r)).count_ones() as f32);
    }

    /// Features of a single part.
    fn part(&self, side: Side, at: u32, put: &mut impl FnMut(&'static str, f32)) {
        let (parts, aggregates) = (self.parts, self.aggregates);
        let part = &parts.parts[at as usize];
        let own = aggregates.totals(part);
        let atoms = (part.end - part.start) as f32;
        let (outside, inside) = (parts.outside(part), parts.inside(part));
        put(named!(side, "tag"), outside.map_or(0.0, |element| tag_number(element.tag)));
        put(named!(side, "innermost tag"), inside.map_or(0.0, |element| tag_number(element.tag)));
        put(named!(side, "chain length"), part.chain as f32);
        put(named!(side, "depth"), part.depth as f32);
        put(named!(side, "height"), part.height as f32);
        put(named!(side, "word count"), own.words as f32);
        put(named!(side, "page share"), own.words as f32 / self.words().max(1.0));
        put(named!(side, "atom count"), atoms);
        put(named!(side, "words per atom"), own.words as f32 / atoms.max(1.0));
        put(named!(side, "link density"), share(own.link_words, own.words));
        put(named!(side, "linked runs"), own.link_runs as f32);
        put(named!(side, "heading share"), share(own.heading_words, own.words));
        put(named!(side, "long-text share"), share(own.long_words, own.words));
        put(named!(side, "bold share"), share(own.bold_words, own.words));
        put(named!(side, "mean word length"), share(own.chars, own.words));
        put(named!(side, "child count"), part.children as f32);
        put(named!(side, "start position"), aggregates.prefix[part.start as usize].words as f32 / self.words().max(1.0));
        put(named!(side, "end position"), aggregates.prefix[part.end as usize].words as f32 / self.words().max(1.0));
        put(named!(side, "heading level of first atom"), f32::from(aggregates.atoms[part.start as usize].heading));
        put(named!(side, "similar siblings"), aggregates.similar[at as usize] as f32);
        let children = &aggregates.children[at as usize];
        put(named!(side, "spread of child word counts"), children.word_spread);
        put(named!(side, "spread of child link densities"), children.link_spread);
        put(named!(side, "share of children with same tag"), children.same_tag);
        put(named!(side, "share of children with same tag and class"), children.same_appearance);
        put(named!(side, "word share of largest child"), children.largest);
        put(named!(side, "share of children that start with heading"), children.headed);
        put(named!(side, "share of deep children"), children.deep);
        put(named!(side, "image count"), outside.map_or(0.0, |element| element.images as f32));
        put(named!(side, "form field count"), outside.map_or(0.0, |element| element.fields as f32));
        let elements = if part.top == NONE { 1 } else { parts.subtree_end[part.top as usize] - part.top };
        put(named!(side, "words per element"), share(own.words, elements));
        put(named!(side, "is hidden"), flag(inside.is_some_and(|element| element.within.has(Within::HIDDEN))));
        let names = &aggregates.names[at as usize];
        put(named!(side, "has id"), flag(names.has_id));
        put(named!(side, "has class"), flag(names.class != 0));
        let counts = aggregates.counts_in(parts, part);
        for (name, count) in counted_names(side).into_iter().zip(counts) {
            put(name, count as f32);
        }
        for (bit, name) in hint_names(side).into_iter().enumerate() {
            put(name, (names.hints >> bit & 1) as f32);
        }
    }
}

fn counted_names(side: Side) -> [&'static str; COUNTED] {
    [
        named!(side, "paragraph count"),
        named!(side, "list count"),
        named!(side, "list item count"),
        named!(side, "table count"),
        named!(side, "table row count"),
        named!(side, "heading count"),
        named!(side, "box count"),
        named!(side, "form count"),
    ]
}

fn hint_names(side: Side) -> [&'static str; HINTS.len()] {
    [
        named!(side, "name hint nav"),
        named!(side, "name hint head"),
        named!(side, "name hint foot"),
        named!(side, "name hint side"),
        named!(side, "name hint main"),
        named!(side, "name hint article"),
        named!(side, "name hint ad"),
        named!(side, "name hint search"),
        named!(side, "name hint login"),
        named!(side, "name hint logo"),
        named!(side, "name hint list"),
        named!(side, "name hint social"),
        named!(side, "name hint title"),
        named!(side, "name hint comment"),
        named!(side, "name hint wrap"),
        named!(side, "name hint module"),
        named!(side, "name hint item"),
        named!(side, "name hint tab"),
        named!(side, "name hint feature"),
        named!(side, "name hint news"),
        named!(side, "name hint legal"),
        named!(side, "name hint language"),
        named!(side, "name hint crumb"),
        named!(side, "name hint hidden"),
        named!(side, "name hint clear"),
        named!(side, "name hint form"),
    ]
}

/// A tag as a number, from text to whole pages; tags with similar uses have adjacent numbers.
fn tag_number(tag: Tag) -> f32 {
    let number: u8 = match tag {
        Tag::P => 1,
        Tag::BLOCKQUOTE => 2,
        Tag::PRE => 3,
        Tag::H6 => 4,
        Tag::H5 => 5,
        Tag::H4 => 6,
        Tag::H3 => 7,
        Tag::H2 => 8,
        Tag::H1 => 9,
        Tag::DT => 10,
        Tag::DD => 11,
        Tag::LI => 12,
        Tag::DL => 13,
        Tag::OL => 14,
        Tag::UL | Tag::MENU => 15,
        Tag::TH => 16,
        Tag::TD => 17,
        Tag::TR => 18,
        Tag::TBODY => 19,
        Tag::TABLE => 20,
        Tag::BUTTON => 22,
        Tag::LEGEND => 23,
        Tag::FIELDSET => 24,
        Tag::FORM => 25,
        Tag::ADDRESS => 26,
        Tag::FIGCAPTION | Tag::CAPTION => 27,
        Tag::FIGURE => 28,
        Tag::CENTER => 29,
        Tag::DIV => 30,
        Tag::ARTICLE => 31,
        Tag::SECTION => 32,
        Tag::NAV => 33,
        Tag::ASIDE => 34,
        Tag::HEADER => 35,
        Tag::FOOTER => 36,
        Tag::MAIN => 37,
        Tag::BODY => 38,
        Tag::HTML => 39,
        _ => 21,
    };
    f32::from(number)
}
