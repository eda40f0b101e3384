//! Benchmark from text to tree: a [`Parser`] that reuses its buffers against html5ever with an arena of nodes.
//!
//! `cargo bench -p webstrata --bench parse` measures generated news pages and, with `WEBSTRATA_DATA`, every tenth
//! page of the evaluation sets found there. It prints a table of MB/s, then criterion's groups. Before anything is
//! timed, it checks that both parsers see the same words on every generated page.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, missing_docs, reason = "a benchmark")]

#[path = "../tests/support/mod.rs"]
mod support;

use criterion::{Criterion, Throughput};
use std::hint::black_box;
use std::time::{Duration, Instant};
use support::data;
use support::oracle::Tree;
use support::pages::{Markup, news};
use support::words::{Symbols, Words};
use webstrata::html::token::Repair;
use webstrata::html::{ParseOptions, Parser};

/// html5ever allocates every node, so it gets a fast allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const SETS: [&str; 5] = ["wcxb", "l3s-gn1", "dragnet", "daniel", "swde-sample"];

/// Every n-th page of a set is measured.
const PAGE_STEP: usize = 10;

/// Number of runs; the table shows the best one.
const RUNS: usize = 5;

struct Input {
    name: &'static str,
    pages: Vec<String>,
    bytes: usize,
}

impl Input {
    fn new(name: &'static str, pages: Vec<String>) -> Self {
        let bytes = pages.iter().map(String::len).sum();
        Input { name, pages, bytes }
    }
}

fn inputs() -> Vec<Input> {
    let mut inputs = vec![
        Input::new("news", (0..100).map(|n| news(n, Markup::Neat)).collect()),
        Input::new("news-odd", (0..100).map(|n| news(n, Markup::Odd)).collect()),
    ];
    for name in SETS {
        if let Some(folder) = data::folder(name) {
            let files = data::files(&folder.join("html"), "html");
            inputs.push(Input::new(name, files.iter().step_by(PAGE_STEP).map(|path| data::page(path)).collect()));
        }
    }
    inputs
}

fn ours(parser: &mut Parser, pages: &[String]) -> usize {
    let mut nodes = 0;
    for page in pages {
        let dom = parser.parse(black_box(page));
        nodes += dom.len();
        parser.recycle(dom);
    }
    nodes
}

fn theirs(pages: &[String]) -> usize {
    pages.iter().map(|page| Tree::parse(black_box(page)).nodes().len()).sum()
}

fn strict() -> Parser {
    Parser::new(ParseOptions::default().repair(Repair::Off))
}

/// Checks that both parsers see the same words: speed means nothing if words are lost.
fn check(input: &Input) {
    let mut parser = strict();
    let mut symbols = Symbols::default();
    for page in &input.pages {
        let dom = parser.parse(page);
        let (a, b) = (Words::from_dom(&dom, &mut symbols), Words::from_tree(&Tree::parse(page), &mut symbols));
        assert!(a.same_sequence(&b), "{}: the two parsers see different words", input.name);
        assert!(!a.is_empty());
    }
}

fn best(mut work: impl FnMut() -> usize) -> Duration {
    let once = |work: &mut dyn FnMut() -> usize| {
        let start = Instant::now();
        black_box(work());
        start.elapsed()
    };
    (0..RUNS).map(|_| once(&mut work)).min().unwrap()
}

fn table(inputs: &[Input]) {
    println!("| pages | number | MB | ours, MB/s | html5ever, MB/s | factor |\n|---|---|---|---|---|---|");
    for input in inputs {
        let mut parser = strict();
        let (a, b) = (best(|| ours(&mut parser, &input.pages)), best(|| theirs(&input.pages)));
        let speed = |time: Duration| input.bytes as f64 / 1e6 / time.as_secs_f64();
        println!(
            "| {} | {} | {:.1} | {:.0} | {:.0} | {:.1} |",
            input.name,
            input.pages.len(),
            input.bytes as f64 / 1e6,
            speed(a),
            speed(b),
            b.as_secs_f64() / a.as_secs_f64()
        );
    }
}

fn main() {
    let inputs = inputs();
    check(&inputs[0]);
    check(&inputs[1]);
    table(&inputs);
    let mut criterion = Criterion::default().sample_size(10).warm_up_time(Duration::from_millis(500)).configure_from_args();
    for input in &inputs {
        let mut group = criterion.benchmark_group(format!("parse/{}", input.name));
        group.throughput(Throughput::Bytes(input.bytes as u64));
        let mut parser = strict();
        group.bench_function("webstrata", |bencher| bencher.iter(|| ours(&mut parser, &input.pages)));
        group.bench_function("html5ever", |bencher| bencher.iter(|| theirs(&input.pages)));
        group.finish();
    }
    criterion.final_summary();
}
