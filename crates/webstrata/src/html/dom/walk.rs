//! A node within its page: relations, names, traversal.

use super::node::{Facts, Record, flag};
use super::{Dom, NodeId, NodeKind};
use crate::html::tag::{HIDDEN, Tag};
use crate::span::Span;

/// A node of a [`Dom`].
///
/// ```
/// use webstrata::html::{Dom, Tag};
/// let dom = Dom::parse("<div id=a><p>one</p><p>two</p></div>");
/// let div = dom.find(Tag::DIV).unwrap();
/// assert_eq!(div.attribute("id").as_deref(), Some("a"));
/// assert_eq!(div.children().count(), 2);
/// let last = div.children().last().unwrap();
/// assert_eq!(last.parent(), Some(div));
/// assert_eq!(last.ancestors().map(|n| n.name()).collect::<Vec<_>>(), ["div", "body", "html"]);
/// assert_eq!(last.path(), "/html/body/div/p[2]");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Node<'d> {
    dom: &'d Dom<'d>,
    id: u32,
}

impl PartialEq for Node<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.dom, other.dom) && self.id == other.id
    }
}

impl Eq for Node<'_> {}

impl<'d> Node<'d> {
    pub(crate) fn new(dom: &'d Dom<'d>, id: u32) -> Self {
        Node { dom, id }
    }

    pub(super) fn record(self) -> Record {
        self.dom.record(self.id)
    }

    /// The page it belongs to.
    #[must_use]
    pub fn dom(self) -> &'d Dom<'d> {
        self.dom
    }

    /// The node's index.
    #[must_use]
    pub fn id(self) -> NodeId {
        NodeId(self.id)
    }

    pub(crate) fn number(self) -> u32 {
        self.id
    }

    /// The node's kind: element or text.
    #[must_use]
    pub fn kind(self) -> NodeKind {
        if self.record().tag == Tag::TEXT { NodeKind::Text } else { NodeKind::Element }
    }

    /// Whether it is an element.
    #[must_use]
    pub fn is_element(self) -> bool {
        self.kind() == NodeKind::Element
    }

    /// The node's tag; [`Tag::TEXT`] for text.
    #[must_use]
    pub fn tag(self) -> Tag {
        self.record().tag
    }

    /// The element's name: lower case for known tags, as written for custom names.
    #[must_use]
    pub fn name(self) -> &'d str {
        self.dom.tag_name(self.tag())
    }

    /// The node's span: the start tag of an element, or the text run. Empty for an element without a tag.
    #[must_use]
    pub fn span(self) -> Span {
        if self.is_implied() { Span::new(self.record().from, self.record().from) } else { self.dom.span_of(self.id) }
    }

    /// Whether the element was implied or reopened, without a tag of its own.
    #[must_use]
    pub fn is_implied(self) -> bool {
        self.record().flags & flag::IMPLIED != 0
    }

    /// Whether it is an SVG or MathML element.
    #[must_use]
    pub fn is_foreign(self) -> bool {
        self.record().flags & flag::FOREIGN != 0
    }

    /// The node's parent; `None` for the root.
    #[must_use]
    pub fn parent(self) -> Option<Node<'d>> {
        (self.id != 0).then(|| Node::new(self.dom, self.record().parent))
    }

    /// The node's ancestors: its parent, the parent's parent, and so on up to the root.
    pub fn ancestors(self) -> impl Iterator<Item = Node<'d>> {
        std::iter::successors(self.parent(), |node| node.parent())
    }

    /// The node's children in document order.
    pub fn children(self) -> impl Iterator<Item = Node<'d>> {
        let end = self.record().end;
        let mut next = self.id + 1;
        std::iter::from_fn(move || {
            let child = (next < end).then(|| Node::new(self.dom, next))?;
            next = child.record().end;
            Some(child)
        })
    }

    /// All its descendants in document order.
    pub fn descendants(self) -> impl DoubleEndedIterator<Item = Node<'d>> {
        (self.id + 1..self.record().end).map(move |id| Node::new(self.dom, id))
    }

    /// The next node with the same parent.
    #[must_use]
    pub fn next_sibling(self) -> Option<Node<'d>> {
        let end = self.record().end;
        let parent = self.parent()?;
        (end < parent.record().end).then(|| Node::new(self.dom, end))
    }

    /// The node before which the element's formatting ends. For a formatting element whose end tag is inside
    /// another block, this is past the element's end in the tree; for all others it is that end.
    ///
    /// ```
    /// use webstrata::html::{Dom, Tag};
    /// let dom = Dom::parse("<a href=x>one<div>two</a>three</div>");
    /// let two = dom.nodes().find(|n| n.text() == "two").unwrap();
    /// assert!(two.ancestors().all(|n| n.name() != "a"));
    /// assert!(two.in_link());
    /// assert!(!dom.nodes().find(|n| n.text() == "three").unwrap().in_link());
    /// ```
    #[must_use]
    pub fn formatting_end(self) -> NodeId {
        NodeId(self.dom.formatting_end(self.id, &self.record()))
    }

    /// Whether it is inside a link according to the standard.
    #[must_use]
    pub fn in_link(self) -> bool {
        // A link that ended early precedes the node instead of containing it. Such links are few.
        self.ancestors().any(|n| n.tag() == Tag::A)
            || self
                .dom
                .tables
                .formatting_ends
                .iter()
                .any(|&(link, to)| link < self.id && self.id < to && self.dom.record(link).tag == Tag::A)
    }

    /// Facts about its visibility, from the node itself and its ancestors.
    #[must_use]
    pub fn facts(self) -> Facts {
        let own = Facts::from_element(self.tag(), self.record().flags);
        self.ancestors().fold(own, |facts, n| facts.union(Facts::from_element(n.tag(), n.record().flags)))
    }

    /// Whether its text is code or a template rather than text of the page.
    pub(super) fn is_hidden_text(self) -> bool {
        self.tag().flags() & HIDDEN != 0 && !self.is_foreign()
    }
}
