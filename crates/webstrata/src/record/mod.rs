//! A page as plain data: the results of all stages, ready to be written as JSON.
//!
//! A record borrows nothing and computes nothing: it is the data that other programs read. Its schema is versioned ([`SCHEMA`])
//! and described by a JSON Schema, `docs/schema/page-2.schema.json`; any change visible to readers gets a new version.
//! Expensive parts are computed on request, see [`RecordOptions`].

mod block;
mod features;
mod links;
mod metadata;
mod options;
mod problem;
mod segment;

pub use block::BlockRecord;
pub use features::FeatureRecord;
pub use links::{ImageRecord, LinkRecord, PlaceRecord};
pub use metadata::{MetadataRecord, ReadabilityRecord, ValueRecord};
pub use options::RecordOptions;
pub use problem::ProblemRecord;
pub use segment::{ClassRecord, SegmentRecord};

use crate::content::metadata::MetadataOptions;
use crate::content::{Content, LinkOptions};
use crate::html::Paths;
use crate::page::Page;
use crate::segment::{Method, SegmentOptions};
use crate::span::Span;
use serde::{Deserialize, Serialize};

/// Name and version of the schema of records: the value of [`PageRecord::schema`].
///
/// ```
/// use webstrata::{Page, record::{PageRecord, RecordOptions, SCHEMA}};
/// let page = Page::parse(b"<p>Rain");
/// assert_eq!(PageRecord::new(&page, &page.extract(), &RecordOptions::default()).schema, SCHEMA);
/// ```
pub const SCHEMA: &str = "webstrata.page/2";

/// A byte range in JSON: start and end.
///
/// ```
/// use webstrata::{ExtractOptions, Page, label::Preset, record::{Pair, PageRecord, RecordOptions}};
/// let page = Page::parse(b"<p>Rain");
/// let content = page.extract_with(&ExtractOptions::from(Preset::KeepEverything));
/// let record = PageRecord::new(&page, &content, &RecordOptions::default());
/// let spans: Vec<Pair> = record.spans.unwrap_or_default();
/// assert_eq!(spans, [[3, 7]]);
/// ```
pub type Pair = [u32; 2];

fn pair(span: Span) -> Pair {
    [span.start, span.end]
}

fn pairs(spans: &[Span]) -> Vec<Pair> {
    spans.iter().copied().map(pair).collect()
}

/// A page as plain data. Parts that were not requested are `None` and left out of the JSON.
///
/// ```
/// use webstrata::{Page, record::{PageRecord, RecordOptions}};
/// let page = Page::parse(b"<title>Rain</title><p>See <a href=/valley>the valley</a>.");
/// let content = page.extract();
/// let options = RecordOptions::default().id("rain.html").url("https://example.org/").links(true);
/// let record = PageRecord::new(&page, &content, &options);
/// assert_eq!(record.title.as_deref(), Some("Rain"));
/// assert_eq!(record.links.as_ref().unwrap()[0].target.as_deref(), Some("https://example.org/valley"));
/// let json = record.to_json();
/// assert!(json.starts_with(r#"{"schema":"webstrata.page/2","id":"rain.html","url":"https://example.org/","title":"Rain","#));
/// assert_eq!(PageRecord::from_json(&json)?, record);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PageRecord {
    /// Name and version of the schema.
    pub schema: String,
    /// The caller's name for the page: a file name or a URL.
    pub id: String,
    /// The page's URL, as given by the caller.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Text of the `title` element; `null` if there is none.
    pub title: Option<String>,
    /// The content as plain text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The content as Markdown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub markdown: Option<String>,
    /// The content as clean HTML, set by callers that want it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub html: Option<String>,
    /// The method that decided what is content.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preset: Option<String>,
    /// Whether that method favoured precision or recall.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<String>,
    /// The page type that the method predicts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page_type: Option<String>,
    /// The method's estimate of its own F1, from 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// The encoding of the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
    /// Why that encoding was chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding_because: Option<String>,
    /// Whether byte ranges refer to a UTF-8 transcoding of the input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transcoded: Option<bool>,
    /// Byte ranges of the content.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spans: Option<Vec<Pair>>,
    /// Metadata.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<MetadataRecord>,
    /// Metadata and content under Readability's names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub readability: Option<ReadabilityRecord>,
    /// The method that cut the segments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// Its rule set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
    /// Source of the layout that was available to the segmenter, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layout: Option<String>,
    /// The segments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub segments: Option<Vec<SegmentRecord>>,
    /// All blocks, content or not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blocks: Option<Vec<BlockRecord>>,
    /// All links, content or not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub links: Option<Vec<LinkRecord>>,
    /// All images, content or not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub images: Option<Vec<ImageRecord>>,
    /// Limits that were reached and repairs that were made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problems: Option<Vec<ProblemRecord>>,
    /// Why the page failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

