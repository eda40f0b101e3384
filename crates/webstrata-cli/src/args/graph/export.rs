//! Arguments of `graph export`.

use super::SortingArgs;
use clap::{Args, ValueEnum, ValueHint};
use std::path::PathBuf;
use webstrata_corpus::graph::export::ExportFormat;

const HELP: &str = "\
Numbers the pages (or hosts) of a run in the order of their reversed hosts (org.example.www), so that a site is a range of
numbers. Fragments (#part) are dropped, and so are links that do not lead to a Web page (mailto:, javascript:).

text      vertices.txt    id<TAB>URL, or id<TAB>org.example.www with --hosts
          edges.txt       source<TAB>target, each pair once
          strata.txt      source<TAB>target<TAB>inside|outside<TAB>role<TAB>links
parquet   vertices.parquet (id, name, host) and strata.parquet (source, target, inside, role, links)
bvgraph   graph.graph, graph.offsets, graph.properties for WebGraph (Rust, Java), with
          vertices.txt and strata.txt; needs a build with --features bvgraph

The stratum of a link is the role of the segment that contains it (body, navigation, …; - if unknown) and whether it stays
inside its host. A host's links to itself are in strata.txt but not in edges.txt.

Examples:
  webstrata run crawl/*.warc.gz --out tables               writes the table of links
  webstrata graph export tables --out graph
  webstrata graph export tables --out hosts --hosts --format parquet
  awk -F'\\t' '$4 == \"body\"' graph/strata.txt              links in prose

Exit codes: 0 the graph was written; 2 the command failed.";

#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct GraphExportArgs {
    /// Folder written by `webstrata run`
    #[arg(value_name = "RUN", value_hint = ValueHint::DirPath)]
    pub(crate) run: PathBuf,
    /// Output folder
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = "Output")]
    pub(crate) out: PathBuf,
    /// Output format
    #[arg(long, value_enum, default_value_t = ExportFormatName::Text, help_heading = "Output")]
    pub(crate) format: ExportFormatName,
    /// Make hosts the vertices instead of pages
    #[arg(long, help_heading = "Output")]
    pub(crate) hosts: bool,
    #[command(flatten)]
    pub(crate) sorting: SortingArgs,
}

/// Name of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormatName {
    /// Tab-separated text, as in Common Crawl's graphs
    Text,
    /// Tables for pandas, DuckDB, Spark
    Parquet,
    /// Compressed, for WebGraph
    Bvgraph,
}

impl From<ExportFormatName> for ExportFormat {
    fn from(name: ExportFormatName) -> ExportFormat {
        match name {
            ExportFormatName::Text => ExportFormat::Text,
            ExportFormatName::Parquet => ExportFormat::Parquet,
            ExportFormatName::Bvgraph => ExportFormat::BvGraph,
        }
    }
}
