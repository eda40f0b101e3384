//! Writes the content of pages in any format.

use super::front_matter::front_matter;
use super::xml::{self, PageParts};
use super::{MetadataFields, csv, html, metadata, tables};
use crate::Extraction;
use crate::run::text_hash;
use std::fmt;
use std::str::FromStr;
use webstrata::Page;
use webstrata::content::RenderOptions;
use webstrata::content::metadata::{Metadata, MetadataOptions};
use webstrata::record::{PageRecord, RecordOptions};
use webstrata::segment::{Method, SegmentOptions};

/// An output format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PageFormat {
    /// Plain text.
    #[default]
    Text,
    /// Markdown (CommonMark with tables, footnotes and strikethrough).
    Markdown,
    /// Clean HTML: a document that runs nothing and, images aside, loads nothing.
    Html,
    /// One JSON object with everything, indented.
    Json,
    /// One JSON object on one line, with the requested fields.
    Jsonl,
    /// A row of CSV; [`csv::HEADER`] is the header.
    Csv,
    /// XML: metadata as attributes of `doc`, the content in `main`, readers' comments in `comments`.
    Xml,
    /// XML as the Text Encoding Initiative defines it (TEI P5).
    Xmltei,
}

impl PageFormat {
    /// Names of the formats.
    const NAMES: [(&'static str, PageFormat); 11] = [
        ("text", PageFormat::Text),
        ("txt", PageFormat::Text),
        ("markdown", PageFormat::Markdown),
        ("md", PageFormat::Markdown),
        ("html", PageFormat::Html),
        ("json", PageFormat::Json),
        ("jsonl", PageFormat::Jsonl),
        ("csv", PageFormat::Csv),
        ("xml", PageFormat::Xml),
        ("xmltei", PageFormat::Xmltei),
        ("tei", PageFormat::Xmltei),
    ];

    /// Whether it is JSON.
    #[must_use]
    pub fn is_json(self) -> bool {
        matches!(self, PageFormat::Json | PageFormat::Jsonl)
    }

    /// Whether it keeps structure, links and images.
    #[must_use]
    pub fn has_markup(self) -> bool {
        matches!(self, PageFormat::Markdown | PageFormat::Html | PageFormat::Xml | PageFormat::Xmltei)
    }
}

/// An unknown format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownFormat(String);

impl fmt::Display for UnknownFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = PageFormat::NAMES.map(|(name, _)| name).join(", ");
        write!(f, "unknown output format '{}'; choose one of: {names}", self.0)
    }
}

impl std::error::Error for UnknownFormat {}

impl FromStr for PageFormat {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        let found = PageFormat::NAMES.into_iter().find(|(known, _)| *known == name);
        found.map(|(_, format)| format).ok_or_else(|| UnknownFormat(name.to_owned()))
    }
}

/// How data tables are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TablesFormat {
    /// Comma-separated values.
    Csv,
    /// One JSON object per table, each on its own line.
    Json,
}

/// The output for a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rendered {
    /// The output itself.
    pub text: String,
    /// Whether the page has no content.
    pub is_blank: bool,
    /// Parts that become separate files if the output is a folder: the data tables of a page.
    pub parts: Vec<String>,
}

/// Writes the content of pages in one format.
///
/// ```
/// use webstrata::{ExtractOptions, Page, label::Preset};
/// use webstrata_corpus::format::{PageFormat, PageWriter};
/// let extraction = ExtractOptions::from(Preset::KeepEverything).into();
/// let writer = PageWriter { format: PageFormat::Markdown, extraction, ..PageWriter::default() };
/// let page = Page::parse(b"<h1>Rain</h1><p>See <a href=/valley>the valley</a>.");
/// let written = writer.page("rain.html", Some("https://example.org/"), &page);
/// assert_eq!(written.text, "# Rain\n\nSee [the valley](https://example.org/valley).\n");
/// ```
#[derive(Clone, Debug, Default)]
pub struct PageWriter {
    /// The format.
    pub format: PageFormat,
    /// How content is extracted.
    pub extraction: Extraction,
    /// How links, images and tables are written in formats with markup.
    pub render: RenderOptions,
    /// Whether text, Markdown, HTML and JSON Lines include metadata; the other formats always do.
    pub with_metadata: bool,
    /// Writes metadata alone, in text and JSON.
    pub only: Option<MetadataFields>,
    /// Whether JSON Lines include all links.
    pub links: bool,
    /// Whether JSON Lines include all images.
    pub images: bool,
    /// Whether JSON Lines include all blocks with their reasons.
    pub explain: bool,
    /// The method whose segments are included in JSON. By default, JSON Lines have none, and JSON has those of strata.
    pub method: Option<Method>,
    /// Parameters of that method.
    pub segment: SegmentOptions,
    /// Writes the data tables of the content instead of its text.
    pub tables: Option<TablesFormat>,
}

/// A record as JSON.
#[must_use]
pub fn serialized(record: &PageRecord, pretty: bool) -> String {
    if pretty { record.to_json_pretty() + "\n" } else { record.to_json() + "\n" }
}

