//! Arguments of `graph backlinks`.

use clap::{Args, ValueHint};
use std::path::PathBuf;

const HELP: &str = "\
Prints one page per line; with --strata also, after a tab, the stratum of the link on that page (content, navigation, …;
unknown if the graph has no strata). Only the relevant parts of the graph file are read.

Examples:
  webstrata graph backlinks web.graph https://example.org/
  webstrata graph backlinks web.graph https://example.org/ --strata | grep -c navigation
  webstrata graph backlinks cnr.graph 4711

Exit codes: 0 the page is in the graph; 2 it is not, or the command failed.";

#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct GraphBacklinksArgs {
    /// Graph file written by `graph build`
    #[arg(value_name = "GRAPH", value_hint = ValueHint::FilePath)]
    pub(crate) graph: PathBuf,
    /// URL or number of the page
    #[arg(value_name = "PAGE")]
    pub(crate) page: String,
    /// Print the stratum of each link
    #[arg(long, help_heading = "Output")]
    pub(crate) strata: bool,
}
