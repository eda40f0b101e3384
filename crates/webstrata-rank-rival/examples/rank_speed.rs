//! Compares the speed of PageRank, this solver and webgraph-algo's, on the same graph, to the same residual, in one run. The memory
//! bandwidth is measured for comparison.
//!
//! ```text
//! cargo run --release -p webstrata-rank-rival --example rank_speed -- edges.txt 2 1e-10
//! cargo run --release -p webstrata-rank-rival --example rank_speed -- large.graph 2 1e-3
//! ```
//!
//! Arguments: an edge list of numbers or a graph file written by `webstrata graph build` or `graph generate`, the number of threads and
//! the tolerance; `--alone` skips the rival, `--brief` skips additions and batches.
//! The rival gets the graph in its fastest form, uncompressed in memory (`CsrGraph`), and keeps self-links, as ours does here. Its
//! threshold applies to a/(1-a) times the change of an iteration, ours to the change; both get the same change.
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs, reason = "a benchmark")]

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;
use webgraph::graphs::arc_list_graph::ArcListGraph;
use webgraph::graphs::csr_graph::CsrGraph;
use webgraph_algo::rank::pagerank::{PageRank, preds};
use webstrata_corpus::graph::Graph;
use webstrata_corpus::graph::build::{BuildOptions, edge_list};
use webstrata_corpus::graph::rank::{DAMPING, Preference, SelfLinks, SolveOptions, Solver, solve, solve_many};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let path = Path::new(&arguments[0]);
    let threads: usize = arguments.get(1).map_or(2, |threads| threads.parse().unwrap());
    let tolerance: f64 = arguments.get(2).map_or(1e-10, |tolerance| tolerance.parse().unwrap());
    let (rival, brief) =
        (!arguments.iter().any(|argument| argument == "--alone"), arguments.iter().any(|argument| argument == "--brief"));

    let begun = Instant::now();
    let graph = if Graph::is_graph(path) {
        Graph::open(path).unwrap()
    } else {
        edge_list(path, None, &BuildOptions::default(), &mut |_| true).unwrap().graph
    };
    // Leaked, because the rival needs links with a static lifetime.
    let graph: &'static Graph = Box::leak(Box::new(graph));
    println!("{} pages, {} links, opened in {:.2} s", graph.num_pages(), graph.num_links(), begun.elapsed().as_secs_f64());
    println!("memory: {:.1} GB/s read in order by {threads} threads", bandwidth(threads));

    let options = SolveOptions { tolerance, threads, self_links: SelfLinks::Keep, ..SolveOptions::default() };
    let mut ours = Vec::new();
    for (name, solver) in [("Gauss-Seidel", Solver::GaussSeidel), ("Jacobi", Solver::Jacobi)] {
        let begun = Instant::now();
        let ranks = solve(graph, &Preference::Uniform, &SolveOptions { solver, ..options.clone() }).unwrap();
        let all = begun.elapsed().as_secs_f64();
        report(name, graph.num_links(), ranks.residuals.len(), ranks.seconds, all, threads);
        ours.push(ranks);
    }
    if rival {
        let transpose = CsrGraph::from_seq_graph(&ArcListGraph::new(graph.num_pages(), Arcs { graph, links: None }));
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut theirs = PageRank::new(&transpose);
        let threshold = tolerance * DAMPING / (1.0 - DAMPING);
        // One iteration to warm up before measuring.
        pool.install(|| theirs.run(preds::MaxIter::from(1)));
        let begun = Instant::now();
        pool.install(|| theirs.run(preds::L1Norm::try_from(threshold).unwrap()));
        let seconds = begun.elapsed().as_secs_f64();
        report("webgraph-algo", graph.num_links(), theirs.iterations(), seconds, seconds, threads);
        let tight = SolveOptions { tolerance: tolerance.min(1e-13), ..options.clone() };
        let truth = solve(graph, &Preference::Uniform, &tight).unwrap().values;
        let distance = |ranks: &[f64]| truth.iter().zip(ranks).map(|(one, two)| (one - two).abs()).sum::<f64>();
        println!(
            "distance to the exact ranks: ours {:.2e}, webgraph-algo {:.2e}",
            distance(&ours[0].values),
            distance(theirs.rank())
        );
        println!("faster by a factor of {:.2}", seconds / ours[0].seconds);
    }
    if !brief && graph.num_pages() < 5_000_000 {
        measure_additions(graph, &options);
        let preferences: Vec<Preference> = (0..16)
            .map(|topic| Preference::Pages((0..50).map(|at| ((topic * 977 + at * 131) % graph.num_pages() as u32, 1.0)).collect()))
            .collect();
        let begun = Instant::now();
        preferences.iter().for_each(|preference| drop(black_box(solve(graph, preference, &options).unwrap())));
        let single = begun.elapsed().as_secs_f64();
        let begun = Instant::now();
        black_box(solve_many(graph, &preferences, &options).unwrap());
        let batch = begun.elapsed().as_secs_f64();
        println!("16 preference vectors: one by one {single:.3} s, as a batch {batch:.3} s: {:.3} of that", batch / single);
    }
}

