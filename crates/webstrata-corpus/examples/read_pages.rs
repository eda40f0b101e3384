//! Reads files and folders and prints the speed:
//! `cargo run --release -p webstrata-corpus --example read_pages -- crawl.warc.gz`

#![allow(clippy::print_stdout, reason = "a program that prints its results")]

use std::error::Error;
use std::path::PathBuf;
use std::time::Instant;
use webstrata_corpus::input::{Input, InputOptions, Item};

fn main() -> Result<(), Box<dyn Error>> {
    let paths: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let start = Instant::now();
    let input = Input::open(&paths, &InputOptions::default())?;
    let stored = input.total_bytes();
    let (mut pages, mut broken, mut bytes) = (0u64, 0u64, 0u64);
    for item in input {
        match item? {
            Item::Document(page) => {
                pages += 1;
                bytes += page.bytes.len() as u64;
            }
            Item::Broken(record) => {
                broken += 1;
                println!("{}: {}", record.origin, record.failure.message);
            }
            Item::File(_) => {}
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    let rate = |count: u64| count as f64 / 1e6 / seconds;
    println!(
        "{pages} pages, {broken} broken, {bytes} bytes of HTML, {stored} bytes stored: {seconds:.2} s, {:.0} MB/s of HTML, {:.0} MB/s stored",
        rate(bytes),
        rate(stored)
    );
    Ok(())
}
