//! `meta` and `link` elements.

use super::candidates::{Candidates, Field};
use super::source::Source;
use crate::html::Node;

/// Names of `meta` elements in lower case, the field of each, and its rank among the sources of that field.
const NAMES: &[(&str, Field, u8)] = &[
    ("og:title", Field::Title, 20),
    ("twitter:title", Field::Title, 30),
    ("parsely-title", Field::Title, 15),
    ("sailthru.title", Field::Title, 15),
    ("citation_title", Field::Title, 10),
    ("dc.title", Field::Title, 35),
    ("dcterms.title", Field::Title, 35),
    ("dc:title", Field::Title, 35),
    ("title", Field::Title, 36),
    ("headline", Field::Title, 16),
    ("citation_author", Field::Author, 10),
    ("parsely-author", Field::Author, 15),
    ("sailthru.author", Field::Author, 15),
    ("byl", Field::Author, 16),
    ("author", Field::Author, 30),
    ("article:author_name", Field::Author, 29),
    ("article:author", Field::Author, 31),
    ("og:article:author", Field::Author, 31),
    ("og:author", Field::Author, 31),
    ("book:author", Field::Author, 31),
    ("dc.creator", Field::Author, 33),
    ("dcterms.creator", Field::Author, 33),
    ("dc:creator", Field::Author, 33),
    ("dc.contributor", Field::Author, 39),
    ("creator", Field::Author, 34),
    ("authors", Field::Author, 34),
    ("twitter:data1", Field::Author, 60),
    ("article:published_time", Field::Published, 10),
    ("article:published", Field::Published, 11),
    ("og:published_time", Field::Published, 11),
    ("og:article:published_time", Field::Published, 11),
    ("og:pubdate", Field::Published, 12),
    ("parsely-pub-date", Field::Published, 12),
    ("sailthru.date", Field::Published, 12),
    ("citation_publication_date", Field::Published, 13),
    ("citation_online_date", Field::Published, 13),
    ("citation_date", Field::Published, 14),
    ("datepublished", Field::Published, 13),
    ("publish_date", Field::Published, 14),
    ("publishdate", Field::Published, 14),
    ("publish-date", Field::Published, 14),
    ("published_time", Field::Published, 14),
    ("published", Field::Published, 14),
    ("pubdate", Field::Published, 14),
    ("article.published", Field::Published, 14),
    ("cxenseparse:recs:publishtime", Field::Published, 14),
    ("dc.date.issued", Field::Published, 14),
    ("dcterms.issued", Field::Published, 14),
    ("dc.date.created", Field::Published, 15),
    ("dcterms.created", Field::Published, 15),
    ("dc.created", Field::Published, 15),
    ("dc.date", Field::Published, 16),
    ("dcterms.date", Field::Published, 16),
    ("dc:date", Field::Published, 16),
    ("date", Field::Published, 17),
    ("displaydate", Field::Published, 17),
    ("article:modified_time", Field::Modified, 10),
    ("og:updated_time", Field::Modified, 12),
    ("og:modified_time", Field::Modified, 12),
    ("datemodified", Field::Modified, 13),
    ("dcterms.modified", Field::Modified, 14),
    ("dc.date.modified", Field::Modified, 14),
    ("dc.modified", Field::Modified, 14),
    ("last-modified", Field::Modified, 15),
    ("lastmod", Field::Modified, 15),
    ("revised", Field::Modified, 16),
    ("content-language", Field::Language, 30),
    ("language", Field::Language, 31),
    ("og:locale", Field::Language, 40),
    ("dc.language", Field::Language, 35),
    ("dcterms.language", Field::Language, 35),
    ("og:site_name", Field::Site, 10),
    ("application-name", Field::Site, 40),
    ("apple-mobile-web-app-title", Field::Site, 41),
    ("al:ios:app_name", Field::Site, 42),
    ("citation_journal_title", Field::Site, 30),
    ("dc.publisher", Field::Site, 45),
    ("publisher", Field::Site, 46),
    ("og:description", Field::Description, 10),
    ("description", Field::Description, 12),
    ("twitter:description", Field::Description, 14),
    ("dc.description", Field::Description, 16),
    ("dcterms.description", Field::Description, 16),
    ("sailthru.description", Field::Description, 17),
    ("dcterms.abstract", Field::Description, 18),
    ("og:url", Field::Canonical, 20),
    ("twitter:url", Field::Canonical, 30),
    ("parsely-link", Field::Canonical, 25),
    ("og:image:secure_url", Field::Image, 12),
    ("og:image:url", Field::Image, 11),
    ("og:image", Field::Image, 10),
    ("twitter:image:src", Field::Image, 15),
    ("twitter:image", Field::Image, 14),
    ("parsely-image-url", Field::Image, 17),
    ("sailthru.image.full", Field::Image, 17),
    ("thumbnail", Field::Image, 18),
    ("article:tag", Field::Tag, 10),
    ("og:article:tag", Field::Tag, 10),
    ("keywords", Field::Tag, 20),
    ("news_keywords", Field::Tag, 12),
    ("parsely-tags", Field::Tag, 14),
    ("sailthru.tags", Field::Tag, 14),
    ("citation_keywords", Field::Tag, 14),
    ("dc.subject", Field::Tag, 16),
    ("dcterms.subject", Field::Tag, 16),
    ("dcterms.license", Field::License, 20),
    ("dc.rights", Field::License, 25),
    ("dcterms.rights", Field::License, 25),
    ("license", Field::License, 22),
    ("copyright", Field::License, 40),
    ("rights", Field::License, 40),
    ("og:type", Field::Kind, 10),
    ("parsely-type", Field::Kind, 12),
    ("dc.type", Field::Kind, 20),
    ("dcterms.type", Field::Kind, 20),
];

