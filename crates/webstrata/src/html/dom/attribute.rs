//! Attributes: spans in the source, decoded on access.

use super::{Dom, Node};
use crate::html::entity::{Place, decode};
use crate::html::token::RawAttribute;
use crate::span::Span;
use std::borrow::Cow;

/// Stored form of an attribute, in one array sorted by node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attr {
    pub(crate) node: u32,
    pub(crate) raw: RawAttribute,
}

/// One attribute of an element.
///
/// ```
/// use webstrata::html::{Dom, Tag};
/// let dom = Dom::parse(r#"<a HREF="?a=1&amp;b=2" rel=next>next</a>"#);
/// let link = dom.find(Tag::A).unwrap();
/// let href = link.attributes().next().unwrap();
/// assert_eq!((href.name(), &*href.value()), ("HREF", "?a=1&b=2"));
/// assert_eq!(link.attribute("rel").as_deref(), Some("next"));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Attribute<'d> {
    dom: &'d Dom<'d>,
    raw: RawAttribute,
}

impl<'d> Attribute<'d> {
    /// The name as written in the page.
    #[must_use]
    pub fn name(self) -> &'d str {
        Span::new(self.raw.name_start, self.raw.name_end).slice(self.dom.source())
    }

    /// The value, character references decoded.
    #[must_use]
    pub fn value(self) -> Cow<'d, str> {
        let source = self.source();
        if memchr::memchr3(b'&', b'\0', b'\r', source.as_bytes()).is_none() {
            return Cow::Borrowed(source);
        }
        // Normalise before references are decoded, so that `&#13;` is preserved.
        let source = source.replace('\0', "\u{fffd}").replace("\r\n", "\n").replace('\r', "\n");
        let mut out = String::with_capacity(source.len());
        decode(&source, Place::Attribute, &mut out);
        Cow::Owned(out)
    }

    /// The value as written in the page.
    pub(crate) fn source(self) -> &'d str {
        self.span().slice(self.dom.source())
    }

    /// Span of the value, without its quotes.
    #[must_use]
    pub fn span(self) -> Span {
        Span::new(self.raw.value_start, self.raw.value_end)
    }
}

/// A cursor over the attributes for access by ascending node, which needs no search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attributes<'d> {
    dom: &'d Dom<'d>,
    /// Attributes before this one belong to earlier nodes.
    at: usize,
}

impl<'d> Attributes<'d> {
    pub(crate) fn new(dom: &'d Dom<'d>) -> Self {
        Attributes { dom, at: 0 }
    }

    /// The attributes of a node. Nodes must be requested in ascending order.
    pub(crate) fn for_node(&mut self, node: u32) -> impl Iterator<Item = Attribute<'d>> + use<'d> {
        let (dom, all) = (self.dom, self.dom.attrs());
        // Galloping search: the next node is usually near, but some callers skip most of the page.
        let mut step = 1;
        while all.get(self.at + step - 1).is_some_and(|attr| attr.node < node) {
            self.at += step;
            step *= 2;
        }
        while step > 1 {
            step /= 2;
            if all.get(self.at + step - 1).is_some_and(|attr| attr.node < node) {
                self.at += step;
            }
        }
        all[self.at..].iter().take_while(move |attr| attr.node == node).map(move |attr| Attribute { dom, raw: attr.raw })
    }
}

impl<'d> Node<'d> {
    /// The attributes in the order of the tag; if a name occurs twice, the first one counts.
    pub fn attributes(self) -> impl Iterator<Item = Attribute<'d>> {
        let dom = self.dom();
        let all = dom.attrs();
        let from = all.partition_point(|attr| attr.node < self.number());
        all[from..].iter().take_while(move |attr| attr.node == self.number()).map(move |attr| Attribute { dom, raw: attr.raw })
    }

    /// Value of the attribute with this name (case-insensitive).
    #[must_use]
    pub fn attribute(self, name: &str) -> Option<Cow<'d, str>> {
        self.attributes().find(|attribute| attribute.name().eq_ignore_ascii_case(name)).map(Attribute::value)
    }

    /// Whether the node has an attribute with this name.
    #[must_use]
    pub fn has_attribute(self, name: &str) -> bool {
        self.attributes().any(|attribute| attribute.name().eq_ignore_ascii_case(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_finds_the_attributes_that_a_search_finds() {
        let html: String = (0..300).map(|n| format!("<p{}>", " a=b c=d".repeat(n * n % 7 % 4))).collect();
        let dom = Dom::parse(&html);
        for stride in [1, 2, 3, 7, 40, 150] {
            let mut cursor = Attributes::new(&dom);
            for node in (0..dom.len() as u32).step_by(stride) {
                let spans: Vec<Span> = cursor.for_node(node).map(Attribute::span).collect();
                assert_eq!(spans, Node::new(&dom, node).attributes().map(Attribute::span).collect::<Vec<_>>());
            }
        }
    }
}
