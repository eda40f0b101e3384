//! Items: a common form for JSON-LD, microdata and RDFa. An item has types and properties; a property is text or an item.

use super::json::Json;
use crate::span::Span;
use std::collections::BTreeMap;

/// Maximum number of items, and of properties per item.
const MAX_ITEMS: usize = 20_000;
const MAX_PROPS: usize = 1000;

/// A property's value.
#[derive(Debug)]
pub(super) enum Prop {
    Text(String, Span),
    Item(usize),
}

/// A thing with types and properties, in document order.
#[derive(Debug, Default)]
pub(super) struct Item {
    /// Types with their spans.
    pub(super) types: Vec<(String, Option<Span>)>,
    pub(super) id: Option<String>,
    pub(super) props: Vec<(String, Prop)>,
    /// The text of the whole element, if it may be the item's name.
    pub(super) text: Option<(String, Span)>,
}

impl Item {
    /// Whether any of its types satisfies `test`.
    pub(super) fn is_a(&self, test: impl Fn(&str) -> bool) -> bool {
        self.types.iter().any(|(kind, _)| test(kind))
    }

    /// Adds a property, up to the maximum.
    pub(super) fn push(&mut self, name: &str, prop: Prop) {
        if self.props.len() < MAX_PROPS {
            self.props.push((name.to_owned(), prop));
        }
    }
}

/// All items of a page in one syntax.
#[derive(Debug, Default)]
pub(super) struct Items {
    all: Vec<Item>,
    /// Top-level items, including those in a graph.
    pub(super) top: Vec<usize>,
    /// The item with the most properties for each identifier.
    ids: BTreeMap<String, usize>,
}

/// A name without the prefix or address of its vocabulary.
pub(super) fn bare(name: &str) -> &str {
    let name = name.trim().trim_end_matches('/');
    let name = name.rsplit(['/', '#']).next().unwrap_or(name);
    name.strip_prefix("schema:").unwrap_or(name)
}

impl Items {
    /// Adds an item, up to the maximum.
    pub(super) fn add(&mut self, item: Item) -> Option<usize> {
        (self.all.len() < MAX_ITEMS).then(|| {
            self.all.push(item);
            self.all.len() - 1
        })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub(super) fn get_mut(&mut self, number: usize) -> Option<&mut Item> {
        self.all.get_mut(number)
    }

    /// The item with this index, or a fuller one with the same identifier.
    pub(super) fn get(&self, number: usize) -> Option<&Item> {
        let item = self.all.get(number)?;
        let fuller = item.id.as_ref().and_then(|id| self.ids.get(id)).and_then(|n| self.all.get(*n));
        Some(fuller.filter(|other| other.props.len() > item.props.len()).unwrap_or(item))
    }

    /// Indexes the identifiers; called once all items are added.
    pub(super) fn index(&mut self) {
        for (number, item) in self.all.iter().enumerate() {
            let Some(id) = &item.id else { continue };
            let best = self.ids.get(id).and_then(|n| self.all.get(*n)).map_or(0, |other| other.props.len());
            if item.props.len() > best {
                self.ids.insert(id.clone(), number);
            }
        }
    }

    /// Adds a top-level JSON-LD value of a script.
    pub(super) fn add_json_ld(&mut self, value: Json) {
        match value {
            Json::List(values) => values.into_iter().for_each(|value| self.add_json_ld(value)),
            Json::Object(mut members) => {
                let mut graphs = Vec::new();
                members.retain_mut(|(name, value)| {
                    let graph = name == "@graph";
                    if graph {
                        graphs.push(std::mem::replace(value, Json::Nothing));
                    }
                    !graph
                });
                if members.iter().any(|(name, _)| name != "@context") {
                    let number = self.object(members);
                    self.top.extend(number);
                }
                graphs.into_iter().for_each(|graph| self.add_json_ld(graph));
            }
            _ => {}
        }
    }

    fn object(&mut self, members: Vec<(String, Json)>) -> Option<usize> {
        let number = self.add(Item::default())?;
        let mut item = Item::default();
        for (name, value) in members {
            match name.as_str() {
                "@type" | "type" => texts(value, &mut |text, span| item.types.push((bare(&text).to_owned(), Some(span)))),
                "@id" => texts(value, &mut |text, _| item.id = Some(text)),
                "@context" => {}
                "@graph" => self.add_json_ld(value),
                _ => self.property(bare(&name), value, &mut item),
            }
        }
        self.all[number] = item;
        Some(number)
    }

    fn property(&mut self, name: &str, value: Json, item: &mut Item) {
        match value {
            Json::Text(text, span) => item.push(name, Prop::Text(text, span)),
            Json::List(values) => values.into_iter().for_each(|value| self.property(name, value, item)),
            Json::Object(mut members) => {
                let wrapped = members.iter().position(|(key, _)| matches!(key.as_str(), "@value" | "@list" | "@set"));
                if let Some(at) = wrapped {
                    let (_, value) = members.swap_remove(at);
                    self.property(name, value, item);
                } else if let Some(number) = self.object(members) {
                    item.push(name, Prop::Item(number));
                }
            }
            Json::Nothing => {}
        }
    }
}

/// Calls `each` for all texts of a value that is a text or a list.
fn texts(value: Json, each: &mut impl FnMut(String, Span)) {
    match value {
        Json::Text(text, span) => each(text, span),
        Json::List(values) => values.into_iter().for_each(|value| texts(value, each)),
        _ => {}
    }
}
