//! The stratified surfer against figure 5.2 of the thesis, closed forms, and the chain over all states, solved by elimination.
use super::super::Graph;
use super::tests::{distance, local_graph, options, uniform};
use super::*;
use proptest::prelude::*;

/// Pages of a small graph by host, and its links with strata.
type Links = Vec<(u32, u32, u8)>;
const PAGES: usize = 12;

fn host(page: u32) -> u32 {
    page / 4
}

fn small_graph(mut links: Links) -> (Graph, Links) {
    links.sort_unstable();
    links.dedup_by_key(|link| (link.0, link.1));
    // The stratum of a link from a page to itself is not stored.
    links.iter_mut().filter(|link| link.0 == link.1).for_each(|link| link.2 = 7);
    let hosts: Vec<u32> = (0..PAGES as u32).map(host).collect();
    (Graph::with_hosts(&hosts, links.clone()).unwrap(), links)
}

/// Probability that a surfer in `state` (none: after a jump) chooses a kind, at a page with links of all kinds.
fn chooses(choice: &Choice, state: Option<usize>, kind: usize) -> f64 {
    match (choice, state) {
        (&Choice::Hosts { stay, leave }, None) => [stay, leave][kind] / (stay + leave),
        (&Choice::Hosts { stay, .. }, Some(0)) => [stay, 1.0 - stay][kind],
        (&Choice::Hosts { leave, .. }, Some(_)) => [1.0 - leave, leave][kind],
        (Choice::Strata { weights, again }, state) => match state.and_then(|state| Some((state, again[state]?))) {
            None => weights[kind] / weights.iter().sum::<f64>(),
            Some((state, again)) if state == kind => again,
            Some((state, again)) => (1.0 - again) * weights[kind] / (weights.iter().sum::<f64>() - weights[state]),
        },
    }
}

/// The stationary distribution over pages and states, from the transition matrix: ranks, and arrivals by kind.
fn exact(links: &Links, surfer: &Surfer, rule: SelfLinks, damping: f64, preference: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let kinds = if matches!(surfer.choice, Choice::Hosts { .. }) { 2 } else { 8 };
    let kind_of = |&(from, to, stratum): &(u32, u32, u8)| match kinds {
        2 => usize::from(host(from) != host(to)),
        _ => usize::from(stratum),
    };
    let size = PAGES * (kinds + 1);
    let place = |page: usize, state: Option<usize>| page * (kinds + 1) + state.map_or(kinds, |kind| kind);
    let mut matrix = vec![vec![0.0; size]; size];
    for page in 0..PAGES {
        let own: Vec<_> = links.iter().filter(|link| link.0 as usize == page).collect();
        let own: Vec<_> = own.into_iter().filter(|link| link.0 != link.1 || rule != SelfLinks::Drop).collect();
        for state in (0..kinds).map(Some).chain([None]) {
            let row = &mut matrix[place(page, state)];
            let of = |kind: usize| own.iter().filter(|link| kind_of(link) == kind).count();
            let present: f64 = (0..kinds).filter(|&kind| of(kind) > 0).map(|kind| chooses(&surfer.choice, state, kind)).sum();
            let mut follows = 0.0;
            for link in &own {
                let all = if surfer.absent == MissingLinkRule::Other { present } else { 1.0 };
                if all > 0.0 && (link.0 != link.1 || rule == SelfLinks::Keep) {
                    let kind = kind_of(link);
                    let share = damping * chooses(&surfer.choice, state, kind) / all / of(kind) as f64;
                    row[place(link.1 as usize, Some(kind))] += share;
                    follows += share;
                }
            }
            (0..PAGES).for_each(|to| row[place(to, None)] += (1.0 - follows) * preference[to]);
        }
    }
    // r = r M with the sum of r 1: columns are equations; the last is replaced by the sum.
    let mut system: Vec<Vec<f64>> = (0..size)
        .map(|to| (0..size).map(|from| matrix[from][to] - f64::from(u8::from(from == to))).chain([0.0]).collect())
        .collect();
    system[size - 1] = vec![1.0; size + 1];
    for pivot in 0..size {
        let best = (pivot..size).max_by(|&a, &b| system[a][pivot].abs().total_cmp(&system[b][pivot].abs())).unwrap();
        system.swap(pivot, best);
        let row = system[pivot].clone();
        for other in (0..size).filter(|&other| other != pivot) {
            let factor = system[other][pivot] / row[pivot];
            if factor != 0.0 {
                system[other].iter_mut().zip(&row).for_each(|(value, pivot)| *value -= factor * pivot);
            }
        }
    }
    let solution = |at: usize| system[at][size] / system[at][at];
    let ranks = (0..PAGES).map(|page| (0..=kinds).map(|kind| solution(page * (kinds + 1) + kind)).sum()).collect();
    let arrivals = (0..=kinds).map(|kind| (0..PAGES).map(|page| solution(page * (kinds + 1) + kind)).sum()).collect();
    (ranks, arrivals)
}

