//! Captions, credits and bylines: text about pictures, their creators and the authors, rather than the text they belong to.
//!
//! Such text can be recognised in three ways: by elements (`figcaption`, `time`, `rel=author`), by names (classes, ids and
//! `itemprop`), and by its shape ("Foto: …/AFP" next to a picture, a line of digits below the headline). A name counts only
//! if its element is small: `published` is as common on whole articles as on dates. The only word lists are names in markup and
//! the few words that introduce a credit or an author; a line recognised by shape alone must also be in the right place.
//!
//! The elements around a block are examined up to the first one with too many words, so the cost per block is bounded.

mod names;
mod shape;
#[cfg(test)]
mod tests;

use super::role::Role;
use crate::block::{Blocks, Context};
use crate::html::{Dom, Node, Tag, TagSet};
use names::{Hints, KnownHints};
use shape::{is_dated, role_by_shape};

/// Maximum words of an element that is named as a caption, and of its longest block.
const MAX_CAPTION_WORDS: u32 = 80;

/// Maximum words of a block whose elements' names are read. Longer captions are usually in a `figcaption`.
const MAX_NAMED_WORDS: u32 = 40;

/// Maximum words of an element that is named as a credit, and of a block that has the shape of one.
const MAX_CREDIT_WORDS: u32 = 20;

/// Maximum words of an element that is named as a byline.
const MAX_BYLINE_WORDS: u32 = 25;

/// Maximum words of a line that is a byline by its shape.
const MAX_LINE_WORDS: u32 = 10;

/// Elements that contain too much to be examined.
const OUTER: TagSet = TagSet::from_tags(&[Tag::HTML, Tag::BODY, Tag::MAIN, Tag::ARTICLE, Tag::TABLE, Tag::FORM]);

/// The evidence for a role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Evidence {
    /// An element with that meaning: `figcaption`, `time`.
    Element,
    /// The name of an element.
    Name,
    /// A name that is weak evidence on its own, and a date.
    Dated,
    /// Dates and links to authors that make up most of the line.
    Inside,
    /// The shape of the line.
    Shape,
}

impl Evidence {
    /// A description of the evidence.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Evidence::Element => "by its element",
            Evidence::Name => "by a class, id or property",
            Evidence::Dated => "by a class and a date",
            Evidence::Inside => "by dates and links to authors",
            Evidence::Shape => "by its shape",
        }
    }
}

/// A role and the evidence for it.
type Found = (Role, Evidence);

/// The blocks that an element contains, as far as they have been counted.
#[derive(Clone, Copy, Debug)]
struct Window<'p> {
    blocks: Blocks<'p>,
    first: usize,
    last: usize,
    words: u32,
    /// Whether a heading is among them.
    heading: bool,
}

impl<'p> Window<'p> {
    fn new(blocks: Blocks<'p>, index: usize) -> Self {
        let record = &blocks.records()[index];
        let heading = record.context.intersects(Context::HEADING);
        Window { blocks, first: index, last: index, words: record.counts.words, heading }
    }

    /// Extends the window to all blocks that start inside nodes `start..end`. Returns false if they have more words than a caption may have.
    fn extend(&mut self, start: u32, end: u32) -> bool {
        let blocks = self.blocks;
        let first_run = |index: usize| blocks.runs_of(index).first().map(|&run| Blocks::run_node(run));
        let (mut first, mut last) = (self.first, self.last);
        while self.words <= MAX_CAPTION_WORDS && first > 0 && first_run(first - 1).is_some_and(|run| run >= start) {
            first -= 1;
            self.add(first);
        }
        while self.words <= MAX_CAPTION_WORDS && first_run(last + 1).is_some_and(|run| run < end) {
            last += 1;
            self.add(last);
        }
        (self.first, self.last) = (first, last);
        self.words <= MAX_CAPTION_WORDS
    }

    fn add(&mut self, index: usize) {
        let record = &self.blocks.records()[index];
        self.words = self.words.saturating_add(record.counts.words.max(1));
        self.heading |= record.context.intersects(Context::HEADING);
    }
}

/// Finds the captions, credits and bylines of a page, block by block.
#[derive(Clone, Debug)]
pub(crate) struct Attributions<'p> {
    blocks: Blocks<'p>,
    hints: KnownHints<'p>,
}

impl<'p> Attributions<'p> {
    pub(crate) fn new(blocks: Blocks<'p>) -> Self {
        Attributions { blocks, hints: KnownHints::new(blocks.dom()) }
    }

    /// Creates a finder with less set-up cost, for one block.
    pub(crate) fn for_one_block(blocks: Blocks<'p>) -> Self {
        Attributions { blocks, hints: KnownHints::for_one_block(blocks.dom()) }
    }