/// The transposed links in order. A clone starts over.
struct Arcs<'g> {
    graph: &'g Graph,
    links: Option<Box<dyn Iterator<Item = (usize, usize)> + 'g>>,
}

impl Clone for Arcs<'_> {
    fn clone(&self) -> Self {
        Arcs { graph: self.graph, links: None }
    }
}

impl Iterator for Arcs<'_> {
    type Item = (usize, usize);

    fn next(&mut self) -> Option<(usize, usize)> {
        let graph = self.graph;
        let links = self.links.get_or_insert_with(|| {
            Box::new(graph.scan(0..graph.num_pages()).flat_map(|(page, predecessors)| {
                let mut predecessors: Vec<u32> = predecessors.chain(graph.links_to_itself(page).then_some(page as u32)).collect();
                predecessors.sort_unstable();
                predecessors.into_iter().map(move |source| (page, source as usize))
            }))
        });
        links.next()
    }
}

/// Adds 1% of the pages with their links, and counts the iterations from the ranks of the other pages and from scratch.
fn measure_additions(graph: &Graph, options: &SolveOptions) {
    let is_new = |page: u32| page.wrapping_mul(2_654_435_761) >> 8 < (1 << 24) / 100;
    let links = graph.scan(0..graph.num_pages()).flat_map(|(to, predecessors)| predecessors.map(move |from| (from, to as u32)));
    let old = Graph::from_links(graph.num_pages(), links.filter(|&(from, to)| !is_new(from) && !is_new(to))).unwrap();
    let pages: Vec<(u32, f64)> = (0..graph.num_pages() as u32).filter(|&page| !is_new(page)).map(|page| (page, 1.0)).collect();
    let mean = 1.0 / pages.len() as f64;
    let mut start = solve(&old, &Preference::Pages(pages), options).unwrap().values;
    start.iter_mut().enumerate().filter(|(page, _)| is_new(*page as u32)).for_each(|(_, rank)| *rank = mean);
    let cold = solve(graph, &Preference::Uniform, options).unwrap().residuals.len();
    let warm = solve(graph, &Preference::Uniform, &SolveOptions { start: Some(start), ..options.clone() }).unwrap().residuals.len();
    println!(
        "{} more links, 1% of the pages new: {warm} iterations from the old ranks, {cold} from scratch",
        graph.num_links() - old.num_links()
    );
}

fn report(name: &str, links: u64, iterations: usize, seconds: f64, all: f64, threads: usize) {
    let rate = links as f64 * iterations as f64 / seconds / 1e9;
    println!(
        "{name}: {iterations} iterations in {seconds:.3} s ({all:.3} s with setup and teardown), {rate:.3} G links/s, {:.3} per core",
        rate / threads as f64
    );
}

/// Gigabytes per second that threads read in parallel, each from its own gigabyte, the best of three.
fn bandwidth(threads: usize) -> f64 {
    let tables: Vec<Vec<u64>> = (0..threads).map(|thread| vec![thread as u64 + 1; 1 << 26]).collect();
    let mut best = f64::INFINITY;
    for _ in 0..3 {
        let begun = Instant::now();
        std::thread::scope(|scope| {
            for table in &tables {
                scope.spawn(|| black_box(table.iter().fold(0u64, |sum, number| sum.wrapping_add(*number))));
            }
        });
        best = best.min(begun.elapsed().as_secs_f64());
    }
    (threads << 29) as f64 / best / 1e9
}