impl PageRecord {
    /// The record of a page and its content.
    #[must_use]
    pub fn new(page: &Page<'_>, content: &Content<'_>, options: &RecordOptions<'_>) -> Self {
        let mut record = PageRecord::with_common_fields(page, options);
        record.preset = Some(content.options().preset.to_string());
        record.mode = Some(content.options().mode.to_string());
        record.page_type = content.labels().page_type().map(|page_type| page_type.name().to_owned());
        record.confidence = content.labels().confidence().map(thousandths);
        record.text = options.text.then(|| content.text());
        record.markdown = options.render().map(|render| content.markdown(&render));
        record.spans = options.spans.then(|| pairs(&content.spans()));
        if options.metadata || options.readability {
            let metadata = page.metadata_with(&MetadataOptions { url: options.url });
            record.metadata = options.metadata.then(|| MetadataRecord::new(&metadata));
            record.readability = options.readability.then(|| ReadabilityRecord::new(&metadata, content, record.text.as_deref()));
        }
        let by = |(method, segments): (Method, SegmentOptions)| page.segments_by(&*method.segmenter_with(&segments));
        let segments = options.segments.map(by);
        let paths = options.needs_paths().then(|| Paths::new(page.dom()));
        let Some(paths) = paths else { return record };
        let explanation = options.needs_reasons().then(|| content.explain());
        if let Some((segments, explanation)) = segments.as_ref().zip(explanation.as_ref()) {
            record.segments = Some(segment::records(segments, &paths, content, explanation));
        }
        record.blocks =
            options.blocks.then(|| block::records(content, &paths, options, explanation.as_ref().filter(|_| options.why)));
        let listed = LinkOptions { base: options.url, segments: segments.as_ref() };
        record.links = options.links.then(|| links::links(content, &listed, &paths));
        record.images = options.images.then(|| links::images(content, &listed, &paths));
        record
    }

    /// The record of a page with metadata alone. Only the options `id` and `url` are used.
    ///
    /// ```
    /// use webstrata::{Page, record::{PageRecord, RecordOptions}};
    /// let page = Page::parse(b"<html lang=en><title>Rain</title><p>It rained.");
    /// let mut record = PageRecord::metadata_only(&page, &RecordOptions::default());
    /// record.metadata = record.metadata.map(|metadata| metadata.only(&["title"]));
    /// assert!(record.to_json().ends_with(r#""metadata":{"title":{"value":"Rain","source":"title element","span":[21,25]}},"problems":[]}"#));
    /// ```
    #[must_use]
    pub fn metadata_only(page: &Page<'_>, options: &RecordOptions<'_>) -> Self {
        let metadata = page.metadata_with(&MetadataOptions { url: options.url });
        let page = PageRecord::with_common_fields(page, &RecordOptions { segments: None, ..options.clone() });
        PageRecord { metadata: Some(MetadataRecord::new(&metadata)), ..page }
    }

    /// The record of a page that failed.
    ///
    /// ```
    /// use webstrata::record::PageRecord;
    /// let json = PageRecord::failed("a.html", "no such file").to_json();
    /// assert_eq!(json, r#"{"schema":"webstrata.page/2","id":"a.html","title":null,"error":"no such file"}"#);
    /// ```
    #[must_use]
    pub fn failed(id: &str, error: &str) -> Self {
        PageRecord { schema: SCHEMA.to_owned(), id: id.to_owned(), error: Some(error.to_owned()), ..PageRecord::default() }
    }

    /// A record with the fields that every record of a page has.
    fn with_common_fields(page: &Page<'_>, options: &RecordOptions<'_>) -> Self {
        PageRecord {
            schema: SCHEMA.to_owned(),
            id: options.id.to_owned(),
            url: options.url.map(str::to_owned),
            title: page.title().map(str::to_owned),
            encoding: Some(page.encoding().name().to_owned()),
            encoding_because: Some(page.evidence().to_string()),
            transcoded: Some(page.is_transcoded()),
            method: options.segments.map(|(method, _)| method.name().to_owned()),
            rules: options.segments.map(|(_, segments)| segments.rules.name.to_owned()),
            problems: Some(page.problems().iter().map(ProblemRecord::new).collect()),
            ..PageRecord::default()
        }
    }

    /// The record as one line of JSON, without a line break.
    #[must_use]
    pub fn to_json(&self) -> String {
        // Serialization cannot fail: all keys are strings, and all numbers are finite.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The record as indented JSON.
    #[must_use]
    pub fn to_json_pretty(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    /// Reads a record.
    ///
    /// # Errors
    /// If the text is not JSON or does not fit the schema.
    pub fn from_json(json: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(json)
    }
}

/// Rounds a share to three decimals: more would suggest false precision.
fn thousandths(share: f32) -> f64 {
    (f64::from(share) * 1000.0).round() / 1000.0
}
