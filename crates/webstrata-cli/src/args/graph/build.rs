//! Arguments of `graph build`.

use super::{GraphInput, ProgressArgs};
use clap::{Args, ValueHint};
use std::path::PathBuf;

const HELP: &str = "\
A graph is a single file. For each page it stores the pages that link to it, in about two bytes per link, with names, and with
strata if GRAPH is the folder of a run. Pages are sorted by reversed host (org.example.www), so that a host is a range of
numbers; numbered pages are sorted by number. Building from a graph file merges the additions of `graph add`.

Examples:
  webstrata graph build tables --out web.graph
  webstrata graph build edges.txt.gz --out web.graph
  webstrata graph build cnr-2000.graph --out cnr.graph          a BVGraph: cnr-2000.graph, cnr-2000.properties
  webstrata graph build web.graph --out web.graph               merges additions

Exit codes: 0 the graph was written; 2 the command failed.";

#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct GraphBuildArgs {
    #[command(flatten)]
    pub(crate) input: GraphInput,
    /// Output file
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub(crate) out: PathBuf,
    #[command(flatten)]
    pub(crate) progress: ProgressArgs,
}
