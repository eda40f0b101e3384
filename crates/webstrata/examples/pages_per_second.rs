//! Measures the CPU seconds that the Rust library takes for the pages of a folder, for `scripts/bench-python`.
//!
//! `throughput` times the stages of a reader that reuses its buffers; this program does exactly what one call from Python does.
//! For each line of input it extracts all pages once and prints the seconds, so that the caller can alternate it with other programs.

#![allow(clippy::print_stdout, reason = "a program that prints its result")]

use std::error::Error;
use std::fs;
use std::io::{self, BufRead};
use webstrata::Page;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("name a folder with pages")?;
    let mut files: Vec<_> = fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    files.sort_by_key(fs::DirEntry::path);
    let pages = files.iter().map(|file| fs::read(file.path())).collect::<Result<Vec<_>, _>>()?;
    for line in io::stdin().lock().lines() {
        line?;
        let started = processor_time()?;
        let length: usize = pages.iter().map(|page| Page::parse(page).extract().text().len()).sum();
        println!("{} {length}", processor_time()? - started);
    }
    Ok(())
}

/// CPU seconds of the main thread, as counted by the Linux scheduler.
fn processor_time() -> Result<f64, Box<dyn Error>> {
    // Linux updates the figure when a thread yields, otherwise only every few milliseconds: the best of many rounds would then be the one
    // that the clock missed most of.
    std::thread::yield_now();
    let stat = fs::read_to_string("/proc/self/schedstat")?;
    let nanoseconds: u64 = stat.split_whitespace().next().ok_or("no time")?.parse()?;
    Ok(nanoseconds as f64 / 1e9)
}
