//! Ranks by several workers against those by one and a naive version; lost, invalid and missing processes.

use super::*;
use crate::fingerprint::Fingerprint;
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::Path;
use std::thread;
use webstrata_corpus::graph::generate::{GenerateOptions, generate};
use webstrata_corpus::graph::rank::{self, LinkWeights, Preference, Ranks, SelfLinks, SolveOptions, Solver};
use webstrata_corpus::graph::{Graph, GraphError};

fn options() -> SolveOptions {
    SolveOptions { tolerance: 1e-14, threads: 1, ..SolveOptions::default() }
}

fn workers(count: usize) -> Plan {
    Plan { topology: Topology::Workers(count), checkpoints: None }
}

fn solved(graph: &Graph, preference: &Preference, options: &SolveOptions, plan: &Plan) -> (Ranks, Report) {
    let mut solved = solve_distributed(graph, preference, options, plan, &mut |_| true).unwrap();
    (solved.ranks.take().unwrap(), solved.finish().unwrap())
}

fn distance(one: &[f64], two: &[f64]) -> f64 {
    assert_eq!(one.len(), two.len());
    one.iter().zip(two).map(|(one, two)| (one - two).abs()).sum()
}

fn local_graph(pages: u32) -> Graph {
    let options = GenerateOptions { pages, hosts: pages / 40, links: u64::from(pages) * 8, ..GenerateOptions::default() };
    generate(&options, None, &mut |_| true).unwrap()
}

/// Power iteration over a list of links.
fn naive(pages: usize, links: &BTreeSet<(u32, u32)>) -> Vec<f64> {
    let mut out = vec![0.0; pages];
    links.iter().for_each(|&(from, _)| out[from as usize] += 1.0);
    let mut ranks = vec![1.0 / pages as f64; pages];
    for _ in 0..400 {
        let mut next = vec![0.0; pages];
        for &(from, to) in links.iter().filter(|(from, to)| from != to) {
            next[to as usize] += 0.85 * ranks[from as usize] / out[from as usize];
        }
        let missing = (1.0 - next.iter().sum::<f64>()) / pages as f64;
        next.iter_mut().for_each(|rank| *rank += missing);
        ranks = next;
    }
    ranks
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn equals_the_naive_version(links in prop::collection::btree_set((0..60u32, 0..60u32), 0..250), size in 1..20u32, count in 1..9usize) {
        let hosts: Vec<u32> = (0..60).map(|page| page / size).collect();
        let graph = Graph::with_hosts(&hosts, links.iter().map(|&(from, to)| (from, to, 0))).unwrap();
        let (ranks, report) = solved(&graph, &Preference::Uniform, &options(), &workers(count));
        prop_assert!(distance(&ranks.values, &naive(60, &links)) < 1e-12);
        prop_assert!(ranks.converged && ranks.bound >= 0.0 && report.iterations == ranks.residuals.len());
        // One vote is sent for each page and worker with links to it.
        let partitioning = partition::Partitioning::new(&graph, count);
        let owner = |page: u32| partitioning.page(&graph, page as usize).0;
        let between: Vec<_> = links.iter().filter(|&&(from, to)| owner(from) != owner(to)).collect();
        let votes: BTreeSet<(usize, u32)> = between.iter().map(|&&(from, to)| (owner(from), to)).collect();
        prop_assert_eq!((report.links_between, report.votes), (between.len() as u64, votes.len() as u64));
    }
}

#[test]
fn any_number_of_workers_gives_the_same_ranks() {
    let graph = local_graph(6000);
    let link_weights = LinkWeights { stay: 0.3, leave: 0.9, ..LinkWeights::default() };
    let seeds = Preference::Pages(vec![(17, 1.0), (4711, 2.0), (17, 0.5)]);
    let start: Vec<f64> = (0..6000).map(|page| f64::from(page % 7)).collect();
    for (preference, options) in [
        (Preference::Uniform, options()),
        (seeds.clone(), SolveOptions { solver: Solver::Jacobi, self_links: SelfLinks::Keep, ..options() }),
        (seeds, SolveOptions { link_weights: Some(link_weights), start: Some(start), self_links: SelfLinks::Drop, ..options() }),
    ] {
        let one = rank::solve(&graph, &preference, &options).unwrap();
        let (first, _) = solved(&graph, &preference, &options, &workers(1));
        assert_eq!(first.values, one.values);
        for count in [2, 4, 8] {
            let (ranks, report) = solved(&graph, &preference, &options, &workers(count));
            assert!(distance(&ranks.values, &first.values) < 1e-12, "{count} workers: {}", distance(&ranks.values, &first.values));
            assert_eq!(report.workers, count);
            let (again, _) = solved(&graph, &preference, &SolveOptions { threads: 3, ..options.clone() }, &workers(count));
            assert_eq!((again.values, again.residuals), (ranks.values, ranks.residuals));
        }
    }
}

