//! Builds a part from links between named pages.

use super::super::super::assemble::{Assembler, InMemory};
use super::super::super::names::Names;
use super::super::super::vertex::{self, host_key};
use super::super::super::{GraphError, LINKS_TO_ITSELF, PSEUDO_HOST_PAGES};
use super::{Border, Inbound, Part};
use std::collections::HashMap;
use std::hash::Hash;

/// A page: its order among all pages, and its host. The pages of a host are adjacent.
pub trait PageKey: Ord + Hash + Clone {
    /// Whether two pages are on the same host.
    fn same_host(&self, other: &Self) -> bool;
}

/// Numbers have no hosts, so ranges of them count as hosts, as in a [`Graph`](crate::graph::Graph) of numbers.
impl PageKey for i64 {
    fn same_host(&self, other: &Self) -> bool {
        self.div_euclid(PSEUDO_HOST_PAGES as i64) == other.div_euclid(PSEUDO_HOST_PAGES as i64)
    }
}

/// The name of a page, usually its URL. The order is that of [`Graph::from_names`](crate::graph::Graph::from_names).
///
/// ```
/// use webstrata_corpus::graph::rank::parts::{PageKey, PageName};
/// let [a, b, c] = ["https://a.org/x", "https://a.org/y", "https://b.org/"].map(PageName::new);
/// assert!(a.same_host(&b) && !b.same_host(&c) && a < b && b < c);
/// assert_eq!((a.name(), PageName::host("https://www.a.org/x")), ("https://a.org/x", "org.a.www".to_owned()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PageName(Box<[u8]>);

impl PageName {
    /// The page with this name.
    #[must_use]
    pub fn new(name: &str) -> PageName {
        PageName(vertex::verbatim_key(name).into())
    }

    /// The name of the page.
    #[must_use]
    pub fn name(&self) -> &str {
        std::str::from_utf8(vertex::name(&self.0)).unwrap_or_default()
    }

    /// The reversed host of a name; empty for names that are not URLs.
    #[must_use]
    pub fn host(name: &str) -> String {
        host_key(name).into_owned()
    }

    /// The URL of a page without parts that do not change which page it is, such as a fragment; `None` for anything but http and https.
    #[must_use]
    pub fn normalized(url: &str) -> Option<String> {
        vertex::normalized(url)
    }
}

impl PageKey for PageName {
    fn same_host(&self, other: &Self) -> bool {
        vertex::host(&self.0) == vertex::host(&other.0)
    }
}

/// Collects the links of a part, in any order.
///
/// ```
/// use webstrata_corpus::graph::rank::parts::PartBuilder;
/// // Page 1 is in part 0, page 2 in part 1; they link to each other.
/// let mut builder = PartBuilder::new(0);
/// builder.link(1, 2, 1);
/// builder.expect_votes(1, 1);
/// let (pages, part) = builder.finish()?;
/// assert_eq!((pages, part.votes(&[0.5])[0].values.as_slice()), (vec![1], [0.5].as_slice()));
/// # Ok::<(), webstrata_corpus::graph::GraphError>(())
/// ```
#[derive(Debug)]
pub struct PartBuilder<K> {
    part: u32,
    numbers: HashMap<K, u32>,
    /// Whether a page is in this part, by number.
    own: Vec<bool>,
    /// Part of the target, target, source.
    links: Vec<(u32, u32, u32)>,
    /// Voting part, page.
    votes: Vec<(u32, u32)>,
}

impl<K: PageKey> PartBuilder<K> {
    /// Starts a part.
    #[must_use]
    pub fn new(part: u32) -> Self {
        PartBuilder { part, numbers: HashMap::new(), own: Vec::new(), links: Vec::new(), votes: Vec::new() }
    }

    fn number(&mut self, page: K, own: bool) -> u32 {
        let next = self.own.len() as u32;
        let number = *self.numbers.entry(page).or_insert(next);
        if number == next {
            self.own.push(own);
        } else if own && let Some(known) = self.own.get_mut(number as usize) {
            *known = true;
        }
        number
    }

