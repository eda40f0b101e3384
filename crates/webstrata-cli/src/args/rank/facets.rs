//! Options of `rank facets`.

use super::super::values::Bytes;
use super::topics::{Solving, TaxonomyReading};
use super::{GraphInput, Saying};
use clap::{Args, ValueEnum, ValueHint};
use std::path::PathBuf;
use webstrata_corpus::graph::facets::{MEMBERSHIP, RESULTS, SHARE};

const HELP: &str = "\
A facet is a topic; the score of a page by it is its rank, scaled to a mean of 1. Its membership is the logarithm of the
score over the number of topics that it scores 1 and more by: the more there are, the less sure is each. * is the ranking
that prefers no topic, a dimension of its own: general importance.

For pages the result has lines page<TAB>facet<TAB>membership<TAB>score, strongest first, those above 0 only if --all is not
given. For a list of results, best first, it has lines facet<TAB>share: the share of the first --results pages that belong to
the facet by --membership at least. With --identify the list is ranked anew by each facet that was found, until no facet
joins them (Algorithm 3.1 of the thesis); with a taxonomy the topics below those that were found are ranked as they are
needed.

Examples:
  webstrata rank facets web.graph --taxonomy topics.tsv --page https://example.org/
  webstrata rank facets --ranks topics.tsv --list results.txt
  search fox | webstrata rank facets --ranks topics.tsv --list -
  webstrata rank facets web.graph --taxonomy topics.tsv --list results.txt --identify --iterations 5

Exit codes: 0 the facets are there; 2 it could not be carried out as given.";

#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct RankFacetsArgs {
    /// A graph, or what one is made of (an edge list, the folder of a run, a BVGraph)
    #[arg(value_name = "GRAPH", requires = "taxonomy", value_hint = ValueHint::AnyPath)]
    pub(crate) graph: Option<PathBuf>,
    /// Pages of the edge list are names, even if they look like numbers
    #[arg(long, help_heading = "Input")]
    pub(crate) names: bool,
    /// The tree of topics with their pages; needs GRAPH
    #[arg(long, value_name = "FILE", help_heading = "Topics", requires = "graph", value_hint = ValueHint::FilePath)]
    pub(crate) taxonomy: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) reading: TaxonomyReading,
    /// Levels of topics: 1 are those on top, 2 also those below them …
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Topics", value_parser = clap::value_parser!(u8).range(1..=64))]
    pub(crate) depth: u8,
    /// Ranks that `rank topics` has written as TSV, with all pages; instead of GRAPH and --taxonomy
    #[arg(long, value_name = "FILE", help_heading = "Topics", conflicts_with_all = ["graph", "taxonomy"], value_hint = ValueHint::FilePath)]
    pub(crate) ranks: Option<PathBuf>,
    /// Which topics are alternatives of each other
    #[arg(long, value_enum, default_value_t = DimensionName::All, help_heading = "Topics")]
    pub(crate) dimension: DimensionName,

    /// Score pages relative to their rank without a topic; fairer to pages that few link to
    #[arg(long, help_heading = "Topics")]
    pub(crate) relative: bool,

    /// The facets of a page
    #[arg(long, value_name = "NAME", help_heading = "Pages")]
    pub(crate) page: Vec<String>,
    /// The facets of a list of results: a page a line, best first, with a weight behind a tab if you like; - is standard input
    #[arg(long, value_name = "FILE", help_heading = "Pages", conflicts_with = "page", value_hint = ValueHint::FilePath)]
    pub(crate) list: Option<PathBuf>,
    /// Results of the list that are looked at
    #[arg(long, value_name = "K", default_value_t = RESULTS, help_heading = "Pages")]
    pub(crate) results: usize,
    /// Membership from which on a page counts for a facet
    #[arg(long, value_name = "M", default_value_t = MEMBERSHIP, help_heading = "Pages")]
    pub(crate) membership: f64,
    /// Rank the list anew by the facets that are found, until there are no more
    #[arg(long, requires = "list", help_heading = "Pages")]
    pub(crate) identify: bool,
    /// Share of the results that makes a facet of the list, for --identify
    #[arg(long, value_name = "S", default_value_t = SHARE, help_heading = "Pages")]
    pub(crate) share: f64,
    /// Most rounds of --identify
    #[arg(long, value_name = "N", default_value_t = 10, help_heading = "Pages", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) iterations: u32,
    /// Also facets that pages do not belong to
    #[arg(long, help_heading = "Output")]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) solving: Solving,
    #[command(flatten)]
    pub(crate) saying: Saying,
}

/// Which topics are alternatives of each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DimensionName {
    /// All topics
    All,
    /// Topics right below the same topic
    Siblings,
}

impl RankFacetsArgs {
    /// The graph that was named.
    pub(crate) fn input(&self) -> Option<GraphInput> {
        let graph = self.graph.clone()?;
        Some(GraphInput { graph, names: self.names, pages: None, memory: Bytes(1 << 30), temp_dir: None })
    }
}
