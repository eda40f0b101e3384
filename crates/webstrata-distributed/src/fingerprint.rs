//! Hashes of everything that all processes must agree on.

use webstrata_corpus::graph::Graph;
use webstrata_corpus::graph::rank::{Preference, SelfLinks, SolveOptions, Solver};
use xxhash_rust::xxh3::Xxh3Default;

/// Bytes hashed at a time.
const BUFFER: usize = 1 << 16;

/// What a process computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fingerprint {
    /// Pages, hosts and links.
    pub(crate) graph: u64,
    /// The graph and all options except those that say when to stop.
    pub(crate) task: u64,
    /// The options that say when to stop.
    pub(crate) end: u64,
}

impl Fingerprint {
    pub(crate) fn new(graph: &Graph, preference: &Preference, options: &SolveOptions, partitions: usize) -> Fingerprint {
        let mut hash = Xxh3Default::new();
        let tables = graph.tables();
        let flags = u64::from(graph.has_hosts()) | u64::from(tables.strata.is_some()) << 1;
        numbers(&mut hash, [graph.num_pages() as u64, graph.num_links(), graph.num_hosts() as u64, flags].map(u64::to_le_bytes));
        numbers(&mut hash, tables.starts.iter().map(|number| number.to_le_bytes()));
        numbers(&mut hash, tables.degrees.iter().map(|number| number.to_le_bytes()));
        numbers(&mut hash, tables.adjacency.iter().map(|number| number.to_le_bytes()));
        hash.update(tables.strata.unwrap_or_default());
        let graph = hash.digest();

        let mut hash = Xxh3Default::new();
        let solver = match options.solver {
            Solver::Jacobi => 0,
            Solver::GaussSeidel => 1,
        };
        let self_links = match options.self_links {
            SelfLinks::Jump => 0,
            SelfLinks::Keep => 1,
            SelfLinks::Drop => 2,
        };
        let whole = [graph, partitions as u64, options.partitions as u64, solver, self_links, options.damping.to_bits()];
        numbers(&mut hash, whole.map(u64::to_le_bytes));
        if let Some(link_weights) = &options.link_weights {
            let weights = [link_weights.stay, link_weights.leave].into_iter().chain(link_weights.strata);
            numbers(&mut hash, weights.map(f64::to_le_bytes));
        }
        numbers(&mut hash, [options.start.is_some().into()].map(u64::to_le_bytes));
        numbers(&mut hash, options.start.iter().flatten().map(|rank| rank.to_le_bytes()));
        if let Preference::Pages(pages) = preference {
            numbers(&mut hash, pages.iter().map(|&(page, _)| page.to_le_bytes()));
            numbers(&mut hash, pages.iter().map(|&(_, weight)| weight.to_le_bytes()));
        }
        let task = hash.digest();
        let mut hash = Xxh3Default::new();
        numbers(&mut hash, [options.tolerance.to_bits(), options.max_iterations as u64].map(u64::to_le_bytes));
        Fingerprint { graph, task, end: hash.digest() }
    }
}

/// Adds numbers and their count to a hash.
fn numbers<const N: usize>(hash: &mut Xxh3Default, numbers: impl IntoIterator<Item = [u8; N]>) {
    let (mut buffer, mut count) = (Vec::with_capacity(BUFFER + N), 0u64);
    for number in numbers {
        buffer.extend_from_slice(&number);
        count += 1;
        if buffer.len() >= BUFFER {
            hash.update(&buffer);
            buffer.clear();
        }
    }
    hash.update(&buffer);
    hash.update(&count.to_le_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_change_the_fingerprint() {
        let graph = Graph::from_links(4, [(0, 1), (1, 2), (2, 3)]).unwrap();
        let options = SolveOptions::default();
        let plain = Fingerprint::new(&graph, &Preference::Uniform, &options, 2);
        assert_eq!(
            plain,
            Fingerprint::new(&graph.clone(), &Preference::Uniform, &SolveOptions { threads: 7, ..options.clone() }, 2)
        );
        let other = Fingerprint::new(&Graph::from_links(4, [(0, 1), (1, 2), (3, 2)]).unwrap(), &Preference::Uniform, &options, 2);
        assert!(other.graph != plain.graph && other.task != plain.task && other.end == plain.end);
        let later = Fingerprint::new(&graph, &Preference::Uniform, &SolveOptions { tolerance: 1e-3, ..options.clone() }, 2);
        assert!(later.task == plain.task && later.end != plain.end);
        let others = [
            Fingerprint::new(&graph, &Preference::Pages(vec![(0, 1.0)]), &options, 2),
            Fingerprint::new(&graph, &Preference::Pages(vec![(1, 1.0)]), &options, 2),
            Fingerprint::new(&graph, &Preference::Uniform, &options, 3),
            Fingerprint::new(&graph, &Preference::Uniform, &SolveOptions { damping: 0.5, ..options.clone() }, 2),
            Fingerprint::new(&graph, &Preference::Uniform, &SolveOptions { solver: Solver::Jacobi, ..options.clone() }, 2),
            Fingerprint::new(&graph, &Preference::Uniform, &SolveOptions { start: Some(vec![0.25; 4]), ..options.clone() }, 2),
            Fingerprint::new(&graph, &Preference::Uniform, &SolveOptions { self_links: SelfLinks::Keep, ..options.clone() }, 2),
            plain,
        ];
        for (at, one) in others.iter().enumerate() {
            assert!(others[..at].iter().all(|other| other.task != one.task), "{at}");
        }
    }
}
