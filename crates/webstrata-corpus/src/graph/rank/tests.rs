//! Ranks against closed forms and a dense solution.
use super::super::tests::links;
use super::super::{Graph, Stratum};
use super::*;
use proptest::prelude::*;

const TIGHT: f64 = 1e-14;

pub(super) fn options() -> SolveOptions {
    SolveOptions { tolerance: TIGHT, threads: 1, ..SolveOptions::default() }
}

pub(super) fn distance(one: &[f64], two: &[f64]) -> f64 {
    assert_eq!(one.len(), two.len());
    one.iter().zip(two).map(|(one, two)| (one - two).abs()).sum()
}

/// Power iteration on the dense matrix, returning lost mass explicitly. `weight` is the weight of a link, `own` the treatment of
/// self-links.
fn dense(
    pages: usize,
    links: &[(u32, u32)],
    preference: &[f64],
    own: SelfLinks,
    damping: f64,
    weight: impl Fn(u32, u32) -> f64,
) -> Vec<f64> {
    let mut matrix = vec![vec![0.0; pages]; pages];
    for &(from, to) in links {
        if from != to || own != SelfLinks::Drop {
            matrix[from as usize][to as usize] = weight(from, to);
        }
    }
    for (page, row) in matrix.iter_mut().enumerate() {
        let sum: f64 = row.iter().sum();
        if sum > 0.0 {
            row.iter_mut().for_each(|link| *link /= sum);
        }
        if own == SelfLinks::Jump {
            row[page] = 0.0;
        }
    }
    let mut ranks = preference.to_vec();
    for _ in 0..2000 {
        let mut next = vec![0.0; pages];
        for (page, row) in matrix.iter().enumerate() {
            row.iter().zip(&mut next).for_each(|(link, next)| *next += damping * ranks[page] * link);
        }
        let missing = 1.0 - next.iter().sum::<f64>();
        next.iter_mut().zip(preference).for_each(|(rank, preference)| *rank += missing * preference);
        let change = distance(&ranks, &next);
        ranks = next;
        if change < 1e-16 {
            break;
        }
    }
    ranks
}

pub(super) fn uniform(pages: usize) -> Vec<f64> {
    vec![1.0 / pages as f64; pages]
}

