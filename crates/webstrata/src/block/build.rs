//! Builds blocks from the tree in one pass that reads every byte of text once and copies nothing.

use super::word_boundary::{TagsBetween, Tail, across};
use super::words::{Counter, WordOptions};
use super::{BlockTable, Context, INLINE, INLINE_OBJECTS, Record, WordBoundary};
use crate::formula;
use crate::html::{Dom, Facts, HIDDEN, Tag, TagSet, decode_run, flag, is_white, needs_decoding};
use crate::options::setters;

/// What separates two blocks.
///
/// ```
/// use webstrata::{Page, block::GapModel};
/// let page = Page::parse(b"<p>Fish <b>and</b> chips");
/// assert_eq!(page.blocks_by(GapModel::Tags).len(), 3);
/// assert_eq!(page.blocks_by(GapModel::Lines).len(), 1);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum GapModel {
    /// Every tag but `a`, as in the papers: the atoms of Block Fusion.
    Tags,
    /// Tags that start or end a line; inline tags such as `<b>` do not. The default. These blocks look like one line to
    /// a reader, and they are the ones that boilerpipe, the thesis' own reference implementation, labels.
    #[default]
    Lines,
}

/// How blocks are built.
///
/// ```
/// use webstrata::{block::{BlockOptions, BlockTable, GapModel}, html::Dom};
/// let dom = Dom::parse("<body><noscript>scripts are off</noscript>");
/// assert_eq!(BlockTable::new(&dom, &BlockOptions::default()).with(&dom).len(), 0);
/// assert_eq!(BlockTable::new(&dom, &BlockOptions::default().noscript(true)).with(&dom).len(), 1);
/// let atoms = BlockOptions::default().gaps(GapModel::Tags);
/// let dom = Dom::parse("<p>Fish <b>and</b> chips");
/// assert_eq!(BlockTable::new(&dom, &atoms).with(&dom).len(), 3);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct BlockOptions {
    /// What separates two blocks.
    pub gaps: GapModel,
    /// Whether text inside `noscript` is included. By default it is not: browsers that run scripts do not show it.
    pub noscript: bool,
    /// How words are counted.
    pub words: WordOptions,
}

setters! { BlockOptions { gaps: GapModel, noscript: bool, words: WordOptions } }

/// Flags a run that white space separates from the previous one.
pub(super) const SPACED: u32 = 1 << 31;

/// Flags a run inside a link. The remaining 30 bits are the index of its node, far above the cap on nodes.
pub(super) const LINKED: u32 = 1 << 30;

/// An open element of the traversal.
#[derive(Clone, Copy, Debug)]
struct Frame {
    end: u32,
    tag: Tag,
    level: u16,
    context: Context,
    facts: Facts,
}

/// Builds blocks, with buffers for the traversal.
#[derive(Debug, Default)]
pub(super) struct Builder {
    frames: Vec<Frame>,
    decoded: String,
}

/// How the traversal treats an element.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Treatment {
    Enter,
    /// Its text is not part of the page, and it does not interrupt the line.
    Skip,
    /// Its text is not part of the page, but it breaks the line.
    SkipAndBreak,
}

pub(super) fn treatment(tag: Tag, options: &BlockOptions) -> Treatment {
    match tag {
        Tag::HEAD | Tag::TITLE | Tag::SELECT | Tag::OPTION | Tag::OPTGROUP | Tag::TEXTAREA | Tag::IFRAME | Tag::FRAMESET => {
            Treatment::SkipAndBreak
        }
        Tag::SVG | Tag::ANNOTATION | Tag::ANNOTATION_XML => Treatment::Skip,
        Tag::NOSCRIPT if !options.noscript => Treatment::Skip,
        _ if tag.flags() & HIDDEN != 0 => Treatment::Skip,
        _ => Treatment::Enter,
    }
}

/// Whether the text of an element is part of the page.
pub(crate) fn is_entered(tag: Tag, options: &BlockOptions) -> bool {
    treatment(tag, options) == Treatment::Enter
}

/// The block being built.
struct Open {
    counter: Counter,
    runs: u32,
    context: Context,
    facts: Facts,
    level: u16,
    boundary: WordBoundary,
    /// Whether it has no run yet.
    empty: bool,
}

