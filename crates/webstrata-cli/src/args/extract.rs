//! Options of `extract`.

use super::{Only, PageArgs};
use clap::{Args, ValueEnum, ValueHint};
use std::path::PathBuf;
use webstrata::html::{Selector, SelectorError};
use webstrata::label::{Preset, RoleSet, UnknownRole};
use webstrata::segment::Method;

const HELP: &str = "\
Examples:
  webstrata extract page.html                              clean text on standard output
  webstrata extract --format jsonl crawl > pages.jsonl     a folder: one JSON object per page, in the order of names
  webstrata extract --format jsonl crawl.warc.gz           the pages of a WARC file
  webstrata extract --format markdown --base-url https://example.org/a/ page.html
  webstrata extract --format markdown crawl -o texts       one file per page, in the same structure
  curl https://example.org/ | webstrata extract            standard input
  find . -name '*.html' -print0 | webstrata extract --files-from - -o texts
  webstrata extract --only title,author,date page.html     metadata only
  webstrata extract --exclude .ad --include '#steps' page.html
  webstrata extract --format jsonl --explain page.html     every block with its verdict and the reason
  webstrata extract --model mine.model page.html           with your own model (see `webstrata-lab train`)

Presets: strata (the default) for all kinds of pages; article and article-sentences for news and
blogs by rules alone; boilerpipe-default, largest-content, canola and num-words-rules for any page;
keep-everything and keep-everything-with-min-k-words[=K] for all text; and the classifiers of the
papers: density-rules, density-largest-content, density-main-content, main-content, min-words[=K],
density-min, 1r, feature-extractor, k-feature-extractor.

Exit codes: 0 success; 1 some pages failed (they are named on standard error); 2 the command
cannot be executed as given; 3 no content found; 130 interrupted, 143 terminated by SIGTERM.";

#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct ExtractArgs {
    /// Output format
    #[arg(long, value_enum, default_value_t = ExtractFormat::Text)]
    pub(crate) format: ExtractFormat,
    /// Method that decides what is content
    #[arg(long, default_value_t = Preset::Strata, help_heading = "Content")]
    pub(crate) preset: Preset,
    /// Use a trained model instead of a preset (see `webstrata-lab train`)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Content", conflicts_with = "preset")]
    pub(crate) model: Option<PathBuf>,
    /// Favour precision: less text, more certainly content
    #[arg(long, help_heading = "Content", conflicts_with = "recall")]
    pub(crate) precision: bool,
    /// Favour recall: more text, at the risk of boilerplate
    #[arg(long, help_heading = "Content")]
    pub(crate) recall: bool,
    /// Leave out readers' comments
    #[arg(long, help_heading = "Content")]
    pub(crate) no_comments: bool,
    /// Leave out data tables; layout tables are not affected
    #[arg(long, help_heading = "Content")]
    pub(crate) no_tables: bool,
    /// Leave out the page's headline, which text, Markdown and HTML otherwise begin with
    #[arg(long, help_heading = "Content")]
    pub(crate) no_title: bool,
    /// Keep blocks with these roles inside and next to the content, such as caption,credit,byline
    ///
    /// Roles are those of --explain. Captions and credits of pictures and bylines are left out by default; with --images, captions
    /// and credits stay with their pictures in Markdown and HTML.
    #[arg(long, value_name = "ROLE,…", value_parser = roles, default_value_t, hide_default_value = true, help_heading = "Content")]
    pub(crate) keep_roles: RoleSet,
    /// Leave out blocks with these roles, such as heading,table
    #[arg(long, value_name = "ROLE,…", value_parser = roles, default_value_t, hide_default_value = true, help_heading = "Content")]
    pub(crate) drop_roles: RoleSet,
    /// Keep text inside elements matching this CSS selector, whatever the method decides; repeatable
    #[arg(long, value_name = "SELECTOR", value_parser = selector, help_heading = "Content")]
    pub(crate) include: Vec<Selector>,
    /// Leave out text inside elements matching this selector; takes precedence; repeatable
    #[arg(long, value_name = "SELECTOR", value_parser = selector, help_heading = "Content")]
    pub(crate) exclude: Vec<Selector>,
    /// Keep only text inside elements matching this selector; repeatable
    #[arg(long, value_name = "SELECTOR", value_parser = selector, help_heading = "Content")]
    pub(crate) only_in: Vec<Selector>,
    /// Rules for sites (TOML): preset, mode and selectors by host
    ///
    /// The host is that of the page's address (from the input or --base-url), or else of its canonical address. A rule is a table
    /// such as [site."*.example.org"] with the keys only, include, exclude, preset, mode, comments and tables. Options on the
    /// command line take precedence; selectors are combined.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Content")]
    pub(crate) site_rules: Option<PathBuf>,
    /// Include metadata: title, authors, dates and more
    ///
    /// Text and Markdown have it as a YAML block before the content, HTML in its head, JSON as an object that names the source of
    /// each value.
    #[arg(long)]
    pub(crate) with_metadata: bool,
    /// Write metadata only: `metadata` for all, or fields such as title,author,date (text, json, jsonl)
    #[arg(long, value_name = "FIELD,…", conflicts_with_all = ["with_metadata", "explain"])]
    pub(crate) only: Option<Only>,
    /// Include all links with text, target, rel and position (jsonl; json always has them, markdown and html keep links)
    #[arg(long, conflicts_with = "no_links")]
    pub(crate) links: bool,
    /// Leave out link targets (markdown, html)
    #[arg(long)]
    pub(crate) no_links: bool,
    /// Keep images (markdown, html), or include all images with address, alt, caption and position (jsonl; json always has them)
    #[arg(long)]
    pub(crate) images: bool,
    /// Include every block with its verdict and reason (jsonl; json always has them)
    #[arg(long)]
    pub(crate) explain: bool,
    /// Include the segments of this method (jsonl; json has those of strata by default)
    #[arg(long, value_name = "METHOD")]
    pub(crate) method: Option<Method>,
    #[command(flatten)]
    pub(crate) pages: PageArgs,
}

/// A function of its own, so that clap does not repeat the selector in the message.
fn selector(text: &str) -> Result<Selector, SelectorError> {
    Selector::parse(text)
}

/// The same for roles.
fn roles(text: &str) -> Result<RoleSet, UnknownRole> {
    text.parse()
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
    /// One JSON object per page, each on its own line, with what is requested
    Jsonl,
}
