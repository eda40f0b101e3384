//! Where things stand that are no text themselves, links and images: one walk over the tree that knows, at each node,
//! the block and the segment of the text round it.

use super::Content;
use crate::block::Blocks;
use crate::html::{Dom, Facts, HIDDEN, Node, Tag, is_white};
use crate::label::Role;
use crate::segment::{Cut, Segments};

/// The block that something stands in, or nearest to.
///
/// ```
/// use webstrata::{ExtractOptions, Page, content::LinkOptions, label::{Preset, Role}, segment::Method};
/// let page = Page::parse(b"<h1>Rain</h1><p>It rained in <a href=/valley>the valley</a> again.</p>");
/// let segments = page.segments(Method::JustRules);
/// let options = LinkOptions::default().segments(segments.as_segments());
/// let place = page.extract_with(&ExtractOptions::from(Preset::KeepEverything)).links(&options)[0].place.unwrap();
/// assert_eq!((place.block, place.segment, place.role, place.content), (1, Some(1), Role::Body, true));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Number of the block, among those of the content ([`crate::block::GapModel::Lines`]).
    pub block: usize,
    /// Number of the segment, where segments were given.
    pub segment: Option<usize>,
    /// What the block is.
    pub role: Role,
    /// Is the block content? Where rules left out a part of it: is the text there content?
    pub content: bool,
}

/// A run of text that belongs to a block.
#[derive(Clone, Copy, Debug)]
struct Run {
    node: u32,
    spaced: bool,
    block: u32,
    segment: Option<u32>,
}

/// An element that the walk is inside of.
#[derive(Clone, Copy, Debug)]
struct Frame {
    id: u32,
    end: u32,
    facts: Facts,
}

/// What the walk meets.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step<'c> {
    /// An element, with what is known about whether it can be seen.
    Element(Node<'c>, Facts),
    /// A run of text that belongs to a block, and whether white space precedes it.
    Text(Node<'c>, bool),
}

/// A walk over all that a page shows: scripts, templates and their like are passed by, and so is `noscript` unless its
/// text counts.
#[derive(Debug)]
pub(super) struct Walk<'c, 'p> {
    content: &'c Content<'p>,
    dom: &'p Dom<'p>,
    runs: Vec<Run>,
    frames: Vec<Frame>,
    /// The node that comes next, and the first run at or behind it.
    next: u32,
    run: usize,
}

impl<'c, 'p> Walk<'c, 'p> {
    pub(super) fn new(content: &'c Content<'p>, segments: Option<&Segments<'_>>) -> Self {
        let blocks = content.blocks();
        let mut runs = Vec::new();
        for block in 0..blocks.len() {
            runs.extend(blocks.runs_of(block).iter().map(|&run| Run {
                node: Blocks::run_node(run),
                spaced: Blocks::run_is_spaced(run),
                block: block as u32,
                segment: None,
            }));
        }
        if let Some(segments) = segments {
            place_in_segments(&mut runs, segments);
        }
        Walk { content, dom: blocks.dom(), runs, frames: Vec::new(), next: 0, run: 0 }
    }

    pub(super) fn step(&mut self) -> Option<Step<'p>> {
        while (self.next as usize) < self.dom.len() {
            let id = self.next;
            let record = self.dom.record(id);
            while self.frames.last().is_some_and(|frame| frame.end <= id) {
                self.frames.pop();
            }
            if record.tag != Tag::TEXT {
                let passed_by =
                    record.tag.flags() & HIDDEN != 0 || (record.tag == Tag::NOSCRIPT && !self.content.blocks().includes_noscript());
                if passed_by {
                    self.next = record.end.max(id + 1);
                    continue;
                }
                let facts = self
                    .frames
                    .last()
                    .map_or_else(Facts::default, |f| f.facts)
                    .union(Facts::from_element(record.tag, record.flags));
                if record.end > id + 1 {
                    self.frames.push(Frame { id, end: record.end, facts });
                }
                self.next = id + 1;
                return Some(Step::Element(Node::new(self.dom, id), facts));
            }
            self.next = id + 1;
            while self.runs.get(self.run).is_some_and(|run| run.node < id) {
                self.run += 1;
            }
            if let Some(run) = self.runs.get(self.run).filter(|run| run.node == id) {
                return Some(Step::Text(Node::new(self.dom, id), run.spaced));
            }
        }
        None
    }

    /// The place of the run that the walk has just met.
    pub(super) fn here(&self) -> Option<Place> {
        self.place(*self.runs.get(self.run)?)
    }

    /// The place nearest to an element that holds no text and that the walk has just met: of the runs of text in front of
    /// it and behind it the one with which it shares the lower element; where it shares the same with both, the one in front.
    pub(super) fn nearest(&mut self, node: Node<'_>) -> Option<Place> {
        let id = node.number();
        while self.runs.get(self.run).is_some_and(|run| run.node < id) {
            self.run += 1;
        }
        let front = self.run.checked_sub(1).and_then(|at| self.runs.get(at));
        let behind = self.runs.get(self.run);
        // Frames are nested: those that hold a run are the outer ones.
        let shared_front = front.map(|run| self.frames.partition_point(|frame| frame.id < run.node));
        let shared_behind = behind.map(|run| self.frames.partition_point(|frame| frame.end > run.node));
        let run = if shared_front >= shared_behind { front } else { behind };
        self.place(*run?)
    }

    fn place(&self, run: Run) -> Option<Place> {
        let block = self.content.blocks().get(run.block as usize)?;
        Some(Place {
            block: block.index(),
            segment: run.segment.map(|segment| segment as usize),
            role: self.content.role(block),
            content: self.content.is_content(block.index()) && !self.content.selection.leaves_out(run.node),
        })
    }
}

