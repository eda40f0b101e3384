//! Options of `rank compare`.

use super::Saying;
use clap::{Args, ValueEnum, ValueHint};
use std::path::PathBuf;
use webstrata_corpus::graph::topics::Pairs;

const HELP: &str = "\
A file has one ranking, page<TAB>rank, or one a column under a line of names, as `rank topics` writes them. Pages need not be
the same in all; a pair is compared by the pages that both have.

The result is a table: the two rankings, what the second is to the first (unbiased, child, sibling, other), the pages that
were compared, Kendall's tau-b (1: the same order, 0: none in common, -1: turned around), and the share of the first 10,
100 and 1000 pages that both have.

Judgements are lines page, or query<TAB>page, or query<TAB>page<TAB>1 (or 0): then a second table has the mean average
precision of each ranking. A query that is called as a topic (or so and # and more) is asked of this topic and of * only;
where a query has pages with 0, only its judged pages are ranked.

Examples:
  webstrata rank compare monday.tsv tuesday.tsv
  webstrata rank compare topics.tsv --svg topics.svg               parents, children and siblings, and a picture
  webstrata rank compare topics.tsv --judgements relevant.tsv --tau-top 30

Exit codes: 0 the table is there; 2 it could not be carried out as given.";

#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct RankCompareArgs {
    /// Files of ranks (TSV; plain, gzip, Zstandard)
    #[arg(value_name = "FILE", required = true, value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,
    /// Which rankings are compared; the tree if there is one file and its names make one, else all
    #[arg(long, value_enum, value_name = "WHICH")]
    pub(crate) pairs: Option<PairsName>,
    /// How many of the first pages are looked at for the overlap
    #[arg(long, value_name = "K", value_delimiter = ',', default_values_t = [10, 100, 1000])]
    pub(crate) at: Vec<usize>,
    /// Tau of the pages only that are among the first K of one or the other
    #[arg(long, value_name = "K")]
    pub(crate) tau_top: Option<usize>,
    /// Relevant pages, for the mean average precision
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) judgements: Option<PathBuf>,
    /// File for the table; standard output if none is named
    #[arg(short, long, value_name = "FILE", help_heading = "Output", value_hint = ValueHint::FilePath)]
    pub(crate) out: Option<PathBuf>,
    /// Draw the tree of topics; lines are as thick as rankings are alike
    #[arg(long, value_name = "FILE", help_heading = "Output", value_hint = ValueHint::FilePath)]
    pub(crate) svg: Option<PathBuf>,
    /// Threads; 0 is one a core
    #[arg(long, default_value_t = 0, value_name = "N", help_heading = "Run", value_parser = clap::value_parser!(u16).range(..=1024))]
    pub(crate) threads: u16,
    #[command(flatten)]
    pub(crate) saying: Saying,
}

/// Which rankings are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PairsName {
    /// Each with each
    All,
    /// Each topic with the one above it, with its siblings, and with *
    Tree,
}

impl From<PairsName> for Pairs {
    fn from(name: PairsName) -> Pairs {
        match name {
            PairsName::All => Pairs::All,
            PairsName::Tree => Pairs::Tree,
        }
    }
}
