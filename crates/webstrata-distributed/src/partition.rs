//! Partitions of whole hosts.
//!
//! If hosts are known, they are assigned in the order of their work, the largest first, each to the partition with the least work.
//! If pages are numbers, neighbours belong together, and partitions are ranges. Within a partition, pages are numbered in the order
//! of the graph.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use webstrata_corpus::graph::Graph;
use webstrata_corpus::graph::internals::{PAGE_COST, STEP, cut};

/// The assignment of hosts to partitions.
#[derive(Clone, Debug)]
pub(crate) struct Partitioning {
    /// The partition of each host.
    owner: Vec<u32>,
    /// Number of the first page of each host within its partition.
    first: Vec<u32>,
    /// Number of pages of each partition.
    pages: Vec<usize>,
}

impl Partitioning {
    pub(crate) fn new(graph: &Graph, partitions: usize) -> Partitioning {
        let hosts = graph.num_hosts();
        let mut owner = vec![0; hosts];
        if !graph.has_hosts() {
            let mut host = 0;
            for (partition, range) in cut(graph, partitions).into_iter().enumerate() {
                while host < hosts && graph.pages_of(host).start < range.end {
                    owner[host] = partition as u32;
                    host += 1;
                }
            }
        } else if partitions > 1 {
            let mut by_work: Vec<(Reverse<u64>, usize)> = (0..hosts).map(|host| (Reverse(work(graph, host)), host)).collect();
            by_work.sort_unstable();
            let mut loads: BinaryHeap<Reverse<(u64, u32)>> =
                (0..partitions as u32).map(|partition| Reverse((0, partition))).collect();
            for (Reverse(work), host) in by_work {
                if let Some(Reverse((load, partition))) = loads.pop() {
                    owner[host] = partition;
                    loads.push(Reverse((load + work, partition)));
                }
            }
        }
        let mut pages = vec![0; partitions];
        let first = (0..hosts).map(|host| {
            let count = &mut pages[owner[host] as usize];
            let first = *count as u32;
            *count += graph.pages_of(host).len();
            first
        });
        let first = first.collect();
        Partitioning { owner, first, pages }
    }

    pub(crate) fn partitions(&self) -> usize {
        self.pages.len()
    }

    /// Number of pages of a partition.
    pub(crate) fn pages(&self, partition: usize) -> usize {
        self.pages.get(partition).copied().unwrap_or_default()
    }

    /// The partition of a host, and the number of its first page there.
    pub(crate) fn host(&self, host: usize) -> (usize, u32) {
        match (self.owner.get(host), self.first.get(host)) {
            (Some(&owner), Some(&first)) => (owner as usize, first),
            _ => (usize::MAX, 0),
        }
    }

    /// The partition of a page, and its number there.
    pub(crate) fn page(&self, graph: &Graph, page: usize) -> (usize, u32) {
        let host = graph.host_of(page);
        let (owner, first) = self.host(host);
        (owner, first + (page - graph.pages_of(host).start) as u32)
    }

    /// The pages of a partition in order, by their numbers in the graph.
    pub(crate) fn pages_of<'d>(&'d self, graph: &'d Graph, partition: usize) -> impl Iterator<Item = usize> + 'd {
        (0..graph.num_hosts()).filter(move |&host| self.host(host).0 == partition).flat_map(|host| graph.pages_of(host))
    }
}

/// Approximate work of a host. The index has the number of links before every page that starts a step; others are interpolated.
fn work(graph: &Graph, host: usize) -> u64 {
    let before = |page: usize| {
        let at = |step: usize| graph.tables().index.get(step * 2 + 1).copied().unwrap_or(graph.num_links());
        let (low, high, rest) = (at(page / STEP), at(page / STEP + 1), (page % STEP) as u64);
        low + high.saturating_sub(low) * rest / STEP as u64
    };
    let pages = graph.pages_of(host);
    before(pages.end).saturating_sub(before(pages.start)) + PAGE_COST * pages.len() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use webstrata_corpus::graph::generate::{GenerateOptions, generate};

    #[test]
    fn hosts_are_balanced_and_numbers_are_in_ranges() {
        let options =
            GenerateOptions { pages: 20_000, hosts: 300, links: 100_000, largest_host: 1_000, ..GenerateOptions::default() };
        let hosts = generate(&options, None, &mut |_| true).unwrap();
        let numbers = Graph::from_links(20_000, (0..20_000).map(|page| (page, page * 7 % 20_000))).unwrap();
        for (graph, partitions) in [(&hosts, 1), (&hosts, 2), (&hosts, 4), (&hosts, 7), (&hosts, 400), (&numbers, 1), (&numbers, 5)]
        {
            let partitioning = Partitioning::new(graph, partitions);
            let mut seen = vec![false; graph.num_pages()];
            for partition in 0..partitions {
                let pages: Vec<usize> = partitioning.pages_of(graph, partition).collect();
                assert!(pages.is_sorted() && pages.len() == partitioning.pages(partition));
                for (local, &page) in pages.iter().enumerate() {
                    assert_eq!(partitioning.page(graph, page), (partition, local as u32));
                    assert!(!std::mem::replace(&mut seen[page], true));
                }
                if !graph.has_hosts() {
                    assert!(pages.windows(2).all(|pair| pair[1] == pair[0] + 1));
                }
            }
            assert!(seen.iter().all(|&seen| seen));
            if partitions < 10 {
                let share = |partition| partitioning.pages(partition) as f64 * partitions as f64 / graph.num_pages() as f64;
                assert!((0..partitions).all(|partition| (0.8..1.25).contains(&share(partition))), "{partitioning:?}");
            }
        }
    }
}
