//! Metadata: what a page says about itself, each value with its origin.
//!
//! One walk over the tree gathers candidates for each field from JSON-LD and microdata (schema.org),
//! OpenGraph, Twitter, Dublin Core and plain `meta` elements, links, and markup that readers see. Then the best
//! candidate of each field is chosen and cleaned. Time is linear in the page, and what is looked at is capped.

mod address;
mod author;
mod choose;
mod date;
mod gather;
mod hints;
mod items;
mod json;
mod markup;
mod meta;
mod microdata;
mod months;
mod read_date;
mod read_time;
mod schema;
mod source;
#[cfg(test)]
mod tests;
mod title;

pub use date::{Date, Time};
pub use source::{Source, Value};

use crate::html::Dom;

/// What is known of a page beside its source.
///
/// ```
/// use webstrata::content::metadata::{Metadata, MetadataOptions};
/// use webstrata::html::Dom;
/// let options = MetadataOptions { url: Some("https://example.com/2024/05/13/rain") };
/// let metadata = Metadata::of(&Dom::parse("<link rel=canonical href=/rain>"), &options);
/// assert_eq!(metadata.canonical.unwrap().value, "https://example.com/rain");
/// assert_eq!(metadata.published.unwrap().value.to_string(), "2024-05-13");
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct MetadataOptions<'a> {
    /// The page's address. References are resolved against it, and it may name a date.
    pub url: Option<&'a str>,
}

/// What a page says about itself.
///
/// ```
/// use webstrata::content::metadata::{Metadata, MetadataOptions};
/// use webstrata::html::Dom;
/// let dom = Dom::parse(r#"<html lang=en><title>Rain | The Daily Rock</title>
///     <meta property=og:site_name content="The Daily Rock">
///     <script type="application/ld+json">{"@type": "NewsArticle", "headline": "Rain",
///         "author": [{"@type": "Person", "name": "Maren Tolliver"}], "datePublished": "2024-05-13T17:42:00+02:00",}</script>"#);
/// let metadata = Metadata::of(&dom, &MetadataOptions::default());
/// assert_eq!(metadata.title.unwrap().value, "Rain");
/// assert_eq!(metadata.authors[0].value, "Maren Tolliver");
/// assert_eq!(metadata.authors[0].source.to_string(), "json-ld author");
/// assert_eq!(metadata.published.unwrap().value.to_string(), "2024-05-13T17:42:00+02:00");
/// assert_eq!(metadata.kinds[0].value, "NewsArticle");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metadata {
    /// The title, without the name of the site.
    pub title: Option<Value<String>>,
    /// The authors.
    pub authors: Vec<Value<String>>,
    /// When the page was published.
    pub published: Option<Value<Date>>,
    /// When it was last changed.
    pub modified: Option<Value<Date>>,
    /// Its language, as in `en` or `pt-BR`.
    pub language: Option<Value<String>>,
    /// The direction of its text: `ltr`, `rtl` or `auto`.
    pub direction: Option<Value<String>>,
    /// The name of the site.
    pub site_name: Option<Value<String>>,
    /// What the page says it is about.
    pub description: Option<Value<String>>,
    /// The address that it prefers for itself.
    pub canonical: Option<Value<String>>,
    /// Address of the image that stands for it.
    pub image: Option<Value<String>>,
    /// Tags and keywords.
    pub tags: Vec<Value<String>>,
    /// Its licence: an address or a text.
    pub license: Option<Value<String>>,
    /// Addresses of feeds.
    pub feeds: Vec<Value<String>>,
    /// Address of its AMP version.
    pub amp: Option<Value<String>>,
    /// Hints at what kind of page it is: `og:type`, types of schema.org.
    pub kinds: Vec<Value<String>>,
}

impl Metadata {
    /// Reads the metadata of a page.
    #[must_use]
    pub fn of(dom: &Dom<'_>, options: &MetadataOptions<'_>) -> Metadata {
        choose::metadata(dom, options)
    }

    /// The date of the page: when it was published, or else when it was last changed.
    #[must_use]
    pub fn date(&self) -> Option<&Value<Date>> {
        self.published.as_ref().or(self.modified.as_ref())
    }

    /// The same under the names that Readability gives it.
    #[must_use]
    pub fn readability(&self) -> Readability {
        let text = |value: &Option<Value<String>>| value.as_ref().map(|v| v.value.clone());
        let names: Vec<&str> = self.authors.iter().map(|a| a.value.as_str()).collect();
        Readability {
            title: text(&self.title),
            byline: (!names.is_empty()).then(|| names.join(", ")),
            dir: text(&self.direction),
            lang: text(&self.language),
            length: None,
            excerpt: text(&self.description),
            site_name: text(&self.site_name),
            published_time: self.published.as_ref().map(|p| p.value.to_string()),
        }
    }
}

/// Metadata under the names that Readability gives it ([`Readability::fields`] spells them as Readability does).
///
/// ```
/// use webstrata::content::metadata::{Metadata, MetadataOptions};
/// use webstrata::html::Dom;
/// let dom = Dom::parse("<html lang=en dir=ltr><title>Rain</title><meta name=author content='Maren Tolliver'>");
/// let mut article = Metadata::of(&dom, &MetadataOptions::default()).readability();
/// article.length = Some(1200);
/// assert_eq!(article.byline.as_deref(), Some("Maren Tolliver"));
/// let names: Vec<&str> = article.fields().into_iter().map(|(name, _)| name).collect();
/// assert_eq!(names, ["title", "byline", "dir", "lang", "length"]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Readability {
    /// The title.
    pub title: Option<String>,
    /// The authors, separated by commas.
    pub byline: Option<String>,
    /// The direction of the text.
    pub dir: Option<String>,
    /// The language.
    pub lang: Option<String>,
    /// Number of characters of the content. The metadata does not know it: whoever extracts the content sets it.
    pub length: Option<usize>,
    /// The description. Readability falls back on the first paragraph, which the metadata does not know.
    pub excerpt: Option<String>,
    /// The name of the site (`siteName`).
    pub site_name: Option<String>,
    /// When the page was published (`publishedTime`), as ISO 8601.
    pub published_time: Option<String>,
}

impl Readability {
    /// The fields that are set, under Readability's own names and in its order.
    #[must_use]
    pub fn fields(&self) -> Vec<(&'static str, String)> {
        [
            ("title", self.title.clone()),
            ("byline", self.byline.clone()),
            ("dir", self.dir.clone()),
            ("lang", self.lang.clone()),
            ("length", self.length.map(|n| n.to_string())),
            ("excerpt", self.excerpt.clone()),
            ("siteName", self.site_name.clone()),
            ("publishedTime", self.published_time.clone()),
        ]
        .into_iter()
        .filter_map(|(name, value)| Some((name, value?)))
        .collect()
    }
}
