//! Metadata as plain data: each value with its source, and the same under Readability's names.

use super::{Pair, pair};
use crate::block::Block;
use crate::content::Content;
use crate::content::metadata::{Metadata, Value};
use crate::label::Role;
use serde::{Deserialize, Serialize};
use std::fmt::Display;

/// A metadata value and its source.
///
/// ```
/// use webstrata::{Page, record::MetadataRecord};
/// let page = Page::parse(b"<title>Rain</title>");
/// let title = MetadataRecord::new(&page.metadata()).title.unwrap();
/// assert_eq!((title.value.as_str(), title.source.as_str(), title.span), ("Rain", "title element", Some([7, 11])));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ValueRecord {
    /// The value, cleaned.
    pub value: String,
    /// The source.
    pub source: String,
    /// Byte range of the source text; `None` for values that are not in the page itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub span: Option<Pair>,
}

impl ValueRecord {
    fn new<T: Display>(value: &Value<T>) -> Self {
        ValueRecord { value: value.value.to_string(), source: value.source.to_string(), span: value.span.map(pair) }
    }
}

/// Metadata of a page; see [`Metadata`].
///
/// ```
/// use webstrata::{Page, record::MetadataRecord};
/// let page = Page::parse(b"<meta name=author content='Maren Tolliver'><meta name=date content=2024-05-13>");
/// let metadata = MetadataRecord::new(&page.metadata());
/// assert_eq!(metadata.authors[0].value, "Maren Tolliver");
/// assert_eq!(metadata.published.unwrap().value, "2024-05-13");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MetadataRecord {
    /// The title, without the site name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<ValueRecord>,
    /// The authors.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub authors: Vec<ValueRecord>,
    /// Date of publication.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published: Option<ValueRecord>,
    /// Date of the last change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub modified: Option<ValueRecord>,
    /// The language.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<ValueRecord>,
    /// Text direction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub direction: Option<ValueRecord>,
    /// The site name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub site_name: Option<ValueRecord>,
    /// The description.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<ValueRecord>,
    /// The canonical URL.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub canonical: Option<ValueRecord>,
    /// Address of the preview image.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image: Option<ValueRecord>,
    /// Tags and keywords.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<ValueRecord>,
    /// The licence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub license: Option<ValueRecord>,
    /// Addresses of feeds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub feeds: Vec<ValueRecord>,
    /// Address of the AMP version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amp: Option<ValueRecord>,
    /// Declared types of the page.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub types: Vec<ValueRecord>,
}

fn one<T: Display>(value: &Option<Value<T>>) -> Option<ValueRecord> {
    value.as_ref().map(ValueRecord::new)
}

fn list<T: Display>(values: &[Value<T>]) -> Vec<ValueRecord> {
    values.iter().map(ValueRecord::new).collect()
}

impl MetadataRecord {
    /// Converts metadata to plain data.
    #[must_use]
    pub fn new(metadata: &Metadata) -> Self {
        MetadataRecord {
            title: one(&metadata.title),
            authors: list(&metadata.authors),
            published: one(&metadata.published),
            modified: one(&metadata.modified),
            language: one(&metadata.language),
            direction: one(&metadata.direction),
            site_name: one(&metadata.site_name),
            description: one(&metadata.description),
            canonical: one(&metadata.canonical),
            image: one(&metadata.image),
            tags: list(&metadata.tags),
            license: one(&metadata.license),
            feeds: list(&metadata.feeds),
            amp: one(&metadata.amp),
            types: list(&metadata.types),
        }
    }

    /// Keeps only these fields. `date` is the date of publication or, without one, of the last change.
    ///
    /// ```
    /// use webstrata::{Page, record::MetadataRecord};
    /// let page = Page::parse(b"<html lang=en><title>Rain</title><meta name=date content=2024-05-13>");
    /// let metadata = MetadataRecord::new(&page.metadata()).only(&["date", "language"]);
    /// assert!(metadata.published.is_some() && metadata.language.is_some() && metadata.title.is_none());
    /// ```
    #[must_use]
    pub fn only(self, fields: &[&str]) -> Self {
        let wanted = |name: &str| fields.contains(&name);
        let one = |name: &str, value: Option<ValueRecord>| value.filter(|_| wanted(name));
        let list = |name: &str, values: Vec<ValueRecord>| if wanted(name) { values } else { Vec::new() };
        let modified_as_date = wanted("date") && self.published.is_none();
        MetadataRecord {
            title: one("title", self.title),
            authors: list("authors", self.authors),
            published: self.published.filter(|_| wanted("published") || wanted("date")),
            modified: self.modified.filter(|_| wanted("modified") || modified_as_date),
            language: one("language", self.language),
            direction: one("direction", self.direction),
            site_name: one("site_name", self.site_name),
            description: one("description", self.description),
            canonical: one("canonical", self.canonical),
            image: one("image", self.image),
            tags: list("tags", self.tags),
            license: one("license", self.license),
            feeds: list("feeds", self.feeds),
            amp: one("amp", self.amp),
            types: list("types", self.types),
        }
    }
}

/// Metadata and content under the names that Readability uses. As there, unknown values are `null`.
///
/// ```
/// use webstrata::{ExtractOptions, Page, label::Preset, record::ReadabilityRecord};
/// let page = Page::parse(b"<html lang=en><title>Rain</title><p>It rained.");
/// let content = page.extract_with(&ExtractOptions::from(Preset::KeepEverything));
/// let record = ReadabilityRecord::new(&page.metadata(), &content, None);
/// assert_eq!((record.lang.as_deref(), record.excerpt.as_deref(), record.length), (Some("en"), Some("It rained."), 10));
/// assert!(serde_json::to_string(&record)?.contains(r#""textContent":"It rained.""#));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReadabilityRecord {
    /// The title.
    pub title: Option<String>,
    /// The authors, separated by commas.
    pub byline: Option<String>,
    /// Text direction.
    pub dir: Option<String>,
    /// The language.
    pub lang: Option<String>,
    /// The content as clean HTML, set by callers that want it.
    pub content: Option<String>,
    /// The content as plain text.
    pub text_content: String,
    /// Number of characters in the text.
    pub length: usize,
    /// The description, or the first paragraph of the content.
    pub excerpt: Option<String>,
    /// The site name.
    pub site_name: Option<String>,
    /// Date of publication.
    pub published_time: Option<String>,
}

impl ReadabilityRecord {
    /// Creates a record from metadata and content; `text` is the content as plain text, if the caller already has it.
    #[must_use]
    pub fn new(metadata: &Metadata, content: &Content<'_>, text: Option<&str>) -> Self {
        let known = metadata.readability();
        let text = text.map_or_else(|| content.text(), str::to_owned);
        let is_paragraph = |block: &Block<'_>| content.role(*block) == Role::Body;
        let paragraph = || content.selection().blocks().filter_map(|i| content.blocks().get(i)).find(is_paragraph);
        ReadabilityRecord {
            title: known.title,
            byline: known.byline,
            dir: known.dir,
            lang: known.lang,
            content: None,
            length: text.chars().count(),
            text_content: text,
            excerpt: known.excerpt.or_else(|| paragraph().map(|block| block.text())),
            site_name: known.site_name,
            published_time: known.published_time,
        }
    }
}
