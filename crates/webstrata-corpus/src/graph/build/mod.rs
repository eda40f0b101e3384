//! Makes graphs: of edge lists, of the links of a run, of BVGraphs.
//!
//! Links are sorted by target, on disk where memory would not do, and put together page by page. What is kept in memory
//! are the buffers of [`BuildOptions::memory`] and four bytes a page.

#[cfg(feature = "bvgraph")]
mod bvgraph;
mod edges;
mod lines;
mod named;
mod numbers;
#[cfg(test)]
mod tests;

use super::assemble::{Finish, InMemory};
use super::error::GraphError;
use super::file::FileWriter;
use super::{Graph, Stratum};
use crate::io::external_sort::Sorted;
use crate::links::Level;
use crate::store::{LinkRow, StoreError};
use std::path::{Path, PathBuf};

pub(crate) use edges::fields as link_fields;
pub(crate) use lines::Lines;

/// Longest name of a page.
pub(crate) const MAX_NAME_LEN: usize = 1 << 14;

/// What pages of an edge list are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pages {
    /// Numbers if the first link has two, else names.
    #[default]
    Auto,
    /// Numbers; those that occur are pages.
    Numbers,
    /// Numbers; all below this are pages.
    Count(usize),
    /// Addresses, or any other names.
    Names,
}

/// How a graph is made.
#[derive(Clone, Debug)]
pub struct BuildOptions {
    /// What pages of an edge list are.
    pub pages: Pages,
    /// Bytes of memory for sorting.
    pub memory: usize,
    /// Where what does not fit into memory goes, until the graph is made.
    pub temp_dir: PathBuf,
}

impl Default for BuildOptions {
    fn default() -> Self {
        BuildOptions { pages: Pages::Auto, memory: 1 << 30, temp_dir: std::env::temp_dir() }
    }
}

/// What became of the links that were read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Links that were read.
    pub read: u64,
    /// Links that are not in the graph, as they lead to no Web page.
    pub left_out: u64,
    /// Links of the graph: each pair of pages once.
    pub links: u64,
}

/// A graph, and what became of the links.
#[derive(Debug)]
pub struct Built {
    /// The graph.
    pub graph: Graph,
    /// The links.
    pub counts: Counts,
}

/// Makes a graph of an edge list: one link a line, `from<TAB>to` or with spaces; numbers or names; `#` begins a comment; plain,
/// gzip or Zstandard. With `out` the graph is written there and opened, else it is in memory. `watch` is told
/// the bytes that were read, now and then, and ends the work by saying no.
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
/// When a line is no link, with its number; when the file is cut off or empty; when files cannot be read or written.
pub fn edge_list(
    list: &Path,
    out: Option<&Path>,
    options: &BuildOptions,
    watch: &mut dyn FnMut(u64) -> bool,
) -> Result<Built, GraphError> {
    let (graph, counts) = match out {
        Some(out) => edges::build(list, || FileWriter::create(out), options, watch),
        None => edges::build(list, || Ok(InMemory::default()), options, watch),
    }?;
    Ok(Built { graph, counts })
}

/// Makes a graph of the links of a run (`store::links`), with their strata. Addresses are written as `webstrata graph` writes them.
///
/// # Errors
/// When the links cannot be read, there are none between Web pages, or the graph cannot be written.
pub fn links_of_run(
    run: &Path,
    links: impl IntoIterator<Item = Result<LinkRow, StoreError>>,
    out: Option<&Path>,
    options: &BuildOptions,
) -> Result<Built, GraphError> {
    let with_stratum = |link: Result<LinkRow, StoreError>| {
        link.map(|link| LinkRow { role: Some(Stratum::from_link(&link).name().to_owned()), ..link })
    };
    let key = |address: &str| crate::links::names::key(address, Level::Pages);
    let numbered = named::number(links.into_iter().map(with_stratum), options, &key)?;
    if numbered.is_empty() {
        return Err(GraphError::Empty(run.to_owned()));
    }
    let (graph, counts) = match out {
        Some(out) => named::build(&numbered, || FileWriter::create(out), options, true),
        None => named::build(&numbered, || Ok(InMemory::default()), options, true),
    }?;
    Ok(Built { graph, counts })
}

/// Makes a graph of a BVGraph, given the name that its files share (`web` for `web.graph` and `web.properties`). Its pages are
/// numbers.
///
/// # Errors
/// When it cannot be read, or this program was built without BVGraphs.
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
        let _ = (out, options);
        let reason = "built without BVGraph support; rebuild with --features bvgraph";
        Err(GraphError::BvGraph { path: name.to_owned(), reason: reason.into() })
    }
}

/// Puts links that are sorted by target together. `rank` gives the place of a page.
fn assemble<S: Finish>(
    assembler: &mut super::assemble::Assembler<S>,
    sorted: Sorted<u64>,
    rank: impl Fn(u32) -> u32,
) -> Result<(), GraphError> {
    let (mut page, mut predecessors) = (0u32, Vec::new());
    for link in sorted {
        let link = link?;
        let (to, from) = (rank((link >> 32) as u32), rank(link as u32));
        while page < to {
            assembler.push(&predecessors)?;
            predecessors.clear();
            page += 1;
        }
        predecessors.push(from);
    }
    assembler.push(&predecessors)
}
