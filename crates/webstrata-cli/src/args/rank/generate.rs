//! Options of `rank generate`.

use super::Saying;
use clap::{Args, ValueHint};
use std::path::PathBuf;

const HELP: &str = "\
Sizes of hosts and numbers of in-links follow power laws. The graph is written as it is made: it takes four bytes of memory
a page. The same options give the same file everywhere.

Examples:
  webstrata rank generate --out small.graph
  webstrata rank generate --out large.graph --large-web            62.8 M pages, 601 M links, 470,000 hosts: 1.8 GB
  webstrata rank generate --out g --page-count 1000000 --hosts 10000 --links 9600000 --inside 0.8

Exit codes: 0 the graph was written; 2 it could not be carried out as given.";

#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct RankGenerateArgs {
    /// File for the graph
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub(crate) out: PathBuf,
    /// As large as Stanford's LargeWeb; other options change single numbers of it
    #[arg(long, help_heading = "Graph")]
    pub(crate) large_web: bool,
    /// Pages [default: 100000]
    #[arg(long, value_name = "N", help_heading = "Graph")]
    pub(crate) page_count: Option<u32>,
    /// Hosts [default: 1000]
    #[arg(long, value_name = "N", help_heading = "Graph")]
    pub(crate) hosts: Option<u32>,
    /// Pages of the largest host [default: 5084]
    #[arg(long, value_name = "N", help_heading = "Graph")]
    pub(crate) largest_host: Option<u32>,
    /// Links, about [default: 1000000]
    #[arg(long, value_name = "N", help_heading = "Graph")]
    pub(crate) links: Option<u64>,
    /// Share of links that stay on their host [default: 0.9381]
    #[arg(long, value_name = "SHARE", help_heading = "Graph")]
    pub(crate) inside: Option<f64>,
    /// Exponent of the power law of in-links [default: 2.1]
    #[arg(long, value_name = "X", help_heading = "Graph")]
    pub(crate) exponent: Option<f64>,
    /// Share of pages without links [default: 0.2]
    #[arg(long, value_name = "SHARE", help_heading = "Graph")]
    pub(crate) dangling: Option<f64>,
    /// Another number, another graph [default: 1]
    #[arg(long, value_name = "N", help_heading = "Graph")]
    pub(crate) seed: Option<u64>,
    #[command(flatten)]
    pub(crate) saying: Saying,
}
