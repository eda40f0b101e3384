//! Blocks of whole hosts: the units of parallel work.
//!
//! A graph is cut into partitions of about equal work, and each partition into blocks that fit into the cache of a core. A *wave*
//! sweeps one block of each partition in parallel; then their values become visible to all, and the next wave sweeps the next
//! blocks. So a page reads the newest values of earlier pages in its own partition, and values up to the previous wave from
//! the other partitions. All of this depends on the graph and the number of partitions, never on the number of threads, so ranks are
//! bit-identical for any number of threads.

use super::super::{Graph, STEP};
use std::ops::Range;

/// Minimum number of links per partition, and maximum number of partitions unless the caller asks for more. Threads wait for each
/// other at the end of each wave, and sweeping smaller blocks would take less time than the wait.
const LINKS: u64 = 800_000;
const MAX: u64 = 16;
/// Approximate limit of pages per block: their values fit into the cache of a core (1 MB). Batches of vectors do not, but smaller
/// blocks would cost more in waiting than they save.
const PAGES: usize = 1 << 17;
/// Cost of sweeping a page, in links.
pub(crate) const PAGE_COST: u64 = 3;

/// A range of pages.
#[derive(Clone, Debug)]
pub(in crate::graph) struct Block<'g> {
    pub(super) pages: Range<usize>,
    /// The adjacency lists from its first page on.
    pub(super) words: &'g [u16],
    /// Links before its first page.
    pub(super) links_before: usize,
}

/// The waves of an iteration, each with its blocks in the order of pages; 0 partitions means a number chosen by the size of the
/// graph.
pub(super) fn waves(graph: &Graph, partitions: usize) -> Vec<Vec<Block<'_>>> {
    let partitions = if partitions == 0 { (graph.num_links() / LINKS).clamp(1, MAX) as usize } else { partitions };
    let pages = graph.num_pages().div_ceil(partitions);
    let count = pages.div_ceil(PAGES).max(1);
    let mut waves = vec![Vec::new(); count];
    for (number, pages) in cut(graph, partitions * count).into_iter().enumerate() {
        if !pages.is_empty() {
            let (words, links_before) = graph.adjacency_from(pages.start);
            waves[number % count].push(Block { pages, words, links_before });
        }
    }
    waves.retain(|blocks| !blocks.is_empty());
    waves
}

/// Cuts a graph at host boundaries into `count` ranges of about equal work. Large hosts leave some of them empty.
pub(crate) fn cut(graph: &Graph, count: usize) -> Vec<Range<usize>> {
    let work = |page: usize| {
        let links = graph.index.get(page / STEP * 2 + 1).copied().unwrap_or(graph.num_links());
        links + PAGE_COST * page as u64
    };
    let all = work(graph.num_pages()).max(1);
    let mut first = 0;
    let ranges = (1..=count).map(|number| {
        let end = if number == count {
            graph.num_pages()
        } else {
            // The first host after the share of this range.
            let target = (u128::from(all) * number as u128 / count as u128) as u64;
            let host = graph.starts.partition_point(|&start| work(start as usize) < target);
            graph.starts.get(host).map_or(graph.num_pages(), |&start| start as usize)
        };
        let range = first..end.max(first);
        first = range.end;
        range
    });
    ranges.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_whole_hosts_and_cover_all_pages_once() {
        let names = |n: u32| format!("http://h{}.org/{n}", n % 97);
        let graph = Graph::from_names((0..30_000u32).map(|n| (names(n), names(n * 7 % 30_000)))).unwrap();
        for partitions in [0, 1, 2, 4, 8, 50, 1000] {
            let waves = waves(&graph, partitions);
            assert!(waves.iter().all(|blocks| blocks.len() <= partitions.max(MAX as usize)));
            assert!(partitions != 1 || waves.iter().all(|blocks| blocks.len() == 1));
            assert!(waves.iter().all(|blocks| blocks.is_sorted_by_key(|block| block.pages.start)));
            let mut blocks: Vec<Range<usize>> = waves.iter().flatten().map(|block| block.pages.clone()).collect();
            blocks.sort_by_key(|pages| pages.start);
            assert_eq!((blocks[0].start, blocks.last().unwrap().end), (0, graph.num_pages()));
            assert!(blocks.windows(2).all(|pair| pair[0].end == pair[1].start));
            assert!(blocks.iter().all(|pages| graph.starts.contains(&(pages.start as u32))));
        }
    }
}
