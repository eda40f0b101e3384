//! Tree builder: tokens to nodes in document order, in linear time (HTML standard, 13.2.6).
//!
//! Nodes are appended and never moved, so a node's descendants are the nodes that follow it up to its
//! end. Steps of the standard that move nodes are left out or approximated:
//!
//! - **Foster parenting** (misplaced content in a table moves before the table): it stays where it is.
//! - **The adoption agency** (an end tag of a formatting element inside a block that stays open): the
//!   element ends in the tree before that block, as in the standard, but no copy is made inside the
//!   block. The position of its end tag is recorded (see `Node::formatting_end`), so that the question whether a text is in
//!   a link has the same answer as in the standard.
//! - **Reopening of formatting elements** ("reconstruct the active formatting elements") follows the
//!   standard, for at most [`formatting::MAX_ACTIVE`] elements and no more often than the page has tags.
//! - White space between tags is a flag on the following node rather than a node, except where it is significant, as in `pre`.
//! - Comments and doctypes produce no nodes.
//!
//! Compared with html5ever, these departures affect about one page in a hundred, and on nearly all of
//! those the sequence of words, links and blocks is unchanged; `docs/fidelity.md` has the counts.

mod end;
mod formatting;
mod stack;
mod start;
#[cfg(test)]
mod tests;

use super::dom::{Attr, Dom, Record, flag};
use super::names::Names;
use super::scan::skip_white;
use super::tag::{FORMAT, MARKER, SCOPE, SPECIAL, Tag, lookup_at};
use super::token::{Doctype, RawAttribute, RawTag, Repair, Sink, TextKind, TokenizerState, tokenize};
use crate::limits::{Limits, Problem};
use crate::options::setters;
use crate::span::{floor_char_boundary, offset};
use formatting::Active;
use stack::{FOREIGN, INTEGRATION, Position, Stack};
use std::borrow::Cow;

/// How a page is parsed.
///
/// ```
/// use webstrata::html::{ParseOptions, Parser, token::Repair};
/// let source = "<title>A page<body><p>text</p>";
/// let mut strict = Parser::new(ParseOptions::default().repair(Repair::Off));
/// assert_eq!(strict.parse(source).title().as_deref(), Some("A page<body><p>text</p>"));
/// let mut repairing = Parser::new(ParseOptions::default());
/// assert_eq!(repairing.parse(source).title().as_deref(), Some("A page"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct ParseOptions {
    /// Resource limits.
    pub limits: Limits,
    /// Whether unclosed raw-text elements are repaired.
    pub repair: Repair,
}

setters! { ParseOptions { limits: Limits, repair: Repair } }

/// A parser that reuses its buffers: return a page with [`Parser::recycle`] when you are done with it,
/// and parsing the next one allocates nothing (once the buffers are large enough).
///
/// ```
/// use webstrata::html::{ParseOptions, Parser};
/// let mut parser = Parser::new(ParseOptions::default());
/// for source in ["<p>one", "<p>two"] {
///     let dom = parser.parse(source);
///     assert_eq!(dom.text(), &source[3..]);
///     parser.recycle(dom);
/// }
/// ```
#[derive(Debug, Default)]
pub struct Parser {
    options: ParseOptions,
    spare: Tables,
    scratch: Scratch,
}

/// The tables that make up a page's tree.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tables {
    pub(crate) nodes: Vec<Record>,
    pub(crate) attributes: Vec<Attr>,
    /// Formatting elements that ended early in the tree, each with the node where its end tag was; sorted by element.
    pub(crate) formatting_ends: Vec<(u32, u32)>,
    pub(crate) names: Names,
    pub(crate) problems: Vec<Problem>,
}

/// Buffers of the builder that outlive a page.
#[derive(Debug, Default)]
struct Scratch {
    raw: Vec<RawAttribute>,
    stack: Stack,
    active: Vec<Active>,
}

/// Approximate bytes of markup per node, for the initial capacity.
const BYTES_PER_NODE: usize = 32;