#[test]
fn link_weights_work_as_in_one_process() {
    let links =
        (0..900u32).flat_map(|from| (1..6).map(move |step| (from, (from * step * 31 + step) % 900, ((from + step) % 8) as u8)));
    let graph = Graph::with_hosts(&(0..900).map(|page| page / 30).collect::<Vec<_>>(), links).unwrap();
    let link_weights = LinkWeights { stay: 0.2, leave: 0.7, strata: [1.0, 0.3, 0.5, 0.1, 2.0, 0.7, 0.9, 0.4] };
    let options = SolveOptions { link_weights: Some(link_weights), ..options() };
    let one = rank::solve(&graph, &Preference::Uniform, &options).unwrap();
    for count in [2, 5] {
        let (ranks, _) = solved(&graph, &Preference::Uniform, &options, &workers(count));
        assert!(distance(&ranks.values, &one.values) < 1e-12);
    }
}

#[test]
fn more_workers_than_hosts_and_nothing_to_rank() {
    let graph = Graph::from_links(3, [(0, 1), (1, 2)]).unwrap();
    let one = rank::solve(&graph, &Preference::Uniform, &options()).unwrap();
    let (ranks, report) = solved(&graph, &Preference::Uniform, &options(), &workers(6));
    assert!(distance(&ranks.values, &one.values) < 1e-14 && report.votes == 0);
    let wrong = |options: SolveOptions, plan: Plan| {
        solve_distributed(&graph, &Preference::Uniform, &options, &plan, &mut |_| true).unwrap_err().to_string()
    };
    assert!(wrong(options(), workers(0)).contains("from 1 to 1024"));
    assert!(wrong(SolveOptions { damping: 1.0, ..options() }, workers(2)).contains("less than 1"));
    assert!(solve_distributed(&graph, &Preference::Pages(vec![]), &options(), &workers(2), &mut |_| true).is_err());
    // The iteration limit is reported.
    let (ranks, report) =
        solved(&local_graph(2000), &Preference::Uniform, &SolveOptions { max_iterations: 3, ..options() }, &workers(2));
    assert!(!ranks.converged && !report.converged && report.iterations == 3);
}

#[test]
fn a_stopped_run_resumes_with_identical_ranks() {
    let graph = local_graph(4000);
    let here = tempfile::tempdir().unwrap();
    let (whole, _) = solved(&graph, &Preference::Uniform, &options(), &workers(3));
    for stop in [1, 2, 9] {
        let folder = here.path().join(stop.to_string());
        let plan = Plan { checkpoints: Some(Checkpoints { folder: folder.clone(), every: Duration::ZERO }), ..workers(3) };
        let mut until = |event: Event| !matches!(event, Event::Iteration(iteration) if iteration.number == stop);
        let stopped = solve_distributed(&graph, &Preference::Uniform, &options(), &plan, &mut until);
        assert!(matches!(stopped, Err(DistributedError::Graph(GraphError::Stopped))), "{stopped:?}");
        let mut resumed = 0;
        let mut look = |event: Event| {
            if let Event::Resumed(iteration) = event {
                resumed = iteration;
            }
            true
        };
        let mut again = solve_distributed(&graph, &Preference::Uniform, &options(), &plan, &mut look).unwrap();
        let ranks = again.ranks.take().unwrap();
        assert!(resumed + 2 >= stop as u64, "resumed from {resumed}");
        assert_eq!((ranks.values, ranks.residuals), (whole.values.clone(), whole.residuals.clone()));
        assert_eq!(again.finish().unwrap().resumed, resumed);
        assert!(!folder.exists());
    }
}

