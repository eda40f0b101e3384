//! Options of `rank`, one file a subcommand.

mod add;
mod backlinks;
mod build;
mod compare;
#[cfg(feature = "distributed")]
mod distributed;
mod facets;
mod generate;
mod pagerank;
mod topics;

pub(crate) use add::RankAddArgs;
pub(crate) use backlinks::RankBacklinksArgs;
pub(crate) use build::RankBuildArgs;
pub(crate) use compare::RankCompareArgs;
#[cfg(feature = "distributed")]
pub(crate) use distributed::DistributedArgs;
pub(crate) use facets::{DimensionName, RankFacetsArgs};
pub(crate) use generate::RankGenerateArgs;
pub(crate) use pagerank::{PagerankArgs, RankFormatName};
pub(crate) use topics::RankTopicsArgs;

use super::When;
use super::values::Bytes;
use clap::{Args, Subcommand, ValueHint};
use std::path::PathBuf;

const HELP: &str = "\
Examples:
  webstrata rank pagerank edges.txt --out ranks.tsv             an edge list: from<TAB>to, numbers or addresses
  webstrata rank build run --out web.graph                      the links of a run, as a file for many questions
  webstrata rank pagerank web.graph --top 20
  webstrata rank backlinks web.graph https://example.org/
  webstrata rank topics web.graph --taxonomy topics.tsv --out topics-ranks.tsv
  webstrata rank facets --ranks topics-ranks.tsv --page https://example.org/

A page without links gives its rank to the pages that the link_weights preferences to, and so goes what a page would give to itself;
a link that stands on a page twice is one link.

Exit codes: 0 it was done; 2 it could not be carried out as given.";

#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct RankArgs {
    #[command(subcommand)]
    pub(crate) what: RankCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum RankCommand {
    /// PageRank of an edge list, a graph, the links of a run or a BVGraph
    Pagerank(Box<PagerankArgs>),
    /// Ranks by topics of a taxonomy, many in one go, and mixtures of them
    Topics(Box<RankTopicsArgs>),
    /// How alike rankings are; the tree of topics as a picture
    Compare(Box<RankCompareArgs>),
    /// What pages and results of a search are about, by the ranks of topics
    Facets(Box<RankFacetsArgs>),
    /// A graph as a file that is mapped and not read
    Build(RankBuildArgs),
    /// Pages and links added to a graph; nothing is renumbered
    Add(RankAddArgs),
    /// Pages that link to a page
    Backlinks(RankBacklinksArgs),
    /// A graph like the Web, of any size, the same on every machine
    Generate(RankGenerateArgs),
}

/// What a graph is made of.
#[derive(Debug, Args)]
pub(crate) struct GraphInput {
    /// An edge list (from<TAB>to or spaces, # comments; plain, gzip, Zstandard), a graph, the folder of a run, or a BVGraph
    ///
    /// Pages of an edge list are numbers if those of its first link are, else names. A BVGraph is named by its .graph file.
    #[arg(value_name = "GRAPH", value_hint = ValueHint::AnyPath)]
    pub(crate) graph: PathBuf,
    /// Pages of the edge list are names, even if they look like numbers
    #[arg(long, conflicts_with = "pages", help_heading = "Input")]
    pub(crate) names: bool,
    /// Pages of the edge list are the numbers below N, with links or without; larger ones are errors
    ///
    /// Without it, the numbers that occur are the pages.
    #[arg(long, value_name = "N", help_heading = "Input", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) pages: Option<u32>,
    /// Memory for sorting links (64M, 1G); what does not fit is sorted on disk
    #[arg(long, value_name = "BYTES", default_value_t = Bytes(1 << 30), help_heading = "Run")]
    pub(crate) memory: Bytes,
    /// Folder for what does not fit; the system's folder for temporary files if none is named
    #[arg(long, value_name = "DIR", help_heading = "Run", value_hint = ValueHint::DirPath)]
    pub(crate) temp_dir: Option<PathBuf>,
}

/// How much is said.
#[derive(Debug, Args)]
pub(crate) struct Saying {
    /// Say nothing about what was done
    #[arg(short, long, help_heading = "Run")]
    pub(crate) quiet: bool,
    /// Show how far it has come, on standard error
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = When::Auto, help_heading = "Run")]
    pub(crate) progress: When,
}
