//! Developer tool, not a tutorial: runs webstrata under the protocol of `docs/rivals.md`, for `scripts/bench-rivals`. Reads
//! file names from standard input and writes one line of JSON for each.
//!
//! `cargo run --release -p webstrata --example answers -- PRESET [--batch LIST]`
//!
//! A line of output is `{"file", "text", "seconds"}`. The time covers a typical use: from the bytes to the text as `extract`
//! writes it, with a [`PageReader`] that reuses its buffers. Reading the file and writing JSON are not timed. "text" is the
//! bare text that `webstrata-lab eval extract` scores, extracted again outside the timing, so that speed and score describe
//! the same pages. With `--batch`, the pages of a list are read into memory and extracted once to warm up. Each line of input
//! is then a number of passes, answered with the mean `{"seconds", "length"}` per pass.

use serde_json::{Value, json};
use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};
use webstrata::content::TextOptions;
use webstrata::label::Preset;
use webstrata::{ExtractOptions, Page, PageOptions, PageReader};

/// The same allocator as the command-line tool.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// CPU time of this thread, where the system reports it (Linux).
fn cpu_time() -> Option<Duration> {
    // Linux updates the figure when a thread yields.
    std::thread::yield_now();
    let stat = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    stat.split_whitespace().next()?.parse().ok().filter(|&ns| ns > 0).map(Duration::from_nanos)
}

/// Seconds taken by a job: CPU time if available, otherwise wall-clock time.
fn timed(job: impl FnOnce()) -> f64 {
    let (started, clock) = (cpu_time(), Instant::now());
    job();
    let wall = clock.elapsed();
    cpu_time().zip(started).map_or(wall, |(now, then)| now.saturating_sub(then)).as_secs_f64()
}

/// Extracts the text of a page, as in typical use, and returns its length.
fn extract(reader: &mut PageReader, bytes: &[u8], options: &ExtractOptions) -> usize {
    let page = reader.read(black_box(bytes));
    let text = black_box(page.extract_with(options).text());
    reader.recycle(page);
    text.len()
}

/// The line of output for a page.
fn answer(reader: &mut PageReader, file: &str, options: &ExtractOptions) -> Value {
    let bytes = match fs::read(file) {
        Ok(bytes) => bytes,
        Err(error) => return json!({ "file": file, "text": "", "error": error.to_string() }),
    };
    let seconds = timed(|| {
        extract(reader, &bytes, options);
    });
    let text = Page::parse(&bytes).extract_with(options).text_with(&TextOptions::BARE);
    json!({ "file": file, "text": text, "seconds": seconds })
}

/// Runs passes over pages in memory; returns the mean time of a pass and the total length of its texts.
fn run_passes(reader: &mut PageReader, pages: &[Vec<u8>], options: &ExtractOptions, passes: u32) -> Value {
    let mut length = 0;
    let seconds = timed(|| {
        for _ in 0..passes {
            length += pages.iter().map(|page| extract(reader, page, options)).sum::<usize>();
        }
    });
    let passes = f64::from(passes);
    json!({ "seconds": seconds / passes, "length": length as f64 / passes })
}

/// The file name in a line. A tab and the page's language may follow; they are ignored.
fn file_name(line: &str) -> &str {
    line.split('\t').next().unwrap_or_default()
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let options = ExtractOptions::from(arguments.first().ok_or("name a preset")?.parse::<Preset>()?);
    let pages = match &*arguments {
        [_, batch, list] if batch == "--batch" => {
            Some(fs::read_to_string(list)?.lines().map(|line| fs::read(file_name(line))).collect::<Result<Vec<_>, _>>()?)
        }
        _ => None,
    };
    let mut reader = PageReader::new(PageOptions::default());
    if let Some(pages) = &pages {
        run_passes(&mut reader, pages, &options, 1);
    }
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let answer = match &pages {
            Some(pages) => run_passes(&mut reader, pages, &options, line.trim().parse()?),
            None => answer(&mut reader, file_name(&line), &options),
        };
        writeln!(out, "{answer}")?;
        out.flush()?;
    }
    Ok(())
}
