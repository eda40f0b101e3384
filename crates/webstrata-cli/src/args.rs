//! What can be typed.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use webstrata::label::Preset;
use webstrata::segment::{Method, RuleSet};

const EXIT_CODES: &str = "Exit codes: 0 all pages came out; 1 some pages failed (they are named on standard error); \
2 the command could not be carried out as given; 3 not one page came out.";

const EXTRACT_HELP: &str = "\
Examples:
  webstrata extract page.html                       clean text on standard output
  webstrata extract --format jsonl a.html b.html    one JSON object a page, in this order
  webstrata extract --format markdown --base-url https://example.org/a/ page.html
  find . -name '*.html' | webstrata extract --files-from - -o texts
  webstrata extract --format jsonl --explain page.html    every block with its verdict and the reason

Presets: article (the default) and article-sentences for news and blogs; default, largest-content, canola and
num-words-rules for any page; keep-everything and keep-everything-with-min-k-words[=K] for all text; and the classifiers of
the papers: density-rules, min-words[=K], density-min, 1r, main-content, feature-extractor, k-feature-extractor.

Exit codes: 0 all pages came out; 1 some pages failed (they are named on standard error);
2 the command could not be carried out as given; 3 not one page came out.";

const SEGMENT_HELP: &str = "\
Examples:
  webstrata segment page.html                                  segments by rule-based Block Fusion
  webstrata segment --method just-rules --rules paper a.html b.html
  webstrata segment --files-from pages.txt -o segments

A line is {\"id\", \"method\", \"segments\": [{\"spans\": [[start, end], …], \"text\", \"role\", \"score\", \"why\", …}], …}. Spans are byte
ranges in the input; where `transcoded` is true (the input was not UTF-8) they are byte ranges in its UTF-8 transcoding.

Exit codes: 0 all pages came out; 1 some pages failed (they are named on standard error);
2 the command could not be carried out as given; 3 not one page came out.";

/// Finds the strata of Web pages: clean text and labelled segments, traced to the byte.
#[derive(Debug, Parser)]
#[command(name = "webstrata", version, about, after_help = EXIT_CODES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Main content of pages, as text or JSON lines
    Extract(ExtractArgs),
    /// Segments of pages with role, reason and byte ranges, as JSON lines
    Segment(SegmentArgs),
}

#[derive(Debug, Args)]
#[command(after_help = EXTRACT_HELP)]
pub(crate) struct ExtractArgs {
    /// What to write
    #[arg(long, value_enum, default_value_t = ExtractFormat::Text)]
    pub(crate) format: ExtractFormat,
    /// Method that decides what is content
    #[arg(long, default_value_t = Preset::Article)]
    pub(crate) preset: Preset,
    /// With what the page says about itself: title, authors, dates, each with its source (jsonl only)
    #[arg(long)]
    pub(crate) with_metadata: bool,
    /// Address of the page, against which links and images are resolved (Markdown and metadata only)
    #[arg(long, value_name = "URL")]
    pub(crate) base_url: Option<String>,
    /// Leave the targets of links out (Markdown only)
    #[arg(long)]
    pub(crate) no_links: bool,
    /// Keep images (Markdown only)
    #[arg(long)]
    pub(crate) images: bool,
    /// With every block, its verdict and why (jsonl only)
    #[arg(long)]
    pub(crate) explain: bool,
    #[command(flatten)]
    pub(crate) pages: PageArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExtractFormat {
    /// Plain text; pages are separated by an empty line
    Text,
    /// Markdown (CommonMark with tables, footnotes and strikethrough); pages are separated by an empty line
    Markdown,
    /// One JSON object a page
    Jsonl,
}

#[derive(Debug, Args)]
#[command(after_help = SEGMENT_HELP)]
pub(crate) struct SegmentArgs {
    /// Method: wordwrap taggap bf-plain bf-smoothed bf-rulebased just-rules getblockset
    #[arg(long, default_value_t = Method::BfRulebased)]
    pub(crate) method: Method,
    /// Tags that force or forbid a gap: those of the papers (2008), or those and what HTML has become since
    #[arg(long, default_value = "html5", value_name = "paper|html5")]
    pub(crate) rules: RuleSet,
    /// What to write
    #[arg(long, value_enum, default_value_t = SegmentFormat::Jsonl)]
    pub(crate) format: SegmentFormat,
    #[command(flatten)]
    pub(crate) pages: PageArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SegmentFormat {
    /// One JSON object a page
    Jsonl,
}

/// What `extract` and `segment` share.
#[derive(Debug, Args)]
pub(crate) struct PageArgs {
    /// Pages; `-` is standard input
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Read the names of pages from a file, one a line; `-` is standard input
    #[arg(long, value_name = "FILE|-")]
    pub(crate) files_from: Option<PathBuf>,
    /// Write one file a page into this folder, which keeps the structure of the names, instead of standard output
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
    /// Threads; 0 is one a core
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub(crate) threads: usize,
    /// Encoding of all pages (a label such as utf-8 or shift_jis), whatever they say themselves
    #[arg(long, value_name = "LABEL")]
    pub(crate) encoding: Option<String>,
    /// Read at most so many bytes of a page
    #[arg(long, value_name = "BYTES", default_value_t = webstrata::Limits::default().bytes)]
    pub(crate) max_bytes: usize,
    /// Count the text of noscript elements
    #[arg(long)]
    pub(crate) noscript: bool,
}
