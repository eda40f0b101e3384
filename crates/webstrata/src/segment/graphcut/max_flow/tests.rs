//! Compares cuts with all cuts of small graphs, and flows with petgraph's.

use super::*;
use crate::block::outline::splitmix64;

/// A random graph: terminals and edges.
struct Sample {
    terminals: Vec<(Capacity, Capacity)>,
    edges: Vec<(u32, u32, Capacity, Capacity)>,
}

fn sample(seed: u64, nodes: u32, edges: u32) -> Sample {
    let mut state = seed;
    let mut draw = |below: u64| {
        state = splitmix64(state);
        state % below
    };
    let terminals = (0..nodes).map(|_| (draw(12) as Capacity, draw(12) as Capacity)).collect();
    let edges = (0..edges)
        .map(|_| (draw(u64::from(nodes)) as u32, draw(u64::from(nodes)) as u32, draw(9) as Capacity, draw(9) as Capacity));
    Sample { terminals, edges: edges.filter(|(from, to, ..)| from != to).collect() }
}

fn build(sample: &Sample) -> FlowGraph {
    let mut graph = FlowGraph::default();
    for &(source, sink) in &sample.terminals {
        let node = graph.add_node();
        graph.add_terminals(node, source, sink);
    }
    for &(from, to, forward, backward) in &sample.edges {
        graph.add_edge(from, to, forward, backward);
    }
    graph
}

/// Cost of the cut with these nodes on the source's side.
fn cost(sample: &Sample, with_source: impl Fn(u32) -> bool) -> Capacity {
    let terminals = sample.terminals.iter().zip(0..).map(|(&(source, sink), node)| if with_source(node) { sink } else { source });
    let edges = sample.edges.iter().map(|&(from, to, forward, backward)| match (with_source(from), with_source(to)) {
        (true, false) => forward,
        (false, true) => backward,
        _ => 0,
    });
    terminals.sum::<Capacity>() + edges.sum::<Capacity>()
}

#[test]
fn the_cut_is_the_cheapest_of_all() {
    for seed in 0..400 {
        let nodes = 1 + (seed % 9) as u32;
        let sample = sample(seed, nodes, nodes * 3);
        let mut graph = build(&sample);
        let flow = graph.solve(usize::MAX).unwrap();
        let best = (0..1u32 << nodes).map(|set| cost(&sample, |node| set >> node & 1 == 1)).min();
        assert_eq!(Some(flow), best, "seed {seed}");
        assert_eq!(cost(&sample, |node| graph.is_on_source_side(node)), flow, "seed {seed}");
    }
}

#[test]
fn it_agrees_with_ford_and_fulkerson() {
    for seed in 0..60 {
        let sample = sample(1_000 + seed, 60, 300);
        let mut other = petgraph::Graph::<(), u64>::new();
        let (source, sink) = (other.add_node(()), other.add_node(()));
        let nodes: Vec<_> = sample.terminals.iter().map(|_| other.add_node(())).collect();
        for (&(from_source, to_sink), &node) in sample.terminals.iter().zip(&nodes) {
            other.add_edge(source, node, from_source as u64);
            other.add_edge(node, sink, to_sink as u64);
        }
        for &(from, to, forward, backward) in &sample.edges {
            other.add_edge(nodes[from as usize], nodes[to as usize], forward as u64);
            other.add_edge(nodes[to as usize], nodes[from as usize], backward as u64);
        }
        let (flow, _) = petgraph::algo::ford_fulkerson(&other, source, sink);
        assert_eq!(build(&sample).solve(usize::MAX), Ok(flow as Capacity), "seed {seed}");
    }
}

#[test]
fn it_gives_up_after_the_allowed_steps() {
    let sample = sample(3, 60, 300);
    let mut graph = build(&sample);
    assert_eq!(graph.solve(10), Err(GaveUp));
    graph.clear();
    assert!(graph.is_empty());
    assert_eq!(graph.solve(10), Ok(0));
}
