//! Options of `extract`.

use super::{Only, PageArgs};
use clap::{Args, ValueEnum, ValueHint};
use std::path::PathBuf;
use webstrata::html::{Selector, SelectorError};
use webstrata::label::Preset;
use webstrata::segment::Method;

const HELP: &str = "\
Examples:
  webstrata extract page.html                              clean text on standard output
  webstrata extract --format jsonl crawl > pages.jsonl     a folder; one JSON object a page, in the order of names
  webstrata extract --format markdown --base-url https://example.org/a/ page.html
  webstrata extract --format markdown crawl -o texts       one file a page, in the same structure
  find . -name '*.html' | webstrata extract --files-from - -o texts
  webstrata extract --only title,author,date page.html     what the page says about itself
  webstrata extract --exclude .ad --include '#steps' page.html
  webstrata extract --format jsonl --explain page.html     every block with its verdict and the reason
  webstrata extract --model mine.model page.html           with your own model (see `webstrata-lab train`)

Presets: strata (the default) for all kinds of pages; article and article-sentences for news and
blogs by rules alone; boilerpipe-default, largest-content, canola and num-words-rules for any page;
keep-everything and keep-everything-with-min-k-words[=K] for all text; and the classifiers of the
papers: density-rules, density-largest-content, density-main-content, main-content, min-words[=K],
density-min, 1r, feature-extractor, k-feature-extractor.

Exit codes: 0 all pages came out; 1 some pages failed (they are named on standard error);
2 the command could not be carried out as given; 3 not one page came out;
130 it was interrupted (143: asked to end).";

#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct ExtractArgs {
    /// What to write
    #[arg(long, value_enum, default_value_t = ExtractFormat::Text)]
    pub(crate) format: ExtractFormat,
    /// Method that decides what is content
    #[arg(long, default_value_t = Preset::Strata, help_heading = "Content")]
    pub(crate) preset: Preset,
    /// Use a trained model instead of a preset (see `webstrata-lab train`)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Content", conflicts_with = "preset")]
    pub(crate) model: Option<PathBuf>,
    /// Less, and surer to be content
    #[arg(long, help_heading = "Content", conflicts_with = "recall")]
    pub(crate) precision: bool,
    /// More, at the risk of what is not content
    #[arg(long, help_heading = "Content")]
    pub(crate) recall: bool,
    /// Leave comments of readers out
    #[arg(long, help_heading = "Content")]
    pub(crate) no_comments: bool,
    /// Leave tables of data out; tables that lay a page out are none
    #[arg(long, help_heading = "Content")]
    pub(crate) no_tables: bool,
    /// Text in elements that match this CSS selector is content, whatever the method says; may be given again
    #[arg(long, value_name = "SELECTOR", value_parser = selector, help_heading = "Content")]
    pub(crate) include: Vec<Selector>,
    /// Text in elements that match is not content, whatever else is said; may be given again
    #[arg(long, value_name = "SELECTOR", value_parser = selector, help_heading = "Content")]
    pub(crate) exclude: Vec<Selector>,
    /// Text in elements that match is content, and no other is; may be given again
    #[arg(long, value_name = "SELECTOR", value_parser = selector, help_heading = "Content")]
    pub(crate) only_in: Vec<Selector>,
    /// Rules for sites (TOML): preset, mode and selectors by host
    ///
    /// The host is that of the page's address (--base-url, or the list of --files-from), or else of the address that the page
    /// names as its own. A rule is a table such as [site."*.example.org"] with the keys only, include, exclude, preset,
    /// mode, comments and tables. What is typed comes before it, and selectors add up.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Content")]
    pub(crate) site_rules: Option<PathBuf>,
    /// With what the page says about itself: title, authors, dates
    ///
    /// Text and Markdown have it as a block of YAML before the content, HTML in its head, JSON as an object in which each value has
    /// its source.
    #[arg(long)]
    pub(crate) with_metadata: bool,
    /// Only what the page says about itself: `metadata`, or fields such as title,author,date (text, json and jsonl)
    #[arg(long, value_name = "FIELD,…", conflicts_with_all = ["with_metadata", "explain"])]
    pub(crate) only: Option<Only>,
    /// With all links: text, target, rel, where they stand (jsonl; json has them, and markdown and html keep links)
    #[arg(long, conflicts_with = "no_links")]
    pub(crate) links: bool,
    /// Leave the targets of links out (markdown, html)
    #[arg(long)]
    pub(crate) no_links: bool,
    /// Keep images (markdown, html), or with all images: address, alt, caption, where they stand (jsonl; json has them)
    #[arg(long)]
    pub(crate) images: bool,
    /// With every block, its verdict and why (jsonl; json has them)
    #[arg(long)]
    pub(crate) explain: bool,
    /// With the segments that this method finds (jsonl; json has those of bf-rulebased)
    #[arg(long, value_name = "METHOD")]
    pub(crate) method: Option<Method>,
    #[command(flatten)]
    pub(crate) pages: PageArgs,
}

/// The message of the error names the selector, which clap does too.
fn selector(text: &str) -> Result<Selector, SelectorError> {
    Selector::parse(text)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExtractFormat {
    /// Plain text; pages are separated by an empty line
    Text,
    /// Markdown (CommonMark with tables, footnotes and strikethrough); pages are separated by an empty line
    Markdown,
    /// Clean HTML: a document with nothing in it that could run or load, images apart
    Html,
    /// One JSON object with all there is to say (segments, blocks, features, links), or an array of them if there may be several pages
    Json,
    /// One JSON object a page, each on a line, with what is asked for
    Jsonl,
}
