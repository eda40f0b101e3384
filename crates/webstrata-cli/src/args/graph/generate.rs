//! Arguments of `graph generate`.

use super::ProgressArgs;
use clap::{Args, ValueHint};
use std::path::PathBuf;

const HELP: &str = "\
Host sizes and in-degrees follow power laws. The graph is written as it is generated and needs four bytes of memory per page.
The same options give the same file everywhere.

Examples:
  webstrata graph generate --out small.graph
  webstrata graph generate --out large.graph --large-web           62.8 M pages, 601 M links, 470,000 hosts: 1.8 GB
  webstrata graph generate --out g --num-pages 1000000 --num-hosts 10000 --num-links 9600000 --inside 0.8

Exit codes: 0 the graph was written; 2 the command failed.";

#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct GraphGenerateArgs {
    /// Output file
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub(crate) out: PathBuf,
    /// Use the parameters of Stanford's LargeWeb; other options override individual ones
    #[arg(long, help_heading = "Graph")]
    pub(crate) large_web: bool,
    /// Number of pages [default: 100000]
    #[arg(long, value_name = "N", help_heading = "Graph")]
    pub(crate) num_pages: Option<u32>,
    /// Number of hosts [default: 1000]
    #[arg(long, value_name = "N", help_heading = "Graph")]
    pub(crate) num_hosts: Option<u32>,
    /// Number of pages on the largest host [default: 5084]
    #[arg(long, value_name = "N", help_heading = "Graph")]
    pub(crate) largest_host: Option<u32>,
    /// Approximate number of links [default: 1000000]
    #[arg(long, value_name = "N", help_heading = "Graph")]
    pub(crate) num_links: Option<u64>,
    /// Share of links that stay on their host [default: 0.9381]
    #[arg(long, value_name = "SHARE", help_heading = "Graph")]
    pub(crate) inside: Option<f64>,
    /// Exponent of the in-degree power law [default: 2.1]
    #[arg(long, value_name = "X", help_heading = "Graph")]
    pub(crate) exponent: Option<f64>,
    /// Share of pages without links [default: 0.2]
    #[arg(long, value_name = "SHARE", help_heading = "Graph")]
    pub(crate) dangling: Option<f64>,
    /// Seed of the random number generator [default: 1]
    #[arg(long, value_name = "N", help_heading = "Graph")]
    pub(crate) seed: Option<u64>,
    #[command(flatten)]
    pub(crate) progress: ProgressArgs,
}
