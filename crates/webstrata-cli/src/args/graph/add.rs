//! Arguments of `graph add`.

use clap::{Args, ValueHint};
use std::path::PathBuf;

const HELP: &str = "\
Additions are stored in files next to the graph (web.graph.1, web.graph.2, …) and merged when it is opened; the graph file
itself and the numbers of its pages stay the same. `graph build web.graph --out web.graph` merges everything into one file.

Examples:
  webstrata graph add web.graph tuesday.txt
  webstrata graph add web.graph tuesday-run
  webstrata rank pagerank web.graph --start monday.tsv --out tuesday.tsv

Exit codes: 0 the links were added; 2 the command failed and nothing was added.";

#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct GraphAddArgs {
    /// Graph file
    #[arg(value_name = "GRAPH", value_hint = ValueHint::FilePath)]
    pub(crate) graph: PathBuf,
    /// Links to add: an edge list or the folder of a run
    #[arg(value_name = "LINKS", value_hint = ValueHint::AnyPath)]
    pub(crate) links: PathBuf,
    /// Print no summary
    #[arg(short, long, help_heading = "Run")]
    pub(crate) quiet: bool,
}
