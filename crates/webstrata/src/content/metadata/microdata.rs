//! Microdata: `itemscope`, `itemtype` and `itemprop`, read into items during the traversal.

use super::candidates::Field;
use super::items::{Item, Items, Prop, bare};
use super::markup::Walk;
use super::source::Source;
use crate::html::Node;
use crate::span::Span;

/// Properties whose text is read. The body of an article, for example, is not.
const WANTED: [&str; 19] = [
    "headline", "name", "author", "creator", "datePublished", "dateModified", "dateCreated", "uploadDate", "description",
    "keywords", "license", "image", "url", "inLanguage", "publisher", "givenName", "familyName", "thumbnailUrl",
    "mainEntityOfPage",
];

/// Items of microdata or RDFa, and a stack of those whose elements are open.
#[derive(Debug, Default)]
pub(super) struct Microdata {
    pub(super) items: Items,
    /// End of each open element, and its item.
    open: Vec<(u32, usize)>,
}

impl Microdata {
    /// The item that contains the element with this number.
    pub(super) fn owner(&mut self, number: u32) -> Option<usize> {
        while self.open.last().is_some_and(|(end, _)| *end <= number) {
            self.open.pop();
        }
        self.open.last().map(|(_, item)| *item)
    }

    /// Opens an item that extends to the node `end`. It becomes a property of its owner, or a top-level item if it has no owner
    /// or no property name.
    pub(super) fn open<'n>(&mut self, owner: Option<usize>, names: impl Iterator<Item = &'n str>, item: Item, end: u32) {
        let Some(child) = self.items.add(item) else { return };
        self.open.push((end, child));
        let mut property = false;
        if let Some(owner) = owner.and_then(|o| self.items.get_mut(o)) {
            for name in names {
                property = true;
                owner.push(bare(name), Prop::Item(child));
            }
        }
        if !property {
            self.items.top.push(child);
        }
    }
}

/// The property with this name, if it is read.
pub(super) fn wanted(name: &str) -> Option<&'static str> {
    let name = bare(name);
    WANTED.iter().find(|w| w.eq_ignore_ascii_case(name)).copied()
}

impl<'d> Walk<'d, '_> {
    /// Reads the microdata of one element.
    pub(super) fn microdata(&mut self, node: Node<'d>, prop: Option<&str>, scope: bool) {
        let owner = self.microdata.owner(node.number());
        let names = || prop.unwrap_or_default().split_ascii_whitespace().take(4);
        if scope {
            let types = node.attributes().find(|a| a.name().eq_ignore_ascii_case("itemtype"));
            let named = names().any(|name| matches!(bare(name), "author" | "creator"));
            let item = Item {
                text: if named { self.text(node).filter(|(text, _)| text.len() < 80) } else { None },
                types: types.map_or_else(Vec::new, |types| {
                    let span = Some(types.span());
                    types.value().split_ascii_whitespace().take(8).map(|kind| (bare(kind).to_owned(), span)).collect()
                }),
                id: node.attribute("itemid").map(|id| id.into_owned()),
                props: Vec::new(),
            };
            let end = self.dom.record(node.number()).end;
            self.microdata.open(owner, names(), item, end);
            return;
        }
        for name in names().filter_map(wanted) {
            let Some((text, span)) = self.value(node, name) else { continue };
            match owner.and_then(|o| self.microdata.items.get_mut(o)) {
                Some(item) => item.push(name, Prop::Text(text, span)),
                None => self.page_property(name, &text, span),
            }
        }
    }

    /// A property outside any item, which describes the page itself.
    fn page_property(&mut self, name: &'static str, text: &str, span: Span) {
        let (field, rank) = match name {
            "headline" => (Field::Title, 18),
            "author" => (Field::Author, 22),
            "datePublished" => (Field::Published, 19),
            "dateModified" => (Field::Modified, 19),
            _ => return,
        };
        if !self.is_aside(span) {
            self.candidates.add(field, rank, text, Source::Microdata(name), Some(span));
        }
    }

    /// The value of a property as in the HTML standard, except that a link to a person yields the link's text.
    pub(super) fn value(&mut self, node: Node<'d>, name: &str) -> Option<(String, Span)> {
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
