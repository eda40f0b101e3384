//! Turns a crawl into tables of pages, segments and links.
//!
//! ```text
//! cargo run --release -p webstrata-corpus --example crawl_to_table -- OUT FILE.warc.gz FOLDER…
//! ```
//!
//! Inputs are WARC files, folders of pages, JSON Lines and Parquet. If the program is stopped, the same command continues
//! where it was, and ends with the same bytes.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "the output of a program")]

use std::error::Error;
use std::ops::ControlFlow;
use std::path::PathBuf;
use webstrata_corpus::input::{Input, InputOptions};
use webstrata_corpus::run::{RunOptions, run};
use webstrata_corpus::store::{Format, Table};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1).map(PathBuf::from);
    let out = arguments.next().ok_or("usage: crawl_to_table OUT INPUT…")?;
    let paths: Vec<PathBuf> = arguments.collect();
    let input = Input::open(&paths, &InputOptions::default())?;

    // JSON Lines are easy to look at; `Format::Parquet`, the default, is smaller and faster to query.
    let tables = vec![Table::Pages, Table::Segments, Table::Links];
    let options = RunOptions { format: Format::Jsonl, tables, ..RunOptions::default() };

    // The run works on all cores and calls back from time to time; `ControlFlow::Break(())` would stop it.
    let mut watch = |progress: &webstrata_corpus::run::Progress| {
        eprintln!("{} pages, {} of {} bytes", progress.pages, progress.read, progress.total);
        ControlFlow::Continue(())
    };
    let summary = run(input, &out, &options, &mut watch)?;
    println!("{} shards in {}, complete: {}", summary.shards, out.display(), summary.complete);
    Ok(())
}
