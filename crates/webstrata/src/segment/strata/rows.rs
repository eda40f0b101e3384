//! A row of numbers for each gap: what the first look sees.

use super::aggregates::{Aggregates, COUNTED};
use super::hints::HINTS;
use super::parts::{Gap, NONE, Part, Parts};
use crate::block::outline::Within;
use crate::html::{Tag, TagSet};

/// Whose numbers these are: those of the part round a gap, of the part that ends at it, of the one that starts at it.
#[derive(Clone, Copy, Debug)]
enum Role {
    Outer,
    Left,
    Right,
}

/// A column's name in each role.
macro_rules! of {
    ($role:expr, $name:literal) => {
        match $role {
            Role::Outer => concat!("outer-", $name),
            Role::Left => concat!("left-", $name),
            Role::Right => concat!("right-", $name),
        }
    };
}

/// Everything that rows are made from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rows<'g> {
    pub(super) parts: &'g Parts,
    pub(super) sums: &'g Aggregates,
    /// By atom: the last one before it (or itself) that is a heading, one more than its number.
    pub(super) headings: &'g [u32],
}

const HEADINGS: TagSet = TagSet::from_tags(&[Tag::H1, Tag::H2, Tag::H3, Tag::H4, Tag::H5, Tag::H6]);
const LISTS: TagSet = TagSet::from_tags(&[Tag::UL, Tag::OL, Tag::DL, Tag::MENU]);
const ITEMS: TagSet = TagSet::from_tags(&[Tag::LI, Tag::DT, Tag::DD]);
const FIELDS: TagSet = TagSet::from_tags(&[Tag::INPUT, Tag::SELECT, Tag::TEXTAREA, Tag::BUTTON]);
const MEDIA: TagSet = TagSet::from_tags(&[Tag::IFRAME, Tag::OBJECT, Tag::EMBED, Tag::VIDEO, Tag::AUDIO]);
const SECTIONS: TagSet =
    TagSet::from_tags(&[Tag::SECTION, Tag::ARTICLE, Tag::ASIDE, Tag::NAV, Tag::HEADER, Tag::FOOTER, Tag::MAIN]);

fn truth(is: bool) -> f32 {
    f32::from(u8::from(is))
}

fn share(part: u32, whole: u32) -> f32 {
    part as f32 / whole.max(1) as f32
}

