//! Link graphs at Web scale, and PageRank for any preference vector.
//!
//! A page has a permanent identifier, its host and its position there ([`PageId`]), so that adding a page or a host renumbers
//! nothing. In an open graph it also has a position in the *dense order*, in which the pages of a host are a range; vectors of
//! ranks are indexed by it.
//!
//! - A link that occurs twice on a page counts once.
//! - A page without links is *dangling*; its rank goes to the preference vector.
//! - A link from a page to itself counts as one of its links, and its share also goes to the preference vector
//!   ([`rank::SelfLinks`] has other rules).
//!
//! A [`Graph`] comes from [`build`] or [`generate`](mod@generate), from links in memory ([`Graph::from_links`], [`Graph::from_names`]), or
//! from a file, which is mapped rather than read, so it may be larger than memory. [`rank::solve`] ranks its pages.
//!
//! C. Kohlschütter, P.-A. Chirita, W. Nejdl: Efficient parallel computation of PageRank. ECIR 2006.

pub(crate) mod adjacency;
pub(crate) mod assemble;
pub mod build;
pub mod delta;
mod error;
pub mod export;
pub mod facets;
mod file;
pub mod generate;
mod map;
pub(crate) mod mapped_slice;
mod memory;
pub(crate) mod names;
pub(crate) mod numbering;
pub mod rank;
mod stratum;
pub mod topics;
pub(crate) mod vertex;

pub use error::GraphError;
pub use stratum::Stratum;
pub use vertex::Level;

use adjacency::InLinks;
use mapped_slice::MappedSlice;
use names::Names;
use std::ops::Range;

/// Maximum number of pages: page numbers have 32 bits, and one is reserved.
pub const MAX_PAGES: usize = u32::MAX as usize;
/// Pages between two entries of the index into the adjacency lists.
pub(crate) const STEP: usize = 256;
/// Pages that are treated as one host if pages are numbers: in a numbering by URL, neighbours mostly share a host.
pub const PSEUDO_HOST_PAGES: usize = 256;
/// The bit of an out-degree that marks a page that links to itself.
pub(crate) const LINKS_TO_ITSELF: u32 = 1 << 31;

/// Permanent identifier of a page; it does not change when the graph is extended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PageId {
    /// The host.
    pub host: u32,
    /// Position among the pages of the host, in the order of addition.
    pub local: u32,
}

/// A graph of pages, in memory or in a mapped file.
///
/// ```
/// use webstrata_corpus::graph::Graph;
/// let graph = Graph::from_names([("https://b.org/", "https://a.org/x"), ("https://a.org/x", "https://a.org/")])?;
/// let (home, page) = (graph.find("https://a.org/").unwrap(), graph.find("https://a.org/x").unwrap());
/// assert_eq!((graph.num_pages(), graph.num_links(), graph.num_hosts()), (3, 2, 2));
/// assert_eq!(graph.predecessors(home).collect::<Vec<_>>(), [page as u32]);
/// assert_eq!((graph.out_degree(page), graph.out_degree(home)), (1, 0));
/// assert_eq!(graph.pages_of(0), 0..2);
/// # Ok::<(), webstrata_corpus::graph::GraphError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Graph {
    /// First page of each host, and the number of pages.
    pub(crate) starts: MappedSlice<u32>,
    /// Whether hosts are known, rather than derived from ranges of numbers.
    pub(crate) has_hosts: bool,
    /// Out-degree of each page; the highest bit marks a link to the page itself.
    pub(crate) degrees: MappedSlice<u32>,
    /// For every page that is a multiple of [`STEP`]: its offset in `adjacency`, and the number of links before it.
    pub(crate) index: MappedSlice<u64>,
    /// Predecessors of all pages: see `adjacency.rs`.
    pub(crate) adjacency: MappedSlice<u16>,
    /// Stratum of each link in the order of `adjacency`, if known.
    pub(crate) strata: Option<MappedSlice<u8>>,
    pub(crate) names: Names,
    pub(crate) links: u64,
}

impl Graph {
    /// Number of pages.
    #[must_use]
    pub fn num_pages(&self) -> usize {
        self.degrees.len()
    }

    /// Number of links, including those from pages to themselves.
    #[must_use]
    pub fn num_links(&self) -> u64 {
        self.links
    }