impl Builder {
    pub(super) fn build(mut self, dom: &Dom<'_>, options: &BlockOptions) -> BlockTable {
        let mut records = Vec::with_capacity(dom.len() / NODES_PER_BLOCK);
        let mut runs = Vec::with_capacity(dom.len() / NODES_PER_BLOCK);
        let nodes = dom.records();
        let source = dom.source();
        let transparent = match options.gaps {
            GapModel::Tags => TagSet::from_tags(&[Tag::A]),
            GapModel::Lines => INLINE.union(INLINE_OBJECTS),
        };
        let in_line = INLINE.union(INLINE_OBJECTS);
        let mut between = TagsBetween::default(); // tags since the last run
        let mut tail = Tail::default();
        let mut carried = None; // separation inherited from a dropped block
        let mut broken = true; // a tag that separates blocks occurred since the last run
        let mut boundary = WordBoundary::Line; // what separates the next run from the last one
        let mut link_until = 0u32;
        let mut math_until = 0u32;
        let mut after_math = false; // the last run is part of a formula
        let mut open = Open {
            counter: Counter::new(options.words),
            runs: 0,
            context: Context::default(),
            facts: Facts::default(),
            level: 0,
            boundary,
            empty: true,
        };
        let mut id = 0u32;
        let total = nodes.len() as u32;
        while id < total {
            let node = &nodes[id as usize];
            // Elements that ended before this node.
            while let Some(frame) = self.frames.last()
                && frame.end <= id
            {
                note_tag(frame.tag, &mut between, &mut broken, &mut boundary, transparent, in_line);
                self.frames.pop();
            }
            if node.flags & flag::SPACE_BEFORE != 0 && boundary == WordBoundary::None {
                boundary = WordBoundary::Space;
            }
            if node.tag != Tag::TEXT {
                let tag = node.tag;
                match treatment(tag, options) {
                    Treatment::Enter => {
                        // A formula is inline, regardless of its elements.
                        let inline = node.flags & flag::FOREIGN != 0 || (tag.is_custom() && formula::is_inline_wrapper(dom, id));
                        let effective = if inline { Tag::SPAN } else { tag };
                        note_tag(effective, &mut between, &mut broken, &mut boundary, transparent, in_line);
                        if tag == Tag::MATH {
                            math_until = math_until.max(node.end);
                        }
                        if tag == Tag::A {
                            link_until = link_until.max(dom.formatting_end(id, node));
                        }
                        if node.end > id + 1 {
                            let outer = self.frames.last();
                            let (context, facts, level) = outer.map_or_else(Default::default, |f| (f.context, f.facts, f.level));
                            self.frames.push(Frame {
                                end: node.end,
                                tag: effective,
                                level: level + u16::from(!INLINE.contains(effective)),
                                context: Context(context.0 | Context::from_tag(tag).0),
                                facts: facts.union(Facts::from_element(tag, node.flags)),
                            });
                        }
                        id += 1;
                    }
                    Treatment::Skip => {
                        between.tags.insert(tag);
                        if options.gaps == GapModel::Tags {
                            broken = true;
                        }
                        if tag == Tag::SVG && boundary == WordBoundary::None {
                            boundary = WordBoundary::Space;
                        }
                        id = node.end;
                    }
                    Treatment::SkipAndBreak => {
                        note_tag(tag, &mut between, &mut broken, &mut boundary, transparent, in_line);
                        id = node.end;
                    }
                }
                continue;
            }
            let raw = source.get(node.from as usize..node.to as usize).unwrap_or("");
            let references = node.flags & flag::RAW == 0;
            let text = if needs_decoding(raw, references) {
                self.decoded.clear();
                decode_run(raw, references, &mut self.decoded);
                &self.decoded
            } else {
                raw
            };
            let math = id < math_until;
            if boundary == WordBoundary::None && (text.starts_with(is_white) || (math && after_math)) {
                boundary = WordBoundary::Space;
            } else if boundary == WordBoundary::None && (between.link_tags > 0 || !between.tags.is_empty()) {
                boundary = across(between, tail, text);
            }
            if broken {
                broken = false;
                close(&mut open, &mut records, &mut runs, &mut carried);
            }
            let frame = self.frames.last();
            let (context, facts, level) = frame.map_or_else(Default::default, |f| (f.context, f.facts, f.level));
            if open.empty {
                open.empty = false;
                open.runs = runs.len() as u32;
                open.context = context;
                open.facts = facts;
                open.level = level;
                open.boundary = carried.take().map_or(boundary, |before: WordBoundary| before.max(boundary));
            } else {
                open.context.0 &= context.0;
                if boundary != WordBoundary::None {
                    open.counter.space();
                }
            }
            between = TagsBetween::default();
            let link = id < link_until;
            runs.push(id | if boundary == WordBoundary::None { 0 } else { SPACED } | if link { LINKED } else { 0 });
            open.counter.trailing_space = false;
            open.counter.run(text, link);
            boundary = if open.counter.trailing_space { WordBoundary::Space } else { WordBoundary::None };
            tail = Tail::new(text);
            after_math = math;
            id += 1;
        }
        close(&mut open, &mut records, &mut runs, &mut carried);
        BlockTable { records, runs, options: *options }
    }
}

/// Elements for inline code.
const CODE: TagSet = TagSet::from_tags(&[Tag::CODE, Tag::KBD, Tag::SAMP]);

/// Approximate number of nodes per block, for the initial capacity.
const NODES_PER_BLOCK: usize = 4;

/// Records a start or end tag between two runs.
#[inline(always)]
fn note_tag(
    tag: Tag,
    between: &mut TagsBetween,
    broken: &mut bool,
    boundary: &mut WordBoundary,
    transparent: TagSet,
    in_line: TagSet,
) {
    if tag == Tag::A {
        between.link_tags += 1;
    } else {
        between.tags.insert(tag);
        between.code_tags += u32::from(CODE.contains(tag));
    }
    if !transparent.contains(tag) {
        *broken = true;
    }
    if INLINE.contains(tag) {
        return;
    }
    if !in_line.contains(tag) {
        *boundary = WordBoundary::Line;
    } else if *boundary == WordBoundary::None {
        *boundary = WordBoundary::Space;
    }
}

/// Closes the open block. A block without words is dropped, and its tags become part of the gap.
fn close(open: &mut Open, records: &mut Vec<Record>, runs: &mut Vec<u32>, carried: &mut Option<WordBoundary>) {
    if open.empty {
        return;
    }
    open.empty = true;
    let counts = open.counter.finish();
    if counts.words == 0 {
        runs.truncate(open.runs as usize);
        *carried = Some(open.boundary.max(WordBoundary::Space));
        return;
    }
    *carried = None;
    records.push(Record {
        runs: open.runs,
        counts,
        context: open.context,
        facts: open.facts,
        level: open.level,
        boundary: open.boundary,
    });
}