impl Parser {
    /// A parser with these options.
    #[must_use]
    pub fn new(options: ParseOptions) -> Self {
        Parser { options, spare: Tables::default(), scratch: Scratch::default() }
    }

    /// Parses one page of UTF-8 text.
    pub fn parse<'a>(&mut self, source: &'a str) -> Dom<'a> {
        self.parse_from(Cow::Borrowed(source), 0)
    }

    /// Parses one page starting at byte `start` (after a byte order mark, for example).
    pub fn parse_from<'a>(&mut self, source: Cow<'a, str>, start: usize) -> Dom<'a> {
        let mut tables = std::mem::take(&mut self.spare);
        tables.nodes.clear();
        tables.attributes.clear();
        tables.formatting_ends.clear();
        tables.names.clear();
        tables.problems.clear();
        let limits = &self.options.limits;
        let cap = limits.bytes.min(Limits::MAX_BYTES);
        let source = if source.len() > cap {
            let source = cut(source, cap);
            tables.problems.push(Problem::BytesCut { at: offset(source.len()) });
            source
        } else {
            source
        };
        tables.nodes.reserve(source.len() / BYTES_PER_NODE + 16);
        self.scratch.stack.clear();
        self.scratch.active.clear();
        let mut raw = std::mem::take(&mut self.scratch.raw);
        let mut builder = Builder::new(&source, &mut tables, &mut self.scratch, limits);
        tokenize(source.as_bytes(), start.min(source.len()), self.options.repair, &mut builder, &mut raw);
        builder.finish();
        self.scratch.raw = raw;
        tables.formatting_ends.sort_unstable();
        Dom::new(source, tables)
    }

    /// Reclaims the buffers of a page that is no longer needed.
    pub fn recycle(&mut self, dom: Dom<'_>) {
        self.spare = dom.into_tables();
    }
}

/// Truncates `source` to at most `cap` bytes, at a character boundary.
fn cut(source: Cow<'_, str>, cap: usize) -> Cow<'_, str> {
    let end = floor_char_boundary(&source, cap);
    match source {
        Cow::Borrowed(text) => Cow::Borrowed(&text[..end]),
        Cow::Owned(mut text) => {
            text.truncate(end);
            Cow::Owned(text)
        }
    }
}

/// The builder's position in the document.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    /// Before `body`.
    Head,
    /// In `body` or after it.
    Body,
    /// In a frameset instead of a body: everything but frames is ignored.
    Frameset,
}

struct Builder<'p> {
    bytes: &'p [u8],
    tables: &'p mut Tables,
    stack: &'p mut Stack,
    active: &'p mut Vec<Active>,
    limits: &'p Limits,
    depth_cap: Position,
    node_cap: u32,
    phase: Phase,
    head_seen: bool,
    /// Whether white space was seen since the last node.
    space: bool,
    /// Whether a formatting element after the last marker is closed and may have to be reopened.
    dirty: bool,
    /// Number of open elements beyond the depth cap.
    overflow: u32,
    quirks: bool,
    /// Whether something other than white space and comments was seen, so that a doctype would come too late.
    started: bool,
    /// Whether the node cap was reached.
    full: bool,
    depth_reported: bool,
    attributes_reported: bool,
    /// How many more formatting elements may be reopened; every tag adds one.
    reopenings: u32,
}

/// Reopenings allowed before the page's tags have added any.
const FREE_REOPENINGS: u32 = 4096;

/// Marks a start tag that produced no node.
const NO_NODE: u32 = u32::MAX;