    /// Whether a block is a caption, a credit or a byline. `content` is whether it is kept so far: menus and footers are not
    /// examined, since the dates in them are of no interest.
    pub(crate) fn role_of(&mut self, index: usize, content: bool) -> Option<Found> {
        role_of(self.blocks, &mut self.hints, index, content)
    }
}

fn role_of(blocks: Blocks<'_>, hints: &mut KnownHints<'_>, index: usize, content: bool) -> Option<Found> {
    let record = blocks.records().get(index)?;
    let words = record.counts.words;
    let context = record.context;
    if words > MAX_CAPTION_WORDS
        || (words > MAX_NAMED_WORDS && !context.intersects(Context::CAPTION))
        || context.intersects(Context::HEADING)
        || context.intersects(Context::PRE)
    {
        return None;
    }
    let menu = context.intersects(Context::NAV) || context.intersects(Context::FOOTER) || record.counts.link_words * 2 > words;
    if !content && menu && !context.intersects(Context::CAPTION) {
        return None;
    }
    role_by_elements(blocks, hints, index, words).or_else(|| role_by_shape(blocks, index, words))
}

/// The role by the elements around a block and inside it.
fn role_by_elements(blocks: Blocks<'_>, known: &mut KnownHints<'_>, index: usize, words: u32) -> Option<Found> {
    let dom = blocks.dom();
    let runs = blocks.runs_of(index);
    let (first, last) = (Blocks::run_node(*runs.first()?), Blocks::run_node(*runs.last()?));
    let mut window = Window::new(blocks, index);
    let mut found = None;
    let mut weak = false;
    let mut element = dom.record(first).parent;
    loop {
        let record = dom.record(element);
        if OUTER.contains(record.tag) {
            break;
        }
        // Inline elements at the start of the block do not describe the whole block.
        if record.end > last {
            if !window.extend(element, record.end) {
                break;
            }
            if record.tag == Tag::FIGCAPTION {
                found = found.or_else(|| is_picture(dom, element).then_some((Role::Caption, Evidence::Element)));
                break;
            }
            if record.tag == Tag::TIME && window.words <= MAX_LINE_WORDS {
                return Some((Role::Byline, Evidence::Element));
            }
            let hints = known.get(element);
            if hints.has(Hints::CARD) {
                return None;
            }
            if found.is_none() && !window.heading {
                if hints.has(Hints::CREDIT) && window.words <= MAX_CREDIT_WORDS {
                    found = Some((Role::Credit, Evidence::Name));
                } else if hints.has(Hints::CAPTION) {
                    found = Some((Role::Caption, Evidence::Name));
                } else if hints.has(Hints::BYLINE) && window.words <= MAX_BYLINE_WORDS {
                    found = Some((Role::Byline, Evidence::Name));
                }
                weak |= hints.has(Hints::WEAK_BYLINE) && window.words <= MAX_BYLINE_WORDS;
            }
        }
        if element == record.parent {
            break;
        }
        element = record.parent;
    }
    let dated = || (words <= MAX_BYLINE_WORDS && weak && is_dated(blocks, index)).then_some((Role::Byline, Evidence::Dated));
    let inside = || has_byline_inside(blocks, known, index, words).then_some((Role::Byline, Evidence::Inside));
    found.or_else(dated).or_else(inside)
}

/// Whether the `figure` around a `figcaption` shows a picture rather than code, a table or a quotation.
fn is_picture(dom: &Dom<'_>, figcaption: u32) -> bool {
    const TEXT: TagSet = TagSet::from_tags(&[Tag::TABLE, Tag::PRE, Tag::BLOCKQUOTE, Tag::UL, Tag::OL]);
    /// Nodes of a figure that are examined.
    const MAX_NODES: usize = 100;
    let parent = dom.record(figcaption).parent;
    !Node::new(dom, parent).descendants().take(MAX_NODES).any(|node| TEXT.contains(node.tag()))
}

/// Whether most of a short block is inside a `time` element or a link to the author.
fn has_byline_inside(blocks: Blocks<'_>, known: &mut KnownHints<'_>, index: usize, words: u32) -> bool {
    let dom = blocks.dom();
    let runs = blocks.runs_of(index);
    if runs.len() < 2 || words > MAX_LINE_WORDS * 2 {
        return false;
    }
    let (mut inside, mut all) = (0, 0);
    for &run in runs {
        let record = dom.record(Blocks::run_node(run));
        let parent = dom.record(record.parent).tag;
        let marked = parent == Tag::TIME || (parent == Tag::A && known.get(record.parent).has(Hints::BYLINE));
        all += record.to - record.from;
        inside += if marked { record.to - record.from } else { 0 };
    }
    inside * 2 >= all
}