/// Looks up a name, ignoring case. Dublin Core terms are written with a dot, or with a colon as in RDFa.
pub(super) fn lookup(name: &str) -> Option<&'static (&'static str, Field, u8)> {
    let name = name.to_ascii_lowercase();
    let find = |name: &str| NAMES.iter().find(|(known, ..)| *known == name);
    find(&name).or_else(|| {
        let (prefix, term) = name.split_once(':')?;
        match prefix {
            "dc" | "dc11" => find(&format!("dc.{term}")),
            "dct" | "dcterms" => find(&format!("dcterms.{term}")).or_else(|| find(&format!("dc.{term}"))),
            _ => None,
        }
    })
}

/// Custom names for dates: `w-published-date`, `last_modified_time`.
fn custom_date(name: &str) -> Option<&'static (&'static str, Field, u8)> {
    const PUBLISHED: (&str, Field, u8) = ("published date", Field::Published, 18);
    const MODIFIED: (&str, Field, u8) = ("modified date", Field::Modified, 18);
    let has = |part: &str| name.contains(part);
    if name.len() > 60 || !(has("date") || has("time")) {
        None
    } else if has("publish") || has("publication") || has("pub-") || has("pub_") {
        Some(&PUBLISHED)
    } else if has("modified") || has("updated") || has("revis") {
        Some(&MODIFIED)
    } else {
        None
    }
}

/// Reads a `meta` element.
pub(super) fn meta(node: Node<'_>, candidates: &mut Candidates) {
    let mut content = None;
    let mut names = Vec::new();
    let mut label = None;
    for attribute in node.attributes() {
        match attribute.name().to_ascii_lowercase().as_str() {
            "content" => content = Some(attribute),
            // Some pages use `value` instead of `content`.
            "value" => label = Some(attribute),
            "name" | "property" | "itemprop" | "http-equiv" => names.push(attribute.value().trim().to_ascii_lowercase()),
            _ => {}
        }
    }
    let Some(content) = content.or(label) else { return };
    for name in names {
        let Some((name, field, rank)) = lookup(&name).or_else(|| custom_date(&name)) else { continue };
        let text = content.value();
        // WordPress writes the author here, under the label "Written by"; others write prices and reading times.
        if *name == "twitter:data1" && text.chars().any(|c| c.is_ascii_digit()) {
            continue;
        }
        candidates.add(*field, *rank, &text, Source::Meta(name), Some(content.span()));
    }
}

/// Reads a `link` element, or an `a` with one of these relations.
pub(super) fn link(node: Node<'_>, candidates: &mut Candidates) {
    let Some(rel) = node.attribute("rel") else { return };
    let Some(href) = node.attributes().find(|a| a.name().eq_ignore_ascii_case("href")) else { return };
    let head = node.name() == "link";
    for token in rel.split_ascii_whitespace().map(str::to_ascii_lowercase) {
        let (field, rank, source) = match token.as_str() {
            "canonical" if head => (Field::Canonical, 10, Source::Link("canonical")),
            "amphtml" if head => (Field::Amp, 10, Source::Link("amphtml")),
            "image_src" if head => (Field::Image, 20, Source::Link("image_src")),
            "license" => (Field::License, 10, if head { Source::Link("license") } else { Source::Markup("license") }),
            "feed" if head => (Field::Feed, 10, Source::Link("feed")),
            "alternate" if head => {
                let kind = node.attribute("type").unwrap_or_default().to_ascii_lowercase();
                let kind = kind.split(';').next().unwrap_or_default();
                if !matches!(kind.trim(), "application/rss+xml" | "application/atom+xml" | "application/feed+json") {
                    continue;
                }
                (Field::Feed, 10, Source::Link("alternate"))
            }
            _ => continue,
        };
        candidates.add(field, rank, &href.value(), source, Some(href.span()));
    }
}