fn any_choice() -> impl Strategy<Value = Choice> {
    let probability = || prop_oneof![Just(0.01), Just(1.0), 0.01..1.0f64];
    let hosts = (probability(), probability()).prop_map(|(stay, leave)| Choice::Hosts { stay, leave });
    let weights = prop::array::uniform8(0.1..2.0f64);
    let again = prop::array::uniform8(prop::option::of(0.0..1.0f64));
    prop_oneof![hosts, (weights, again).prop_map(|(weights, again)| Choice::Strata { weights, again })]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn matches_the_exact_chain(
        links in prop::collection::vec((0..PAGES as u32, 0..PAGES as u32, 0..8u8), 1..60), choice in any_choice(), jumps in any::<bool>(), damping in 0.0..0.9f64, biased in any::<bool>(),
    ) {
        let (graph, links) = small_graph(links);
        let surfer = Surfer { choice, absent: if jumps { MissingLinkRule::Jump } else { MissingLinkRule::Other } };
        prop_assume!(graph.has_strata());
        let (preference, vector) = if biased {
            let mut vector = vec![0.0; PAGES];
            (vector[1], vector[7]) = (0.25, 0.75);
            (Preference::Pages(vec![(7, 3.0), (1, 1.0)]), vector)
        } else {
            (Preference::Uniform, uniform(PAGES))
        };
        for self_links in [SelfLinks::Jump, SelfLinks::Keep, SelfLinks::Drop] {
            let (want, shares) = exact(&links, &surfer, self_links, damping, &vector);
            for solver in [Solver::Jacobi, Solver::GaussSeidel] {
                let options = SolveOptions { surfer: Some(surfer.clone()), solver, self_links, damping, arrivals: true, ..options() };
                let ranks = solve(&graph, &preference, &options).unwrap();
                prop_assert!(ranks.converged && distance(&ranks.values, &want) < 1e-11, "{self_links:?} {solver:?} {}", distance(&ranks.values, &want));
                let arrivals = ranks.arrivals.unwrap();
                let (kinds, jump) = shares.split_at(shares.len() - 1);
                prop_assert!((arrivals.jump - jump[0]).abs() < 1e-11);
                let found = if kinds.len() == 2 { vec![arrivals.inside, arrivals.outside] } else { arrivals.strata.to_vec() };
                prop_assert!(distance(&found, kinds) < 1e-11, "{arrivals:?} {shares:?}");
                // The bound holds at every iteration.
                for max_iterations in [1, 2, 5] {
                    let early = solve(&graph, &preference, &SolveOptions { max_iterations, ..options.clone() }).unwrap();
                    prop_assert!(distance(&early.values, &want) <= early.bound + 1e-13);
                }
            }
        }
    }
}

