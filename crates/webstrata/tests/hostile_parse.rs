//! Hostile pages through [`Parser`] alone: twice the page may take no more than two and a half times the time.
//!
//! Growth is measured on pages small enough to be parsed within one slice of a busy machine's time, the
//! best of many runs each; at full size each kind has to keep up a least speed, which no quadratic one would.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, missing_docs, reason = "a test program")]

mod support;

use std::time::{Duration, Instant};
use support::hostile::{KINDS, Kind};
use webstrata::html::token::Repair;
use webstrata::html::{ParseOptions, Parser};

/// Linear time is a factor of 2; the rest is for the machine.
const MOST_GROWTH: f64 = 2.5;

/// Growth is measured at this part of the full size …
const PART: usize = 16;

/// … or, where that takes less than this, at a larger one: shorter times say nothing.
const SHORTEST: Duration = Duration::from_micros(100);

/// Least and most runs of each size; the best counts. More than the least are made as long as they do not convince.
const RUNS: usize = 5;
const MOST_RUNS: usize = 400;

/// Time after which no more runs are made.
const PATIENCE: Duration = Duration::from_secs(5);

/// Least speed at full size, MB/s. The slowest kind has 74 on an idle machine and 33 on a busy one.
const LEAST_SPEED: f64 = 5.0;

fn run(parser: &mut Parser, page: &str) -> Duration {
    let start = Instant::now();
    let dom = parser.parse(page);
    parser.recycle(dom);
    start.elapsed()
}

/// Growth of the time beyond that of the size from `n` to `2 n`; the time of the smaller page.
fn growth(kind: &Kind, parser: &mut Parser, n: usize) -> (f64, Duration) {
    let pages = [(kind.page)(n), (kind.page)(2 * n)];
    let size = pages[1].len() as f64 / pages[0].len() as f64 / 2.0;
    let mut best = [Duration::MAX; 2];
    let mut growth = f64::MAX;
    let started = Instant::now();
    for runs in 0..MOST_RUNS {
        // In turns, so that a busy machine disturbs both alike. The first run grows the buffers.
        for (page, best) in pages.iter().zip(&mut best) {
            let time = run(parser, page);
            if runs > 0 {
                *best = time.min(*best);
            }
        }
        growth = best[1].as_secs_f64() / best[0].as_secs_f64() / size;
        if (runs >= RUNS && growth <= MOST_GROWTH) || (runs > 0 && started.elapsed() > PATIENCE) {
            break;
        }
    }
    (growth, best[0])
}

fn all(repair: Repair) {
    let mut failures = Vec::new();
    for kind in KINDS {
        let mut parser = Parser::new(ParseOptions { repair, ..ParseOptions::default() });
        let mut n = (kind.n / PART).max(2);
        let (mut factor, mut time) = growth(kind, &mut parser, n);
        while time < SHORTEST && n < kind.n {
            n *= 2;
            (factor, time) = growth(kind, &mut parser, n);
        }
        if factor > MOST_GROWTH && time >= SHORTEST {
            failures.push(format!("{} ({factor:.1} times)", kind.name));
            continue;
        }
        let page = (kind.page)(2 * kind.n);
        let full = (0..3).map(|_| run(&mut parser, &page)).min().unwrap();
        let speed = page.len() as f64 / 1e6 / full.as_secs_f64();
        println!("{:<40} {factor:>5.2} times; at full size {:>7.2} ms, {speed:>7.0} MB/s", kind.name, full.as_secs_f64() * 1e3);
        if speed < LEAST_SPEED {
            failures.push(format!("{} ({speed:.1} MB/s)", kind.name));
        }
    }
    assert!(failures.is_empty(), "not linear or too slow: {failures:?}");
}

// One test: two at a time would disturb each other's clocks.
#[test]
fn hostile_pages_take_linear_time() {
    all(Repair::On);
    all(Repair::Off);
}