/// A host file of free ports on this machine.
fn free_hosts(count: usize) -> Hosts {
    let listeners: Vec<TcpListener> = (0..count).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
    let text: String = listeners.iter().map(|listener| format!("{}\n", listener.local_addr().unwrap())).collect();
    Hosts::parse(Path::new("hosts.txt"), &text).unwrap()
}

fn process(hosts: &Hosts, process: usize) -> Plan {
    Plan { topology: Topology::Processes { hosts: hosts.clone(), process, timeout: Duration::from_secs(120) }, checkpoints: None }
}

/// Runs one process per graph, as threads.
fn together(
    hosts: &Hosts,
    graphs: &[Graph],
    progress: impl Fn(usize, Event) -> bool + Sync,
) -> Vec<Result<(Option<Ranks>, Report), DistributedError>> {
    let (progress, hosts) = (&progress, &hosts);
    thread::scope(|scope| {
        let one = |(number, graph)| {
            scope.spawn(move || {
                let plan = process(hosts, number);
                let mut solved =
                    solve_distributed(graph, &Preference::Uniform, &options(), &plan, &mut |event| progress(number, event))?;
                let ranks = solved.ranks.take();
                Ok((ranks, solved.finish()?))
            })
        };
        let handles: Vec<_> = graphs.iter().enumerate().map(one).collect();
        handles.into_iter().map(|handle| handle.join().unwrap()).collect()
    })
}

#[test]
fn processes_give_the_same_ranks_as_workers() {
    let graph = local_graph(3000);
    for count in [1, 2, 4] {
        let (want, _) = solved(&graph, &Preference::Uniform, &options(), &workers(count));
        let hosts = free_hosts(count);
        // Strangers call and send garbage, or nothing.
        let stranger = hosts.address(0).to_owned();
        let quiet = thread::spawn(move || {
            let mut streams = Vec::new();
            for _ in 0..20 {
                if let Ok(mut stream) = TcpStream::connect(&stranger) {
                    let _ = stream.write_all(b"GET / HTTP/1.1\r\n\r\n");
                    streams.push(stream);
                }
                thread::sleep(Duration::from_millis(5));
            }
        });
        let done = together(&hosts, &vec![graph.clone(); count], |_, _| true);
        quiet.join().unwrap();
        for (number, result) in done.into_iter().enumerate() {
            let (ranks, report) = result.unwrap();
            assert_eq!(ranks.is_some(), number == 0);
            assert!(report.converged && report.iterations == want.residuals.len());
            if let Some(ranks) = ranks {
                assert_eq!((&ranks.values, &ranks.residuals), (&want.values, &want.residuals));
                assert!(count == 1 || report.bytes_per_iteration() > report.votes as f64 * 8.0, "{report:?}");
                assert!(report.bytes_per_iteration() < report.votes as f64 * 8.0 + 20_000.0 * count as f64, "{report:?}");
            }
        }
    }
}

#[test]
fn a_failed_process_is_reported_by_all() {
    let graph = local_graph(3000);
    let hosts = free_hosts(3);
    let done = together(&hosts, &vec![graph; 3], |number, event| {
        !(number == 1 && matches!(event, Event::Iteration(iteration) if iteration.number == 4))
    });
    for (number, result) in done.into_iter().enumerate() {
        let error = result.unwrap_err().to_string();
        let want = format!("process 1 at {} failed: stopped", hosts.address(1));
        assert!(
            if number == 1 { error == "stopped" } else { error.contains(&want) && error.contains("--checkpoint-dir") },
            "{error}"
        );
    }
}

#[test]
fn different_graphs_are_refused_by_both_sides() {
    let hosts = free_hosts(2);
    let done = together(&hosts, &[local_graph(1000), local_graph(1040)], |_, _| true);
    for (number, result) in done.into_iter().enumerate() {
        let error = result.unwrap_err().to_string();
        let other = 1 - number;
        let want = [format!("hosts.txt, line {}: process {other} at", other + 1), "has a different graph".to_owned()];
        assert!(want.iter().all(|want| error.contains(want)), "{error}");
    }
}

