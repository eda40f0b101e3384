//! schema.org items: finds the one that describes the page and reads its values.

use super::candidates::{Candidates, Field, key};
use super::items::{Item, Items, Prop};
use super::source::Source;
use crate::html::entity::{Place, decode};
use crate::span::Span;

/// The syntax in which items are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Syntax {
    JsonLd,
    Microdata,
    Rdfa,
}

impl Syntax {
    fn source(self, name: &'static str) -> Source {
        match self {
            Syntax::JsonLd => Source::JsonLd(name),
            Syntax::Microdata => Source::Microdata(name),
            Syntax::Rdfa => Source::Rdfa(name),
        }
    }
}

/// Class of an item, in order of preference for describing the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum ItemClass {
    /// A written work.
    Work,
    /// Something shown or sold, or an event.
    Thing,
    /// The page itself.
    Page,
}

fn item_class(item: &Item) -> Option<ItemClass> {
    item.types.iter().filter_map(|(kind, _)| class_of_type(kind)).min()
}

fn class_of_type(kind: &str) -> Option<ItemClass> {
    Some(match kind {
        "JobPosting"
        | "Product"
        | "ProductGroup"
        | "Event"
        | "Course"
        | "Book"
        | "Movie"
        | "VideoObject"
        | "PodcastEpisode"
        | "SoftwareApplication"
        | "Dataset"
        | "CreativeWork"
        | "Service"
        | "Vehicle"
        | "Game"
        | "MusicAlbum"
        | "TVSeries"
        | "SoftwareSourceCode"
        | "APIReference" => ItemClass::Thing,
        "Recipe" | "HowTo" | "Report" | "Question" | "Review" | "Thesis" | "Chapter" => ItemClass::Work,
        _ if kind.ends_with("Article") || kind.ends_with("Posting") => ItemClass::Work,
        _ if kind.ends_with("Page") => ItemClass::Page,
        _ => return None,
    })
}

/// Offset added to the ranks of an item's values.
fn rank_offset(item_class: ItemClass) -> u8 {
    match item_class {
        ItemClass::Work => 0,
        ItemClass::Page => 15,
        ItemClass::Thing => 30,
    }
}

/// Adds the values of the items. `titles` are other titles of the page and `addresses` its own: they distinguish the item
/// that describes the page from those it links to.
pub(super) fn add_items(items: &Items, syntax: Syntax, titles: &[String], addresses: &[String], candidates: &mut Candidates) {
    let mut top_items: Vec<&Item> = Vec::new();
    for number in items.top.iter().take(500) {
        let Some(item) = items.get(*number) else { continue };
        top_items.push(item);
        let entities = item.props.iter().filter(|(name, _)| matches!(name.as_str(), "mainEntity" | "mainEntityOfPage"));
        top_items.extend(entities.take(8).filter_map(|(_, prop)| inner(items, prop)));
    }
    let written = syntax == Syntax::JsonLd;
    for wanted_class in [ItemClass::Work, ItemClass::Page, ItemClass::Thing] {
        let same: Vec<&Item> = top_items.iter().copied().filter(|item| item_class(item) == Some(wanted_class)).collect();
        let own = |item: &&&Item| describes_page(items, item, titles, addresses);
        let several = if written { 3 } else { 1 };
        let chosen = same.iter().find(own).or_else(|| same.first().filter(|_| same.len() <= several));
        if let Some(item) = chosen {
            read(items, item, wanted_class, syntax, candidates);
        }
    }
    for item in &top_items {
        let rank = match () {
            () if item.is_a(|k| k == "WebSite") => 12,
            () if item.is_a(|k| k.ends_with("Organization")) => 30,
            () => continue,
        };
        for (text, span) in texts(items, item, "name").into_iter().take(1) {
            candidates.add(Field::Site, rank, &text, syntax.source("name"), span);
        }
    }
}

/// Whether the item describes the page, judged by its title or address.
fn describes_page(items: &Items, item: &Item, titles: &[String], addresses: &[String]) -> bool {
    let named = |name: &str| texts(items, item, name).into_iter().map(|(text, _)| text).collect::<Vec<_>>();
    let titled = ["headline", "name"].iter().flat_map(|name| named(name)).any(|text| {
        let text = key(&text);
        !text.is_empty() && titles.iter().any(|t| *t == text || (text.len() > 12 && t.starts_with(&text)))
    });
    let without_fragment = |url: &str| url.split('#').next().unwrap_or("").trim_end_matches('/').to_owned();
    titled
        || ["url", "mainEntityOfPage"]
            .iter()
            .flat_map(|name| named(name))
            .any(|url| addresses.iter().any(|a| without_fragment(a) == without_fragment(&url)))
}

fn inner<'i>(items: &'i Items, prop: &Prop) -> Option<&'i Item> {
    match prop {
        Prop::Item(number) => items.get(*number),
        Prop::Text(..) => None,
    }
}

