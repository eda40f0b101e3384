//! Options of `site`.

use super::input::InputArgs;
use super::limits::{ExecutionArgs, LimitArgs};
use clap::{Args, ValueHint};
use std::path::PathBuf;
use webstrata::segment::RuleSet;

const HELP: &str = "\
Examples:
  webstrata site crawl.warc.gz --out sites/                    evidence about each site of a crawl
  webstrata site pages/ --name example.org --report --out ex/  pages without addresses as one site, with a report
  webstrata site crawl/*.warc.gz --by-design --cache-savings --out sites/
  webstrata run crawl.warc.gz --site-evidence sites/evidence --out corpus/
  webstrata segment --method som --site sites/ page.html       a page's segments with their classes
  webstrata extract --preset content-extractor --site sites/ --base-url https://example.org/ page.html
  webstrata site new.warc.gz --add-to sites/ --out sites-2/    more pages of the same sites

The folder contains `sites.jsonl`, one line per site; for each site with at least two pages sites/ex/example.org.json, with its
segment classes (their position, on how many pages they occur, how constant their text is, which are templates), and .html with
--report; `evidence` (each site's tree and template, for --site-evidence and --method som), `samples` (some pages of each site with
their blocks), `fingerprints` (how often each segment occurs in the whole input) and `learned.json`, for --site.
A site is a registrable domain (example.co.uk). Pages are read once; memory does not grow with their number.

A killed command resumes when it is run again, with the same result.

Exit codes: 0 success; 1 some pages failed (they are named on standard error); 2 the command
cannot be executed as given; 3 no content found, or no page could be read; 130 interrupted, 143
terminated by SIGTERM.";

#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct SiteArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// Output folder
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = "Output")]
    pub(crate) out: PathBuf,
    /// Site name for pages without an address
    #[arg(long, value_name = "SITE", default_value = "unnamed")]
    pub(crate) name: String,
    /// Group the pages of a site by design first, and learn each design separately
    #[arg(long)]
    pub(crate) by_design: bool,
    /// Report what storing every block once would save
    #[arg(long)]
    pub(crate) cache_savings: bool,
    /// Continue from an earlier output folder DIR, without reading its pages again
    ///
    /// DIR is only read; the result is in --out. Sites with a single page in DIR start over.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, conflicts_with_all = ["by_design", "cache_savings"])]
    pub(crate) add_to: Option<PathBuf>,
    /// Tags that divide pages into blocks and segments: those of the papers (2005, 2008), or these plus newer HTML tags
    #[arg(long, default_value = "html5", value_name = "paper|html5", help_heading = "Blocks")]
    pub(crate) rules: RuleSet,
    /// Keep the shingles of elements, for --preset shingling
    #[arg(long, help_heading = "Blocks")]
    pub(crate) shingles: bool,
    /// Write an HTML report for each site: the merged tree with its classes
    #[arg(long, help_heading = "Output")]
    pub(crate) report: bool,
    /// Number of levels within which nested parts with text form one class [default: 6]
    #[arg(long, value_name = "N", help_heading = "Tree")]
    pub(crate) alpha: Option<u32>,
    /// Minimum number of pages on which a child of an element must occur for its children to be classes of their own [default: a
    /// fifth of the site's pages; 8 with --paper]
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
