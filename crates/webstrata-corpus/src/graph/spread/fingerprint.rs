//! What all processes must agree on, as numbers that can be compared.

use super::super::Graph;
use super::super::rank::{Jump, Order, SelfLinks, SolveOptions};
use xxhash_rust::xxh3::Xxh3Default;

/// Bytes that are hashed at once.
const BUFFER: usize = 1 << 16;

/// What a process works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fingerprint {
    /// Pages, hosts and links.
    pub(super) graph: u64,
    /// What makes ranks what they are after a round: the graph, and all options but those that say when to stop.
    pub(super) task: u64,
    /// The options that say when to stop.
    pub(super) end: u64,
}

impl Fingerprint {
    pub(super) fn new(graph: &Graph, jump: &Jump, options: &SolveOptions, partitions: usize) -> Fingerprint {
        let mut hash = Xxh3Default::new();
        let flags = u64::from(graph.has_hosts) | u64::from(graph.strata.is_some()) << 1;
        numbers(&mut hash, [graph.pages() as u64, graph.links(), graph.hosts() as u64, flags].map(u64::to_le_bytes));
        numbers(&mut hash, graph.starts.iter().map(|number| number.to_le_bytes()));
        numbers(&mut hash, graph.degrees.iter().map(|number| number.to_le_bytes()));
        numbers(&mut hash, graph.stream.iter().map(|number| number.to_le_bytes()));
        hash.update(graph.strata.as_deref().unwrap_or_default());
        let graph = hash.digest();

        let mut hash = Xxh3Default::new();
        let order = match options.order {
            Order::Jacobi => 0,
            Order::GaussSeidel => 1,
        };
        let self_links = match options.self_links {
            SelfLinks::Jump => 0,
            SelfLinks::Keep => 1,
            SelfLinks::Drop => 2,
        };
        let whole = [graph, partitions as u64, options.partitions as u64, order, self_links, options.damping.to_bits()];
        numbers(&mut hash, whole.map(u64::to_le_bytes));
        if let Some(surfer) = &options.surfer {
            let weights = [surfer.stay, surfer.leave].into_iter().chain(surfer.strata);
            numbers(&mut hash, weights.map(f64::to_le_bytes));
        }
        numbers(&mut hash, [options.start.is_some().into()].map(u64::to_le_bytes));
        numbers(&mut hash, options.start.iter().flatten().map(|rank| rank.to_le_bytes()));
        if let Jump::Over(pages) = jump {
            numbers(&mut hash, pages.iter().map(|&(page, _)| page.to_le_bytes()));
            numbers(&mut hash, pages.iter().map(|&(_, weight)| weight.to_le_bytes()));
        }
        let task = hash.digest();
        let mut hash = Xxh3Default::new();
        numbers(&mut hash, [options.tolerance.to_bits(), options.max_rounds as u64].map(u64::to_le_bytes));
        Fingerprint { graph, task, end: hash.digest() }
    }
}

/// Adds numbers to a hash, and how many there are.
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
    fn what_differs_is_told_apart() {
        let graph = Graph::from_links(4, [(0, 1), (1, 2), (2, 3)]).unwrap();
        let options = SolveOptions::default();
        let plain = Fingerprint::new(&graph, &Jump::Uniform, &options, 2);
        assert_eq!(plain, Fingerprint::new(&graph.clone(), &Jump::Uniform, &SolveOptions { threads: 7, ..options.clone() }, 2));
        let other = Fingerprint::new(&Graph::from_links(4, [(0, 1), (1, 2), (3, 2)]).unwrap(), &Jump::Uniform, &options, 2);
        assert!(other.graph != plain.graph && other.task != plain.task && other.end == plain.end);
        let later = Fingerprint::new(&graph, &Jump::Uniform, &SolveOptions { tolerance: 1e-3, ..options.clone() }, 2);
        assert!(later.task == plain.task && later.end != plain.end);
        let others = [
            Fingerprint::new(&graph, &Jump::Over(vec![(0, 1.0)]), &options, 2),
            Fingerprint::new(&graph, &Jump::Over(vec![(1, 1.0)]), &options, 2),
            Fingerprint::new(&graph, &Jump::Uniform, &options, 3),
            Fingerprint::new(&graph, &Jump::Uniform, &SolveOptions { damping: 0.5, ..options.clone() }, 2),
            Fingerprint::new(&graph, &Jump::Uniform, &SolveOptions { order: Order::Jacobi, ..options.clone() }, 2),
            Fingerprint::new(&graph, &Jump::Uniform, &SolveOptions { start: Some(vec![0.25; 4]), ..options.clone() }, 2),
            Fingerprint::new(&graph, &Jump::Uniform, &SolveOptions { self_links: SelfLinks::Keep, ..options.clone() }, 2),
            plain,
        ];
        for (at, one) in others.iter().enumerate() {
            assert!(others[..at].iter().all(|other| other.task != one.task), "{at}");
        }
    }
}
