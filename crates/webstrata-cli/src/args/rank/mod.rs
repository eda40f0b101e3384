//! Arguments of `rank`, one file per subcommand, and those they share.

mod compare;
mod facets;
mod pagerank;
mod topics;

pub(crate) use compare::RankCompareArgs;
pub(crate) use facets::{DimensionName, RankFacetsArgs};
pub(crate) use pagerank::{PagerankArgs, SurferName};
pub(crate) use topics::RankTopicsArgs;

use clap::{Args, Subcommand, ValueEnum, ValueHint};
use std::path::PathBuf;
use webstrata_corpus::graph::rank::{DAMPING, RankFormat, SolveOptions};

const HELP: &str = "\
Examples:
  webstrata rank pagerank edges.txt --out ranks.tsv             an edge list: from<TAB>to, numbers or URLs
  webstrata graph build tables --out web.graph                  the links of a run, as a file to rank many times
  webstrata rank pagerank web.graph --top 20
  webstrata rank topics web.graph --taxonomy topics.tsv --out topics-ranks.tsv
  webstrata rank facets --ranks topics-ranks.tsv --page https://example.org/

A page without links gives its rank to the pages of the preference vector, and so does a link from a page to itself; a link
that occurs twice on a page counts once.

Surfers and facets follow Kohlschütter's thesis, Exploiting Links and Text Structure on the Web, 2011.

Exit codes: 0 success; 2 the command failed.";

#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct RankArgs {
    #[command(subcommand)]
    pub(crate) command: RankCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum RankCommand {
    /// Compute PageRank for an edge list, a graph, the links of a run or a BVGraph
    Pagerank(Box<PagerankArgs>),
    /// Compute topic-sensitive ranks for the topics of a taxonomy, many at a time, and mixtures of them
    Topics(Box<RankTopicsArgs>),
    /// Find the topics of pages and search results from their topic-sensitive ranks
    Facets(Box<RankFacetsArgs>),
    /// Compare rankings; draw the tree of topics
    Compare(Box<RankCompareArgs>),
}

/// How ranks are computed.
#[derive(Debug, Args)]
pub(crate) struct SolveArgs {
    /// Damping factor: the share of a rank that follows links; the rest goes to the preference vector
    #[arg(long, value_name = "A", default_value_t = DAMPING, help_heading = "Ranking")]
    pub(crate) damping: f64,
    /// Residual at which to stop
    #[arg(long, value_name = "E", default_value_t = 1e-10, help_heading = "Ranking")]
    pub(crate) tolerance: f64,
    /// Fail if not converged after N iterations
    #[arg(long, value_name = "N", default_value_t = 1000, help_heading = "Ranking", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_iterations: u32,
    #[command(flatten)]
    pub(crate) threads: ThreadArgs,
}

impl From<&SolveArgs> for SolveOptions {
    fn from(args: &SolveArgs) -> SolveOptions {
        SolveOptions {
            damping: args.damping,
            tolerance: args.tolerance,
            max_iterations: args.max_iterations as usize,
            threads: args.threads.threads.into(),
            ..SolveOptions::default()
        }
    }
}

/// Number of threads.
#[derive(Debug, Args)]
pub(crate) struct ThreadArgs {
    /// Threads; 0 = one per core
    #[arg(long, default_value_t = 0, value_name = "N", help_heading = "Run", value_parser = clap::value_parser!(u16).range(..=1024))]
    pub(crate) threads: u16,
}

/// Where and how ranks are written.
#[derive(Debug, Args)]
pub(crate) struct RankOutputArgs {
    /// Output file [default: standard output]
    #[arg(short, long, value_name = "FILE", help_heading = "Output", value_hint = ValueHint::FilePath)]
    pub(crate) out: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = RankFormatName::Tsv, help_heading = "Output")]
    pub(crate) format: RankFormatName,
    /// Write only the K best pages of each ranking, highest first
    #[arg(long, value_name = "K", help_heading = "Output")]
    pub(crate) top: Option<usize>,
}

/// Name of an output format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RankFormatName {
    /// Text with tabs, one line per page
    Tsv,
    /// Parquet with the same columns
    Parquet,
}

impl From<RankFormatName> for RankFormat {
    fn from(name: RankFormatName) -> RankFormat {
        match name {
            RankFormatName::Tsv => RankFormat::Tsv,
            RankFormatName::Parquet => RankFormat::Parquet,
        }
    }
}
