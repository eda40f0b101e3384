//! How fast the library alone does what `POST /api/v1/extract` does, for `scripts/load-test`.
//!
//! `cargo run --release -p webstrata-serve --example library_speed -- PAGE THREADS SECONDS`
//!
//! Prints the record of the page, so that it can be compared with the server's answer, and then the number of pages and the seconds.
//! Each thread reads the same bytes again and again with a reader that keeps its buffers.

#![allow(clippy::print_stdout, reason = "a program that prints its result")]

use std::error::Error;
use std::hint::black_box;
use std::time::{Duration, Instant};
use webstrata::record::{PageRecord, RecordOptions};
use webstrata::{ExtractOptions, PageOptions, PageReader};

/// The same allocator as the command line, which the server is a part of.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> Result<(), Box<dyn Error>> {
    let usage = "usage: library_speed PAGE THREADS SECONDS";
    let [file, threads, seconds] = <[String; 3]>::try_from(std::env::args().skip(1).collect::<Vec<_>>()).map_err(|_| usage)?;
    let (page, threads, seconds) = (std::fs::read(file)?, threads.parse::<usize>()?, seconds.parse::<f64>()?);
    println!("{}", record(&mut PageReader::new(PageOptions::default()), &page));
    let start = Instant::now();
    let until = start + Duration::try_from_secs_f64(seconds)?;
    let count = || {
        let mut reader = PageReader::new(PageOptions::default());
        let mut pages = 0_u64;
        while Instant::now() < until {
            black_box(record(&mut reader, black_box(&page)));
            pages += 1;
        }
        pages
    };
    let pages: u64 = std::thread::scope(|scope| {
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(count)).collect();
        running.into_iter().map(|thread| thread.join().unwrap_or_default()).sum()
    });
    println!("{pages} {}", start.elapsed().as_secs_f64());
    Ok(())
}

/// The answer to a request without parameters.
fn record(reader: &mut PageReader, bytes: &[u8]) -> String {
    let page = reader.read(bytes);
    let options = RecordOptions::default();
    let content = page.extract_with(&ExtractOptions::default().explain(options.needs_reasons()));
    let record = PageRecord::new(&page, &content, &options.id("")).to_json();
    reader.recycle(page);
    record
}
