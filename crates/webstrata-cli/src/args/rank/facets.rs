//! Arguments of `rank facets`.

use super::super::graph::{GraphInput, ProgressArgs, SortingArgs};
use super::topics::{BatchArgs, TaxonomyArgs};
use clap::{Args, ValueEnum, ValueHint};
use std::path::PathBuf;
use webstrata_corpus::graph::facets::{MEMBERSHIP, RESULTS, SHARE};

const HELP: &str = "\
A facet is a topic; the score of a page for it is its rank, scaled to a mean of 1. The membership of the page is the logarithm
of the score divided by the number of topics for which it scores at least 1: the more such topics, the weaker each membership. *
is the ranking without a preference, a dimension of its own: general importance.

For pages, writes page<TAB>facet<TAB>membership<TAB>score, strongest first, only memberships above 0 unless --all is given.
For a list of results, best first, writes facet<TAB>share: the share of the first --results pages with at least --membership.
With --identify, the list is reranked by each facet found, until no new facet appears (Algorithm 3.1 of Kohlschütter's thesis);
with a taxonomy, topics below those found are ranked as needed.

Examples:
  webstrata rank facets web.graph --taxonomy topics.tsv --page https://example.org/
  webstrata rank facets --ranks topics.tsv --list results.txt
  webstrata search index fox --format jsonl | jq -r .url | webstrata rank facets --ranks topics.tsv --list -
  webstrata rank facets web.graph --taxonomy topics.tsv --list results.txt --identify --max-passes 5

Exit codes: 0 the facets were written; 2 the command failed.";

#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct RankFacetsArgs {
    /// Graph file, or input to build one from (edge list, folder of a run, BVGraph)
    #[arg(value_name = "GRAPH", requires = "taxonomy", value_hint = ValueHint::AnyPath)]
    pub(crate) graph: Option<PathBuf>,
    /// Treat the pages of the edge list as names, even if they look like numbers
    #[arg(long, help_heading = "Input")]
    pub(crate) names: bool,
    /// Tree of topics with their pages; needs GRAPH
    #[arg(long, value_name = "FILE", help_heading = "Topics", requires = "graph", value_hint = ValueHint::FilePath)]
    pub(crate) taxonomy: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) reading: TaxonomyArgs,
    /// Ranks of all pages written by `rank topics` as TSV, instead of GRAPH and --taxonomy
    #[arg(long, value_name = "FILE", help_heading = "Topics", conflicts_with_all = ["graph", "taxonomy"], value_hint = ValueHint::FilePath)]
    pub(crate) ranks: Option<PathBuf>,
    /// Which topics are alternatives to each other
    #[arg(long, value_enum, default_value_t = DimensionName::All, help_heading = "Topics")]
    pub(crate) dimension: DimensionName,
    /// Divide scores by the rank without a topic; fairer to pages with few in-links
    #[arg(long, help_heading = "Topics")]
    pub(crate) relative: bool,

    /// Write the facets of this page
    #[arg(long, value_name = "NAME", help_heading = "Pages")]
    pub(crate) page: Vec<String>,
    /// Write the facets of a list of results: one page per line, best first, with an optional weight after a tab; - is
    /// standard input
    #[arg(long, value_name = "FILE", help_heading = "Pages", conflicts_with = "page", value_hint = ValueHint::FilePath)]
    pub(crate) list: Option<PathBuf>,
    /// Number of results to consider
    #[arg(long, value_name = "K", default_value_t = RESULTS, help_heading = "Pages")]
    pub(crate) results: usize,
    /// Minimum membership that counts
    #[arg(long, value_name = "M", default_value_t = MEMBERSHIP, help_heading = "Pages")]
    pub(crate) membership: f64,
    /// Rerank the list by the facets found until no new facet appears
    #[arg(long, requires = "list", help_heading = "Pages")]
    pub(crate) identify: bool,
    /// Minimum share of the results for a topic to be a facet, for --identify
    #[arg(long, value_name = "S", default_value_t = SHARE, help_heading = "Pages")]
    pub(crate) share: f64,
    /// Maximum number of passes of --identify
    #[arg(long, value_name = "N", default_value_t = 10, help_heading = "Pages", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_passes: u32,
    /// Also write facets that pages do not belong to
    #[arg(long, help_heading = "Output")]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) solve: BatchArgs,
    #[command(flatten)]
    pub(crate) sorting: SortingArgs,
    #[command(flatten)]
    pub(crate) progress: ProgressArgs,
}

/// Which topics are alternatives to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DimensionName {
    /// All topics
    All,
    /// Topics with the same parent
    Siblings,
}

impl RankFacetsArgs {
    /// The graph, if one was given.
    pub(crate) fn input(&self) -> Option<GraphInput> {
        let graph = self.graph.clone()?;
        Some(GraphInput { graph, names: self.names, pages: None, sorting: self.sorting.clone() })
    }
}
