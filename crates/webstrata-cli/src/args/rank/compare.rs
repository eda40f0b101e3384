//! Arguments of `rank compare`.

use super::super::graph::ProgressArgs;
use super::ThreadArgs;
use clap::{Args, ValueEnum, ValueHint};
use std::path::PathBuf;
use webstrata_corpus::graph::topics::Pairs;

const HELP: &str = "\
A file has one ranking, page<TAB>rank, or one per column under a header, as `rank topics` writes them. Files may have different
pages; two rankings are compared on the pages they share.

The result is a table: the two rankings, the relation of the second to the first (unbiased, child, sibling, other), the number
of pages compared, Kendall's tau-b (1: same order, 0: uncorrelated, -1: reversed), and the overlap of the first 10, 100 and
1000 pages.

Judgements are lines of the form page, query<TAB>page or query<TAB>page<TAB>1 (or 0). With them, a second table has the mean
average precision of each ranking. A query with the name of a topic (optionally followed by # and any text) is evaluated on that
topic and on * only; if a query has pages judged 0, only its judged pages are ranked.

Examples:
  webstrata rank compare monday.tsv tuesday.tsv
  webstrata rank compare topics.tsv --svg topics.svg               parents, children and siblings, and a drawing
  webstrata rank compare topics.tsv --judgements relevant.tsv --tau-top 30

Exit codes: 0 the table was written; 2 the command failed.";

#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct RankCompareArgs {
    /// Files of ranks (TSV; plain, gzip, Zstandard)
    #[arg(value_name = "FILE", required = true, value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,
    /// Which rankings to compare [default: tree for one file whose names form a tree, else all]
    #[arg(long, value_enum, value_name = "WHICH")]
    pub(crate) pairs: Option<PairsName>,
    /// Depths at which to compute the overlap
    #[arg(long, value_name = "K", value_delimiter = ',', default_values_t = [10, 100, 1000])]
    pub(crate) at: Vec<usize>,
    /// Compute tau only on pages among the first K of either ranking
    #[arg(long, value_name = "K")]
    pub(crate) tau_top: Option<usize>,
    /// Relevance judgements, for the mean average precision
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) judgements: Option<PathBuf>,
    /// Output file [default: standard output]
    #[arg(short, long, value_name = "FILE", help_heading = "Output", value_hint = ValueHint::FilePath)]
    pub(crate) out: Option<PathBuf>,
    /// Draw the tree of topics; thicker lines join more similar rankings
    #[arg(long, value_name = "FILE", help_heading = "Output", value_hint = ValueHint::FilePath)]
    pub(crate) svg: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) threads: ThreadArgs,
    #[command(flatten)]
    pub(crate) progress: ProgressArgs,
}

/// Which rankings to compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PairsName {
    /// Every pair
    All,
    /// Each topic with its parent, its siblings and *
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
