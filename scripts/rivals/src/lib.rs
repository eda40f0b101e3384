//! Common code of the adapters of Rust crates: file names in, one line of JSON per file out (see `docs/rivals.md`).

use cpu_time::ProcessTime;
use serde_json::{Value, json};
use std::io::{self, BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The allocator of our own command line, so that rivals have the same.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Answers until the input ends: page by page, or, with `--batch LIST`, passes over pages in memory.
///
/// # Errors
/// The input cannot be read or the output cannot be written.
pub fn run(extract: impl Fn(&[u8]) -> Result<String, String>) -> io::Result<()> {
    let caught = |page: &[u8]| catch_unwind(AssertUnwindSafe(|| extract(page))).unwrap_or_else(|_| Err("panicked".to_owned()));
    let arguments: Vec<String> = std::env::args().collect();
    let pages = match arguments.iter().position(|argument| argument == "--batch") {
        Some(at) => Some(read_pages(arguments.get(at + 1).map_or("", String::as_str))?),
        None => None,
    };
    let pass = |pages: &[Vec<u8>]| pages.iter().map(|page| caught(page).map_or(0, |text| text.len())).sum::<usize>();
    if let Some(pages) = &pages {
        pass(pages);
    }
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let answer = match &pages {
            Some(pages) => {
                let passes: u32 = line.trim().parse().map_err(io::Error::other)?;
                let start = ProcessTime::now();
                let length: usize = (0..passes).map(|_| pass(pages)).sum();
                let (seconds, passes) = (start.elapsed().as_secs_f64(), f64::from(passes));
                json!({ "seconds": seconds / passes, "length": length as f64 / passes })
            }
            None => answer(name(&line), caught),
        };
        writeln!(out, "{answer}")?;
        out.flush()?;
    }
    Ok(())
}

/// The name in a line, which may be followed by the page's language.
fn name(line: &str) -> &str {
    line.split('\t').next().unwrap_or_default()
}

/// The pages of a list.
fn read_pages(list: &str) -> io::Result<Vec<Vec<u8>>> {
    std::fs::read_to_string(list)?.lines().map(|line| std::fs::read(name(line))).collect()
}

/// The answer for a page.
fn answer(file: &str, extract: impl Fn(&[u8]) -> Result<String, String>) -> Value {
    let page = match std::fs::read(file) {
        Ok(page) => page,
        Err(error) => return json!({ "file": file, "text": "", "error": error.to_string() }),
    };
    let start = ProcessTime::now();
    let result = extract(&page);
    let seconds = start.elapsed().as_secs_f64();
    match result {
        Ok(text) => json!({ "file": file, "text": text, "seconds": seconds }),
        Err(error) => json!({ "file": file, "text": "", "error": error, "seconds": seconds }),
    }
}

/// For crates that only accept text: UTF-8 if valid, otherwise the declared encoding, otherwise windows-1252.
#[must_use]
pub fn decode(page: &[u8]) -> String {
    if let Ok(text) = std::str::from_utf8(page) {
        return text.trim_start_matches('\u{feff}').to_owned();
    }
    // Declarations are in the head.
    let head = page[..page.len().min(4096)].to_ascii_lowercase();
    let declared = head.windows(8).position(|bytes| bytes == b"charset=").and_then(|at| {
        let open = head[at + 8..].iter().position(|byte| !b" \"'".contains(byte))?;
        let label = &head[at + 8 + open..];
        let end = label.iter().position(|byte| !byte.is_ascii_alphanumeric() && !b"-_:.".contains(byte)).unwrap_or(label.len());
        encoding_rs::Encoding::for_label(&label[..end])
    });
    declared.unwrap_or(encoding_rs::WINDOWS_1252).decode(page).0.into_owned()
}