    /// Adds a page of this part, which need not have links.
    pub fn page(&mut self, page: K) {
        self.number(page, true);
    }

    /// Adds a link from a page of this part to a page of any part. Repetitions count once.
    pub fn link(&mut self, source: K, target: K, part: u32) {
        let source = self.number(source, true);
        let target = self.number(target, part == self.part);
        self.links.push((part, target, source));
    }

    /// Adds a page of this part that pages of another part link to.
    pub fn expect_votes(&mut self, part: u32, page: K) {
        let page = self.number(page, true);
        self.votes.push((part, page));
    }

    /// The pages in the order of their numbers, and the part.
    ///
    /// # Errors
    /// If there are too many pages.
    pub fn finish(self) -> Result<(Vec<K>, Part), GraphError> {
        let PartBuilder { part: me, numbers, own, mut links, mut votes } = self;
        if own.len() >= super::super::super::MAX_PAGES {
            return Err(GraphError::TooLarge);
        }
        let mut sorted: Vec<(K, u32)> = numbers.into_iter().collect();
        sorted.sort_unstable();
        // Own pages are numbered among themselves; of others only the order matters.
        let mut place = vec![0u32; sorted.len()];
        let mut keys: Vec<K> = Vec::new();
        for ((key, number), order) in sorted.into_iter().zip(0u32..) {
            let is_own = own.get(number as usize).copied().unwrap_or(false);
            if let Some(place) = place.get_mut(number as usize) {
                *place = if is_own { keys.len() as u32 } else { order };
            }
            if is_own {
                keys.push(key);
            }
        }
        let at = |number: u32| place.get(number as usize).copied().unwrap_or_default();
        links.iter_mut().for_each(|(_, target, source)| (*target, *source) = (at(*target), at(*source)));
        links.sort_unstable();
        links.dedup();
        votes.iter_mut().for_each(|(_, page)| *page = at(*page));
        votes.sort_unstable();
        votes.dedup();

        let mut degrees = vec![0u32; keys.len()];
        let mut assembler = Assembler::new(keys.len(), InMemory::default())?;
        let mut borders: Vec<Border> = Vec::new();
        let (mut page, mut predecessors) = (0, Vec::new());
        let mut last = None;
        for (part, target, source) in links {
            if let Some(degree) = degrees.get_mut(source as usize) {
                *degree += 1;
                if part == me && target == source {
                    *degree |= LINKS_TO_ITSELF;
                }
            }
            if part == me {
                while page < target {
                    assembler.push(&predecessors)?;
                    predecessors.clear();
                    page += 1;
                }
                predecessors.push(source);
                continue;
            }
            if borders.last().is_none_or(|border| border.part != part) {
                borders.push(Border { part, ..Border::default() });
            }
            let Some(border) = borders.last_mut() else { continue };
            match border.counts.last_mut().filter(|_| last == Some((part, target))) {
                Some(count) => *count += 1,
                None => border.counts.push(1),
            }
            last = Some((part, target));
            border.predecessors.push(source);
        }
        if (page as usize) < keys.len() {
            assembler.push(&predecessors)?;
        }
        let mut inbound: Vec<Inbound> = Vec::new();
        for (part, page) in votes {
            match inbound.last_mut().filter(|last| last.part == part) {
                Some(inbound) => inbound.pages.push(page),
                None => inbound.push(Inbound { part, pages: vec![page] }),
            }
        }
        let mut graph = assembler.finish(Some(starts(&keys)), Names::Dense)?;
        // Links to other parts count as well.
        graph.degrees = degrees.into();
        Ok((keys, Part { graph, borders, inbound }))
    }
}

/// The first page of each host, and the number of pages.
fn starts<K: PageKey>(keys: &[K]) -> Vec<u32> {
    let is_first = |at: usize| at == 0 || !keys[at].same_host(&keys[at - 1]);
    let mut starts: Vec<u32> = (0..keys.len()).filter(|&at| is_first(at)).map(|at| at as u32).collect();
    starts.push(keys.len() as u32);
    starts
}