#[test]
fn closed_forms() {
    let ranks_of = |pages, links: &[(u32, u32)]| {
        let graph = Graph::from_links(pages, links.iter().copied()).unwrap();
        let both: Vec<Ranks> = [Solver::Jacobi, Solver::GaussSeidel]
            .map(|solver| solve(&graph, &Preference::Uniform, &SolveOptions { solver, ..options() }).unwrap())
            .into();
        assert!(both.iter().all(|ranks| ranks.converged && (ranks.values.iter().sum::<f64>() - 1.0).abs() < 1e-13));
        assert!(distance(&both[0].values, &both[1].values) < 1e-12);
        both[1].values.clone()
    };
    // Cliques and cycles: all pages are equal.
    let clique: Vec<(u32, u32)> =
        (0..7).flat_map(|from| (0..7).map(move |to| (from, to))).filter(|(from, to)| from != to).collect();
    assert!(distance(&ranks_of(7, &clique), &uniform(7)) < 1e-13);
    let cycle: Vec<(u32, u32)> = (0..9).map(|page| (page, (page + 1) % 9)).collect();
    assert!(distance(&ranks_of(9, &cycle), &uniform(9)) < 1e-13);
    // A star whose centre links back: m = (1-a)/n + a k b and b = (1-a)/n + a m / k for k = n - 1 rays.
    let (n, a) = (6.0, DAMPING);
    let star: Vec<(u32, u32)> = (1..6).flat_map(|ray| [(ray, 0), (0, ray)]).collect();
    let middle = ((1.0 - a) / n) * (1.0 + a * (n - 1.0)) / (1.0 - a * a);
    let ray = (1.0 - middle) / (n - 1.0);
    assert!(distance(&ranks_of(6, &star), &[middle, ray, ray, ray, ray, ray]) < 1e-13);
    // A chain with a dangling end: before scaling, the k-th page has the sum of a^0 to a^k.
    let chain: Vec<(u32, u32)> = (0..5).map(|page| (page, page + 1)).collect();
    let unscaled: Vec<f64> = (1..=6).map(|k| (1.0 - a.powi(k)) / (1.0 - a)).collect();
    let sum: f64 = unscaled.iter().sum();
    assert!(distance(&ranks_of(6, &chain), &unscaled.iter().map(|rank| rank / sum).collect::<Vec<_>>()) < 1e-13);
    // No links.
    assert!(distance(&ranks_of(4, &[]), &uniform(4)) < 1e-15);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn matches_the_dense_solution(links in links(40, 160), preferences in prop::collection::vec((0..40u32, 0.01..1.0f64), 1..5), damping in 0.0..0.95f64) {
        let graph = Graph::from_links(40, links.clone()).unwrap();
        let mut over = vec![0.0; 40];
        let sum: f64 = preferences.iter().map(|preference| preference.1).sum();
        preferences.iter().for_each(|&(page, weight)| over[page as usize] += weight / sum);
        for self_links in [SelfLinks::Jump, SelfLinks::Keep, SelfLinks::Drop] {
            for solver in [Solver::Jacobi, Solver::GaussSeidel] {
                for (preference, vector) in [(Preference::Uniform, uniform(40)), (Preference::Pages(preferences.clone()), over.clone())] {
                    let want = dense(40, &links, &vector, self_links, damping, |_, _| 1.0);
                    let options = SolveOptions { self_links, solver, damping, ..options() };
                    let ranks = solve(&graph, &preference, &options).unwrap();
                    prop_assert!(distance(&ranks.values, &want) < 1e-11, "{self_links:?} {solver:?} {}", distance(&ranks.values, &want));
                    // The bound holds at every iteration.
                    let early = solve(&graph, &preference, &SolveOptions { tolerance: 1e-3, ..options.clone() }).unwrap();
                    prop_assert!(distance(&early.values, &want) <= early.bound + 1e-13);
                    let first = solve(&graph, &preference, &SolveOptions { max_iterations: 1, ..options }).unwrap();
                    prop_assert!(distance(&first.values, &want) <= first.bound + 1e-13);
                }
            }
        }
    }

    #[test]
    fn weights_match_the_dense_solution(
        links in prop::collection::vec((0..30u32, 0..30u32, 0..8u8), 0..120), stay in 0.0..1.0f64, leave in 0.1..1.0f64, strata in prop::array::uniform8(0.1..2.0f64),
    ) {
        let hosts: Vec<u32> = (0..30).map(|page| page / 7).collect();
        let mut links = links;
        links.sort_unstable();
        links.dedup_by_key(|link| (link.0, link.1));
        let graph = Graph::with_hosts(&hosts, links.clone()).unwrap();
        let weight = |from: u32, to: u32| {
            let stratum = links.iter().find(|link| (link.0, link.1) == (from, to)).unwrap().2;
            let stratum = if from == to { 7 } else { stratum };
            strata[usize::from(stratum)] * if hosts[from as usize] == hosts[to as usize] { stay } else { leave }
        };
        let pairs: Vec<(u32, u32)> = links.iter().map(|link| (link.0, link.1)).collect();
        prop_assume!(graph.has_strata());
        let want = dense(30, &pairs, &uniform(30), SelfLinks::Jump, DAMPING, weight);
        let options = SolveOptions { link_weights: Some(LinkWeights { stay, leave, strata }), ..options() };
        let ranks = solve(&graph, &Preference::Uniform, &options).unwrap();
        prop_assert!(distance(&ranks.values, &want) < 1e-11);
    }

    #[test]
    fn batches_equal_single_vectors(links in links(50, 200), count in 1..20usize) {
        let graph = Graph::from_links(50, links).unwrap();
        let preferences: Vec<Preference> = (0..count).map(|at| if at == 3 { Preference::Uniform } else { Preference::Pages(vec![(at as u32 * 2, 1.0), (7, 0.5)]) }).collect();
        let many = solve_many(&graph, &preferences, &options()).unwrap();
        prop_assert_eq!(many.len(), count);
        for (ranks, preference) in many.iter().zip(&preferences) {
            prop_assert!(distance(&ranks.values, &solve(&graph, preference, &options()).unwrap().values) < 1e-12);
        }
    }
}

/// Pages on hosts, mostly with links within their host.
pub(super) fn local_graph(hosts: u32, size: u32) -> Graph {
    let mut state = 1u64;
    let mut random = move |below: u32| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u32 % below
    };
    let pages = hosts * size;
    let mut links = Vec::new();
    for from in 0..pages {
        if random(10) == 0 {
            continue;
        }
        for _ in 0..=random(12) {
            let to = if random(100) < 94 { from / size * size + random(size) } else { random(pages) };
            links.push((from, to, random(8) as u8));
        }
    }
    Graph::with_hosts(&(0..pages).map(|page| page / size).collect::<Vec<_>>(), links).unwrap()
}