impl<'p> Builder<'p> {
    fn new(source: &'p str, tables: &'p mut Tables, scratch: &'p mut Scratch, limits: &'p Limits) -> Self {
        let mut builder = Builder {
            bytes: source.as_bytes(),
            tables,
            stack: &mut scratch.stack,
            active: &mut scratch.active,
            limits,
            node_cap: limits.nodes.min(Limits::MAX_NODES),
            depth_cap: limits.depth.clamp(8, Limits::MAX_DEPTH),
            phase: Phase::Head,
            head_seen: false,
            space: false,
            dirty: false,
            overflow: 0,
            quirks: true,
            started: false,
            full: false,
            depth_reported: false,
            attributes_reported: false,
            reopenings: FREE_REOPENINGS,
        };
        builder.push(Tag::HTML, Tag::HTML.flags(), 0, 0, flag::IMPLIED, 0);
        builder
    }

    fn finish(mut self) {
        while !self.stack.is_empty() {
            self.pop();
        }
    }

    #[inline(always)]
    fn next_node(&self) -> u32 {
        self.tables.nodes.len() as u32 // the node cap is 32-bit
    }

    /// Appends a node to the innermost open element.
    #[inline(always)]
    fn leaf(&mut self, tag: Tag, from: usize, to: usize, mut flags: u16) -> u32 {
        let id = self.next_node();
        if id >= self.node_cap {
            return self.stop(from);
        }
        if self.space {
            self.space = false;
            flags |= flag::SPACE_BEFORE;
        }
        let parent = self.stack.top().node;
        self.tables.nodes.push(Record { tag, flags, parent, end: id + 1, from: offset(from), to: offset(to) });
        id
    }

    #[cold]
    fn stop(&mut self, at: usize) -> u32 {
        if !self.full {
            self.full = true;
            self.tables.problems.push(Problem::NodesCut { at: offset(at) });
        }
        NO_NODE
    }

    /// Appends an element and opens it, unless that would be too deep.
    #[inline(always)]
    fn push(&mut self, tag: Tag, tag_flags: u32, from: usize, to: usize, flags: u16, namespace: u8) -> u32 {
        let node = self.leaf(tag, from, to, flags);
        if node == NO_NODE {
            return node;
        }
        if self.stack.depth() >= self.depth_cap {
            self.too_deep(from);
            return node;
        }
        let tag_flags = match namespace & (FOREIGN | INTEGRATION) {
            0 => tag_flags,
            FOREIGN => 0,
            _ => SPECIAL | SCOPE,
        };
        self.stack.push(tag, tag_flags, node, namespace);
        if tag_flags & MARKER != 0 {
            self.active.push(Active::marker());
            self.dirty = false;
        }
        node
    }

    /// Opens a raw-text element at any depth: it closes immediately and must own its text.
    fn push_raw_text(&mut self, tag: Tag, tag_flags: u32, from: usize, to: usize) -> u32 {
        let node = self.leaf(tag, from, to, 0);
        if node != NO_NODE {
            self.stack.push(tag, tag_flags, node, 0);
        }
        node
    }

    #[cold]
    fn too_deep(&mut self, at: usize) {
        self.overflow += 1;
        if !self.depth_reported {
            self.depth_reported = true;
            self.tables.problems.push(Problem::DepthCut { at: offset(at) });
        }
    }

    /// Closes the innermost open element, and the entries right below it that are already closed.
    #[inline(always)]
    fn pop(&mut self) {
        let Some(popped) = self.stack.pop() else { return };
        if let Some(node) = popped.node {
            self.set_end(node);
            if popped.flags & FORMAT != 0 {
                self.formatting_closed(node);
            } else if popped.flags & MARKER != 0 {
                self.clear_to_marker();
            }
        }
        self.pop_closed();
    }

    /// Closes the innermost open element, a formatting element that is already off the list.
    #[inline(always)]
    fn pop_dropped(&mut self) {
        if let Some(node) = self.stack.pop().and_then(|popped| popped.node) {
            self.set_end(node);
        }
        self.pop_closed();
    }

    #[inline(always)]
    fn pop_closed(&mut self) {
        while self.stack.top_is_closed() {
            if let Some(node) = self.stack.pop().and_then(|closed| closed.node) {
                self.set_end(node);
            }
        }
    }

