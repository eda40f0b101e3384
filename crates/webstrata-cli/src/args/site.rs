//! Options of `site`.

use super::When;
use clap::{Args, ValueHint};
use std::path::PathBuf;

const HELP: &str = "\
Examples:
  webstrata site crawl.warc.gz --out sites/                    what is known of each site of a crawl
  webstrata site pages/ --name example.org --report --out ex/  pages without addresses, as one site, with a picture of its tree
  webstrata site crawl/*.warc.gz --by-design --cache-savings --out sites/
  webstrata run crawl.warc.gz --site-evidence sites/evidence --out corpus/

What is in the folder: `evidence`, for --site-evidence; SITE.json for each site, with its segment classes (where they stand, on how
many pages, how constant their text is, which are template); SITE.html with --report; `sites.jsonl`, a line a site. A site is a
registrable domain (example.co.uk). Pages are read once; memory does not grow with their number.

Killed at any moment, the same command goes on where it was, and what comes out is the same.

Exit codes: 0 all pages were read; 1 some records were broken (they are named on standard error);
2 the command could not be carried out as given; 3 not one page could be read.";

#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct SiteArgs {
    /// WARC files (also .gz and .zst), folders, JSON Lines, Parquet or HTML files
    #[arg(value_name = "INPUT", required = true, value_hint = ValueHint::AnyPath)]
    pub(crate) inputs: Vec<PathBuf>,
    /// Folder for what is found; made if it is not there
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) out: PathBuf,
    /// Name of the site of pages that have no address
    #[arg(long, value_name = "SITE", default_value = "unnamed")]
    pub(crate) name: String,
    /// Group pages by design first, by what their elements are, and make a tree for each design
    #[arg(long)]
    pub(crate) by_design: bool,
    /// Work out what storing every block once would save
    #[arg(long)]
    pub(crate) cache_savings: bool,
    /// Write a page for a browser for each site: the merged tree with its classes
    #[arg(long)]
    pub(crate) report: bool,
    /// Levels below which two parts with text, one inside the other, are one class
    #[arg(long, value_name = "N", default_value_t = 6, help_heading = "Tree")]
    pub(crate) alpha: u32,
    /// Pages that one child of an element must be on for its children to be classes of their own [default: a fifth of the site's
    /// pages; 8 with --paper]
    #[arg(long, value_name = "N", help_heading = "Tree")]
    pub(crate) beta: Option<u32>,
    /// Prune by the letter of the paper
    ///
    /// Then text anywhere takes in all text less than --alpha levels below it. Without it, only text that is there on half of the
    /// pages does, so that one careless page does not join what the others keep apart.
    #[arg(long, help_heading = "Tree")]
    pub(crate) paper: bool,
    /// The field of JSON Lines and Parquet that holds the page
    #[arg(long, value_name = "NAME", default_value = "html", help_heading = "Input")]
    pub(crate) html_column: String,
    /// The field that holds its address
    #[arg(long, value_name = "NAME", default_value = "url", help_heading = "Input")]
    pub(crate) url_column: String,
    /// Threads; 0 is one a core
    #[arg(long, default_value_t = 0, value_name = "N", help_heading = "Run", value_parser = clap::value_parser!(u16).range(..=1024))]
    pub(crate) threads: u16,
    /// Say nothing about records that are broken; the exit code tells
    #[arg(short, long, help_heading = "Run")]
    pub(crate) quiet: bool,
    /// Show pages per second, on standard error
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = When::Auto, help_heading = "Run")]
    pub(crate) progress: When,
}