/// Notes the segment of each run: where its first character that is not white space stands. A run of mere punctuation may
/// be none of a segmenter's; it goes with the text before it.
fn place_in_segments(runs: &mut [Run], segments: &Segments<'_>) {
    let blocks = segments.blocks();
    let dom = blocks.dom();
    let starts: Vec<Cut> = segments.iter().map(|segment| segment.range().0).collect();
    let mut atoms = (0..blocks.len()).flat_map(|b| blocks.runs_of(b).iter().map(move |&run| (Blocks::run_node(run), b))).peekable();
    let mut reached = Cut::default();
    let mut segment = 0;
    for run in runs {
        while let Some((node, block)) = atoms.next_if(|(node, _)| *node <= run.node) {
            let span = dom.span_of(node);
            let white = if node == run.node {
                let source = span.slice(dom.source());
                source.len() - source.trim_start_matches(is_white).len()
            } else {
                span.len() as usize
            };
            reached = Cut { block: block as u32, at: span.start.saturating_add(white as u32) };
        }
        while starts.get(segment + 1).is_some_and(|start| *start <= reached) {
            segment += 1;
        }
        run.segment = (!starts.is_empty()).then_some(segment as u32);
    }
}

/// Which link a node stands in, as the standard sees it: the innermost one.
#[derive(Debug, Default)]
pub(super) struct LinkTrail {
    /// Where the start tags of links stand, ascending, and what their callers call them.
    starts: Vec<(u32, usize)>,
    /// Links round the node at hand: where they end, and what they are called.
    open: Vec<(u32, usize)>,
    /// A link whose end tag stood in another block, and how far it reached.
    reaching: Option<(u32, usize)>,
}

impl LinkTrail {
    /// Enters an `a`. `name` is what a new link is called; an element without one is no link. The parts of a link that
    /// goes on in other paragraphs have no tag of their own, and go by the name of the first.
    pub(super) fn enter(&mut self, node: Node<'_>, name: Option<usize>) {
        let record = node.dom().record(node.number());
        let name = if node.is_implied() {
            let known = self.starts.binary_search_by_key(&record.from, |(from, _)| *from);
            known.ok().map(|at| self.starts[at].1)
        } else {
            self.starts.extend(name.map(|name| (record.from, name)));
            name
        };
        let Some(name) = name else { return };
        self.leave(node.number());
        self.open.push((record.end, name));
        let reach = node.dom().formatting_end(node.number(), &record);
        if reach > record.end {
            self.reaching = Some((reach, name));
        }
    }

    fn leave(&mut self, id: u32) {
        while self.open.last().is_some_and(|(end, _)| *end <= id) {
            self.open.pop();
        }
    }

    /// The link that a node stands in.
    pub(super) fn at(&mut self, node: Node<'_>) -> Option<usize> {
        self.leave(node.number());
        let reaching = || self.reaching.filter(|(reach, _)| node.number() < *reach);
        self.open.last().copied().or_else(reaching).map(|(_, name)| name)
    }
}

/// What may be written again and again: a page cannot make its lists longer than a multiple of itself.
///
/// A base of 2,000 letters comes back in the address of every link, a caption with every image of its figure.
#[derive(Debug)]
pub(super) struct Budget(usize);

impl Budget {
    /// Many times what real pages need, and linear in the page.
    const BYTES_PER_SOURCE_BYTE: usize = 16;
    const MIN_BYTES: usize = 1 << 20;

    pub(super) fn for_page(dom: &Dom<'_>) -> Self {
        Budget(dom.source().len().saturating_mul(Self::BYTES_PER_SOURCE_BYTE).saturating_add(Self::MIN_BYTES))
    }

    /// Is there no room left?
    pub(super) fn is_spent(&self) -> bool {
        self.0 == 0
    }

    /// Is there room for this much?
    pub(super) fn take(&mut self, bytes: usize) -> bool {
        let left = self.0.checked_sub(bytes);
        self.0 = left.unwrap_or(0);
        left.is_some()
    }
}
