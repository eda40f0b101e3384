//! Hostile pages through [`Parser`] alone: twice the page may take no more than two and a half times the time.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, missing_docs, reason = "a test program")]

mod support;

use std::time::{Duration, Instant};
use support::hostile::{KINDS, Kind};
use webstrata::html::token::Repair;
use webstrata::html::{ParseOptions, Parser};

/// Linear time is a factor of 2; the rest is for the machine.
const MOST_GROWTH: f64 = 2.5;

/// Runs of each size of which the best counts; more are made when the first ones do not convince.
const RUNS: usize = 3;
const MORE_RUNS: usize = 15;

/// Times below this say nothing about growth.
const SHORTEST: Duration = Duration::from_micros(200);

/// Best times of two pages, run in turns so that a busy machine disturbs both alike.
fn best(pages: [&str; 2], repair: Repair, runs: usize) -> [Duration; 2] {
    let mut parser = Parser::new(ParseOptions { repair, ..ParseOptions::default() });
    let mut best = [Duration::MAX; 2];
    for run in 0..=runs {
        for (page, best) in pages.iter().zip(&mut best) {
            let start = Instant::now();
            let dom = parser.parse(page);
            parser.recycle(dom);
            // The first run grows the buffers.
            if run > 0 {
                *best = start.elapsed().min(*best);
            }
        }
    }
    best
}

/// Growth of the time beyond that of the size, milliseconds and MB/s of the larger page.
fn growth(kind: &Kind, repair: Repair, runs: usize) -> (f64, f64, f64) {
    let (small, large) = ((kind.page)(kind.n), (kind.page)(2 * kind.n));
    let [a, b] = best([&small, &large], repair, runs);
    let size = large.len() as f64 / small.len() as f64 / 2.0;
    let speed = large.len() as f64 / 1e6 / b.as_secs_f64();
    (b.as_secs_f64() / a.max(SHORTEST).as_secs_f64() / size, b.as_secs_f64() * 1e3, speed)
}

fn all(repair: Repair) {
    let mut slow = Vec::new();
    for kind in KINDS {
        let mut result = growth(kind, repair, RUNS);
        if result.0 > MOST_GROWTH {
            result = growth(kind, repair, MORE_RUNS);
        }
        println!("{:<40} {:>5.2} times, {:>7.2} ms, {:>7.0} MB/s", kind.name, result.0, result.1, result.2);
        if result.0 > MOST_GROWTH {
            slow.push(kind.name);
        }
    }
    assert!(slow.is_empty(), "more than linear: {slow:?}");
}

// One test: two at a time would disturb each other's clocks.
#[test]
fn hostile_pages_take_linear_time() {
    all(Repair::On);
    all(Repair::Off);
}
