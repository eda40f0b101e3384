//! Builds graphs from edge lists, from the links of a run, and from BVGraphs.
//!
//! Links are sorted by target, on disk if they do not fit in memory, and assembled page by page. Memory use is the buffer of
//! [`BuildOptions::memory`] and four bytes per page.

#[cfg(feature = "bvgraph")]
mod bvgraph;
mod edges;
mod lines;
mod links;
mod numbers;
#[cfg(test)]
mod tests;

use super::assemble::{Finish, InMemory};
use super::error::GraphError;
use super::file::FileWriter;
use super::numbering::NamedLink;
use super::vertex::{self, Level};
use super::{Graph, Stratum};
use crate::io::external_sort::Sorted;
use crate::store::{LinkRow, StoreError};
use std::path::{Path, PathBuf};

pub(crate) use edges::{fields as link_fields, page_name};
pub(crate) use lines::Lines;

/// Longest name of a page.
pub(crate) const MAX_NAME_LEN: usize = 1 << 14;

/// How the pages of an edge list are named.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pages {
    /// By numbers if the first link consists of two, else by names.
    #[default]
    Auto,
    /// By numbers; the pages are those that occur.
    Numbers,
    /// By numbers; the pages are all numbers below this one.
    Count(usize),
    /// By URLs or any other names.
    Names,
}

/// How a graph is built.
#[derive(Clone, Debug)]
pub struct BuildOptions {
    /// How the pages of an edge list are named.
    pub pages: Pages,
    /// Bytes of memory for sorting.
    pub memory: usize,
    /// Folder for temporary files.
    pub temp_dir: PathBuf,
}

impl Default for BuildOptions {
    fn default() -> Self {
        BuildOptions { pages: Pages::Auto, memory: 1 << 30, temp_dir: std::env::temp_dir() }
    }
}

/// Link counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Links that were read.
    pub read: u64,
    /// Links left out because they do not lead to a Web page.
    pub left_out: u64,
    /// Links of the graph: each pair of pages counts once.
    pub links: u64,
}

/// A graph, and counts of the links it was built from.
#[derive(Debug)]
pub struct Built {
    /// The graph.
    pub graph: Graph,
    /// The link counts.
    pub counts: Counts,
}

/// Builds a graph from an edge list: one link per line, `from<TAB>to` or separated by spaces; numbers or names; `#` starts a
/// comment; plain, gzip or Zstandard. With `out`, the graph is written there and mapped; otherwise it is in memory. `progress`
/// receives the number of bytes read from time to time, and stops the work by returning false.
///
/// ```
/// use webstrata_corpus::graph::build::{self, BuildOptions};
/// let folder = tempfile::tempdir().unwrap();
/// let list = folder.path().join("edges.txt");
/// std::fs::write(&list, "# two links\n7\t9\n9\t7\n").unwrap();
/// let graph = build::edge_list(&list, None, &BuildOptions::default(), &mut |_| true)?.graph;
/// assert_eq!((graph.num_pages(), graph.name(0), graph.find("9")), (2, "7".to_owned(), Some(1)));
/// # Ok::<(), webstrata_corpus::graph::GraphError>(())
/// ```
///
/// # Errors
/// If a line is not a link (the error has its number), if the file is truncated or empty, or if files cannot be read or
/// written.
pub fn edge_list(
    list: &Path,
    out: Option<&Path>,
    options: &BuildOptions,
    progress: &mut dyn FnMut(u64) -> bool,
) -> Result<Built, GraphError> {
    let (graph, counts) = match out {
        Some(out) => edges::build(list, || FileWriter::create(out), options, progress),
        None => edges::build(list, || Ok(InMemory::default()), options, progress),
    }?;
    Ok(Built { graph, counts })
}

/// Builds a graph with strata from the links of a run (`store::links`). URLs are normalised as in `webstrata graph export`.
///
/// # Errors
/// If the links cannot be read, if none is between Web pages, or if the graph cannot be written.
pub fn links_of_run(
    run: &Path,
    links: impl IntoIterator<Item = Result<LinkRow, StoreError>>,
    out: Option<&Path>,
    options: &BuildOptions,
) -> Result<Built, GraphError> {
    let mut counts = Counts::default();
    let named = links.into_iter().filter_map(|link| {
        let link = match link {
            Ok(link) => link,
            Err(error) => return Some(Err(error.into())),
        };
        counts.read += 1;
        match (vertex::key(&link.source, Level::Pages), vertex::key(&link.target, Level::Pages)) {
            (Some(from), Some(to)) => Some(Ok(NamedLink { from, to, tag: Stratum::from_link(&link) as u8 })),
            _ => {
                counts.left_out += 1;
                None
            }
        }
    });
    let graph = match out {
        Some(out) => links::build(named, run, || FileWriter::create(out), options, true),
        None => links::build(named, run, || Ok(InMemory::default()), options, true),
    }?;
    counts.links = graph.num_links();
    Ok(Built { graph, counts })
}

/// Builds a graph from a BVGraph, given the path that its files share (`web` for `web.graph` and `web.properties`). Its pages
/// are numbers.
///
/// # Errors
/// If it cannot be read, or if this program was built without the feature `bvgraph`.
pub fn bvgraph(name: &Path, out: Option<&Path>, options: &BuildOptions) -> Result<Built, GraphError> {
    #[cfg(feature = "bvgraph")]
    {
        let (graph, counts) = match out {
            Some(out) => bvgraph::build(name, || FileWriter::create(out), options),
            None => bvgraph::build(name, || Ok(InMemory::default()), options),
        }?;
        Ok(Built { graph, counts })
    }
    #[cfg(not(feature = "bvgraph"))]
    {
        let _ = (name, out, options);
        Err(GraphError::NoBvGraph)
    }
}

/// Assembles links sorted by target. `position` maps the number of a page to its position in the graph.
fn assemble<S: Finish>(
    assembler: &mut super::assemble::Assembler<S>,
    sorted: Sorted<u64>,
    position: impl Fn(u32) -> u32,
) -> Result<(), GraphError> {
    let (mut page, mut predecessors) = (0u32, Vec::new());
    for link in sorted {
        let link = link?;
        let (to, from) = (position((link >> 32) as u32), position(link as u32));
        while page < to {
            assembler.push(&predecessors)?;
            predecessors.clear();
            page += 1;
        }
        predecessors.push(from);
    }
    assembler.push(&predecessors)
}