    #[inline(always)]
    fn set_end(&mut self, node: u32) {
        let next = self.next_node();
        if let Some(record) = self.tables.nodes.get_mut(node as usize) {
            record.end = next;
        }
    }

    /// Pops the stack until the element at `at` is popped; does nothing if `at` is 0.
    #[inline(always)]
    fn pop_to(&mut self, at: Position) {
        while at > 0 && self.stack.depth() >= at {
            self.pop();
        }
        self.overflow = 0;
    }

    /// Pops the stack down to `at`, which stays open.
    fn pop_above(&mut self, at: Position) {
        while self.stack.depth() > at {
            self.pop();
        }
        self.overflow = 0;
    }

    fn open_body(&mut self, from: usize, to: usize, flags: u16) -> u32 {
        self.pop_above(1);
        self.phase = Phase::Body;
        self.push(Tag::BODY, Tag::BODY.flags(), from, to, flags, 0)
    }

    /// Whether the innermost open element is foreign and foreign rules apply inside it.
    #[inline(always)]
    fn in_foreign(&self) -> bool {
        self.stack.top().namespace & (FOREIGN | INTEGRATION) == FOREIGN
    }

    #[inline(always)]
    fn text_rules(&mut self, start: usize, end: usize, kind: TextKind) {
        let flags = match kind {
            TextKind::Data => 0,
            TextKind::Rcdata => flag::RCDATA,
            TextKind::Raw | TextKind::Cdata => flag::RAW,
        };
        if kind == TextKind::Data {
            if self.phase == Phase::Frameset {
                return;
            }
            // The byte that ends a run of text is never white space.
            if skip_white(self.bytes, start) >= end {
                if self.phase != Phase::Body {
                    return;
                }
                self.reopen(start);
                if !self.keeps_space() {
                    self.space = true;
                    return;
                }
            } else {
                self.started = true;
                if self.phase == Phase::Head && self.stack.last(Tag::TEMPLATE) == 0 && self.stack.top().namespace & FOREIGN == 0 {
                    self.open_body(start, start, flag::IMPLIED);
                }
                self.reopen(start);
            }
        }
        self.leaf(Tag::TEXT, start, end, flags);
    }

    /// Whether white space is significant here.
    fn keeps_space(&self) -> bool {
        self.stack.last(Tag::PRE) | self.stack.last(Tag::LISTING) | self.stack.last(Tag::TEXTAREA) != 0
    }

    fn keep_attributes(&mut self, node: u32, raw: &[RawAttribute]) {
        let cap = self.limits.attributes as usize;
        if raw.len() > cap && !self.attributes_reported {
            self.attributes_reported = true;
            let at = self.tables.nodes.get(node as usize).map_or(0, |record| record.from);
            self.tables.problems.push(Problem::AttributesCut { at });
        }
        let raw = &raw[..raw.len().min(cap)];
        self.tables.attributes.extend(raw.iter().map(|&raw| Attr { node, raw }));
        let mut flags = 0;
        for raw in raw {
            let name = &self.bytes[raw.name_start as usize..raw.name_end as usize];
            flags |= visibility_flag(name, &self.bytes[raw.value_start as usize..raw.value_end as usize]);
        }
        if flags != 0
            && let Some(record) = self.tables.nodes.get_mut(node as usize)
        {
            record.flags |= flags;
        }
    }

    /// Adds the attributes of a repeated `html` or `body` tag to the existing element.
    fn merge_attributes(&mut self, node: u32, raw: &[RawAttribute]) {
        let at = self.tables.attributes.partition_point(|attr| attr.node < node);
        let has_some = self.tables.attributes.get(at).is_some_and(|attr| attr.node == node);
        if has_some || raw.is_empty() {
            return;
        }
        let before = self.tables.attributes.len();
        self.keep_attributes(node, raw);
        let added = self.tables.attributes.len() - before;
        self.tables.attributes[at..].rotate_right(added);
    }
}

