//! Exports the links of a run as a graph for other tools: numbered pages or hosts, and edges with their strata.
//!
//! The stratum of a link says where it is on its page (the role of its segment: prose, navigation, …) and whether it stays on
//! its host. Vertices are numbered in the order of their reversed hosts (`org.example.www`), as in Common Crawl's graphs, so
//! a site is a range of numbers.

#[cfg(feature = "bvgraph")]
mod bvgraph;
mod edges;
mod parquet;
#[cfg(test)]
mod tests;
mod text;

use super::error::GraphError;
use super::vertex::Level;
use crate::store::{LinkRow, StoreError};
use edges::Edges;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// File format of an exported graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExportFormat {
    /// `vertices.txt`, `edges.txt` and `strata.txt`: numbers and tabs.
    #[default]
    Text,
    /// `vertices.parquet` and `strata.parquet`.
    Parquet,
    /// `graph.graph` and its companions, as the WebGraph framework reads them, with `vertices.txt` and `strata.txt`.
    BvGraph,
}

impl FromStr for ExportFormat {
    type Err = String;

    fn from_str(name: &str) -> Result<ExportFormat, String> {
        match name {
            "text" => Ok(ExportFormat::Text),
            "parquet" => Ok(ExportFormat::Parquet),
            "bvgraph" => Ok(ExportFormat::BvGraph),
            _ => Err(format!("unknown format '{name}'; use text, parquet or bvgraph")),
        }
    }
}

impl fmt::Display for ExportFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ExportFormat::Text => "text",
            ExportFormat::Parquet => "parquet",
            ExportFormat::BvGraph => "bvgraph",
        })
    }
}

/// How a graph is exported.
#[derive(Clone, Debug)]
pub struct ExportOptions {
    /// Whether vertices are pages or hosts.
    pub level: Level,
    /// The file format.
    pub format: ExportFormat,
    /// Bytes of memory for sorting.
    pub memory: usize,
    /// Folder for temporary files; the output folder if none is given.
    pub temp_dir: Option<PathBuf>,
}

impl Default for ExportOptions {
    fn default() -> Self {
        ExportOptions { level: Level::Pages, format: ExportFormat::Text, memory: 256 << 20, temp_dir: None }
    }
}

/// Size of an exported graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExportSummary {
    /// Links that were read.
    pub links: u64,
    /// Links left out because an end is not a Web page.
    pub left_out: u64,
    /// Vertices.
    pub vertices: u64,
    /// Pairs of vertices with a link from the first to the second.
    pub edges: u64,
    /// Links that stay on their host.
    pub inside: u64,
}

/// Writes the graph of links to a folder.
///
/// ```
/// use webstrata::label::Role;
/// use webstrata_corpus::graph::export::{ExportOptions, export_links};
/// use webstrata_corpus::store::LinkRow;
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let link = |from: &str, to: &str| {
///     Ok(LinkRow { source: from.into(), target: to.into(), role: Some(Role::Navigation), ..LinkRow::default() })
/// };
/// let links = [link("https://b.org/", "https://a.org/x#top"), link("https://b.org/", "mailto:me@b.org")];
/// let folder = tempfile::tempdir()?;
/// let graph = export_links(links, folder.path(), &ExportOptions::default())?;
/// assert_eq!((graph.vertices, graph.edges, graph.left_out), (2, 1, 1));
/// assert_eq!(std::fs::read_to_string(folder.path().join("vertices.txt"))?, "0\thttps://a.org/x\n1\thttps://b.org/\n");
/// assert_eq!(std::fs::read_to_string(folder.path().join("edges.txt"))?, "1\t0\n");
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// If links cannot be read or files cannot be written, or if the format is not built in.
pub fn export_links(
    links: impl IntoIterator<Item = Result<LinkRow, StoreError>>,
    folder: &Path,
    options: &ExportOptions,
) -> Result<ExportSummary, GraphError> {
    if options.format == ExportFormat::BvGraph && !cfg!(feature = "bvgraph") {
        return Err(GraphError::NoBvGraph);
    }
    let edges = Edges::new(links, folder, options)?;
    match options.format {
        ExportFormat::Text => text::write(&edges, folder)?,
        ExportFormat::Parquet => parquet::write(&edges, folder)?,
        #[cfg(feature = "bvgraph")]
        ExportFormat::BvGraph => bvgraph::write(&edges, folder)?,
        #[cfg(not(feature = "bvgraph"))]
        ExportFormat::BvGraph => return Err(GraphError::NoBvGraph),
    }
    Ok(edges.summary)
}
