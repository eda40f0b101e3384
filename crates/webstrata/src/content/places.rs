//! Locates links and images within blocks and segments: one traversal of the tree that tracks, at each node, the block
//! and the segment of the surrounding text.

use super::Content;
use crate::block::Blocks;
use crate::html::{Dom, Facts, HIDDEN, Node, Tag, is_white};
use crate::label::Role;
use crate::segment::{Cut, Segments};

/// The block that contains a link or an image, or is nearest to it.
///
/// ```
/// use webstrata::{ExtractOptions, Page, content::LinkOptions, label::{Preset, Role}, segment::Method};
/// let page = Page::parse(b"<h1>Rain</h1><p>It rained in <a href=/valley>the valley</a> again.</p>");
/// let segments = page.segments(Method::JustRules);
/// let options = LinkOptions::default().segments(segments.as_segments());
/// let place = page.extract_with(&ExtractOptions::from(Preset::KeepEverything)).links(&options)[0].place.unwrap();
/// assert_eq!((place.block, place.segment, place.role, place.content), (1, Some(1), Role::Body, true));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Place {
    /// Index of the block among those of the content ([`crate::block::GapModel::Lines`]).
    pub block: usize,
    /// Index of the segment, if segments were given.
    pub segment: Option<usize>,
    /// Role of the block.
    pub role: Role,
    /// Whether the block is content; if rules exclude part of it, whether the text at this place is.
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

/// An open element of the traversal.
#[derive(Clone, Copy, Debug)]
struct Frame {
    id: u32,
    end: u32,
    facts: Facts,
}

/// A step of the traversal.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step<'c> {
    /// An element, with the facts about its visibility.
    Element(Node<'c>, Facts),
    /// A run of text that belongs to a block, and whether white space precedes it.
    Text(Node<'c>, bool),
}

/// A traversal of the visible page. Hidden elements such as scripts and templates are skipped, and so is `noscript` unless its
/// text is included.
#[derive(Debug)]
pub(super) struct Walk<'c, 'p> {
    content: &'c Content<'p>,
    dom: &'p Dom<'p>,
    runs: Vec<Run>,
    frames: Vec<Frame>,
    /// The next node, and the first run at or after it.
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
            assign_segments(&mut runs, segments);
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
                let skipped =
                    record.tag.flags() & HIDDEN != 0 || (record.tag == Tag::NOSCRIPT && !self.content.blocks().includes_noscript());
                if skipped {
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

    /// The place of the run that was just returned.
    pub(super) fn here(&self) -> Option<Place> {
        self.place(*self.runs.get(self.run)?)
    }

    /// The place nearest to the element that was just returned, which has no text: of the text before and after it, the one
    /// with the deeper common ancestor; on a tie, the one before.
    pub(super) fn nearest(&mut self, node: Node<'_>) -> Option<Place> {
        let id = node.number();
        while self.runs.get(self.run).is_some_and(|run| run.node < id) {
            self.run += 1;
        }
        let before = self.run.checked_sub(1).and_then(|at| self.runs.get(at));
        let after = self.runs.get(self.run);
        // Frames are nested, so the ones that contain a run come first.
        let shared_before = before.map(|run| self.frames.partition_point(|frame| frame.id < run.node));
        let shared_after = after.map(|run| self.frames.partition_point(|frame| frame.end > run.node));
        let run = if shared_before >= shared_after { before } else { after };
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

/// Assigns each run the segment of its first non-space character. A run of only punctuation may be in no atom; it belongs
/// with the text before it.
fn assign_segments(runs: &mut [Run], segments: &Segments<'_>) {
    let blocks = segments.blocks();
    let dom = blocks.dom();
    let starts: Vec<Cut> = segments.iter().map(|segment| segment.range().0).collect();
    let mut atoms = (0..blocks.len()).flat_map(|b| blocks.runs_of(b).iter().map(move |&run| (Blocks::run_node(run), b))).peekable();
    let mut reached = Cut::default();
    let mut segment = 0;
    for run in runs {
        while let Some((node, block)) = atoms.next_if(|(node, _)| *node <= run.node) {
            let span = dom.span_of(node);
            let leading = if node == run.node {
                let source = span.slice(dom.source());
                source.len() - source.trim_start_matches(is_white).len()
            } else {
                span.len() as usize
            };
            reached = Cut { block: block as u32, at: span.start.saturating_add(leading as u32) };
        }
        while starts.get(segment + 1).is_some_and(|start| *start <= reached) {
            segment += 1;
        }
        run.segment = (!starts.is_empty()).then_some(segment as u32);
    }
}

/// Tracks which link contains a node. As in the HTML standard, it is the innermost one.
#[derive(Debug, Default)]
pub(super) struct LinkTracker {
    /// Offsets of the start tags of links, ascending, with the callers' indexes for them.
    starts: Vec<(u32, usize)>,
    /// Links around the current node: their ends and indexes.
    open: Vec<(u32, usize)>,
    /// A link whose end tag is inside another block, and where that end tag is.
    extended: Option<(u32, usize)>,
}

impl LinkTracker {
    /// Enters an `a`. `index` is the caller's index for a new link; an element without an index is not a link. A link that the parser
    /// reopens in later paragraphs has no tags there and keeps the index of its first part.
    pub(super) fn enter(&mut self, node: Node<'_>, index: Option<usize>) {
        let record = node.dom().record(node.number());
        let index = if node.is_implied() {
            let found = self.starts.binary_search_by_key(&record.from, |(from, _)| *from);
            found.ok().map(|at| self.starts[at].1)
        } else {
            self.starts.extend(index.map(|index| (record.from, index)));
            index
        };
        let Some(index) = index else { return };
        self.leave(node.number());
        self.open.push((record.end, index));
        let formatting_end = node.dom().formatting_end(node.number(), &record);
        if formatting_end > record.end {
            self.extended = Some((formatting_end, index));
        }
    }

    fn leave(&mut self, id: u32) {
        while self.open.last().is_some_and(|(end, _)| *end <= id) {
            self.open.pop();
        }
    }

    /// The link that contains a node.
    pub(super) fn at(&mut self, node: Node<'_>) -> Option<usize> {
        self.leave(node.number());
        let extended = || self.extended.filter(|(formatting_end, _)| node.number() < *formatting_end);
        self.open.last().copied().or_else(extended).map(|(_, index)| index)
    }
}

/// Limits repeated text, so that the lists of links and images cannot exceed a multiple of the page's length.
///
/// A base address of 2,000 characters is repeated in every link, and a caption for every image of its figure.
#[derive(Debug)]
pub(super) struct Budget(usize);

impl Budget {
    /// Far more than real pages need, but linear in the size of the page.
    const BYTES_PER_SOURCE_BYTE: usize = 16;
    const MIN_BYTES: usize = 1 << 20;

    pub(super) fn for_page(dom: &Dom<'_>) -> Self {
        Budget(dom.source().len().saturating_mul(Self::BYTES_PER_SOURCE_BYTE).saturating_add(Self::MIN_BYTES))
    }

    /// Whether the budget is used up.
    pub(super) fn is_spent(&self) -> bool {
        self.0 == 0
    }

    /// Deducts `bytes`; false if the budget does not cover them.
    pub(super) fn take(&mut self, bytes: usize) -> bool {
        let left = self.0.checked_sub(bytes);
        self.0 = left.unwrap_or(0);
        left.is_some()
    }
}
