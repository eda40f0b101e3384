//! Arguments of `rank pagerank`.

use super::super::graph::{GraphInput, ProgressArgs};
#[cfg(feature = "distributed")]
use super::DistributedArgs;
use super::{RankOutputArgs, SolveArgs};
use clap::{Args, ValueEnum, ValueHint};
use std::path::PathBuf;
use webstrata_corpus::graph::Stratum;
use webstrata_corpus::graph::rank::{SelfLinks, Solver};

const HELP: &str = "\
Writes page<TAB>rank, one line per page; ranks sum to 1. Lines are in the order of numbers, or of reversed hosts
(org.example.www) and URLs; with --top highest first. The residual is the sum of the changes of one iteration; the summary
bounds the distance (L1) to the exact ranks, which is at most 2 a/(1-a) residuals.

Ranks are bit-identical for any number of threads.

Examples:
  webstrata rank pagerank edges.txt --out ranks.tsv --damping 0.85 --tolerance 1e-10 --threads 2
  webstrata rank pagerank web.graph --top 100
  webstrata rank pagerank web.graph --preference seeds.txt --out biased.tsv
  webstrata rank pagerank web.graph --start monday.tsv --out tuesday.tsv   from the ranks of an earlier state
  webstrata rank pagerank run --out ranks.parquet --format parquet --page-table pages.parquet
  webstrata rank pagerank web.graph --stay 0.3 --leave 0.7 --weight navigation=0.2 --out ranks.tsv

Exit codes: 0 the ranks were written; 2 the command failed.";

#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct PagerankArgs {
    #[command(flatten)]
    pub(crate) input: GraphInput,
    #[command(flatten)]
    pub(crate) solve: SolveArgs,
    /// Which values of its predecessors a page reads
    #[arg(long, value_enum, default_value_t = SolverName::GaussSeidel, help_heading = "Ranking")]
    pub(crate) solver: SolverName,
    /// Blocks of hosts that read each other's newest values; 0 = chosen by the size of the graph
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Ranking", value_parser = clap::value_parser!(u32).range(..=65536))]
    pub(crate) partitions: u32,
    /// What happens to the share of a link from a page to itself
    #[arg(long, value_enum, default_value_t = SelfLinksName::Jump, help_heading = "Ranking")]
    pub(crate) self_links: SelfLinksName,
    /// Ranks to start from: a TSV written by this command, for this graph or an earlier state of it
    #[arg(long, value_name = "FILE", help_heading = "Ranking", value_hint = ValueHint::FilePath)]
    pub(crate) start: Option<PathBuf>,
    /// Preference vector: a file with one page per line, with an optional weight after a tab [default: all pages]
    #[arg(long, value_name = "FILE", help_heading = "Ranking", value_hint = ValueHint::FilePath)]
    pub(crate) preference: Option<PathBuf>,
    /// Weight of links that stay on their host
    #[arg(long, value_name = "W", default_value_t = 0.5, help_heading = "Link weights")]
    pub(crate) stay: f64,
    /// Weight of links that leave their host; the same as --stay gives plain PageRank
    #[arg(long, value_name = "W", default_value_t = 0.5, help_heading = "Link weights")]
    pub(crate) leave: f64,
    /// Weight of links in a stratum (default 1): content, comments, related, navigation, footer, advertisement, boilerplate,
    /// unknown
    #[arg(long, value_name = "STRATUM=W", value_parser = weight, help_heading = "Link weights")]
    pub(crate) weight: Vec<(Stratum, f64)>,
    #[cfg(feature = "distributed")]
    #[command(flatten)]
    pub(crate) distributed: DistributedArgs,

    #[command(flatten)]
    pub(crate) output: RankOutputArgs,
    /// Write the residual of each iteration: iteration,residual
    #[arg(long, value_name = "FILE", help_heading = "Output", value_hint = ValueHint::FilePath)]
    pub(crate) residuals: Option<PathBuf>,
    /// Write the table of pages of the run with an added column `rank`, as Parquet; GRAPH must be the folder of a run
    #[arg(long, value_name = "FILE", help_heading = "Output", value_hint = ValueHint::FilePath)]
    pub(crate) page_table: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) progress: ProgressArgs,
}

/// Parses `navigation=0.2`.
fn weight(text: &str) -> Result<(Stratum, f64), String> {
    let (name, weight) = text.split_once('=').ok_or("give STRATUM=WEIGHT, such as navigation=0.2")?;
    let weight = weight.parse::<f64>().ok().filter(|weight| *weight >= 0.0 && weight.is_finite());
    Ok((name.parse()?, weight.ok_or("a weight is a number of 0 or more")?))
}

/// Name of a solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SolverName {
    /// Those of the previous iteration
    Jacobi,
    /// The newest of its own block of hosts: about half the iterations
    GaussSeidel,
}

impl From<SolverName> for Solver {
    fn from(name: SolverName) -> Solver {
        match name {
            SolverName::Jacobi => Solver::Jacobi,
            SolverName::GaussSeidel => Solver::GaussSeidel,
        }
    }
}

/// Treatment of links from a page to itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SelfLinksName {
    /// It goes to the preference vector
    Jump,
    /// It stays with the page
    Keep,
    /// The other links of the page share it
    Drop,
}

impl From<SelfLinksName> for SelfLinks {
    fn from(name: SelfLinksName) -> SelfLinks {
        match name {
            SelfLinksName::Jump => SelfLinks::Jump,
            SelfLinksName::Keep => SelfLinks::Keep,
            SelfLinksName::Drop => SelfLinks::Drop,
        }
    }
}