impl Rows<'_> {
    /// Calls back with the name and the value of each column, always in the same order.
    pub(super) fn row(&self, gap: usize, mut put: impl FnMut(&'static str, f32)) {
        let place = gap;
        let gap = &self.parts.gaps[gap];
        let part = |at: u32| &self.parts.parts[at as usize];
        let (outer, left, right) = (part(gap.outer), part(gap.left), part(gap.right));
        self.tags(gap, &mut put);
        self.atoms(place, &mut put);
        self.between(gap, outer, left, right, &mut put);
        self.part(Role::Outer, gap.outer, &mut put);
        self.part(Role::Left, gap.left, &mut put);
        self.part(Role::Right, gap.right, &mut put);
        put("page-atoms", self.parts.count() as f32);
        put("page-words", self.words());
    }

    fn words(&self) -> f32 {
        self.sums.before.last().map_or(0.0, |all| all.words as f32)
    }

    /// What stands in the gap.
    fn tags(&self, gap: &Gap, put: &mut impl FnMut(&'static str, f32)) {
        put("ended", gap.ended as f32);
        put("started", gap.started as f32);
        put("hr", truth(gap.tags.contains(Tag::HR)));
        put("images", truth(gap.tags.contains(Tag::IMG)));
        put("headings", truth(gap.tags.intersects(HEADINGS)));
        put("lists", truth(gap.tags.intersects(LISTS)));
        put("items", truth(gap.tags.intersects(ITEMS)));
        put("table", truth(gap.tags.contains(Tag::TABLE)));
        put("row", truth(gap.tags.contains(Tag::TR)));
        put("cell", truth(gap.tags.contains(Tag::TD)));
        put("form", truth(gap.tags.contains(Tag::FORM)));
        put("fields", truth(gap.tags.intersects(FIELDS)));
        put("media", truth(gap.tags.intersects(MEDIA)));
        put("box", truth(gap.tags.contains(Tag::DIV)));
        put("section", truth(gap.tags.intersects(SECTIONS)));
        put("paragraph", truth(gap.tags.contains(Tag::P)));
        put("script", truth(gap.tags.contains(Tag::SCRIPT)));
        put("break", truth(gap.tags.contains(Tag::BR)));
    }

    /// The atoms on both sides.
    fn atoms(&self, gap: usize, put: &mut impl FnMut(&'static str, f32)) {
        let (left, right) = (&self.sums.atoms[gap], &self.sums.atoms[gap + 1]);
        let steps = |atom: usize| {
            let leaf = &self.parts.parts[self.parts.leaf[atom] as usize];
            leaf.depth - self.parts.parts[self.parts.gaps[gap].outer as usize].depth
        };
        put("steps-up", steps(gap) as f32);
        put("steps-down", steps(gap + 1) as f32);
        put("words-before", left.words as f32);
        put("words-behind", right.words as f32);
        put("links-before", share(left.links, left.words));
        put("links-behind", share(right.links, right.words));
        put("heading-before", f32::from(left.heading));
        put("heading-behind", f32::from(right.heading));
        put("bold-before", truth(left.bold));
        put("bold-behind", truth(right.bold));
        put("words-ratio", (left.words as f32 + 1.0) / (right.words as f32 + 1.0));
        let density = |words: u32, lines: u32| words as f32 / lines.max(1) as f32;
        let (a, b) = (density(left.words, left.lines), density(right.words, right.lines));
        put("density-slope", (a - b).abs() / a.max(b).max(1e-6));
        let heading = self.headings[gap];
        put("from-heading", if heading == 0 { 999.0 } else { (gap + 1) as f32 - heading as f32 });
        put(
            "next-is-alone",
            truth(gap + 2 >= self.sums.atoms.len() || self.parts.gaps[gap + 1].ended > self.parts.gaps[gap].started),
        );
    }

    /// How the two parts are alike.
    fn between(&self, gap: &Gap, outer: &Part, left: &Part, right: &Part, put: &mut impl FnMut(&'static str, f32)) {
        let (parts, sums) = (self.parts, self.sums);
        let tag = |part: &Part| parts.outside(part).map(|element| element.tag);
        let (l, r) = (gap.left as usize, gap.right as usize);
        put("same-tag", truth(tag(left) == tag(right)));
        put("same-look", truth(sums.looks[l] == sums.looks[r]));
        put("same-class", truth(sums.names[l].class != 0 && sums.names[l].class == sums.names[r].class));
        put("same-pattern", truth(sums.patterns[l] == sums.patterns[r]));
        put("same-height", left.height as f32 - right.height as f32);
        put("place", left.place as f32);
        put("places-left", (outer.children as f32 - right.place as f32 - 1.0).max(0.0));
        put("two", truth(outer.children == 2));
        let (a, b, all) = (sums.of(left), sums.of(right), sums.of(outer));
        let mean = |words: u32, part: &Part| words as f32 / (part.end - part.start).max(1) as f32;
        put("mean-words-apart", (mean(a.words, left) + 1.0).ln() - (mean(b.words, right) + 1.0).ln());
        put("links-apart", share(b.links, b.words) - share(a.links, a.words));
        put("parts-ratio", (a.words as f32 + 1.0).ln() - (b.words as f32 + 1.0).ln());
        put("least-words", a.words.min(b.words) as f32);
        put("least-share", share(a.words.min(b.words), self.words() as u32));
        put("least-height", left.height.min(right.height) as f32);
        put("most-height", left.height.max(right.height) as f32);
        put("both-share", share(a.words.saturating_add(b.words), all.words));
        put("words-at", share(sums.before[right.start as usize].words, self.words() as u32));
        put("inside-at", share(sums.before[right.start as usize].words - sums.before[outer.start as usize].words, all.words));
        let hints = |at: usize| sums.names[at].hints;
        put("hints-apart", (hints(l) ^ hints(r)).count_ones() as f32);
    }

    /// A part on its own.
    fn part(&self, role: Role, at: u32, put: &mut impl FnMut(&'static str, f32)) {
        let (parts, sums) = (self.parts, self.sums);
        let part = &parts.parts[at as usize];
        let own = sums.of(part);
        let atoms = (part.end - part.start) as f32;
        let (outside, inside) = (parts.outside(part), parts.inside(part));
        put(of!(role, "tag"), outside.map_or(0.0, |element| tag_number(element.tag)));
        put(of!(role, "inner-tag"), inside.map_or(0.0, |element| tag_number(element.tag)));
        put(of!(role, "chain"), part.chain as f32);
        put(of!(role, "depth"), part.depth as f32);
        put(of!(role, "height"), part.height as f32);
        put(of!(role, "words"), own.words as f32);
        put(of!(role, "share"), own.words as f32 / self.words().max(1.0));
        put(of!(role, "atoms"), atoms);
        put(of!(role, "mean-words"), own.words as f32 / atoms.max(1.0));
        put(of!(role, "links"), share(own.links, own.words));
        put(of!(role, "link-runs"), own.link_runs as f32);
        put(of!(role, "heading-words"), share(own.headings, own.words));
        put(of!(role, "long"), share(own.long, own.words));
        put(of!(role, "bold"), share(own.bold, own.words));
        put(of!(role, "word-length"), share(own.chars, own.words));
        put(of!(role, "children"), part.children as f32);
        put(of!(role, "start"), sums.before[part.start as usize].words as f32 / self.words().max(1.0));
        put(of!(role, "end"), sums.before[part.end as usize].words as f32 / self.words().max(1.0));
        put(of!(role, "first-heading"), f32::from(sums.atoms[part.start as usize].heading));
        put(of!(role, "alike"), sums.alike[at as usize] as f32);
        let children = &sums.children[at as usize];
        put(of!(role, "children-words"), children.words);
        put(of!(role, "children-links"), children.links);
        put(of!(role, "children-same-tag"), children.same_tag);
        put(of!(role, "children-same-look"), children.same_look);
        put(of!(role, "largest-child"), children.largest);
        put(of!(role, "children-headed"), children.headed);
        put(of!(role, "children-high"), children.high);
        put(of!(role, "images"), outside.map_or(0.0, |element| element.images as f32));
        put(of!(role, "fields"), outside.map_or(0.0, |element| element.fields as f32));
        let elements = if part.top == NONE { 1 } else { parts.subtree[part.top as usize] - part.top };
        put(of!(role, "words/element"), share(own.words, elements));
        put(of!(role, "hidden"), truth(inside.is_some_and(|element| element.within.has(Within::HIDDEN))));
        let names = &sums.names[at as usize];
        put(of!(role, "id"), truth(names.has_id));
        put(of!(role, "class"), truth(names.class != 0));
        let counts = sums.counts_in(parts, part);
        for (name, count) in counted_names(role).into_iter().zip(counts) {
            put(name, count as f32);
        }
        for (bit, name) in hint_names(role).into_iter().enumerate() {
            put(name, (names.hints >> bit & 1) as f32);
        }
    }
}

fn counted_names(role: Role) -> [&'static str; COUNTED.len()] {
    [
        of!(role, "paragraphs"),
        of!(role, "lists"),
        of!(role, "items"),
        of!(role, "tables"),
        of!(role, "rows"),
        of!(role, "headings"),
        of!(role, "boxes"),
        of!(role, "forms"),
    ]
}

fn hint_names(role: Role) -> [&'static str; HINTS.len()] {
    [
        of!(role, "named-nav"),
        of!(role, "named-head"),
        of!(role, "named-foot"),
        of!(role, "named-side"),
        of!(role, "named-main"),
        of!(role, "named-article"),
        of!(role, "named-ad"),
        of!(role, "named-search"),
        of!(role, "named-login"),
        of!(role, "named-logo"),
        of!(role, "named-list"),
        of!(role, "named-social"),
        of!(role, "named-title"),
        of!(role, "named-comment"),
        of!(role, "named-wrap"),
        of!(role, "named-module"),
        of!(role, "named-item"),
        of!(role, "named-tab"),
        of!(role, "named-feature"),
        of!(role, "named-news"),
        of!(role, "named-legal"),
        of!(role, "named-language"),
        of!(role, "named-crumb"),
        of!(role, "named-hidden"),
        of!(role, "named-clear"),
        of!(role, "named-form"),
    ]
}

/// Tags as numbers, from text to the page, those that serve alike side by side.
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
