//! Baseline for measuring the command line: one thread that reads the pages of a list one after another and extracts their
//! text, and nothing else. `scripts/bench-folder` runs it.
#![allow(clippy::print_stdout, missing_docs, reason = "a program that reports")]

use std::error::Error;
use std::fs::{self, File};
use std::io::Read;
use webstrata::{ExtractOptions, PageOptions, PageReader};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> Result<(), Box<dyn Error>> {
    let list = fs::read_to_string(std::env::args().nth(1).ok_or("give a file that lists the pages, one path per line")?)?;
    let mut reader = PageReader::new(PageOptions::default());
    let options = ExtractOptions::default();
    let mut bytes = Vec::new();
    let mut written = 0;
    for path in list.lines() {
        bytes.clear();
        let mut file = File::open(path)?;
        bytes.reserve(usize::try_from(file.metadata()?.len())? + 1);
        file.read_to_end(&mut bytes)?;
        let page = reader.read(&bytes);
        written += page.extract_with(&options).text().len() + 1;
        reader.recycle(page);
    }
    println!("{written}");
    Ok(())
}
