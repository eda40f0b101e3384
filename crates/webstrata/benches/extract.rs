//! Benchmark from bytes to text, by stage: decoding and tree, blocks, labels and text, segments.
//!
//! `cargo bench -p webstrata --bench extract` measures generated news pages and, with `WEBSTRATA_DATA`, every tenth page of
//! the evaluation sets found there. Every benchmark checks the size of its result before timing, so that a fast wrong
//! result is caught. `scripts/bench-rivals` compares with other tools.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, missing_docs, reason = "a benchmark")]

#[path = "../tests/support/mod.rs"]
mod support;

use criterion::{Criterion, Throughput};
use std::hint::black_box;
use support::data;
use support::pages::{Markup, news};
use webstrata::label::Preset;
use webstrata::segment::Method;
use webstrata::{ExtractOptions, Page, PageOptions, PageReader};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const EVERY: usize = 10;

/// Runs a stage and returns the size of its result.
type Stage = fn(&Page<'_>) -> usize;

const STAGES: [(&str, Stage); 5] = [
    ("bytes to tree", |page| page.dom().len()),
    ("bytes to blocks", |page| page.blocks().len()),
    ("bytes to all text", |page| page.extract_with(&ExtractOptions::from(Preset::KeepEverything)).text().len()),
    ("bytes to article text", |page| page.extract_with(&ExtractOptions::from(Preset::Article)).text().len()),
    ("bytes to bf-rulebased segments", |page| page.segments(Method::BfRulebased).len()),
];

fn inputs() -> Vec<(&'static str, Vec<Vec<u8>>)> {
    let mut inputs = vec![("news", (0..100).map(|n| news(n, Markup::Neat).into_bytes()).collect())];
    for name in ["wcxb", "l3s-gn1", "dragnet", "daniel", "swde-sample"] {
        if let Some(folder) = data::folder(name) {
            let files = data::files(&folder.join("html"), "html");
            inputs.push((name, files.iter().step_by(EVERY).map(|path| std::fs::read(path).unwrap()).collect()));
        }
    }
    inputs
}

fn main() {
    let mut criterion = Criterion::default().sample_size(10).configure_from_args();
    for (name, pages) in inputs() {
        let mut group = criterion.benchmark_group(name);
        group.throughput(Throughput::Bytes(pages.iter().map(Vec::len).sum::<usize>() as u64));
        for (stage, make) in STAGES {
            let mut reader = PageReader::new(PageOptions::default());
            let mut run = || {
                let mut size = 0;
                for bytes in &pages {
                    let page = reader.read(bytes);
                    size += make(&page);
                    reader.recycle(page);
                }
                size
            };
            let (first, second) = (run(), run());
            assert!(first == second && first > pages.len(), "{name}, {stage}: {first} and {second}");
            group.bench_function(stage, |bencher| bencher.iter(|| black_box(run())));
        }
        group.finish();
    }
    criterion.final_summary();
}
