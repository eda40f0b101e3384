//! Metadata: what a page declares about itself, each value with its source.
//!
//! One traversal of the tree collects candidates for each field from JSON-LD, microdata and RDFa (schema.org),
//! OpenGraph, Twitter, Dublin Core and plain `meta` elements, links, and visible markup. Then the best candidate of
//! each field is selected and cleaned. Time is linear in the page, and the amount of input examined is capped.

mod address;
mod author;
mod authors;
mod candidates;
mod date;
mod hints;
mod items;
mod json;
mod language;
mod link_hints;
mod markup;
mod meta;
mod microdata;
mod months;
mod rdfa;
mod read_date;
mod read_time;
mod readability;
mod schema;
mod select;
mod site;
mod source;
mod tags;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_sources;
mod title;
mod visible;

pub use date::{Date, Time};
pub use language::language_of;
pub use readability::Readability;
pub use source::{Source, Value};

use crate::html::Dom;
use crate::options::setters;

/// Information about a page that is not in its source.
///
/// ```
/// use webstrata::content::metadata::{Metadata, MetadataOptions};
/// use webstrata::html::Dom;
/// let options = MetadataOptions::default().url("https://example.com/2024/05/13/rain");
/// let metadata = Metadata::from_dom(&Dom::parse("<link rel=canonical href=/rain>"), &options);
/// assert_eq!(metadata.canonical.unwrap().value, "https://example.com/rain");
/// assert_eq!(metadata.published.unwrap().value.to_string(), "2024-05-13");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct MetadataOptions<'a> {
    /// The page's URL. References are resolved against it, and it may contain a date.
    pub url: Option<&'a str>,
}

setters! { MetadataOptions<'a> {  } into { url: Option<&'a str> } }

/// The metadata of a page.
///
/// ```
/// use webstrata::content::metadata::{Metadata, MetadataOptions};
/// use webstrata::html::Dom;
/// let dom = Dom::parse(r#"<html lang=en><title>Rain | The Daily Rock</title>
///     <meta property=og:site_name content="The Daily Rock">
///     <script type="application/ld+json">{"@type": "NewsArticle", "headline": "Rain",
///         "author": [{"@type": "Person", "name": "Maren Tolliver"}], "datePublished": "2024-05-13T17:42:00+02:00",}</script>"#);
/// let metadata = Metadata::from_dom(&dom, &MetadataOptions::default());
/// assert_eq!(metadata.title.unwrap().value, "Rain");
/// assert_eq!(metadata.authors[0].value, "Maren Tolliver");
/// assert_eq!(metadata.authors[0].source.to_string(), "json-ld author");
/// assert_eq!(metadata.published.unwrap().value.to_string(), "2024-05-13T17:42:00+02:00");
/// assert_eq!(metadata.types[0].value, "NewsArticle");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Metadata {
    /// The title, without the name of the site.
    pub title: Option<Value<String>>,
    /// The authors.
    pub authors: Vec<Value<String>>,
    /// When the page was published.
    pub published: Option<Value<Date>>,
    /// When it was last changed.
    pub modified: Option<Value<Date>>,
    /// Its language as a BCP 47 tag such as `en` or `pt-BR`: the declared language that agrees with the text, else that of the text.
    pub language: Option<Value<String>>,
    /// The direction of its text: `ltr`, `rtl` or `auto`.
    pub direction: Option<Value<String>>,
    /// The name of the site.
    pub site_name: Option<Value<String>>,
    /// Its description of itself.
    pub description: Option<Value<String>>,
    /// The canonical URL.
    pub canonical: Option<Value<String>>,
    /// URL of the representative image.
    pub image: Option<Value<String>>,
    /// Tags and keywords.
    pub tags: Vec<Value<String>>,
    /// The licence: a URL or free text.
    pub license: Option<Value<String>>,
    /// Addresses of feeds.
    pub feeds: Vec<Value<String>>,
    /// Address of its AMP version.
    pub amp: Option<Value<String>>,
    /// Declared types of the page: `og:type`, schema.org types.
    pub types: Vec<Value<String>>,
}

impl Metadata {
    /// Reads the metadata of a page.
    #[must_use]
    pub fn from_dom(dom: &Dom<'_>, options: &MetadataOptions<'_>) -> Metadata {
        select::metadata(dom, options)
    }

    /// The date of the page: when it was published, else when it was last changed.
    #[must_use]
    pub fn date(&self) -> Option<&Value<Date>> {
        self.published.as_ref().or(self.modified.as_ref())
    }
}
