//! Arguments of `graph`, one file per subcommand, and those shared with `rank`.

mod add;
mod backlinks;
mod build;
mod export;
mod generate;

pub(crate) use add::GraphAddArgs;
pub(crate) use backlinks::GraphBacklinksArgs;
pub(crate) use build::GraphBuildArgs;
pub(crate) use export::GraphExportArgs;
pub(crate) use generate::GraphGenerateArgs;

use super::When;
use super::values::ByteSize;
use clap::{Args, Subcommand, ValueHint};
use std::path::PathBuf;

const HELP: &str = "\
Examples:
  webstrata graph build tables --out web.graph                  the links of a run as a graph file
  webstrata graph add web.graph tuesday.txt
  webstrata graph backlinks web.graph https://example.org/
  webstrata graph export tables --out links --format parquet    for other tools
  webstrata rank pagerank web.graph --top 20

Exit codes: 0 success; 2 the command failed.";

#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct GraphArgs {
    #[command(subcommand)]
    pub(crate) command: GraphCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum GraphCommand {
    /// Build a graph file from an edge list, the links of a run or a BVGraph
    Build(GraphBuildArgs),
    /// Add pages and links to a graph without renumbering it
    Add(GraphAddArgs),
    /// Export the links of a run: text, Parquet or BVGraph
    Export(GraphExportArgs),
    /// List the pages that link to a page
    Backlinks(GraphBacklinksArgs),
    /// Generate a Web-like graph of any size, the same on every machine
    Generate(GraphGenerateArgs),
}

/// A graph, or the input to build one from.
#[derive(Debug, Args)]
pub(crate) struct GraphInput {
    /// Edge list (from<TAB>to or spaces, # comments; plain, gzip, Zstandard), graph file, folder of a run, or BVGraph
    ///
    /// The pages of an edge list are numbers if its first link is a pair of numbers, else names. A BVGraph is given by its .graph
    /// file.
    #[arg(value_name = "GRAPH", value_hint = ValueHint::AnyPath)]
    pub(crate) graph: PathBuf,
    /// Treat the pages of the edge list as names, even if they look like numbers
    #[arg(long, conflicts_with = "pages", help_heading = "Input")]
    pub(crate) names: bool,
    /// The pages of the edge list are the numbers below N, with or without links; larger numbers are errors
    ///
    /// Without it, the pages are the numbers that occur.
    #[arg(long, value_name = "N", help_heading = "Input", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) pages: Option<u32>,
    #[command(flatten)]
    pub(crate) sorting: SortingArgs,
}

/// Resources for sorting links.
#[derive(Clone, Debug, Args)]
pub(crate) struct SortingArgs {
    /// Memory for sorting links, such as 512M or 2G; the rest is sorted on disk
    #[arg(long, value_name = "SIZE", default_value_t = ByteSize(1 << 30), help_heading = "Run")]
    pub(crate) memory: ByteSize,
    /// Folder for temporary files [default: that of the output, else the system's]
    #[arg(long, value_name = "DIR", help_heading = "Run", value_hint = ValueHint::DirPath)]
    pub(crate) temp_dir: Option<PathBuf>,
}

/// Options for output on standard error.
#[derive(Debug, Args)]
pub(crate) struct ProgressArgs {
    /// Print no summary and no notes
    #[arg(short, long, help_heading = "Run")]
    pub(crate) quiet: bool,
    /// Show progress on standard error
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = When::Auto, help_heading = "Run")]
    pub(crate) progress: When,
}
