//! Developer tool, not a tutorial. Ours by the protocol that rivals speak (`docs/rivals.md`), for `scripts/bench-rivals`: names of files in, a line of JSON for
//! each out.
//!
//! `cargo run --release -p webstrata --example answers -- PRESET [--batch LIST]`
//!
//! The answer is `{"file", "text", "seconds"}`. Timed is what users do, from the bytes to the text as `extract` writes it, with a
//! [`PageReader`] that reuses its buffers; reading the file and writing JSON are left out. "text" is the bare text that `webstrata-lab eval
//! extract` scores, made again untimed, so that what was timed can be laid against what was scored. With `--batch` the pages of a
//! list are read into memory and gone over once; then each line of input, a number of passes, is answered with
//! `{"seconds", "length"}` of a pass.

use serde_json::{Value, json};
use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};
use webstrata::content::TextOptions;
use webstrata::label::Preset;
use webstrata::{ExtractOptions, Page, PageOptions, PageReader};

/// The allocator of the command line.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The time that this thread was on a processor, where the system tells (Linux).
fn processor() -> Option<Duration> {
    // The system brings its account up to date when a thread offers its place.
    std::thread::yield_now();
    let account = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    account.split_whitespace().next()?.parse().ok().filter(|&ns| ns > 0).map(Duration::from_nanos)
}

/// Seconds that a job took: on the processor if that is known, else by the clock.
fn timed(job: impl FnOnce()) -> f64 {
    let (started, clock) = (processor(), Instant::now());
    job();
    let wall = clock.elapsed();
    processor().zip(started).map_or(wall, |(now, then)| now.saturating_sub(then)).as_secs_f64()
}

/// What users do: from the bytes to the text. Its length.
fn extract(reader: &mut PageReader, bytes: &[u8], options: &ExtractOptions) -> usize {
    let page = reader.read(black_box(bytes));
    let text = black_box(page.extract_with(options).text());
    reader.recycle(page);
    text.len()
}

/// The answer for a page.
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

/// Of a pass over pages in memory: its seconds, and the length of all texts.
fn passes(reader: &mut PageReader, pages: &[Vec<u8>], options: &ExtractOptions, passes: u32) -> Value {
    let mut length = 0;
    let seconds = timed(|| {
        for _ in 0..passes {
            length += pages.iter().map(|page| extract(reader, page, options)).sum::<usize>();
        }
    });
    let passes = f64::from(passes);
    json!({ "seconds": seconds / passes, "length": length as f64 / passes })
}

/// The name in a line; the page's language may stand behind it, and is of no use here.
fn name(line: &str) -> &str {
    line.split('\t').next().unwrap_or_default()
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let options = ExtractOptions::from(arguments.first().ok_or("name a preset")?.parse::<Preset>()?);
    let pages = match &*arguments {
        [_, batch, list] if batch == "--batch" => {
            Some(fs::read_to_string(list)?.lines().map(|line| fs::read(name(line))).collect::<Result<Vec<_>, _>>()?)
        }
        _ => None,
    };
    let mut reader = PageReader::new(PageOptions::default());
    if let Some(pages) = &pages {
        passes(&mut reader, pages, &options, 1);
    }
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let answer = match &pages {
            Some(pages) => passes(&mut reader, pages, &options, line.trim().parse()?),
            None => answer(&mut reader, name(&line), &options),
        };
        writeln!(out, "{answer}")?;
        out.flush()?;
    }
    Ok(())
}
