//! Extracts the text of many pages with all cores. The library starts no threads and reads no files; this example
//! adds both.
//!
//! ```text
//! cargo run --release -p webstrata --example many_pages -- testdata/pages/*/page.html
//! ```
//!
//! For WARC files, resuming and tables, see the example `crawl_to_table` in the crate `webstrata-corpus`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "the output of a program")]

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use webstrata::{Limits, PageOptions, PageReader};

fn main() {
    let files: Vec<PathBuf> = std::env::args().skip(1).map(PathBuf::from).collect();
    let next = AtomicUsize::new(0);
    let texts = Mutex::new(vec![None; files.len()]);

    // Hostile pages cost no more than these limits allow; a page that reaches one is truncated there.
    let options = PageOptions::default().limits(Limits::default().bytes(20 << 20).nodes(500_000));

    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                // One reader per thread: it reuses its buffers from page to page.
                let mut reader = PageReader::new(options.clone());
                while let Some((index, file)) = take(&next, &files) {
                    let bytes = match std::fs::read(file) {
                        Ok(bytes) => bytes,
                        Err(error) => {
                            eprintln!("{}: {error}", file.display());
                            continue;
                        }
                    };
                    let page = reader.read(&bytes);
                    let text = page.extract().text();
                    reader.recycle(page); // gives the buffers back
                    if let Ok(mut texts) = texts.lock() {
                        texts[index] = Some(text);
                    }
                }
            });
        }
    });

    // Print in the order of the arguments, so that the output does not depend on the number of threads.
    let texts = texts.into_inner().unwrap_or_default();
    for (file, text) in files.iter().zip(texts) {
        if let Some(text) = text {
            println!("{}: {} words", file.display(), text.split_whitespace().count());
        }
    }
}

/// The next file that no thread has taken yet.
fn take<'f>(next: &AtomicUsize, files: &'f [PathBuf]) -> Option<(usize, &'f PathBuf)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    Some((index, files.get(index)?))
}
