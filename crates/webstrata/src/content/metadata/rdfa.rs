//! RDFa: `typeof`, `property` and `resource`. schema.org terms become items, as in microdata; terms of other vocabularies,
//! such as Dublin Core and OpenGraph, are read like the `meta` elements of the same name.

use super::items::{Item, Prop, bare};
use super::markup::Walk;
use super::meta;
use super::microdata::wanted;
use super::source::Source;
use crate::html::{Node, Tag};

impl<'d> Walk<'d, '_> {
    /// Reads the RDFa of one element.
    pub(super) fn rdfa(&mut self, node: Node<'d>, property: Option<&str>, types: Option<(&str, crate::Span)>) {
        let owner = self.rdfa.owner(node.number());
        let names = || property.unwrap_or_default().split_ascii_whitespace().take(4);
        if let Some((types, span)) = types {
            let named = names().any(|name| matches!(bare(name), "author" | "creator"));
            let item = Item {
                text: if named { self.text(node).filter(|(text, _)| text.len() < 80) } else { None },
                types: types.split_ascii_whitespace().take(8).map(|kind| (bare(kind).to_owned(), Some(span))).collect(),
                id: node.attribute("resource").or_else(|| node.attribute("about")).map(|id| id.into_owned()),
                props: Vec::new(),
            };
            let end = self.dom.record(node.number()).end;
            self.rdfa.open(owner, names(), item, end);
            return;
        }
        for name in names() {
            // "dc:title", "dcterms:issued": describes the page itself, inside an item or not.
            let loose = name.split_once(':').filter(|(prefix, _)| *prefix != "schema" && *prefix != "http" && *prefix != "https");
            if loose.is_some() {
                if node.tag() != Tag::META
                    && let Some((known, field, rank)) = meta::lookup(name)
                    && let Some((text, span)) = self.value(node, known)
                    && !self.is_aside(span)
                {
                    self.candidates.add(*field, *rank, &text, Source::Rdfa(known), Some(span));
                }
                continue;
            }
            let Some(name) = wanted(name) else { continue };
            let Some(item) = owner else { continue };
            if let Some((text, span)) = self.value(node, name)
                && let Some(item) = self.rdfa.items.get_mut(item)
            {
                item.push(name, Prop::Text(text, span));
            }
        }
    }
}
