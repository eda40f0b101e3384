//! The tree of a page, with traversal and queries.

mod attribute;
mod node;
mod path;
#[cfg(feature = "selectors")]
mod select;
mod text;
mod walk;

pub use attribute::Attribute;
pub(crate) use attribute::{Attr, Attributes};
pub use node::Facts;
pub(crate) use node::{Record, flag};
pub use path::Paths;
#[cfg(feature = "selectors")]
pub use select::{Selector, SelectorError};
pub(crate) use text::{Folded, collapsed_prefix, decode_run, is_white, needs_decoding};
pub use walk::Node;

use super::tag::Tag;
use super::tree::{ParseOptions, Parser, Tables};
use crate::limits::Problem;
use crate::span::Span;
use std::borrow::Cow;

/// Index of a node in its page. Nodes are numbered in document order from 0, the `html` element.
///
/// ```
/// use webstrata::html::Dom;
/// let dom = Dom::parse("<p>text");
/// assert_eq!(dom.nodes().map(|n| n.id().index()).collect::<Vec<_>>(), [0, 1, 2, 3]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// The index, for side tables.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The kind of a node.
///
/// ```
/// use webstrata::html::{Dom, NodeKind};
/// assert_eq!(Dom::parse("<p>text").nodes().last().unwrap().kind(), NodeKind::Text);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NodeKind {
    /// An element.
    Element,
    /// A run of text.
    Text,
}

/// A page's tree. Nodes are stored in document order, and a node's descendants directly follow it.
///
/// The tree follows the HTML standard, except that nodes never move: misplaced content in a table stays
/// there, and a formatting element whose end tag is inside another block ends before that block (where
/// its end tag was is recorded, see [`Node::formatting_end`]).
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
    /// Parses one page with default options. [`Parser`] takes options and reuses its buffers.
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

    pub(crate) fn into_owned(self) -> Dom<'static> {
        Dom { source: Cow::Owned(self.source.into_owned()), tables: self.tables }
    }

    /// The parsed text; all spans refer to it.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The limits that were hit and the repairs that were made.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.tables.problems
    }

    /// Number of nodes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tables.nodes.len()
    }

    /// Whether the tree has no nodes, not even a root. This happens only if the node cap is 0.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tables.nodes.is_empty()
    }

    /// The `html` element.
    #[must_use]
    pub fn root(&self) -> Node<'_> {
        Node::new(self, 0)
    }

    /// The node with this index, if it exists.
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

    /// Text of the `title` element, white space collapsed.
    #[must_use]
    pub fn title(&self) -> Option<String> {
        // A title inside svg belongs to a picture.
        self.nodes().find(|n| n.tag() == Tag::TITLE && !n.is_foreign()).map(|n| n.text())
    }

    /// Name of a tag of this page; custom names are spelled as in the page.
    #[must_use]
    pub fn tag_name(&self, tag: Tag) -> &str {
        match self.tables.names.span(tag) {
            Some(span) => span.slice(&self.source),
            None => tag.name(),
        }
    }

    /// All text except scripts, styles and templates, white space collapsed.
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

    /// The node before which a formatting element's effect ends; see [`Node::formatting_end`].
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