/// Ranks with arrivals.
fn surf(graph: &Graph, surfer: Surfer) -> Ranks {
    solve(graph, &Preference::Uniform, &SolveOptions { surfer: Some(surfer), arrivals: true, ..options() }).unwrap()
}

#[test]
fn figure_5_2_chooses_the_side_before_the_link() {
    // Host 0 has pages 0 and 1, and hosts 1 to 9 a page each. Page 0 has one link inside, and nine outside; page 1 has none.
    let hosts: Vec<u32> = [0, 0].into_iter().chain(1..10).collect();
    let links: Links = [(0, 1, 0)].into_iter().chain((2..11).map(|to| (0, to, 0))).collect();
    let graph = Graph::with_hosts(&hosts, links).unwrap();
    let stays = |arrivals: Arrivals| arrivals.inside / (arrivals.inside + arrivals.outside);
    let ranks = surf(&graph, Surfer::hosts(0.9, 0.1));
    assert!((stays(ranks.arrivals.unwrap()) - 0.9).abs() < 1e-14);
    // So page 1 receives 81 times as much over links as each of the other targets.
    let over_links = |page: usize| ranks.values[page] - ranks.values[0];
    assert!((over_links(1) / over_links(2) - 81.0).abs() < 1e-9);
    // With weights per link the odds are even here, because 1 times 0.9 is 9 times 0.1.
    let link_weights = Some(LinkWeights { stay: 0.9, leave: 0.1, ..LinkWeights::default() });
    let weighted = SolveOptions { link_weights, arrivals: true, ..options() };
    let weighted = solve(&graph, &Preference::Uniform, &weighted).unwrap();
    assert!((stays(weighted.arrivals.unwrap()) - 0.5).abs() < 1e-14);
}

#[test]
fn the_state_is_remembered() {
    // Every page has one link inside its host and one outside, so ranks are equal, and only the states differ:
    // i = a (j P_J + i b + e (1-c)) and e = a (j (1-P_J) + i (1-b) + e c) with j = 1-a.
    let hosts: Vec<u32> = (0..10).map(|page| page / 2).collect();
    let links: Links = (0..10).flat_map(|page: u32| [(page, page ^ 1, 0), (page, (page + 2) % 10, 0)]).collect();
    let graph = Graph::with_hosts(&hosts, links).unwrap();
    let a = DAMPING;
    for (b, c) in [(0.9, 0.9), (0.2, 0.3), (0.9, 0.1), (1.0, 1.0), (0.5, 0.5)] {
        let ranks = surf(&graph, Surfer::hosts(b, c));
        assert!(distance(&ranks.values, &uniform(10)) < 1e-13);
        let first = b / (b + c);
        let inside = a * ((1.0 - a) * first + a * (1.0 - c)) / (1.0 - a * b + a * (1.0 - c));
        let arrivals = ranks.arrivals.unwrap();
        assert!((arrivals.inside - inside).abs() < 1e-13, "{b} {c}: {arrivals:?}, not {inside}");
        assert!((arrivals.inside + arrivals.outside - a).abs() < 1e-13);
    }
    // A surfer who tends to repeat the last choice stays where the first choice led: inside half of the time, not nine tenths.
    let faithful = surf(&graph, Surfer::hosts(0.9, 0.9)).arrivals.unwrap();
    assert!((faithful.inside - faithful.outside).abs() < 1e-13);
}

#[test]
fn chosen_strata_do_not_depend_on_the_number_of_their_links() {
    // A page with one content link and twenty navigation links.
    let links: Links = [(0, 1, 0)].into_iter().chain((2..22).map(|to| (0, to, 3))).collect();
    let graph = Graph::with_hosts(&[0; 22], links).unwrap();
    let strata = |surfer: Surfer| surf(&graph, surfer).arrivals.unwrap().strata;
    let even = strata(Surfer::strata([1.0; 8]));
    assert!((even[0] - even[3]).abs() < 1e-14 && even[0] > 0.0);
    let mut weights = [1.0; 8];
    weights[3] = 0.25;
    let content = strata(Surfer::strata(weights));
    assert!((content[0] / content[3] - 4.0).abs() < 1e-12);
    // Plain PageRank: in proportion to the number of links.
    let plain = solve(&graph, &Preference::Uniform, &SolveOptions { arrivals: true, ..options() }).unwrap().arrivals.unwrap();
    assert!((plain.strata[3] / plain.strata[0] - 20.0).abs() < 1e-12);
}

