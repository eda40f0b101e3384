//! Options of `rank backlinks`.

use clap::{Args, ValueHint};
use std::path::PathBuf;

const HELP: &str = "\
A line is a page that links to PAGE, with --strata where on it the link stands behind a tab (content, navigation, …;
unknown if the graph does not say). Only the places of the graph that the answer is in are read.

Examples:
  webstrata rank backlinks web.graph https://example.org/
  webstrata rank backlinks web.graph https://example.org/ --strata | grep -c navigation
  webstrata rank backlinks cnr.graph 4711

Exit codes: 0 the page is in the graph; 2 it is not, or it could not be carried out as given.";

#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct RankBacklinksArgs {
    /// The graph, as `rank build` writes it
    #[arg(value_name = "GRAPH", value_hint = ValueHint::FilePath)]
    pub(crate) graph: PathBuf,
    /// Address or number of the page
    #[arg(value_name = "PAGE")]
    pub(crate) page: String,
    /// Say where on their pages the links stand
    #[arg(long, help_heading = "Output")]
    pub(crate) strata: bool,
}
