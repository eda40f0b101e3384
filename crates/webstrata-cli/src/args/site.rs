//! Options of `site`.

use super::input::InputArgs;
use super::limits::{ExecutionArgs, LimitArgs};
use clap::{Args, ValueHint};
use std::path::PathBuf;

const HELP: &str = "\
Examples:
  webstrata site crawl.warc.gz --out sites/                    evidence about each site of a crawl
  webstrata site pages/ --name example.org --report --out ex/  pages without addresses as one site, with a report
  webstrata site crawl/*.warc.gz --by-design --cache-savings --out sites/
  webstrata run crawl.warc.gz --site-evidence sites/evidence --out corpus/

The folder contains `evidence`, for --site-evidence; `sites.jsonl`, one line per site; and for each site with at least two pages
sites/ex/example.org.json, with its segment classes (their position, on how many pages they occur, how constant their text is, which
are templates), and .html with --report.
A site is a registrable domain (example.co.uk). Pages are read once; memory does not grow with their number.

A killed command resumes when it is run again, with the same result.

Exit codes: 0 success; 1 some pages failed (they are named on standard error); 2 the command
cannot be executed as given; 3 no content found; 130 interrupted, 143 terminated by SIGTERM.";

#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct SiteArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// Output folder
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = "Output")]
    pub(crate) out: PathBuf,
    /// Name of the site of pages without an address
    #[arg(long, value_name = "SITE", default_value = "unnamed")]
    pub(crate) name: String,
    /// Group the pages of a site by design first, and learn each design separately
    #[arg(long)]
    pub(crate) by_design: bool,
    /// Compute what storing every block once would save
    #[arg(long)]
    pub(crate) cache_savings: bool,
    /// Write an HTML report for each site: the merged tree with its classes
    #[arg(long, help_heading = "Output")]
    pub(crate) report: bool,
    /// Levels within which nested parts with text are one class
    #[arg(long, value_name = "N", default_value_t = 6, help_heading = "Tree")]
    pub(crate) alpha: u32,
    /// Pages on which a child of an element must occur for its children to be classes of their own [default: a fifth of the
    /// site's pages; 8 with --paper]
    #[arg(long, value_name = "N", help_heading = "Tree")]
    pub(crate) beta: Option<u32>,
    /// Prune exactly as the paper does
    ///
    /// Text then absorbs all text less than --alpha levels below it. By default, only text that occurs on half of the pages does,
    /// so that one careless page does not merge what the others keep apart.
    #[arg(long, help_heading = "Tree")]
    pub(crate) paper: bool,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[command(flatten)]
    pub(crate) execution: ExecutionArgs,
}
