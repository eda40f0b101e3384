use super::super::{Preference, SolveOptions, solve};
use super::*;
use crate::graph::generate::{GenerateOptions, generate};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// The parts of a graph with their pages. The part of a page is given by a function of its host.
fn split(graph: &Graph, parts: u32, part_of: impl Fn(usize) -> u32) -> Vec<(Vec<i64>, Part)> {
    let owner = |page: usize| part_of(graph.host_of(page));
    let mut builders: Vec<PartBuilder<i64>> = (0..parts).map(PartBuilder::new).collect();
    for page in 0..graph.num_pages() {
        let to = owner(page);
        builders[to as usize].page(page as i64);
        let own = graph.links_to_itself(page).then_some(page as u32);
        for source in graph.predecessors(page).chain(own) {
            let from = owner(source as usize);
            builders[from as usize].link(i64::from(source), page as i64, to);
            if from != to {
                builders[to as usize].expect_votes(from, page as i64);
            }
        }
    }
    builders.into_iter().map(|builder| builder.finish().unwrap()).collect()
}

/// Ranks by rounds over all parts, with messages as an engine would send them, and the number of rounds.
fn by_parts(parts: &[(Vec<i64>, Part)], options: PartOptions, tolerance: f64) -> (Vec<f64>, usize) {
    let pages: u64 = parts.iter().map(|(pages, _)| pages.len() as u64).sum();
    let options = PartOptions { pages, ..options };
    let lost = parts.iter().map(|(_, part)| part.counts(options.self_links).lost).sum();
    let mut states: Vec<Vec<f64>> = parts.iter().map(|(_, part)| part.start(lost, &options)).collect();
    for round in 1..1000 {
        let mut mail: BTreeMap<u32, Vec<Votes>> = BTreeMap::new();
        for (((_, part), state), me) in parts.iter().zip(&states).zip(0..) {
            for votes in part.votes(state) {
                mail.entry(votes.part).or_default().push(Votes { part: me, values: votes.values });
            }
        }
        let (mut change, mut sum) = (0.0, 0.0);
        for (((_, part), state), me) in parts.iter().zip(&mut states).zip(0..) {
            let votes = mail.remove(&me).unwrap_or_default();
            let done = part.round(std::mem::take(state), &votes, &options).unwrap();
            (change, sum) = (change + done.change, sum + done.sum);
            *state = done.state;
        }
        if change <= tolerance * sum {
            let mut ranks = vec![0.0; pages as usize];
            for ((pages, part), state) in parts.iter().zip(&states) {
                for (&page, rank) in pages.iter().zip(part.ranks(state, sum, options.self_links)) {
                    ranks[page as usize] = rank;
                }
            }
            return (ranks, round);
        }
    }
    panic!("no convergence");
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum()
}

fn whole(graph: &Graph, self_links: SelfLinks) -> Vec<f64> {
    let options = SolveOptions { tolerance: 1e-14, self_links, ..SolveOptions::default() };
    solve(graph, &Preference::Uniform, &options).unwrap().values
}

#[test]
fn parts_have_the_ranks_of_the_whole() {
    let options = GenerateOptions { pages: 20_000, hosts: 300, links: 180_000, largest_host: 1_000, ..GenerateOptions::default() };
    let graph = generate(&options, None, &mut |_| true).unwrap();
    let want = whole(&graph, SelfLinks::Jump);
    for (parts, sweeps) in [(1, 1), (2, 1), (5, 1), (5, 4), (40, 3)] {
        let parts = split(&graph, parts, |host| host as u32 % parts);
        let counts: Vec<PartCounts> = parts.iter().map(|(_, part)| part.counts(SelfLinks::Jump)).collect();
        assert_eq!(counts.iter().map(|counts| counts.links).sum::<u64>(), graph.num_links());
        assert!(counts.iter().all(|counts| counts.votes <= counts.links_out));
        let (ranks, rounds) = by_parts(&parts, PartOptions { sweeps, ..PartOptions::default() }, 1e-13);
        let distance = distance(&ranks, &want);
        assert!(distance < 1e-11, "{} parts, {sweeps} sweeps: {distance} after {rounds} rounds", parts.len());
    }
}

#[test]
fn more_sweeps_need_fewer_rounds() {
    let options = GenerateOptions { pages: 5_000, hosts: 100, links: 45_000, largest_host: 500, ..GenerateOptions::default() };
    let graph = generate(&options, None, &mut |_| true).unwrap();
    let parts = split(&graph, 4, |host| host as u32 % 4);
    let rounds = |sweeps| by_parts(&parts, PartOptions { sweeps, ..PartOptions::default() }, 1e-12).1;
    assert!(rounds(8) * 2 < rounds(1));
}

#[test]
fn wrong_messages_are_errors() {
    let graph = Graph::from_links(600, (0..600).map(|page| (page, page * 7 % 600))).unwrap();
    let parts = split(&graph, 2, |host| host as u32 % 2);
    let (pages, part) = &parts[0];
    let options = PartOptions { pages: 600, ..PartOptions::default() };
    let state = vec![0.0; pages.len()];
    assert!(part.round(vec![0.0], &[], &options).is_err());
    assert!(part.round(state.clone(), &[], &options).is_err());
    assert!(part.round(state.clone(), &[Votes { part: 1, values: vec![0.0] }], &options).is_err());
    let values = vec![0.0; parts[1].1.votes(&vec![0.0; parts[1].0.len()])[0].values.len()];
    assert!(part.round(state.clone(), &[Votes { part: 7, values: values.clone() }], &options).is_err());
    assert!(part.round(state, &[Votes { part: 1, values }], &options).is_ok());
}

#[test]
fn damaged_bytes_are_an_error() {
    let graph = Graph::from_links(600, (0..600).map(|page| (page, page * 7 % 600))).unwrap();
    let (_, part) = &split(&graph, 2, |host| host as u32 % 2)[1];
    let bytes = part.to_bytes();
    assert_eq!(Part::from_bytes(&bytes).unwrap().to_bytes(), bytes);
    for at in (0..bytes.len()).step_by(97) {
        let mut broken = bytes.clone();
        broken[at] ^= 4;
        assert!(Part::from_bytes(&broken).is_err() && Part::from_bytes(&bytes[..at]).is_err(), "byte {at}");
    }
}

proptest! {
    #[test]
    fn any_graph_in_any_parts(
        links in prop::collection::vec((0u32..700, 0u32..700), 0..300),
        owners in prop::collection::vec(0u32..4, 3),
        rule in prop_oneof![Just(SelfLinks::Jump), Just(SelfLinks::Keep), Just(SelfLinks::Drop)],
        sweeps in 1usize..4,
    ) {
        let graph = Graph::from_links(700, links).unwrap();
        let parts = split(&graph, 4, |host| owners[host]);
        let parts: Vec<(Vec<i64>, Part)> =
            parts.into_iter().map(|(pages, part)| (pages, Part::from_bytes(&part.to_bytes()).unwrap())).collect();
        let (ranks, _) = by_parts(&parts, PartOptions { self_links: rule, sweeps, ..PartOptions::default() }, 1e-13);
        prop_assert!(distance(&ranks, &whole(&graph, rule)) < 1e-11);
    }
}
