//! Arguments of `rank pagerank`.

use super::super::graph::{GraphInput, ProgressArgs};
use super::{RankOutputArgs, SolveArgs};
use clap::{Args, ValueEnum, ValueHint};
use std::path::PathBuf;
use webstrata_corpus::graph::Stratum;
use webstrata_corpus::graph::rank::{MissingLinkRule, SelfLinks, Solver};

const HELP: &str = "\
Writes page<TAB>rank, one line per page; ranks sum to 1. Lines are in the order of numbers, or of reversed hosts
(org.example.www) and URLs; with --top highest first. The residual is the sum of the changes in one iteration; the summary
bounds the L1 distance to the exact ranks, which is at most 2 a/(1-a) times the residual.

Ranks are bit-identical for any number of threads.

Surfers. Plain PageRank follows all links of a page with the same probability, so a page with 200 links in its menus and 5 in
its text spends its rank on menus. --surfer changes that:
  hosts     first inside the host or outside, then a link on that side (the stratified surfer, figure 5.2 of Kohlschütter's thesis).
            --stay P is the probability of staying again after staying, --leave P of leaving again after leaving. With one
            link inside and nine outside, --stay 0.9 --leave 0.1 stays with probability 90%. If they add up to 1, the previous
            link makes no difference. After a jump, the odds are --stay to --leave.
  strata    first a part of the page by --weight, then a link in it: with --weight content=1 --weight navigation=1 one link in
            the text counts as much as all links in the menus. --again content=0.8 favours staying in that stratum.
  weighted  all links at once, each with the product of its weights: --stay and --leave by host, --weight by stratum. With one
            link inside and nine outside, --stay 0.9 --leave 0.1 gives even odds. Equal weights are plain PageRank.
Without --surfer, --weight means weighted, and --stay and --leave mean hosts. Hosts need URLs; strata need a graph built from a run.
--arrivals FILE records how often the surfer jumps, stays, leaves, and uses each stratum.

Examples:
  webstrata rank pagerank edges.txt --out ranks.tsv --damping 0.85 --tolerance 1e-10 --threads 2
  webstrata rank pagerank web.graph --top 100
  webstrata rank pagerank web.graph --preference seeds.txt --out biased.tsv
  webstrata rank pagerank web.graph --start monday.tsv --out tuesday.tsv   from the ranks of an earlier state
  webstrata rank pagerank tables --out ranks.parquet --format parquet --page-table pages.parquet
  webstrata rank pagerank web.graph --surfer hosts --stay 0.9 --leave 0.1 --arrivals arrivals.csv --out ranks.tsv
  webstrata rank pagerank tables --surfer strata --weight navigation=0.2 --weight footer=0 --again content=0.8 --out ranks.tsv
  webstrata rank pagerank tables --surfer weighted --stay 0.3 --leave 0.7 --weight navigation=0.2 --out ranks.tsv

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
    /// Number of partitions, within which pages read each other's newest values; 0 = chosen by the size of the graph
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Ranking", value_parser = clap::value_parser!(u32).range(..=65536))]
    pub(crate) partitions: u32,
    /// What happens to the rank that a page passes to itself
    #[arg(long, value_enum, default_value_t = SelfLinksName::Jump, help_heading = "Ranking")]
    pub(crate) self_links: SelfLinksName,
    /// Ranks to start from: a TSV written by this command, for this graph or an earlier state of it
    #[arg(long, value_name = "FILE", help_heading = "Ranking", value_hint = ValueHint::FilePath)]
    pub(crate) start: Option<PathBuf>,
    /// Preference vector: a file with one page per line, with an optional weight after a tab [default: all pages]
    #[arg(long, value_name = "FILE", help_heading = "Ranking", value_hint = ValueHint::FilePath)]
    pub(crate) preference: Option<PathBuf>,
    /// Surfer whose ranks to compute [default: plain PageRank, unless an option below is given]
    #[arg(long, value_enum, help_heading = "Surfer")]
    pub(crate) surfer: Option<SurferName>,
    /// Probability of staying on the host again, from 0 to 1 (hosts), or weight of links that stay (weighted) [default: 0.5]
    #[arg(long, value_name = "P", allow_negative_numbers = true, help_heading = "Surfer")]
    pub(crate) stay: Option<f64>,
    /// Probability of leaving the host again, from 0 to 1 (hosts), or weight of links that leave (weighted) [default: 0.5]
    #[arg(long, value_name = "P", allow_negative_numbers = true, help_heading = "Surfer")]
    pub(crate) leave: Option<f64>,
    /// Weight of a stratum (strata) or of each link in it (weighted), 0 or more (default 1): content, comments, related,
    /// navigation, footer, advertisement, boilerplate, unknown
    #[arg(long, value_name = "STRATUM=W", value_parser = weight, help_heading = "Surfer")]
    pub(crate) weight: Vec<(Stratum, f64)>,
    /// Probability of choosing a stratum again after a link in it, from 0 to 1 (strata) [default: by its weight]
    #[arg(long, value_name = "STRATUM=P", value_parser = again, help_heading = "Surfer")]
    pub(crate) again: Vec<(Stratum, f64)>,
    /// What a surfer does at a page without a link of the chosen kind (hosts, strata) [default: other]
    #[arg(long, value_enum, value_name = "WHAT", help_heading = "Surfer")]
    pub(crate) absent: Option<MissingLinkRuleName>,

    #[command(flatten)]
    pub(crate) output: RankOutputArgs,
    /// Write the residual of each iteration: iteration,residual
    #[arg(long, value_name = "FILE", help_heading = "Output", value_hint = ValueHint::FilePath)]
    pub(crate) residuals: Option<PathBuf>,
    /// Write how the surfer arrives at pages: arrival,share for jumps, links that stay and leave, and strata
    #[arg(long, value_name = "FILE", help_heading = "Output", value_hint = ValueHint::FilePath)]
    pub(crate) arrivals: Option<PathBuf>,
    /// Write the run's table of pages with an added column `rank`, as Parquet; GRAPH must be the folder of a run
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

/// Parses `content=0.8`.
fn again(text: &str) -> Result<(Stratum, f64), String> {
    let (name, probability) = text.split_once('=').ok_or("give STRATUM=PROBABILITY, such as content=0.8")?;
    let probability = probability.parse::<f64>().ok().filter(|probability| (0.0..=1.0).contains(probability));
    Ok((name.parse()?, probability.ok_or("a probability is a number from 0 to 1")?))
}

/// Name of a surfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SurferName {
    /// Chooses to stay on the host or to leave it, then a link: the stratified surfer of Kohlschütter's thesis
    Hosts,
    /// Chooses a part of the page, then a link
    Strata,
    /// Chooses among all links, by their weights
    Weighted,
}

/// What a surfer does at a page without a link of the chosen kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum MissingLinkRuleName {
    /// Chooses among the kinds that the page has
    Other,
    /// Jumps to the preference vector
    Jump,
}

impl From<MissingLinkRuleName> for MissingLinkRule {
    fn from(name: MissingLinkRuleName) -> MissingLinkRule {
        match name {
            MissingLinkRuleName::Other => MissingLinkRule::Other,
            MissingLinkRuleName::Jump => MissingLinkRule::Jump,
        }
    }
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
