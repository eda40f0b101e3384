//! SOM trees of a folder of pages: agreement of a sample with the whole folder, and time and memory against the number of pages.
//!
//! ```text
//! cargo run --release -p webstrata-lab --example som_site -- samples linux-doc/         (add `grid` for other options)
//! cargo run --release -p webstrata-lab --example som_site -- growth rust-doc/
//! ```

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a program for measuring")]

use std::path::{Path, PathBuf};
use std::time::Instant;
use webstrata::block::GapModel;
use webstrata::{PageOptions, PageReader};
use webstrata_corpus::io::Random;
use webstrata_corpus::site::som::{PageTree, Som, SomOptions};
use webstrata_lab::metrics::partition::Contingency;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [what, folder, ..] = arguments.as_slice() else { return println!("samples|growth FOLDER") };
    let mut files = Vec::new();
    gather(Path::new(folder), &mut files);
    files.sort();
    match what.as_str() {
        "samples" => samples(&files),
        _ => growth(&files),
    }
}

fn gather(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let kind = entry.file_type().unwrap();
        if kind.is_dir() {
            gather(&path, files);
        } else if kind.is_file() && path.extension().is_some_and(|e| e == "html" || e == "htm") {
            files.push(path);
        }
    }
}

/// For each page: the segment of each word according to a tree.
fn partitions(files: &[PathBuf], numbers: &[u32], som: &Som, options: &SomOptions) -> Vec<Vec<usize>> {
    let pruned = som.pruned(options);
    let mut reader = PageReader::new(PageOptions::default());
    let of_page = |&number: &u32| {
        let bytes = std::fs::read(&files[number as usize]).unwrap();
        let page = reader.read(&bytes);
        let tree = PageTree::new(&page);
        let mut segment_of = std::collections::BTreeMap::new();
        for (number, segment) in pruned.segments(&tree).into_iter().enumerate() {
            segment.leaves.iter().for_each(|&leaf| {
                segment_of.insert(leaf, number);
            });
        }
        let mut words = Vec::new();
        for block in page.blocks_by(GapModel::Tags) {
            let leaf = block.runs().next().and_then(|run| tree.leaf_of(run)).unwrap();
            words.extend(std::iter::repeat_n(segment_of[&leaf], block.counts().words as usize));
        }
        reader.recycle(page);
        words
    };
    numbers.iter().map(of_page).collect()
}

fn build(files: &[PathBuf], numbers: impl Iterator<Item = u32>) -> Som {
    let mut som = Som::default();
    let mut reader = PageReader::new(PageOptions::default());
    for number in numbers {
        let bytes = std::fs::read(&files[number as usize]).unwrap();
        let page = reader.read(&bytes);
        som.add(number, &PageTree::new(&page));
        reader.recycle(page);
    }
    som
}

fn samples(files: &[PathBuf]) {
    let all: Vec<u32> = (0..files.len() as u32).collect();
    let start = Instant::now();
    let whole = build(files, all.iter().copied());
    println!(
        "{} pages: {} nodes, {:.1} s, tree as a file {} KB",
        files.len(),
        whole.len(),
        start.elapsed().as_secs_f64(),
        whole.to_bytes().unwrap().len() / 1000
    );
    let mut choices = vec![("default".to_owned(), SomOptions::default()), ("paper".to_owned(), SomOptions::paper())];
    if std::env::args().any(|argument| argument == "grid") {
        for share in [0.05, 0.2, 0.5] {
            for beta in [0.05, 0.1, 0.2] {
                let options = SomOptions { share, beta_share: Some(beta), ..SomOptions::paper() };
                choices.push((format!("share {share} beta {beta}"), options));
            }
        }
    }
    for (name, options) in choices {
        let classes = whole.classes(&options);
        let small = classes.iter().filter(|class| class.pages.len() < 8);
        let (few, elements) = small.fold((0, 0), |(few, elements), class| (few + 1, elements + class.pages.len()));
        let every: u64 = classes.iter().map(|class| class.pages.len()).sum();
        println!(
            "{name}: {} classes, {every} segments, {:.1} per page; {few} classes under 8 elements with {elements} segments",
            classes.len(),
            every as f64 / files.len() as f64
        );
        for percent in [1, 10] {
            let (mut sum, mut low, mut counted) = (0.0, 0u32, 0u32);
            for seed in 0..3u64 {
                let mut order = all.clone();
                order.sort_by_key(|&number| scatter(u64::from(number) ^ seed << 40));
                let mut sample: Vec<u32> = order[..(files.len() * percent).div_ceil(100)].to_vec();
                sample.sort_unstable();
                let som = build(files, sample.iter().copied());
                let (ours, theirs) = (partitions(files, &sample, &som, &options), partitions(files, &sample, &whole, &options));
                for (a, b) in ours.into_iter().zip(theirs).filter(|(a, _)| a.len() > 1) {
                    let agreement = Contingency::new(b.into_iter().zip(a)).adjusted_rand();
                    sum += agreement;
                    low += u32::from(agreement < 0.9);
                    counted += 1;
                }
            }
            println!(
                "  {percent}% sample, 3 draws: AdjRand {:.4} over {counted} pages, {low} below 0.9",
                sum / f64::from(counted.max(1))
            );
        }
    }
}

fn growth(files: &[PathBuf]) {
    println!("pages   seconds  nodes  classes  resident MB  file KB");
    for pages in [500, 1000, 2000, 4000, 8000, 16_000, 30_000].into_iter().filter(|&pages| pages <= files.len()) {
        let start = Instant::now();
        // Pages sampled from the whole site, not in the order of its folders.
        let mut order: Vec<u32> = (0..files.len() as u32).collect();
        order.sort_by_key(|&number| scatter(u64::from(number)));
        let som = build(files, order.into_iter().take(pages));
        let seconds = start.elapsed().as_secs_f64();
        let classes = som.classes(&SomOptions::default()).len();
        println!(
            "{pages:6} {seconds:8.2} {:7} {classes:7} {:8} {:9}",
            som.len(),
            resident() / 1000,
            som.to_bytes().unwrap().len() / 1000
        );
    }
}

/// Resident memory in kilobytes.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|kb| kb.parse().ok()).unwrap_or(0)
}

/// Hashes a number.
fn scatter(number: u64) -> u64 {
    Random::new(number).next()
}
