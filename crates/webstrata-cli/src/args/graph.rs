//! Options of `graph`.

use clap::{Args, ValueEnum, ValueHint};
use std::path::PathBuf;
use webstrata_corpus::links::GraphFormat;

const HELP: &str = "\
The links of a run become a graph: addresses (or hosts) are numbered, in the order of their
hosts reversed (org.example.www), so that a site is a range of numbers. Places in a page
(#part) are left out, and so is what leads to no Web page (mailto:, javascript:).

text      vertices.txt    id<TAB>address, or id<TAB>org.example.www with --hosts
          edges.txt       from<TAB>to, each pair once
          strata.txt      from<TAB>to<TAB>inside|outside<TAB>role<TAB>links
parquet   vertices.parquet (id, name, host) and strata.parquet (from, to, inside, role, links)
bvgraph   graph.graph, graph.offsets, graph.properties for WebGraph (Rust, Java), with
          vertices.txt and strata.txt

The stratum of a link is where it stands (the role of its segment: body, navigation, …; - if
it is not known) and whether it stays inside its host. A host that links to itself is in
strata.txt, and is no edge.

Examples:
  webstrata run crawl/*.warc.gz --out run                  what makes the table of links
  webstrata graph run --out graph
  webstrata graph run --out hosts --hosts --format bvgraph
  awk -F'\\t' '$4 == \"body\"' graph/strata.txt              links in prose

Exit codes: 0 the graph was written; 2 it could not be carried out as given.";

#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct GraphArgs {
    /// Folder that `webstrata run` has written
    #[arg(value_name = "RUN", value_hint = ValueHint::DirPath)]
    pub(crate) run: PathBuf,
    /// Folder for the graph
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = "Output")]
    pub(crate) out: PathBuf,
    /// What is written
    #[arg(long, value_enum, default_value_t = GraphFormatName::Text, help_heading = "Output")]
    pub(crate) format: GraphFormatName,
    /// Vertices are hosts instead of pages
    #[arg(long, help_heading = "Output")]
    pub(crate) hosts: bool,
    /// Memory for sorting, in megabytes; what does not fit is sorted on disk, in the folder for the graph
    #[arg(long, value_name = "MB", default_value_t = 256, help_heading = "Run", value_parser = clap::value_parser!(u32).range(1..=65536))]
    pub(crate) memory: u32,
}

/// A format by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GraphFormatName {
    /// Numbers and tabs, as Common Crawl's graphs
    Text,
    /// Tables for pandas, DuckDB, Spark
    Parquet,
    /// Packed, for WebGraph
    Bvgraph,
}

impl From<GraphFormatName> for GraphFormat {
    fn from(name: GraphFormatName) -> GraphFormat {
        match name {
            GraphFormatName::Text => GraphFormat::Text,
            GraphFormatName::Parquet => GraphFormat::Parquet,
            GraphFormatName::Bvgraph => GraphFormat::BvGraph,
        }
    }
}
