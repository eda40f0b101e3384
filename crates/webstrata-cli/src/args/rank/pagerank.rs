//! Options of `rank pagerank`.

#[cfg(feature = "distributed")]
use super::DistributedArgs;
use super::{GraphInput, Saying};
use clap::{Args, ValueEnum, ValueHint};
use std::path::PathBuf;
use webstrata_corpus::graph::Stratum;
use webstrata_corpus::graph::rank::{DAMPING, RankFormat, SelfLinks, Solver};

const HELP: &str = "\
A line is page<TAB>rank; ranks sum up to 1, lines stand in the order of numbers, or of hosts (org.example.www) and
addresses; with --top highest first. The residual is the sum of the changes of a iteration; the true ranks are no further away
(L1) than the bound that is said at the end, at most 2 a/(1-a) residuals.

Ranks do not depend on the number of threads, to the bit.

Examples:
  webstrata rank pagerank edges.txt --out ranks.tsv --damping 0.85 --tolerance 1e-10 --threads 2
  webstrata rank pagerank web.graph --top 100
  webstrata rank pagerank web.graph --preference seeds.txt --out biased.tsv      preferences to the pages of a list
  webstrata rank pagerank web.graph --start monday.tsv --out tuesday.tsv   from the ranks of an earlier state
  webstrata rank pagerank run --out ranks.parquet --format parquet --page-table pages.parquet
  webstrata rank pagerank web.graph --stay 0.3 --leave 0.7 --weight navigation=0.2 --out ranks.tsv
  webstrata rank pagerank web.graph --out ranks.tsv --hosts hosts.txt --process 0 --checkpoint kept     one of several processes

Exit codes: 0 the ranks are there; 2 it could not be carried out as given.";

#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct PagerankArgs {
    #[command(flatten)]
    pub(crate) input: GraphInput,

    /// Share of a rank that goes over links; the rest jumps
    #[arg(long, value_name = "A", default_value_t = DAMPING, help_heading = "Ranking")]
    pub(crate) damping: f64,
    /// Residual to stop at
    #[arg(long, value_name = "E", default_value_t = 1e-10, help_heading = "Ranking")]
    pub(crate) tolerance: f64,
    /// IterationState after which it is an error not to be there
    #[arg(long, value_name = "N", default_value_t = 1000, help_heading = "Ranking", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_iterations: u32,
    /// Whose values a page sees in a round
    #[arg(long, value_enum, default_value_t = SolverName::GaussSeidel, help_heading = "Ranking")]
    pub(crate) solver: SolverName,
    /// Blocks of hosts that see each other's newest values; 0 chooses by the size of the graph
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Ranking", value_parser = clap::value_parser!(u32).range(..=65536))]
    pub(crate) partitions: u32,
    /// What becomes of the share of a link to the page itself
    #[arg(long, value_enum, default_value_t = SelfLinksName::Jump, help_heading = "Ranking")]
    pub(crate) self_links: SelfLinksName,
    /// Ranks to start from: a TSV that this command has written, for this graph or an earlier state of it
    #[arg(long, value_name = "FILE", help_heading = "Ranking", value_hint = ValueHint::FilePath)]
    pub(crate) start: Option<PathBuf>,
    /// Preference to the pages of a list and to no others: a page a line, with a weight behind a tab if you like
    #[arg(long, value_name = "FILE", help_heading = "Ranking", value_hint = ValueHint::FilePath)]
    pub(crate) preference: Option<PathBuf>,
    /// Weight of links that stay on their host
    #[arg(long, value_name = "W", default_value_t = 0.5, help_heading = "LinkWeights")]
    pub(crate) stay: f64,
    /// Weight of links that leave it; the same as --stay is plain PageRank
    #[arg(long, value_name = "W", default_value_t = 0.5, help_heading = "LinkWeights")]
    pub(crate) leave: f64,
    /// Weight of links in a stratum, 1 where none is given: content, comments, related, navigation, footer, advertisement,
    /// boilerplate, unknown
    #[arg(long, value_name = "STRATUM=W", value_parser = weight, help_heading = "LinkWeights")]
    pub(crate) weight: Vec<(Stratum, f64)>,
    #[cfg(feature = "distributed")]
    #[command(flatten)]
    pub(crate) distributed: DistributedArgs,

    /// File for the ranks; standard output if none is named
    #[arg(short, long, value_name = "FILE", help_heading = "Output", value_hint = ValueHint::FilePath)]
    pub(crate) out: Option<PathBuf>,
    /// How ranks are written
    #[arg(long, value_enum, default_value_t = RankFormatName::Tsv, help_heading = "Output")]
    pub(crate) format: RankFormatName,
    /// Only the K best pages, highest first
    #[arg(long, value_name = "K", help_heading = "Output")]
    pub(crate) top: Option<usize>,
    /// Write the residual of each round: round,residual
    #[arg(long, value_name = "FILE", help_heading = "Output", value_hint = ValueHint::FilePath)]
    pub(crate) residuals: Option<PathBuf>,
    /// Write the table of pages of the run with a column `rank`, as Parquet; GRAPH is the folder of a run
    #[arg(long, value_name = "FILE", help_heading = "Output", value_hint = ValueHint::FilePath)]
    pub(crate) page_table: Option<PathBuf>,

    /// Threads; 0 is one a core
    #[arg(long, default_value_t = 0, value_name = "N", help_heading = "Run", value_parser = clap::value_parser!(u16).range(..=1024))]
    pub(crate) threads: u16,
    #[command(flatten)]
    pub(crate) saying: Saying,
}

/// `navigation=0.2`.
fn weight(text: &str) -> Result<(Stratum, f64), String> {
    let (name, weight) = text.split_once('=').ok_or("give STRATUM=WEIGHT, such as navigation=0.2")?;
    let weight = weight.parse::<f64>().ok().filter(|weight| *weight >= 0.0 && weight.is_finite());
    Ok((name.parse()?, weight.ok_or("a weight is a number of 0 and more")?))
}

/// Whose values a page sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SolverName {
    /// Those of the last round
    Jacobi,
    /// The newest of its own block of hosts: about half the rounds
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

/// What becomes of links to the page itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SelfLinksName {
    /// It goes where the surfer jumps to
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

/// How ranks are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RankFormatName {
    /// page<TAB>rank, a line a page
    Tsv,
    /// Columns page and rank
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
