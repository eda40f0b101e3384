//! Options of `extract`.

use super::PageArgs;
use super::content::ContentArgs;
use clap::{Args, ValueEnum};
use webstrata::content::MarkdownTables;
use webstrata::segment::Method;
use webstrata_corpus::format::{self, MetadataFields, PageFormat};

const HELP: &str = "\
Examples:
  webstrata extract page.html                              clean text on standard output
  webstrata extract --format jsonl crawl > pages.jsonl     a folder: one object per page
  webstrata extract --format jsonl crawl.warc.gz           the pages of a WARC file
  webstrata extract --format markdown --base-url https://example.org/a/ page.html
  webstrata extract --format markdown crawl -o texts       one file per page, same folder structure
  webstrata extract https://example.org/                   fetched, if robots.txt allows it
  webstrata extract --urls-from list.txt --save-warc pages.warc.gz --format jsonl
  curl https://example.org/ | webstrata extract            standard input
  find . -name '*.html' -print0 | webstrata extract --files-from - -o texts
  webstrata extract --only title,author,date page.html     metadata only
  webstrata extract --exclude .ad --include '#steps' page.html
  webstrata extract --tables csv page.html -o tables       the data tables: tables/page/1.csv, …
  webstrata extract --format jsonl --explain page.html     every block with its verdict and reason
  webstrata extract --model mine.model page.html           with your own model

Presets: strata (the default) for all kinds of pages; article and article-sentences for news and
blogs by rules alone; boilerpipe-default, largest-content, canola and num-words-rules for any page;
keep-everything and keep-everything-with-min-k-words[=K] for all text; and the classifiers of the
papers: density-rules, density-largest-content, density-main-content, main-content, min-words[=K],
density-min, 1r, feature-extractor, k-feature-extractor, l-extractor, density-above[=D], bte. With
--verdicts-only they are as published. With --site also content-extractor, lin-ho, lin-ho-tables,
content-extractor-places, shingling and fingerprints.

Exit codes: 0 success; 1 some pages failed (they are named on standard error); 2 the command
cannot be executed as given; 3 no content found, or no page could be read; 130 interrupted, 143
terminated by SIGTERM.";

#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct ExtractArgs {
    /// Output format
    #[arg(long, value_enum, default_value_t = ExtractFormat::Text)]
    pub(crate) format: ExtractFormat,
    #[command(flatten)]
    pub(crate) content: ContentArgs,
    /// Include metadata: title, authors, dates and more
    ///
    /// Text and Markdown get a YAML block before the content, HTML gets it in its head, and JSON an object that names the source of
    /// each value. CSV, XML and TEI always include it.
    #[arg(long)]
    pub(crate) with_metadata: bool,
    /// Write metadata only: `metadata` for all, or fields such as title,author,date (text, json, jsonl)
    #[arg(long, value_name = "FIELD,…", conflicts_with_all = ["with_metadata", "explain"])]
    pub(crate) only: Option<MetadataFields>,
    /// Include all links with text, target, rel and position (jsonl; json always has them; markdown, html, xml and xmltei keep
    /// links in place)
    #[arg(long, conflicts_with = "no_links")]
    pub(crate) links: bool,
    /// Leave out link targets (markdown, html, xml, xmltei)
    #[arg(long)]
    pub(crate) no_links: bool,
    /// Keep images (markdown, html, xml, xmltei), or include all images with address, alt, caption and position (jsonl; json always has them)
    #[arg(long)]
    pub(crate) images: bool,
    /// How tables are written in Markdown
    #[arg(long, value_enum, value_name = "FORM", default_value_t = TableForm::Auto)]
    pub(crate) markdown_tables: TableForm,
    /// Write the data tables of the content instead of its text
    ///
    /// A cell that spans rows or columns is repeated in all of them. `json` has one object per table, each on its own line, with
    /// caption, header rows, rows, byte range and path. `csv` has the rows, header rows first; with -o, every page gets a folder
    /// with 1.csv, 2.csv and so on; on standard output, tables are separated by an empty line. Values are quoted where RFC 4180
    /// requires it and otherwise left unchanged.
    #[arg(long, value_enum, value_name = "FORMAT", conflicts_with_all = ["format", "only", "with_metadata", "links", "images", "explain", "method", "markdown_tables"])]
    pub(crate) tables: Option<TablesFormat>,
    /// Include every block with its verdict and reason (jsonl; json always has them)
    #[arg(long)]
    pub(crate) explain: bool,
    /// Include the segments of this method (jsonl; json has those of strata by default)
    #[arg(long, value_name = "METHOD")]
    pub(crate) method: Option<Method>,
    #[command(flatten)]
    pub(crate) pages: PageArgs,
    #[cfg(feature = "serve")]
    #[command(flatten)]
    pub(crate) fetch: super::fetch::FetchArgs,
}

/// How tables are written in Markdown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableForm {
    /// As a pipe table if every cell is a line of text, otherwise as HTML
    Auto,
    /// Always as a pipe table (GitHub Flavored Markdown)
    Gfm,
    /// Always as clean HTML, with spans, header cells and captions
    Html,
}

impl From<TableForm> for MarkdownTables {
    fn from(form: TableForm) -> Self {
        match form {
            TableForm::Auto => MarkdownTables::Auto,
            TableForm::Gfm => MarkdownTables::Gfm,
            TableForm::Html => MarkdownTables::Html,
        }
    }
}

/// How data tables are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TablesFormat {
    /// Comma-separated values
    Csv,
    /// One JSON object per table, each on its own line
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExtractFormat {
    /// Plain text; pages are separated by an empty line
    #[value(alias = "txt")]
    Text,
    /// Markdown (CommonMark with tables, footnotes and strikethrough); pages are separated by an empty line
    #[value(alias = "md")]
    Markdown,
    /// Clean HTML: a document that runs nothing and, images aside, loads nothing
    Html,
    /// One JSON object with everything (segments, blocks, features, links), or an array if there may be several pages
    Json,
    /// One JSON object per page, each on its own line, with the parts requested
    Jsonl,
    /// One row per page, after a header: text and metadata (RFC 4180)
    Csv,
    /// XML: metadata as attributes of `doc`, the content in `main`, readers' comments in `comments`
    Xml,
    /// XML as the Text Encoding Initiative defines it (TEI P5)
    #[value(alias = "tei")]
    Xmltei,
}

impl From<TablesFormat> for format::TablesFormat {
    fn from(format: TablesFormat) -> Self {
        match format {
            TablesFormat::Csv => format::TablesFormat::Csv,
            TablesFormat::Json => format::TablesFormat::Json,
        }
    }
}

impl From<ExtractFormat> for PageFormat {
    fn from(format: ExtractFormat) -> Self {
        match format {
            ExtractFormat::Text => PageFormat::Text,
            ExtractFormat::Markdown => PageFormat::Markdown,
            ExtractFormat::Html => PageFormat::Html,
            ExtractFormat::Json => PageFormat::Json,
            ExtractFormat::Jsonl => PageFormat::Jsonl,
            ExtractFormat::Csv => PageFormat::Csv,
            ExtractFormat::Xml => PageFormat::Xml,
            ExtractFormat::Xmltei => PageFormat::Xmltei,
        }
    }
}
