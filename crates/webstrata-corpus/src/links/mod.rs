//! The link graph of a crawl: its pages or hosts as numbered vertices, its links as edges, each with its stratum.
//!
//! The stratum of a link is where it stands and where it leads: the role of the segment that it is in (prose, navigation,
//! a list of teasers, …), and whether it stays inside its host. Vertices are numbered in the order of their hosts,
//! reversed (`org.example.www`), so that a site is a range of numbers, as in Common Crawl's graphs.
//!
//! Nothing is kept in memory but a buffer of [`GraphOptions::memory`]: names become numbers by sorting on disk (`io::external_sort`)
//! and by going through two sorted files side by side, once for the page that a link is on, once for the page that
//! it leads to.

#[cfg(feature = "bvgraph")]
mod bvgraph;
mod columns;
pub(crate) mod names;
pub(crate) mod number;
mod text;

use crate::io::record_file::RecordError;
use crate::store::{LinkRow, StoreError};
use number::Numbered;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use thiserror::Error;

/// What a vertex is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Level {
    /// A page.
    #[default]
    Pages,
    /// A host.
    Hosts,
}

/// What is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GraphFormat {
    /// `vertices.txt` and `edges.txt`, numbers and tabs.
    #[default]
    Text,
    /// `vertices.parquet` and `strata.parquet`.
    Parquet,
    /// `graph.graph` and its companions, as the WebGraph framework reads them, with `vertices.txt`.
    BvGraph,
}

impl FromStr for GraphFormat {
    type Err = String;

    fn from_str(name: &str) -> Result<GraphFormat, String> {
        match name {
            "text" => Ok(GraphFormat::Text),
            "parquet" => Ok(GraphFormat::Parquet),
            "bvgraph" => Ok(GraphFormat::BvGraph),
            _ => Err(format!("{name:?} is none of text, parquet and bvgraph")),
        }
    }
}

impl fmt::Display for GraphFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GraphFormat::Text => "text",
            GraphFormat::Parquet => "parquet",
            GraphFormat::BvGraph => "bvgraph",
        })
    }
}

/// How a graph is made.
#[derive(Clone, Debug)]
pub struct GraphOptions {
    /// What a vertex is.
    pub level: Level,
    /// What is written.
    pub format: GraphFormat,
    /// Bytes of memory for sorting.
    pub memory: usize,
}

impl Default for GraphOptions {
    fn default() -> Self {
        GraphOptions { level: Level::Pages, format: GraphFormat::Text, memory: 256 << 20 }
    }
}

/// How large a graph is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GraphSummary {
    /// Links that were read.
    pub links: u64,
    /// Links that are not in the graph: they lead to no Web page, or stand on a page without an address.
    pub left_out: u64,
    /// Vertices.
    pub vertices: u64,
    /// Pairs of vertices with a link from the first to the second.
    pub edges: u64,
    /// Links that stay inside their host.
    pub inside: u64,
}

/// Why a graph cannot be made.
#[derive(Debug, Error)]
pub enum GraphError {
    /// A file could not be read or written.
    #[error(transparent)]
    Io(#[from] crate::io::IoError),
    /// The run cannot be read, or the graph not written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A temporary file was changed by someone else, or by a failing disk.
    #[error("{}: {reason}; check the disk", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// The graph cannot be packed.
    #[error("cannot write the BVGraph: {0}")]
    BvGraph(String),
    /// This program was built without the format.
    #[error("built without BVGraph support; rebuild with --features bvgraph, or choose text or parquet")]
    NoBvGraph,
}

impl From<RecordError> for GraphError {
    fn from(error: RecordError) -> GraphError {
        match error {
            RecordError::Io(error) => GraphError::Io(error),
            RecordError::Damaged { path, reason } => GraphError::Changed { path, reason },
        }
    }
}

/// Makes the graph of links and writes it to a folder.
///
/// ```
/// use webstrata_corpus::links::{GraphOptions, write_graph};
/// use webstrata_corpus::store::LinkRow;
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let link = |from: &str, to: &str| {
///     Ok(LinkRow { from: from.into(), to: to.into(), role: Some("navigation".into()), ..LinkRow::default() })
/// };
/// let links = [link("https://b.org/", "https://a.org/x#top"), link("https://b.org/", "mailto:me@b.org")];
/// let folder = tempfile::tempdir()?;
/// let graph = write_graph(links, folder.path(), &GraphOptions::default())?;
/// assert_eq!((graph.vertices, graph.edges, graph.left_out), (2, 1, 1));
/// assert_eq!(std::fs::read_to_string(folder.path().join("vertices.txt"))?, "0\thttps://a.org/x\n1\thttps://b.org/\n");
/// assert_eq!(std::fs::read_to_string(folder.path().join("edges.txt"))?, "1\t0\n");
/// # Ok(())
/// # }
/// ```
pub fn write_graph(
    links: impl IntoIterator<Item = Result<LinkRow, StoreError>>,
    folder: &Path,
    options: &GraphOptions,
) -> Result<GraphSummary, GraphError> {
    if options.format == GraphFormat::BvGraph && !cfg!(feature = "bvgraph") {
        return Err(GraphError::NoBvGraph);
    }
    let graph = Numbered::new(links, folder, options)?;
    match options.format {
        GraphFormat::Text => text::write(&graph, folder)?,
        GraphFormat::Parquet => columns::write(&graph, folder)?,
        #[cfg(feature = "bvgraph")]
        GraphFormat::BvGraph => bvgraph::write(&graph, folder)?,
        #[cfg(not(feature = "bvgraph"))]
        GraphFormat::BvGraph => return Err(GraphError::NoBvGraph),
    }
    Ok(graph.summary())
}

#[cfg(test)]
mod tests;