#[test]
fn ranks_do_not_depend_on_threads_and_hardly_on_partitions() {
    let graph = local_graph(90, 40);
    for (link_weights, solver) in [
        (None, Solver::GaussSeidel),
        (None, Solver::Jacobi),
        (Some(LinkWeights { stay: 0.3, leave: 0.9, ..LinkWeights::default() }), Solver::GaussSeidel),
    ] {
        let ranks_of = |threads, partitions| {
            let options = SolveOptions { threads, partitions, solver, link_weights: link_weights.clone(), ..options() };
            solve(&graph, &Preference::Uniform, &options).unwrap()
        };
        let plain = ranks_of(1, 1);
        for partitions in [1, 2, 4, 8, 0] {
            let (one, two, five) = (ranks_of(1, partitions), ranks_of(2, partitions), ranks_of(5, partitions));
            assert_eq!((&one.values, &one.residuals), (&two.values, &two.residuals));
            assert_eq!(one.values, five.values);
            assert!(distance(&one.values, &plain.values) < 1e-12);
        }
    }
}

#[test]
fn equal_weights_give_plain_pagerank() {
    let graph = local_graph(30, 20);
    let plain = solve(&graph, &Preference::Uniform, &options()).unwrap();
    for link_weights in [LinkWeights::default(), LinkWeights { stay: 0.3, leave: 0.3, strata: [0.7; 8] }] {
        let same = solve(&graph, &Preference::Uniform, &SolveOptions { link_weights: Some(link_weights), ..options() }).unwrap();
        assert_eq!((same.values, same.residuals), (plain.values.clone(), plain.residuals.clone()));
    }
    let mut link_weights = LinkWeights::default();
    link_weights.set(Stratum::Navigation, 0.1);
    let other = solve(&graph, &Preference::Uniform, &SolveOptions { link_weights: Some(link_weights), ..options() }).unwrap();
    assert!(distance(&other.values, &plain.values) > 1e-3);
}

#[test]
fn gauss_seidel_needs_fewer_iterations() {
    let graph = local_graph(200, 60);
    let iterations = |solver| {
        let options = SolveOptions { solver, tolerance: 1e-10, ..options() };
        solve(&graph, &Preference::Uniform, &options).unwrap().residuals.len()
    };
    let (jacobi, newest) = (iterations(Solver::Jacobi), iterations(Solver::GaussSeidel));
    assert!(newest * 10 <= jacobi * 6, "{newest} iterations against {jacobi}");
}

#[test]
fn good_starting_ranks_save_iterations() {
    let graph = local_graph(100, 40);
    let loose = SolveOptions { tolerance: 1e-9, ..options() };
    let cold = solve(&graph, &Preference::Uniform, &loose).unwrap();
    let warm = solve(&graph, &Preference::Uniform, &SolveOptions { start: Some(cold.values.clone()), ..loose }).unwrap();
    assert!(warm.residuals.len() <= 2 && cold.residuals.len() > 10, "{} and {}", warm.residuals.len(), cold.residuals.len());
    assert!(distance(&warm.values, &cold.values) < 1e-8);
}

#[test]
fn invalid_options_are_refused() {
    let graph = Graph::from_links(3, [(0, 1)]).unwrap();
    let invalid = |options: SolveOptions| solve(&graph, &Preference::Uniform, &options).unwrap_err().to_string();
    assert!(invalid(SolveOptions { damping: 1.0, ..options() }).contains("less than 1"));
    assert!(invalid(SolveOptions { damping: f64::NAN, ..options() }).contains("damping"));
    assert!(invalid(SolveOptions { tolerance: 0.0, ..options() }).contains("1e-10"));
    assert!(invalid(SolveOptions { start: Some(vec![1.0]), ..options() }).contains("3 pages"));
    assert!(invalid(SolveOptions { start: Some(vec![f64::NAN; 3]), ..options() }).contains("start"));
    assert!(
        invalid(SolveOptions { link_weights: Some(LinkWeights { stay: 0.1, ..LinkWeights::default() }), ..options() })
            .contains("URLs")
    );
    assert!(
        invalid(SolveOptions { link_weights: Some(LinkWeights { strata: [0.0; 8], ..LinkWeights::default() }), ..options() })
            .contains("weight 0")
    );
    for preference in [
        Preference::Pages(vec![]),
        Preference::Pages(vec![(9, 1.0)]),
        Preference::Pages(vec![(0, -1.0)]),
        Preference::Pages(vec![(0, f64::NAN)]),
    ] {
        assert!(solve(&graph, &preference, &options()).is_err(), "{preference:?}");
    }
    assert!(Graph::from_links(3, [(0, 3)]).is_err());
    let stopped = solve_with_progress(&graph, &[Preference::Uniform], &options(), &mut |_| false);
    assert!(matches!(stopped, Err(crate::graph::GraphError::Stopped)));
}