#[test]
fn ranks_of_surfers_do_not_depend_on_threads_and_hardly_on_partitions() {
    let graph = local_graph(90, 40);
    let mut again = [None; 8];
    again[0] = Some(0.8);
    let strata = Choice::Strata { weights: [1.0, 0.5, 0.5, 0.2, 0.1, 0.1, 0.1, 0.3], again };
    for (choice, solver) in [
        (Choice::Hosts { stay: 0.8, leave: 0.7 }, Solver::GaussSeidel),
        (Choice::Hosts { stay: 0.8, leave: 0.7 }, Solver::Jacobi),
        (strata, Solver::GaussSeidel),
    ] {
        let ranks_of = |threads, partitions| {
            let surfer = Some(Surfer { choice: choice.clone(), absent: MissingLinkRule::Other });
            let options = SolveOptions { threads, partitions, solver, surfer, arrivals: true, ..options() };
            solve(&graph, &Preference::Uniform, &options).unwrap()
        };
        let plain = ranks_of(1, 1);
        assert!((plain.values.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        for partitions in [1, 4, 0] {
            let (one, two, five) = (ranks_of(1, partitions), ranks_of(2, partitions), ranks_of(5, partitions));
            assert_eq!((&one.values, &one.residuals, one.arrivals), (&two.values, &two.residuals, two.arrivals));
            assert_eq!(one.values, five.values);
            assert!(distance(&one.values, &plain.values) < 1e-12);
        }
        // Starting from old ranks does not change the result.
        let start = Some(plain.values.clone());
        let surfer = Some(Surfer { choice: choice.clone(), absent: MissingLinkRule::Other });
        let again = solve(&graph, &Preference::Uniform, &SolveOptions { start, surfer, solver, ..options() }).unwrap();
        assert!(distance(&again.values, &plain.values) < 1e-12);
    }
}

#[test]
fn invalid_surfers_are_refused() {
    let refused = |graph: &Graph, options: SolveOptions| solve(graph, &Preference::Uniform, &options).unwrap_err().to_string();
    let of = |surfer: Surfer| SolveOptions { surfer: Some(surfer), ..options() };
    let numbers = Graph::from_links(3, [(0, 1)]).unwrap();
    assert!(refused(&numbers, of(Surfer::hosts(0.5, 0.5))).contains("URLs"));
    assert!(refused(&numbers, of(Surfer::strata([1.0; 8]))).contains("folder of a run"));
    let graph = local_graph(2, 4);
    for wrong in [-0.1, 1.1, f64::NAN] {
        assert!(refused(&graph, of(Surfer::hosts(wrong, 0.5))).contains("stay") && wrong != 0.5);
        assert!(refused(&graph, of(Surfer::hosts(0.5, wrong))).contains("from 0 to 1"));
        let mut again = [None; 8];
        again[2] = Some(wrong);
        let choice = Choice::Strata { weights: [1.0; 8], again };
        assert!(refused(&graph, of(Surfer { choice, absent: MissingLinkRule::Jump })).contains("related"));
    }
    assert!(refused(&graph, of(Surfer::strata([0.0; 8]))).contains("weight 0"));
    assert!(refused(&graph, of(Surfer::strata([f64::INFINITY; 8]))).contains("1e9"));
    let both = SolveOptions { link_weights: Some(LinkWeights::default()), ..of(Surfer::hosts(0.5, 0.5)) };
    assert!(refused(&graph, both).contains("one or the other"));
}
