//! Options of `rank add`.

use clap::{Args, ValueHint};
use std::path::PathBuf;

const HELP: &str = "\
What is added stands in a file beside the graph (web.graph.1, web.graph.2 …) and is merged when the graph is opened; the
graph itself is not touched, and no page gets another number. `rank build web.graph --out web.graph` makes one file of all.

Examples:
  webstrata rank add web.graph tuesday.txt
  webstrata rank add web.graph tuesday-run
  webstrata rank pagerank web.graph --start monday.tsv --out tuesday.tsv

Exit codes: 0 the links were added; 2 it could not be carried out as given, and nothing was.";

#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct RankAddArgs {
    /// The graph
    #[arg(value_name = "GRAPH", value_hint = ValueHint::FilePath)]
    pub(crate) graph: PathBuf,
    /// What is added: an edge list, or the folder of a run
    #[arg(value_name = "LINKS", value_hint = ValueHint::AnyPath)]
    pub(crate) links: PathBuf,
    /// Say nothing about what was added
    #[arg(short, long, help_heading = "Run")]
    pub(crate) quiet: bool,
}
