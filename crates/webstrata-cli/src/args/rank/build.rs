//! Options of `rank build`.

use super::{GraphInput, Saying};
use clap::{Args, ValueHint};
use std::path::PathBuf;

const HELP: &str = "\
The graph is one file: for each page the pages that link to it, about two bytes a link, with names, and with the
strata of links if GRAPH is the folder of a run. Pages are in the order of their hosts reversed (org.example.www), so that
a host is a range; where pages are numbers, in their order. A graph that has grown (`rank add`) becomes one file again.

Examples:
  webstrata rank build run --out web.graph
  webstrata rank build edges.txt.gz --out web.graph
  webstrata rank build cnr-2000.graph --out cnr.graph           a BVGraph: cnr-2000.graph, cnr-2000.properties
  webstrata rank build web.graph --out web.graph                takes in what was added

Exit codes: 0 the graph was written; 2 it could not be carried out as given.";

#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct RankBuildArgs {
    #[command(flatten)]
    pub(crate) input: GraphInput,
    /// File for the graph
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub(crate) out: PathBuf,
    #[command(flatten)]
    pub(crate) saying: Saying,
}