#[test]
fn an_unreachable_process_is_reported_with_its_line() {
    let graph = local_graph(1000);
    let hosts = free_hosts(2);
    for me in [0, 1] {
        let topology = Topology::Processes { hosts: hosts.clone(), process: me, timeout: Duration::from_secs(1) };
        let mut waited = false;
        let mut progress = |event: Event| {
            waited |= matches!(event, Event::Waiting { .. });
            true
        };
        let error =
            solve_distributed(&graph, &Preference::Uniform, &options(), &Plan { topology, checkpoints: None }, &mut progress);
        let (error, other) = (error.unwrap_err().to_string(), 1 - me);
        let want = format!("hosts.txt, line {}: no answer from process {other} at {}", other + 1, hosts.address(other));
        assert!(error.starts_with(&want) && error.contains(&format!("--process {other}")), "{error}");
        assert!(waited);
    }
    let error =
        solve_distributed(&graph, &Preference::Uniform, &options(), &process(&hosts, 2), &mut |_| true).unwrap_err().to_string();
    assert!(error.contains("no process 2") && error.contains("0 to 1"), "{error}");
    let _taken = TcpListener::bind(hosts.address(0)).unwrap();
    let error =
        solve_distributed(&graph, &Preference::Uniform, &options(), &process(&hosts, 0), &mut |_| true).unwrap_err().to_string();
    assert!(error.contains("hosts.txt, line 1: process 0 cannot listen"), "{error}");
}

/// Runs process 0 with a peer that performs a valid handshake and then sends these bytes, and closes the connection if `close`; returns
/// the error.
fn error_with_invalid_peer(bytes: &'static [u8], close: bool) -> String {
    let graph = local_graph(1000);
    let hosts = free_hosts(2);
    let (address, fingerprint) = (hosts.address(0).to_owned(), Fingerprint::new(&graph, &Preference::Uniform, &options(), 2));
    let peer = thread::spawn(move || {
        let mut stream = loop {
            match TcpStream::connect(&address) {
                Ok(stream) => break stream,
                Err(_) => thread::sleep(Duration::from_millis(10)),
            }
        };
        handshake::tests::say_hello(&mut stream, 1, 2, fingerprint);
        let _ = stream.write_all(bytes);
        if close {
            let _ = stream.shutdown(Shutdown::Write);
        }
        let _ = stream.read_to_end(&mut Vec::new());
    });
    let error =
        solve_distributed(&graph, &Preference::Uniform, &options(), &process(&hosts, 0), &mut |_| true).unwrap_err().to_string();
    peer.join().unwrap();
    assert!(error.contains("process 1 at 127.0.0.1:"), "{error}");
    error
}

#[test]
fn invalid_data_is_an_error_and_not_a_panic() {
    assert!(error_with_invalid_peer(b"GET / HTTP/1.1\r\n\r\n", false).contains("unknown kind"));
    assert!(error_with_invalid_peer(&[2, 0, 0, 0, 0x80, 1, 1, 1, 1], false).contains("too long"));
    assert!(error_with_invalid_peer(&[2, 1, 0, 0, 0, 0, 0, 0, 0, 7], false).contains("corrupted in transit"));
    // A goodbye in the middle of the computation is not an orderly end.
    let goodbye: &'static [u8] = {
        let mut bytes = Vec::new();
        frame::write(&mut bytes, frame::Kind::Goodbye, &[]).unwrap();
        bytes.leak()
    };
    assert!(error_with_invalid_peer(goodbye, true).contains("its connection was closed"));
    // A valid frame with a message for another process, of an impossible length.
    let frame: &'static [u8] = {
        let mut bytes = Vec::new();
        frame::write(&mut bytes, frame::Kind::Data, &[0xff; 60]).unwrap();
        bytes.leak()
    };
    assert!(error_with_invalid_peer(frame, false).contains("not for this process"));
    let lost: &'static [u8] = {
        let mut bytes = Vec::new();
        frame::write(&mut bytes, frame::Kind::Fail, &frame::reason(1, "the disk is full")).unwrap();
        bytes.leak()
    };
    assert!(error_with_invalid_peer(lost, false).contains("failed: the disk is full"));
}
