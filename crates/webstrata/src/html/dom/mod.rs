//! The tree of a page, to walk and to ask.

mod attribute;
mod node;
mod path;
#[cfg(feature = "select")]
mod select;
mod text;
mod walk;

pub use attribute::Attribute;
pub(crate) use attribute::{Attr, Attributes};
pub use node::Facts;
pub(crate) use node::{Record, flag};
pub use path::Paths;
#[cfg(feature = "select")]
pub use select::{Selector, SelectorError};
pub(crate) use text::{Folded, decode_run, is_white, needs_decoding};
pub use walk::Node;

use super::tag::Tag;
use super::tree::{ParseOptions, Parser, Tables};
use crate::limits::Problem;
use crate::span::Span;
use std::borrow::Cow;

/// Number of a node in its page: nodes are numbered in document order from 0, the `html` element.
///
/// ```
/// use webstrata::html::Dom;
/// let dom = Dom::parse("<p>text");
/// assert_eq!(dom.nodes().map(|n| n.id().index()).collect::<Vec<_>>(), [0, 1, 2, 3]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// The number, for side tables.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a node is.
///
/// ```
/// use webstrata::html::{Dom, NodeKind};
/// assert_eq!(Dom::parse("<p>text").nodes().last().unwrap().kind(), NodeKind::Text);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// An element.
    Element,
    /// A run of text.
    Text,
}

/// A page's tree. Nodes stand in document order and the descendants of a node are the ones right behind it.
///
/// The tree is what the HTML standard makes of the page, but nothing is ever moved: content that
/// stands wrongly inside a table stays there, and a formatting element whose end tag stands inside
/// another block is ended before that block (how far it *reached* is known, see [`Node::formatting_end`]).
///
/// ```
/// use webstrata::html::Dom;
/// let dom = Dom::parse("<ul><li>one<li>two <b>three</b></ul>");
/// let items: Vec<String> = dom.root().descendants().filter(|n| n.name() == "li").map(|n| n.text()).collect();
/// assert_eq!(items, ["one", "two three"]);
/// ```
#[derive(Clone, Debug)]
pub struct Dom<'a> {
    source: Cow<'a, str>,
    tables: Tables,
}

impl<'a> Dom<'a> {
    /// Parses one page with default options. [`Parser`] reuses its buffers and takes options.
    #[must_use]
    pub fn parse(source: &'a str) -> Dom<'a> {
        Parser::new(ParseOptions::default()).parse(source)
    }

    pub(crate) fn new(source: Cow<'a, str>, tables: Tables) -> Self {
        Dom { source, tables }
    }

    pub(crate) fn into_tables(self) -> Tables {
        self.tables
    }

    /// The text that was parsed; spans refer to it.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Caps that were hit and repairs that were made.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.tables.problems
    }

    /// Number of nodes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tables.nodes.len()
    }

    /// Is there not even a root? Only so when the node cap is 0.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tables.nodes.is_empty()
    }

    /// The `html` element.
    #[must_use]
    pub fn root(&self) -> Node<'_> {
        Node::new(self, 0)
    }

    /// The node with this number, if there is one.
    #[must_use]
    pub fn node(&self, id: NodeId) -> Option<Node<'_>> {
        (id.index() < self.len()).then(|| Node::new(self, id.0))
    }

    /// All nodes in document order.
    pub fn nodes(&self) -> impl Iterator<Item = Node<'_>> {
        (0..self.len() as u32).map(|id| Node::new(self, id))
    }

    /// The first element with this tag.
    #[must_use]
    pub fn find(&self, tag: Tag) -> Option<Node<'_>> {
        self.tables.nodes.iter().position(|record| record.tag == tag).map(|id| Node::new(self, id as u32))
    }

    /// Text of the `title` element, white space folded.
    #[must_use]
    pub fn title(&self) -> Option<String> {
        // A title inside svg is that of a picture.
        self.nodes().find(|n| n.tag() == Tag::TITLE && !n.is_foreign()).map(|n| n.text())
    }

    /// Name of a tag of this page, names that the page made up included (in the page's own case).
    #[must_use]
    pub fn tag_name(&self, tag: Tag) -> &str {
        match self.tables.names.span(tag) {
            Some(span) => span.slice(&self.source),
            None => tag.name(),
        }
    }

    /// All text that is not script, style or template, white space folded.
    #[must_use]
    pub fn text(&self) -> String {
        self.root().text()
    }

    #[inline(always)]
    pub(crate) fn records(&self) -> &[Record] {
        &self.tables.nodes
    }

    #[inline(always)]
    pub(crate) fn record(&self, id: u32) -> Record {
        const OUTSIDE: Record = Record { tag: Tag::NONE, flags: 0, parent: 0, end: 0, from: 0, to: 0 };
        self.tables.nodes.get(id as usize).copied().unwrap_or(OUTSIDE)
    }

    pub(crate) fn attrs(&self) -> &[Attr] {
        &self.tables.attributes
    }

    /// Behind which node a formatting element ceased to reach.
    #[inline(always)]
    pub(crate) fn formatting_end(&self, id: u32, record: &Record) -> u32 {
        if record.flags & flag::ENDED_EARLY == 0 { record.end } else { self.early_formatting_end(id, record.end) }
    }

    #[cold]
    fn early_formatting_end(&self, id: u32, end: u32) -> u32 {
        let formatting_ends = &self.tables.formatting_ends;
        formatting_ends.binary_search_by_key(&id, |&(node, _)| node).map_or(end, |k| formatting_ends[k].1)
    }

    pub(crate) fn span_of(&self, id: u32) -> Span {
        let record = self.record(id);
        Span::new(record.from, record.to)
    }
}
