//! The source of a value.

use crate::span::Span;
use std::fmt;

/// The source of a metadata value.
///
/// ```
/// use webstrata::content::metadata::Source;
/// assert_eq!(Source::JsonLd("headline").to_string(), "json-ld headline");
/// assert_eq!(Source::Meta("og:title").to_string(), "meta og:title");
/// assert_eq!(Source::Element("title").to_string(), "title element");
/// assert_eq!(Source::Url.to_string(), "page url");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Source {
    /// A property of a schema.org item in JSON-LD.
    JsonLd(&'static str),
    /// A property of a schema.org item in microdata.
    Microdata(&'static str),
    /// An RDFa term: one of schema.org, or one with the prefix of its vocabulary.
    Rdfa(&'static str),
    /// A `meta` element with this name or property.
    Meta(&'static str),
    /// A `link` element with this relation.
    Link(&'static str),
    /// An element with this name: its text or the equivalent attribute.
    Element(&'static str),
    /// This attribute of the `html` element.
    Html(&'static str),
    /// An element identified by its class, id or `rel`.
    Markup(&'static str),
    /// Visible text of this form.
    Text(&'static str),
    /// The URL of the page.
    Url,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::JsonLd(name) => write!(f, "json-ld {name}"),
            Source::Microdata(name) => write!(f, "microdata {name}"),
            Source::Rdfa(name) => write!(f, "rdfa {name}"),
            Source::Meta(name) => write!(f, "meta {name}"),
            Source::Link(name) => write!(f, "link {name}"),
            Source::Element(name) => write!(f, "{name} element"),
            Source::Html(name) => write!(f, "html {name}"),
            Source::Markup(name) => write!(f, "{name} markup"),
            Source::Text(name) => write!(f, "{name} text"),
            Source::Url => f.write_str("page url"),
        }
    }
}

/// A value with its source.
///
/// ```
/// use webstrata::content::metadata::{Metadata, MetadataOptions};
/// use webstrata::html::Dom;
/// let dom = Dom::parse("<title>Rain</title>");
/// let title = Metadata::from_dom(&dom, &MetadataOptions::default()).title.unwrap();
/// assert_eq!((title.value.as_str(), title.source.to_string().as_str()), ("Rain", "title element"));
/// assert_eq!(title.span.unwrap().slice(dom.source()), "Rain");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Value<T> {
    /// The value, cleaned.
    pub value: T,
    /// Its source.
    pub source: Source,
    /// The bytes it comes from; `None` if it is not on the page.
    pub span: Option<Span>,
}

impl<T> Value<T> {
    /// Another value with the same source.
    pub(super) fn with<U>(&self, value: U) -> Value<U> {
        Value { value, source: self.source, span: self.span }
    }
}
