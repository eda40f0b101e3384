//! Checks that ranks equal those of webgraph-algo, an independent implementation, on random graphs and on graphs of hosts.
#![allow(clippy::unwrap_used, missing_docs, reason = "a test program")]

use webgraph::graphs::vec_graph::VecGraph;
use webgraph_algo::rank::pagerank::{Mode, PageRank, preds};
use webstrata_corpus::graph::Graph;
use webstrata_corpus::graph::rank::{DAMPING, Preference, SelfLinks, SolveOptions, Solver, solve};
use webstrata_corpus::io::Random;

/// Residual of both solvers.
const TIGHT: f64 = 1e-13;

/// Ranks by the rival. As here, a page without links gives its rank to all pages, and a self-link counts like any other link.
fn theirs(pages: usize, links: &[(u32, u32)]) -> Vec<f64> {
    let backwards =
        VecGraph::from_arcs(links.iter().map(|&(from, to)| (to as usize, from as usize)).chain([(pages - 1, pages - 1)]));
    let mut rank = PageRank::new(&backwards);
    rank.mode(Mode::StronglyPreferential);
    rank.run(preds::L1Norm::try_from(TIGHT * DAMPING / (1.0 - DAMPING)).unwrap());
    rank.rank().to_vec()
}

fn compare(pages: usize, mut links: Vec<(u32, u32)>) {
    // The last page links to itself in both, which tells the rival the number of pages.
    links.push((pages as u32 - 1, pages as u32 - 1));
    let theirs = theirs(pages, &links);
    let graph = Graph::from_links(pages, links).unwrap();
    for solver in [Solver::Jacobi, Solver::GaussSeidel] {
        let options = SolveOptions { solver, tolerance: TIGHT, self_links: SelfLinks::Keep, ..SolveOptions::default() };
        let ours = solve(&graph, &Preference::Uniform, &options).unwrap();
        let distance: f64 = ours.values.iter().zip(&theirs).map(|(one, two)| (one - two).abs()).sum();
        assert!(distance < 1e-9, "{pages} pages, {solver:?}: {distance:e}");
        // Pages with the same rank may be in any order.
        let mut best: Vec<usize> = (0..pages).collect();
        best.sort_by(|&one, &two| theirs[two].total_cmp(&theirs[one]));
        for (&their, (our, rank)) in best.iter().zip(ours.top(1000)) {
            assert!((ours.values[their] - rank).abs() < 1e-12, "{pages} pages, {solver:?}: page {our} and page {their}");
        }
    }
}

#[test]
fn random_graphs() {
    let mut random = Random::new(7);
    for (pages, links) in [(50u32, 200usize), (2_000, 3_000), (5_000, 60_000)] {
        // At most half of the pages have links, so many are dangling; low numbers have more in-links.
        let link = |_| (random.below(pages as usize / 2) as u32, (random.unit().powi(3) * f64::from(pages)) as u32);
        compare(pages as usize, (0..links).map(link).collect());
    }
}

#[test]
fn graphs_of_hosts() {
    let mut random = Random::new(8);
    let (pages, host) = (6_000u32, 300);
    let links = (0..50_000).map(|_| {
        let from = random.below(pages as usize) as u32;
        let inside = random.unit() < 0.94;
        (from, if inside { from / host * host + random.below(host as usize) as u32 } else { random.below(pages as usize) as u32 })
    });
    compare(pages as usize, links.collect());
}
