//! Options of `segment`.

use super::{ContentArgs, PageArgs};
use clap::{Args, ValueEnum, ValueHint};
use std::path::PathBuf;
use std::str::FromStr;
use webstrata::segment::{Granularity, Method, UnknownMethod};

const HELP: &str = "\
Examples:
  webstrata segment page.html                                  by the learned method, strata
  webstrata segment --format text page.html                    for reading in a terminal
  webstrata segment --method just-rules --rules paper a.html b.html
  webstrata segment --method all --theta 0.5 page.html         one line per method
  webstrata segment crawl.warc.gz -o segments.jsonl
  webstrata segment --method som --site sites/ page.html       by its site's tree (`webstrata site`)
  webstrata segment --method bf-rulebased --method bf-plain --report report.html page.html
  webstrata segment --screenshot page.png saved/page.html      segments drawn on a screenshot

A line of jsonl is {\"id\", \"method\", \"segments\": [{\"spans\": [[start, end], …], \"text\", \"role\", \"score\", \"why\", …}], …}.
Spans are byte ranges in the page; if `transcoded` is true (the page was not UTF-8), they are byte ranges in its UTF-8
transcoding.

Exit codes: 0 success; 1 some pages failed (they are named on standard error); 2 the command
cannot be executed as given; 3 no content found, or no page could be read; 130 interrupted, 143
terminated by SIGTERM.";

#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct SegmentArgs {
    /// Output format
    #[arg(long, value_enum, default_value_t = SegmentFormat::Jsonl)]
    pub(crate) format: SegmentFormat,
    /// Segmentation method: strata bf-rulebased bf-plain bf-smoothed bf-smoothed-low just-rules taggap wordwrap getblockset gcuts
    /// gcuts-np gcuts-nl cclus cclus-nl, som with --site, or all of them; repeatable
    ///
    /// With several methods, jsonl has one line per page and method.
    #[arg(long, default_value = Method::Strata.name())]
    pub(crate) method: Vec<Methods>,
    /// Granularity of the method strata: the main parts of a page, the blocks a person would outline, or a number from 0 (one
    /// segment) to 1 (cut wherever possible)
    #[arg(long, default_value = "fine", value_name = "coarse|fine|0..1")]
    pub(crate) granularity: Granularity,
    /// Graph cuts and clusters: cost of separating text, 0 to 100 (cclus: 0 to 1); higher means fewer segments [default: as learned]
    #[arg(long, value_name = "LAMBDA", value_parser = lambda)]
    pub(crate) lambda: Option<f64>,
    /// Write an HTML report instead: densities, gaps and segments of all given methods
    ///
    /// FILE may be a folder, as for -o; for several pages, a folder of reports is written.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with_all = ["format", "out"])]
    pub(crate) report: Option<PathBuf>,
    /// Layout of the page, for methods that use one, and for the report [default: none; chromium with --screenshot]
    ///
    /// chromium renders the page in a headless Chromium without network and scripts. Style sheets, images and fonts are used if
    /// they are files in the folder of the page or below it. WEBSTRATA_BROWSER names a program to use instead of the one on the PATH.
    #[cfg(feature = "layout")]
    #[arg(long, value_enum, value_name = "NAME", help_heading = "Layout")]
    pub(crate) layout: Option<LayoutName>,
    /// Draw the segments on a screenshot of the page (PNG), each with its number and a frame in the colour of its role
    ///
    /// The numbers are those of --format text, and the positions in json. Requires a single page and a single method.
    #[cfg(feature = "layout")]
    #[arg(long, value_name = "FILE", help_heading = "Layout", value_hint = ValueHint::FilePath)]
    pub(crate) screenshot: Option<PathBuf>,
    /// som: number of levels within which nested parts with text form one class [default: 6]
    #[arg(long, value_name = "N", help_heading = "Site")]
    pub(crate) alpha: Option<u32>,
    /// som: minimum number of pages on which a child of an element must occur for its children to be classes of their own
    /// [default: a fifth of the site's pages; 8 with --paper]
    #[arg(long, value_name = "N", help_heading = "Site")]
    pub(crate) beta: Option<u32>,
    /// som: prune the tree exactly as the paper does (see `webstrata site --help`)
    #[arg(long, help_heading = "Site")]
    pub(crate) paper: bool,
    #[command(flatten)]
    pub(crate) content: ContentArgs,
    #[command(flatten)]
    pub(crate) pages: PageArgs,
}

fn lambda(text: &str) -> Result<f64, String> {
    let lambda = text.parse::<f64>().ok().filter(|lambda| (0.0..=100.0).contains(lambda));
    lambda.ok_or_else(|| "give a number from 0 (one segment per line) to 100 (few segments)".to_owned())
}

/// A segmentation method: one that needs only the page, or the SOM tree of its site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MethodName {
    Page(Method),
    Som,
}

impl MethodName {
    pub(crate) fn name(self) -> &'static str {
        match self {
            MethodName::Page(method) => method.name(),
            MethodName::Som => "som",
        }
    }
}

/// A value of `--method`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Methods {
    One(MethodName),
    /// All methods, including som if there is a site.
    All,
}

impl FromStr for Methods {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let page = |name: &str| name.parse().map(|method| Methods::One(MethodName::Page(method)));
        match name {
            "all" => Ok(Methods::All),
            "som" => Ok(Methods::One(MethodName::Som)),
            _ => page(name).map_err(|error: UnknownMethod| format!("{error}, som with --site, or all")),
        }
    }
}

/// Source of a layout.
#[cfg(feature = "layout")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LayoutName {
    /// A headless Chromium
    Chromium,
    /// No layout: methods use text and tags alone
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SegmentFormat {
    /// Human-readable: each segment with its role, reason and text
    #[value(alias = "txt")]
    Text,
    /// One JSON object, or an array if there may be several pages
    Json,
    /// One JSON object per page, each on its own line
    Jsonl,
}