/// Texts of a property; an item yields its name, address or identifier.
fn texts(items: &Items, item: &Item, name: &str) -> Vec<(String, Option<Span>)> {
    let mut found = Vec::new();
    for (_, prop) in item.props.iter().filter(|(n, _)| n == name).take(200) {
        match prop {
            Prop::Text(text, span) => found.push((decode_references(text), Some(*span))),
            Prop::Item(number) => {
                let Some(item) = items.get(*number) else { continue };
                let value = ["name", "url", "contentUrl"].iter().find_map(|n| first(item, n));
                found.extend(value.or_else(|| item.id.as_deref().map(|id| (decode_references(id), None))));
            }
        }
    }
    found
}

fn first(item: &Item, name: &str) -> Option<(String, Option<Span>)> {
    item.props.iter().find_map(|(n, prop)| match prop {
        Prop::Text(text, span) if n == name => Some((decode_references(text), Some(*span))),
        _ => None,
    })
}

/// Decodes character references. JSON does not need them, but pages contain them, sometimes doubly encoded.
fn decode_references(text: &str) -> String {
    let mut out = text.to_owned();
    for _ in 0..2 {
        if !out.contains('&') {
            break;
        }
        let mut decoded = String::with_capacity(out.len());
        decode(&out, Place::Text, &mut decoded);
        out = decoded;
    }
    out
}

/// Properties copied without further processing, with their ranks in a written work.
const PLAIN: &[(&str, Field, u8)] = &[
    ("headline", Field::Title, 10),
    ("name", Field::Title, 12),
    ("datePublished", Field::Published, 5),
    ("dateCreated", Field::Published, 16),
    ("uploadDate", Field::Published, 17),
    ("dateModified", Field::Modified, 5),
    ("inLanguage", Field::Language, 20),
    ("description", Field::Description, 20),
    ("url", Field::Canonical, 40),
    ("image", Field::Image, 22),
    ("thumbnailUrl", Field::Image, 24),
    ("keywords", Field::Tag, 15),
    ("license", Field::License, 15),
    ("publisher", Field::Site, 20),
];

fn read(items: &Items, item: &Item, item_class: ItemClass, syntax: Syntax, candidates: &mut Candidates) {
    let by_markup = if syntax == Syntax::JsonLd { 0 } else { 5 };
    let offset = rank_offset(item_class) + by_markup;
    let name = match syntax {
        Syntax::JsonLd => "@type",
        Syntax::Microdata => "itemtype",
        Syntax::Rdfa => "typeof",
    };
    for (kind, span) in &item.types {
        candidates.add(Field::Kind, 11, kind, syntax.source(name), *span);
    }
    for (name, field, rank) in PLAIN {
        for (text, span) in texts(items, item, name) {
            candidates.add(*field, rank + offset, &text, syntax.source(name), span);
        }
    }
    let publishers: Vec<String> = texts(items, item, "publisher").iter().map(|(name, _)| key(name)).collect();
    for name in ["author", "creator"] {
        let mut found = authors(items, item, name);
        // The publisher is not a person, even if its declared type says so.
        found.iter_mut().for_each(|author| author.person &= !publishers.contains(&key(&author.name)));
        let people = found.iter().any(|author| author.person);
        for author in found.into_iter().filter(|author| author.person || !people) {
            let rank = if name == "author" { 5 } else { 18 };
            // A company is the author only if no byline names a person.
            let rank = if author.person { rank } else { 54 };
            candidates.add(
                Field::Author,
                if author.person { rank + offset } else { rank + offset / 15 },
                &author.name,
                syntax.source(if name == "author" { "author" } else { "creator" }),
                author.span,
            );
        }
    }
}

struct Author {
    name: String,
    span: Option<Span>,
    person: bool,
}

fn authors(items: &Items, item: &Item, property: &str) -> Vec<Author> {
    let mut found = Vec::new();
    for (_, prop) in item.props.iter().filter(|(name, _)| name == property).take(64) {
        match prop {
            Prop::Text(text, span) => found.push(Author { name: decode_references(text), span: Some(*span), person: true }),
            Prop::Item(number) => {
                let Some(author) = items.get(*number) else { continue };
                let person = !author.is_a(|k| k.ends_with("Organization") || k == "Corporation" || k == "Brand");
                let names = texts(items, author, "name");
                let names = if names.is_empty() { author.text.iter().map(|(t, s)| (t.clone(), Some(*s))).collect() } else { names };
                let whole = match (first(author, "givenName"), first(author, "familyName")) {
                    (Some((given, span)), Some((family, _))) if names.is_empty() => vec![(format!("{given} {family}"), span)],
                    _ => names,
                };
                found.extend(whole.into_iter().map(|(name, span)| Author { name, span, person }));
            }
        }
    }
    found
}