/// The flag of an attribute that affects visibility.
#[inline(always)]
fn visibility_flag(name: &[u8], value: &[u8]) -> u16 {
    // Length and first letter together rule out most names before the full comparison, with a single branch.
    let key = (name.len() << 8) | name.first().map_or(0, |&c| usize::from(c | 0x20));
    if (key == STYLE) | (key == HIDDEN) | (key == ARIA_HIDDEN) { visibility_flag_by_name(name, value) } else { 0 }
}

const STYLE: usize = 5 << 8 | b's' as usize;
const HIDDEN: usize = 6 << 8 | b'h' as usize;
const ARIA_HIDDEN: usize = 11 << 8 | b'a' as usize;

fn visibility_flag_by_name(name: &[u8], value: &[u8]) -> u16 {
    if name.eq_ignore_ascii_case(b"style") {
        if hides(value) { flag::DISPLAY_NONE } else { 0 }
    } else if name.eq_ignore_ascii_case(b"hidden") {
        flag::HIDDEN
    } else if name.eq_ignore_ascii_case(b"aria-hidden") && value.trim_ascii().eq_ignore_ascii_case(b"true") {
        flag::ARIA_HIDDEN
    } else {
        0
    }
}

/// Whether a style attribute sets `display: none`. The last declaration of `display` counts.
fn hides(style: &[u8]) -> bool {
    // Few styles contain the last letter of `display`.
    if memchr::memchr2(b'y', b'Y', style).is_none() {
        return false;
    }
    let mut hidden = false;
    for declaration in style.split(|&c| c == b';') {
        let Some(colon) = declaration.iter().position(|&c| c == b':') else { continue };
        if declaration[..colon].trim_ascii().eq_ignore_ascii_case(b"display") {
            let value = declaration[colon + 1..].trim_ascii();
            let word = value.split(|c| c.is_ascii_whitespace() || *c == b'!').next().unwrap_or(b"");
            hidden = word.eq_ignore_ascii_case(b"none");
        }
    }
    hidden
}

impl Sink for Builder<'_> {
    #[inline(always)]
    fn text(&mut self, start: usize, end: usize, kind: TextKind) {
        self.text_rules(start, end, kind);
    }

    #[inline(always)]
    fn start(&mut self, raw: RawTag, attributes: &[RawAttribute]) -> TokenizerState {
        if self.full {
            return TokenizerState::Stop;
        }
        self.reopenings = self.reopenings.saturating_add(1);
        let tag = self.tag(raw.start + 1, raw.name_end);
        let (node, state) = self.start_rules(tag, raw, attributes);
        if node != NO_NODE && !attributes.is_empty() {
            self.keep_attributes(node, attributes);
        }
        state
    }

    #[inline(always)]
    fn end(&mut self, raw: RawTag) {
        let tag = self.tag(raw.start + 2, raw.name_end);
        self.end_rules(tag, raw);
    }

    fn doctype(&mut self, start: usize, end: usize) {
        if !self.started {
            self.started = true;
            let text = self.bytes.get(start..end).and_then(|text| std::str::from_utf8(text).ok()).unwrap_or_default();
            self.quirks = Doctype::parse(text, end == self.bytes.len()).is_quirky();
        }
    }

    fn foreign(&self) -> bool {
        self.stack.top().namespace & FOREIGN != 0
    }

    fn repaired(&mut self, tag: Tag, at: usize) {
        if self.stack.top().tag == tag {
            self.pop();
        }
        // One report per kind is enough, even for a page that leaves a hundred titles open.
        let reported = self.tables.problems.iter().any(|p| matches!(p, Problem::RawTextRepaired { tag: t, .. } if *t == tag));
        if !reported {
            self.tables.problems.push(Problem::RawTextRepaired { tag, at: offset(at) });
        }
    }
}

impl Builder<'_> {
    #[inline(always)]
    fn tag(&mut self, start: usize, end: usize) -> Tag {
        match lookup_at(self.bytes, start, end) {
            Tag::OTHER => self.tables.names.tag(self.bytes, start, end),
            known => known,
        }
    }
}
