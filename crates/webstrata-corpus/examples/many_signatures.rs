//! Runs millions of signatures through an index on disk and prints the time of each step, the size on disk and peak memory.
//!
//!     cargo run --release -p webstrata-corpus --example many_signatures -- FOLDER [COUNT] [fineweb|paper]
//!
//! Signatures are synthetic: of every ten pages, four form a chain (each shares just enough with the one before), and the others
//! have no duplicates. The program checks that it finds exactly these clusters.

#![allow(clippy::print_stdout, reason = "a program that prints its results")]

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;
use webstrata_corpus::dedup::{Index, Keep, Page, Resources, Settings, Signature, Similarity};
use webstrata_corpus::io::Random;

fn random(seed: u64) -> u64 {
    Random::new(seed).next()
}

/// The position of a page in its chain; `None` for a page without duplicates.
fn link(number: u64) -> Option<u64> {
    (number % 10 < 4).then_some(number % 10)
}

/// The signature of a page. A page in a chain shares one band, or four hashes, with the page before it.
fn signature(number: u64, paper: bool) -> Signature {
    let own = |key: u64| random(number * 64 + key);
    let before = |key: u64| random((number - 1) * 64 + key);
    let chained = link(number).is_some_and(|link| link > 0);
    let mut joins = vec![own(0)];
    let mut hashes = Vec::new();
    if paper {
        hashes.extend((1..5).map(|key| if chained { before(key + 4) } else { own(key) }));
        hashes.extend((5..9).map(own));
        hashes.sort_unstable();
    } else {
        joins.push(if chained { before(15) } else { own(1) });
        joins.extend((2..14).map(own));
        joins.push(own(15));
    }
    Signature { content: own(0), length: 1000 + number % 977, joins, hashes }
}

/// A field of `/proc/self/status`, in MB.
fn status(key: &str) -> f64 {
    let text = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(key));
    line.and_then(|line| line.split_whitespace().nth(1)?.parse::<f64>().ok()).unwrap_or(f64::NAN) / 1024.0
}

fn size(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.metadata().map_or(0, |about| if about.is_dir() { size(&entry.path()) } else { about.len() })).sum()
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let folder = PathBuf::from(args.next().ok_or("give a folder for the index")?);
    let count: u64 = args.next().map_or(Ok(10_000_000), |count| count.parse())?;
    let paper = args.next().is_some_and(|preset| preset == "paper");
    let similarity = if paper { Similarity::paper() } else { Similarity::fineweb() };
    println!("{count} signatures, {similarity}\n\n| step | s | pages/s | peak MB so far |\n|---|---|---|---|");
    let step = |name: &str, start: Instant| {
        let seconds = start.elapsed().as_secs_f64();
        println!("| {name} | {seconds:.1} | {:.0} | {:.0} |", count as f64 / seconds, status("VmHWM"));
    };
    let settings = Settings { similarity, text_source: "made up".into() };
    let mut index = Index::open(&folder, &settings, Resources::default())?;
    let start = Instant::now();
    if let Some(mut batch) = index.batch("made up", false)? {
        let mut id = String::new();
        for number in batch.items()..count {
            id.clear();
            id.push_str("https://example.org/pages/");
            id.push_str(&number.to_string());
            batch.push(Page { id: &id, date: None, confidence: None }, &signature(number, paper))?;
        }
        step("signatures to sorted runs", start);
        let start = Instant::now();
        batch.finish()?;
        step("runs merged into one", start);
    }
    let start = Instant::now();
    let clusters = index.clusters(Keep::Longest, &())?;
    step("joined, members and verdicts sorted", start);
    let start = Instant::now();
    let (mut kept, mut wrong) = (0u64, 0u64);
    for (row, number) in clusters.zip(0u64..) {
        let row = row?;
        kept += u64::from(row.keep);
        let whole = if number - number % 10 + 4 <= count { 4 } else { count % 10 };
        wrong += u64::from(u64::from(row.size) != if link(number).is_some() { whole } else { 1 });
    }
    step("rows read", start);
    println!(
        "\n{kept} kept, {wrong} wrong rows; {:.2} GB on disk; peak memory {:.0} MB",
        size(&folder) as f64 / 1e9,
        status("VmHWM")
    );
    if wrong > 0 { Err("unexpected clusters".into()) } else { Ok(()) }
}