    /// Number of hosts.
    #[must_use]
    pub fn num_hosts(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Whether hosts are known. If pages are numbers, every [`PSEUDO_HOST_PAGES`] of them are treated as one host.
    #[must_use]
    pub fn has_hosts(&self) -> bool {
        self.has_hosts
    }

    /// Whether the strata of links are known.
    #[must_use]
    pub fn has_strata(&self) -> bool {
        self.strata.is_some()
    }

    /// The pages of a host in the dense order; empty for an unknown host.
    #[must_use]
    pub fn pages_of(&self, host: usize) -> Range<usize> {
        let start = |at: usize| self.starts.get(at).map_or(self.num_pages(), |&start| start as usize);
        start(host)..start(host.saturating_add(1))
    }

    /// The host of a page.
    #[must_use]
    pub fn host_of(&self, page: usize) -> usize {
        self.starts.partition_point(|&start| start as usize <= page).saturating_sub(1)
    }

    /// The permanent identifier of a page.
    #[must_use]
    pub fn id(&self, page: usize) -> PageId {
        let host = self.host_of(page);
        PageId { host: host as u32, local: (page - self.pages_of(host).start) as u32 }
    }

    /// The page with a permanent identifier.
    #[must_use]
    pub fn page(&self, id: PageId) -> Option<usize> {
        let pages = self.pages_of(id.host as usize);
        pages.start.checked_add(id.local as usize).filter(|page| pages.contains(page))
    }

    /// Number of pages that a page links to, including itself if it links to itself.
    #[must_use]
    pub fn out_degree(&self, page: usize) -> u32 {
        self.degrees.get(page).map_or(0, |degree| degree & !LINKS_TO_ITSELF)
    }

    /// Whether a page links to itself.
    #[must_use]
    pub fn links_to_itself(&self, page: usize) -> bool {
        self.degrees.get(page).is_some_and(|degree| degree & LINKS_TO_ITSELF != 0)
    }

    /// The pages that link to a page, without the page itself: first the near ones in ascending order, then the others.
    pub fn predecessors(&self, page: usize) -> impl Iterator<Item = u32> {
        self.in_links(page).0.predecessors(page as u32)
    }

    /// The pages of a range with their predecessors; faster than calling [`Graph::predecessors`] for each.
    ///
    /// ```
    /// use webstrata_corpus::graph::Graph;
    /// let graph = Graph::from_links(3, [(0, 1), (2, 1), (1, 2)])?;
    /// let lists: Vec<(usize, Vec<u32>)> = graph.scan(1..3).map(|(page, predecessors)| (page, predecessors.collect())).collect();
    /// assert_eq!(lists, [(1, vec![0, 2]), (2, vec![1])]);
    /// # Ok::<(), webstrata_corpus::graph::GraphError>(())
    /// ```
    pub fn scan(&self, pages: Range<usize>) -> impl Iterator<Item = (usize, impl Iterator<Item = u32>)> {
        let (mut rest, _) = self.adjacency_from(pages.start.min(self.num_pages()));
        (pages.start..pages.end.min(self.num_pages())).map(move |page| (page, adjacency::take(&mut rest).predecessors(page as u32)))
    }

    /// The predecessors of a page, and the number of links before them.
    fn in_links(&self, page: usize) -> (InLinks<'_>, usize) {
        let (mut rest, mut before) = self.adjacency_from(page);
        let links = if page < self.num_pages() { adjacency::take(&mut rest) } else { InLinks { near: &[], far: &[] } };
        before = before.min(self.strata.as_ref().map_or(before, |strata| strata.len()));
        (links, before)
    }

    /// The pages that link to a page, with the strata of the links as [`Stratum`] numbers.
    pub fn predecessors_with_strata(&self, page: usize) -> impl Iterator<Item = (u32, u8)> {
        let (links, before) = self.in_links(page);
        let strata = self.strata.as_deref().and_then(|strata| strata.get(before..)).unwrap_or_default();
        links.predecessors(page as u32).zip(strata.iter().copied().chain(std::iter::repeat(Stratum::Unknown as u8)))
    }

    /// The adjacency lists from a page on, and the number of links before it.
    pub(crate) fn adjacency_from(&self, page: usize) -> (&[u16], usize) {
        let place = |at: usize| self.index.get(at).and_then(|&place| usize::try_from(place).ok()).unwrap_or(usize::MAX);
        let (from, mut before) = (place(page / STEP * 2), place(page / STEP * 2 + 1));
        let mut rest = self.adjacency.get(from..).unwrap_or_default();
        for _ in 0..page % STEP {
            before = before.saturating_add(adjacency::take(&mut rest).len());
        }
        (rest, before)
    }

    /// The name of a page: its URL, or its number in the edge list.
    #[must_use]
    pub fn name(&self, page: usize) -> String {
        self.names.get(page)
    }

    /// The page with this name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<usize> {
        self.names.find(name, self.num_pages(), &|host| self.pages_of(host))
    }

    /// The host with this reversed name (`org.example.www`); empty for pages whose names are not URLs.
    #[must_use]
    pub fn find_host(&self, key: &str) -> Option<usize> {
        self.names.find_host(key, &|host| self.pages_of(host))
    }

    /// Numbers of links between pages of the same host and between hosts, without links from pages to themselves.
    #[must_use]
    pub fn count_inside(&self) -> (u64, u64) {
        let (mut rest, _) = self.adjacency_from(0);
        let (mut inside, mut between) = (0, 0);
        for host in 0..self.num_hosts() {
            let pages = self.pages_of(host);
            for page in pages.clone() {
                for source in adjacency::take(&mut rest).predecessors(page as u32) {
                    if pages.contains(&(source as usize)) { inside += 1 } else { between += 1 }
                }
            }
        }
        (inside, between)
    }
}

#[cfg(test)]
mod tests;
