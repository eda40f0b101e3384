//! Developer tool, not a tutorial: measures single-threaded throughput in MB/s, from bytes to the tree, to blocks and to the
//! main content's text.
//!
//! `cargo run --release -p webstrata --example throughput -- [--rounds N] [--passes N] [--step] LIST`
//!
//! LIST is a file with the path of a page on each line. All pages are read into memory first, and every stage runs once
//! before anything is timed. A round times `--passes` passes of each stage over all pages, with a [`PageReader`] that reuses
//! its buffers. The result is one line of JSON: best and median of the rounds in MB/s (10^6 bytes), and each stage's
//! count, so that a fast wrong result is noticed. With `--step`, each round waits for a line on standard input and answers
//! with a line of JSON, so that a driver such as `scripts/bench-stages` can alternate rounds with another tool and noise on
//! the machine affects both.
//!
//! Times are CPU time where the system reports it (Linux), otherwise wall-clock time.
#![allow(clippy::print_stdout, reason = "the result of a program")]

use serde_json::{Value, json};
use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::io::{self, Write};
use std::time::{Duration, Instant};
use webstrata::label::Preset;
use webstrata::{ExtractOptions, Page, PageOptions, PageReader};

/// The same allocator as the command-line tool.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// A stage: its name, and a function that runs it and returns a count.
type Stage = (&'static str, fn(&Page<'_>) -> usize);

/// Every stage starts from the bytes.
const STAGES: [Stage; 3] = [("dom", nodes), ("blocks", blocks), ("extract", text)];

fn nodes(page: &Page<'_>) -> usize {
    page.dom().len()
}

fn blocks(page: &Page<'_>) -> usize {
    page.blocks().len()
}

fn text(page: &Page<'_>) -> usize {
    black_box(page.extract_with(&ExtractOptions::from(Preset::Article)).text()).len()
}

fn characters(page: &Page<'_>) -> usize {
    page.extract_with(&ExtractOptions::from(Preset::Article)).text().chars().count()
}

/// Runs a stage over all pages and returns the sum of its counts.
fn run(reader: &mut PageReader, pages: &[Vec<u8>], stage: fn(&Page<'_>) -> usize) -> usize {
    let mut sum = 0;
    for bytes in pages {
        let page = reader.read(black_box(bytes));
        sum += stage(&page);
        reader.recycle(page);
    }
    sum
}

/// A point in time: wall clock and CPU time of this thread.
#[derive(Clone, Copy)]
struct Moment {
    clock: Instant,
    processor: Option<Duration>,
}

impl Moment {
    fn now() -> Self {
        // Linux updates the figure when a thread yields.
        std::thread::yield_now();
        let stat = fs::read_to_string("/proc/thread-self/schedstat").ok();
        let nanoseconds = stat.as_deref().and_then(|line| line.split_whitespace().next()?.parse().ok());
        Moment { clock: Instant::now(), processor: nanoseconds.filter(|&ns| ns > 0).map(Duration::from_nanos) }
    }

    /// Seconds since then: CPU time, if available, and wall-clock time.
    fn elapsed(self) -> (Option<f64>, f64) {
        let now = Moment::now();
        let processor = now.processor.zip(self.processor).map(|(now, then)| now.saturating_sub(then).as_secs_f64());
        (processor, (now.clock - self.clock).as_secs_f64())
    }
}

struct Arguments {
    list: String,
    rounds: usize,
    passes: usize,
    step: bool,
}

fn arguments() -> Result<Arguments, Box<dyn Error>> {
    let mut found = Arguments { list: String::new(), rounds: 5, passes: 1, step: false };
    let mut given = std::env::args().skip(1);
    while let Some(argument) = given.next() {
        let mut number = || -> Result<usize, Box<dyn Error>> {
            let value = given.next().ok_or_else(|| format!("{argument} needs a number"))?;
            Ok(value.parse::<usize>().map_err(|_| format!("{argument}: '{value}' is not a number"))?.max(1))
        };
        match argument.as_str() {
            "--rounds" => found.rounds = number()?,
            "--passes" => found.passes = number()?,
            "--step" => found.step = true,
            _ => found.list = argument,
        }
    }
    if found.list.is_empty() {
        return Err("name a file that lists the pages, one path per line".into());
    }
    Ok(found)
}

/// Best and median of a stage's rounds in MB/s.
fn summary(seconds: &mut [f64], megabytes: f64) -> Value {
    seconds.sort_by(f64::total_cmp);
    let speed = |seconds: f64| (megabytes / seconds * 10.0).round() / 10.0;
    let middle = seconds.len() / 2;
    let median = if seconds.len() % 2 == 1 { seconds[middle] } else { (seconds[middle - 1] + seconds[middle]) / 2.0 };
    json!({ "best": speed(seconds[0]), "median": speed(median) })
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = arguments()?;
    let read = |path: &str| fs::read(path).map_err(|error| format!("{path}: {error}"));
    let list = fs::read_to_string(&arguments.list).map_err(|error| format!("{}: {error}", arguments.list))?;
    let pages = list.lines().filter(|line| !line.is_empty()).map(read).collect::<Result<Vec<_>, _>>()?;
    let megabytes = pages.iter().map(Vec::len).sum::<usize>() as f64 / 1e6;

    let mut reader = PageReader::new(PageOptions::default());
    let counted = STAGES.map(|(_, stage)| run(&mut reader, &pages, stage));
    let counts = json!({
        "nodes": counted[0],
        "blocks": counted[1],
        "text_bytes": counted[2],
        "text_characters": run(&mut reader, &pages, characters),
    });
    let mut seconds = STAGES.map(|_| Vec::new());
    let mut clock = "processor";
    for _ in 0..arguments.rounds {
        if arguments.step && io::stdin().read_line(&mut String::new())? == 0 {
            break;
        }
        let mut round = serde_json::Map::new();
        for ((name, stage), (seconds, expected)) in STAGES.into_iter().zip(seconds.iter_mut().zip(counted)) {
            let start = Moment::now();
            let sum: usize = (0..arguments.passes).map(|_| run(&mut reader, &pages, stage)).sum();
            let (processor, wall) = start.elapsed();
            if sum != expected * arguments.passes {
                return Err(format!("{name}: {sum} is not {} times {expected}", arguments.passes).into());
            }
            let passes = arguments.passes as f64;
            seconds.push(processor.unwrap_or(wall) / passes);
            if processor.is_none() {
                clock = "wall";
            }
            round.insert(name.to_owned(), json!({ "processor": processor.map(|s| s / passes), "wall": wall / passes }));
        }
        if arguments.step {
            println!("{}", Value::Object(round));
            io::stdout().flush()?;
        }
    }
    if seconds[0].is_empty() {
        return Err("no rounds were requested".into());
    }
    let mut speeds = serde_json::Map::new();
    for ((name, _), seconds) in STAGES.into_iter().zip(&mut seconds) {
        speeds.insert(name.to_owned(), summary(seconds, megabytes));
    }
    println!(
        "{}",
        json!({
            "pages": pages.len(), "megabytes": (megabytes * 1e3).round() / 1e3, "rounds": seconds[0].len(),
            "passes": arguments.passes, "clock": clock, "counts": counts, "mb_per_second": speeds,
        })
    );
    Ok(())
}
