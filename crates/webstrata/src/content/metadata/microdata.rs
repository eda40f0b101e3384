//! Microdata: `itemscope`, `itemtype` and `itemprop`, read into items while the tree is walked.

use super::gather::Field;
use super::items::{Item, Items, Prop, bare};
use super::markup::Walk;
use super::source::Source;
use crate::html::Node;
use crate::span::Span;

/// Properties whose text is wanted; that of an article's body, for one, is not.
const WANTED: [&str; 19] = [
    "headline", "name", "author", "creator", "datePublished", "dateModified", "dateCreated", "uploadDate", "description",
    "keywords", "license", "image", "url", "inLanguage", "publisher", "givenName", "familyName", "thumbnailUrl",
    "mainEntityOfPage",
];

/// Items whose elements are open while the tree is walked.
#[derive(Debug, Default)]
pub(super) struct Microdata {
    pub(super) items: Items,
    /// Number of the node behind the element, and the item.
    open: Vec<(u32, usize)>,
}

impl<'d> Walk<'d, '_> {
    /// Reads the microdata of one element.
    pub(super) fn microdata(&mut self, node: Node<'d>, prop: Option<&str>, scope: bool) {
        let number = node.number();
        while self.microdata.open.last().is_some_and(|(end, _)| *end <= number) {
            self.microdata.open.pop();
        }
        let owner = self.microdata.open.last().map(|(_, item)| *item);
        if scope {
            let kinds = node.attribute("itemtype").unwrap_or_default();
            let item = Item {
                kinds: kinds.split_ascii_whitespace().take(8).map(|kind| bare(kind).to_owned()).collect(),
                id: node.attribute("itemid").map(|id| id.into_owned()),
                props: Vec::new(),
            };
            let Some(child) = self.microdata.items.add(item) else { return };
            self.microdata.open.push((self.dom.record(number).end, child));
            match (owner.and_then(|o| self.microdata.items.get_mut(o)), prop) {
                (Some(owner), Some(names)) => {
                    names.split_ascii_whitespace().take(4).for_each(|name| owner.push(bare(name), Prop::Item(child)));
                }
                // What stands inside another item without being a property of it is a thing of its own.
                _ => self.microdata.items.top.push(child),
            }
            return;
        }
        let Some(names) = prop else { return };
        for name in names.split_ascii_whitespace().take(4).map(bare) {
            let Some(wanted) = WANTED.iter().find(|w| w.eq_ignore_ascii_case(name)) else { continue };
            let Some((text, span)) = self.value(node, wanted) else { continue };
            match owner.and_then(|o| self.microdata.items.get_mut(o)) {
                Some(item) => item.push(wanted, Prop::Text(text, span)),
                None => self.loose(wanted, &text, span),
            }
        }
    }

    /// A property that belongs to no item: the page means itself.
    fn loose(&mut self, name: &'static str, text: &str, span: Span) {
        let (field, rank) = match name {
            "headline" => (Field::Title, 18),
            "author" => (Field::Author, 22),
            "datePublished" => (Field::Published, 19),
            "dateModified" => (Field::Modified, 19),
            _ => return,
        };
        if !self.is_aside(span) {
            self.gathered.add(field, rank, text, Source::Microdata(name), Some(span));
        }
    }

    /// Value of a property, as the HTML standard says, but links to people are people.
    fn value(&mut self, node: Node<'d>, name: &str) -> Option<(String, Span)> {
        let wanted = match node.name() {
            "meta" => "content",
            "time" => "datetime",
            "img" | "source" | "video" | "iframe" => "src",
            "data" => "value",
            "link" => "href",
            "a" if matches!(name, "url" | "license" | "image" | "mainEntityOfPage") => "href",
            _ => "content",
        };
        let attribute = node.attributes().find(|a| a.name().eq_ignore_ascii_case(wanted));
        match attribute.filter(|a| !a.value().trim().is_empty()) {
            Some(attribute) => Some((attribute.value().into_owned(), attribute.span())),
            None => self.text(node),
        }
    }
}