impl PageWriter {
    /// Writes a page named `id` that came from `url`.
    #[must_use]
    pub fn page(&self, id: &str, url: Option<&str>, page: &Page<'_>) -> Rendered {
        if let Some(tables) = self.tables {
            return self.tables(tables, id, url, page);
        }
        match self.format {
            PageFormat::Csv | PageFormat::Xml | PageFormat::Xmltei => self.with_parts(id, url, page),
            PageFormat::Json | PageFormat::Jsonl => {
                let record = self.record(id, url, page);
                let is_blank = record.text.as_ref().is_some_and(|text| text.trim().is_empty());
                Rendered { text: serialized(&record, self.format == PageFormat::Json), is_blank, ..Rendered::default() }
            }
            PageFormat::Text | PageFormat::Markdown | PageFormat::Html => self.document(url, page),
        }
    }

    /// The output for a page that failed, if any.
    #[must_use]
    pub fn failure(&self, id: &str, error: &str) -> Option<String> {
        let record = || PageRecord { text: Some(String::new()), ..PageRecord::failed(id, error) };
        self.format.is_json().then(|| serialized(&record(), self.format == PageFormat::Json))
    }

    fn metadata(url: Option<&str>, page: &Page<'_>) -> Metadata {
        page.metadata_with(&MetadataOptions::default().url(url))
    }

    /// Text, Markdown or clean HTML.
    fn document(&self, url: Option<&str>, page: &Page<'_>) -> Rendered {
        if let Some(only) = &self.only {
            let text = metadata::lines(&Self::metadata(url, page), only);
            return Rendered { is_blank: text.is_empty(), text, ..Rendered::default() };
        }
        let metadata = self.with_metadata.then(|| Self::metadata(url, page));
        let content = self.extraction.content(page, url, false);
        let render = || self.render.clone().base(url.map(str::to_owned));
        let body = match self.format {
            PageFormat::Html => content.html(&render()),
            PageFormat::Markdown => content.markdown(&render()),
            _ => content.text(),
        };
        let is_blank = body.trim().is_empty();
        if self.format == PageFormat::Html {
            return Rendered { text: html::document(page.title(), metadata.as_ref(), &body), is_blank, ..Rendered::default() };
        }
        let mut text = metadata.map(|metadata| front_matter(&metadata, url)).unwrap_or_default();
        text.push_str(if self.format == PageFormat::Markdown { body.trim_end() } else { &body });
        text.push('\n');
        Rendered { text, is_blank, ..Rendered::default() }
    }

    /// The data tables of a page.
    fn tables(&self, format: TablesFormat, id: &str, url: Option<&str>, page: &Page<'_>) -> Rendered {
        let content = self.extraction.content(page, url, false);
        let (text, parts) = match format {
            TablesFormat::Json => (tables::json(id, url, &content), Vec::new()),
            TablesFormat::Csv => {
                let parts = tables::csv(&content);
                (parts.join("\n"), parts)
            }
        };
        Rendered { is_blank: text.is_empty(), text, parts }
    }

    /// The page as a record: complete in `json`, with the requested fields in `jsonl`.
    #[must_use]
    pub fn record(&self, id: &str, url: Option<&str>, page: &Page<'_>) -> PageRecord {
        let all = self.format == PageFormat::Json;
        let method = self.method.or(all.then_some(Method::Strata));
        let options = RecordOptions::default()
            .id(id)
            .url(url)
            .metadata(all || self.with_metadata)
            .readability(all || self.with_metadata)
            .segments(method.map(|method| (method, self.segment)))
            .blocks(all || self.explain)
            .why(all || self.explain)
            .features(all)
            .links(all || self.links)
            .images(all || self.images);
        if let Some(only) = &self.only {
            let mut record = PageRecord::metadata_only(page, &options);
            if let MetadataFields::Fields(fields) = only {
                let names: Vec<&str> = fields.iter().map(|&name| if name == "author" { "authors" } else { name }).collect();
                record.metadata = record.metadata.map(|metadata| metadata.only(&names));
            }
            return record;
        }
        let content = self.extraction.content(page, url, options.needs_reasons());
        let mut record = PageRecord::new(page, &content, &options);
        if let Some(method) = self.extraction.method_name() {
            record.preset = Some(method.to_owned());
        }
        if let Some(readability) = &mut record.readability {
            let render = RenderOptions::default().base(url.map(str::to_owned)).images(true);
            readability.content = Some(content.html(&render));
        }
        record
    }

    /// The page as a CSV row or an XML document, with readers' comments separate from the content.
    fn with_parts(&self, id: &str, url: Option<&str>, page: &Page<'_>) -> Rendered {
        let metadata = Self::metadata(url, page);
        let mut content = self.extraction.content(page, url, false);
        let mut comments = Vec::new();
        // Methods without roles do not say whether a page has comments, so both selections are compared.
        if content.options().comments {
            let without = content.without_comments();
            comments = xml::comments(&content, &without);
            content = without;
        }
        let text = content.text();
        let fingerprint = format!("{:016x}", text_hash(&text));
        let is_blank = text.trim().is_empty() && comments.is_empty();
        let parts = PageParts { metadata: &metadata, url, id, fingerprint, comments };
        let document = || content.document(&self.render.clone().base(url.map(str::to_owned)));
        let text = match self.format {
            PageFormat::Xml => document().xml(&parts.xml_options()),
            PageFormat::Xmltei => document().tei(&parts.xml_options()),
            _ => csv::row(&parts, &text),
        };
        Rendered { text, is_blank, ..Rendered::default() }
    }
}
