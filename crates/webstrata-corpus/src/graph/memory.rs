//! Graphs of links in memory: for small graphs and tests.

use super::assemble::{Assembler, InMemory};
use super::error::GraphError;
use super::names::{FrontCoded, Names, TextWriter, Texts};
use super::vertex::host_key;
use super::{Graph, MAX_PAGES};
use std::collections::BTreeMap;

impl Graph {
    /// A graph of numbered pages, with links between them in any order.
    ///
    /// ```
    /// use webstrata_corpus::graph::Graph;
    /// let graph = Graph::from_links(3, [(0, 1), (2, 1), (0, 1), (1, 1)])?;
    /// assert_eq!((graph.num_links(), graph.predecessors(1).collect::<Vec<_>>()), (3, vec![0, 2]));
    /// assert!(graph.links_to_itself(1) && graph.out_degree(1) == 1);
    /// # Ok::<(), webstrata_corpus::graph::GraphError>(())
    /// ```
    ///
    /// # Errors
    /// If a page of a link does not exist.
    pub fn from_links(pages: usize, links: impl IntoIterator<Item = (u32, u32)>) -> Result<Graph, GraphError> {
        let mut keys = Vec::new();
        for (from, to) in links {
            if from.max(to) as usize >= pages {
                return Err(GraphError::Option(format!("there is a link from {from} to {to}, but there are only {pages} pages")));
            }
            keys.push(key(from, to));
        }
        from_keys(pages, keys, None, Names::Dense)
    }

    /// A graph of pages with hosts: the host of each page (ascending from 0), and links with their strata.
    ///
    /// # Errors
    /// Same as for [`Graph::from_links`], and if hosts do not ascend.
    pub fn with_hosts(hosts: &[u32], links: impl IntoIterator<Item = (u32, u32, u8)>) -> Result<Graph, GraphError> {
        let mut starts = Vec::new();
        for (page, &host) in hosts.iter().enumerate() {
            if host as usize == starts.len() {
                starts.push(page as u32);
            } else if host as usize + 1 != starts.len() {
                return Err(GraphError::Option(format!("page {page} is on host {host}; hosts must ascend from 0 without gaps")));
            }
        }
        starts.push(hosts.len() as u32);
        let mut by_target: BTreeMap<(u32, u32), u8> = BTreeMap::new();
        for (from, to, stratum) in links {
            if from.max(to) as usize >= hosts.len() {
                return Err(GraphError::Option(format!(
                    "there is a link from {from} to {to}, but there are only {} pages",
                    hosts.len()
                )));
            }
            by_target.entry((to, from)).and_modify(|old| *old = stratum.min(*old)).or_insert(stratum);
        }
        let mut assembler = Assembler::new(hosts.len(), InMemory::default())?;
        for page in 0..hosts.len() as u32 {
            let links = by_target.range((page, 0)..=(page, u32::MAX));
            let (predecessors, strata): (Vec<u32>, Vec<u8>) = links.map(|(&(_, from), &stratum)| (from, stratum)).unzip();
            assembler.push_with_strata(&predecessors, &strata)?;
        }
        assembler.finish(Some(starts), Names::Dense)
    }

    /// A graph of links between names. Pages are sorted by reversed host (`org.example.www`), then by name; names that are not URLs
    /// belong to one host.
    ///
    /// # Errors
    /// If there are too many pages.
    pub fn from_names<N: AsRef<str>>(links: impl IntoIterator<Item = (N, N)>) -> Result<Graph, GraphError> {
        let links: Vec<(N, N)> = links.into_iter().collect();
        let mut names: BTreeMap<(String, &str), u32> = BTreeMap::new();
        for name in links.iter().flat_map(|(from, to)| [from.as_ref(), to.as_ref()]) {
            names.insert((host_key(name).into_owned(), name), 0);
        }
        if names.len() >= MAX_PAGES {
            return Err(GraphError::TooLarge);
        }
        let (mut starts, mut last) = (Vec::new(), None);
        let (mut writer, mut bytes) = (TextWriter::default(), Vec::new());
        for (page, ((host, name), number)) in names.iter_mut().enumerate() {
            *number = page as u32;
            if last != Some(host) {
                starts.push(page as u32);
                last = Some(host);
            }
            writer.push(name.as_bytes(), &mut bytes);
        }
        let host_order: Vec<u32> = (0..starts.len() as u32).collect();
        starts.push(names.len() as u32);
        let number = |name: &str| names.get(&(host_key(name).into_owned(), name)).copied().unwrap_or_default();
        let keys = links.iter().map(|(from, to)| key(number(from.as_ref()), number(to.as_ref()))).collect();
        let texts = Texts {
            names: FrontCoded { offsets: writer.offsets().into(), bytes: bytes.into() },
            host_order: host_order.into(),
            sorted: true,
        };
        from_keys(names.len(), keys, Some(starts), Names::Texts(texts))
    }
}

/// A link as one number that sorts by target, then by source.
pub(crate) fn key(from: u32, to: u32) -> u64 {
    u64::from(to) << 32 | u64::from(from)
}

/// A graph of links encoded by [`key`], in any order.
fn from_keys(pages: usize, mut keys: Vec<u64>, starts: Option<Vec<u32>>, names: Names) -> Result<Graph, GraphError> {
    keys.sort_unstable();
    keys.dedup();
    let mut assembler = Assembler::new(pages, InMemory::default())?;
    let (mut at, mut predecessors) = (0, Vec::new());
    for page in 0..pages as u64 {
        predecessors.clear();
        while let Some(&key) = keys.get(at).filter(|&&key| key >> 32 == page) {
            predecessors.push(key as u32);
            at += 1;
        }
        assembler.push(&predecessors)?;
    }
    assembler.finish(starts, names)
}
