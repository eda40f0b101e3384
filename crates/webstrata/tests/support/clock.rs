//! Checks that a job takes linear time, even on a busy machine.
//!
//! A job runs alternately on a page of size `n` and one of size `2 n`, and the best CPU time of several runs is used.
//! Linear time is a factor of 2, quadratic time a factor of 4. A factor above [`MAX_GROWTH`] in all attempts is only a suspicion,
//! since caches and other processes can cause it. It is confirmed on a page of size `8 n`, where noise matters less and quadratic
//! work more: any `a n + b n²` above the limit at `2 n` is also above the limit there.

use super::data::full_lane;
use std::cell::Cell;
use std::hint::black_box;
use std::time::Duration;

/// Maximum time for a page twice as long, in units of the time for the page.
const MAX_GROWTH: f64 = 2.5;
/// Size of the page on which a suspected failure is confirmed, as a multiple of the smallest page.
const CONFIRMATION_SIZE: usize = 8;
/// Maximum growth for [`CONFIRMATION_SIZE`] times the page: the geometric mean of linear (8) and quadratic (64).
const MAX_CONFIRMING_GROWTH: f64 = 22.6;
/// Runs of the first attempt; each further one has two more.
const RUNS: usize = 2;
const ATTEMPTS: usize = 5;
/// A short job is repeated until it takes this long, so that interrupts and cold caches hardly matter; longer in the full lane.
const MIN_TIME: Duration = Duration::from_millis(5);
const MIN_TIME_FULL: Duration = Duration::from_millis(30);
const MAX_REPEATS: u32 = 1 << 16;

/// CPU time of this thread, to the microsecond.
#[cfg(unix)]
pub fn now() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).expect("time is not negative")
}

/// Wall-clock time: the standard library has no other.
#[cfg(not(unix))]
pub fn now() -> Duration {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed()
}

/// Times one part of a job, so that its preparation does not count.
pub struct Timer {
    repeats: u32,
    spent: Cell<Duration>,
}

impl Timer {
    /// Runs and times `work`. A job calls this exactly once.
    pub fn time(&self, mut work: impl FnMut() -> usize) {
        let start = now();
        for _ in 0..self.repeats {
            black_box(work());
        }
        self.spent.set(now().saturating_sub(start));
    }
}

/// The best time of each page in seconds. The pages take turns, so that a busy machine affects both equally.
fn best(pages: [&[u8]; 2], runs: usize, job: &dyn Fn(&[u8], &Timer)) -> [f64; 2] {
    let mut best = [f64::MAX; 2];
    let mut repeats = [1; 2];
    let long_enough = if full_lane() { MIN_TIME_FULL } else { MIN_TIME };
    for _ in 0..runs {
        for ((page, best), repeats) in pages.iter().zip(&mut best).zip(&mut repeats) {
            loop {
                let timer = Timer { repeats: *repeats, spent: Cell::new(Duration::MAX) };
                job(page, &timer);
                *best = best.min(timer.spent.get().as_secs_f64() / f64::from(*repeats));
                if timer.spent.get() >= long_enough || *repeats >= MAX_REPEATS {
                    break;
                }
                // Too short to be measured.
                *best = f64::MAX;
                *repeats *= 4;
            }
        }
    }
    // If it is still too short, its time is negligible.
    best.map(|time| time.max(1e-6))
}

/// Growth in time, corrected for pages that are not exactly `factor` times as long.
fn growth(times: [f64; 2], pages: [&[u8]; 2], factor: usize) -> f64 {
    times[1] / times[0] * factor as f64 * pages[0].len() as f64 / pages[1].len() as f64
}

/// Checks that the timed part of `job` grows linearly from `page(n)` to `page(2 * n)` and beyond. The fast lane starts with
/// pages a quarter as long: quadratic time is already visible there, and the whole pages take minutes.
pub fn check_linear<P: AsRef<[u8]>>(
    name: &str,
    n: usize,
    page: impl Fn(usize) -> P,
    job: impl Fn(&[u8], &Timer),
) -> Result<(), String> {
    let n = if full_lane() { n } else { (n / 4).max(4) };
    let (small, large) = (page(n), page(2 * n));
    let (small, large) = (small.as_ref(), large.as_ref());
    let mut lowest = f64::MAX;
    for attempt in 0..ATTEMPTS {
        let times = best([small, large], RUNS + 2 * attempt, &job);
        lowest = lowest.min(growth(times, [small, large], 2));
        if lowest <= MAX_GROWTH {
            let speed = large.len() as f64 / 1e6 / times[1];
            println!("{name:<42.42} {lowest:>5.2} times for twice the page, {speed:>7.1} MB/s");
            return Ok(());
        }
    }
    let larger = page(CONFIRMATION_SIZE * n);
    let times = best([small, larger.as_ref()], 2 * RUNS, &job);
    let confirmed = growth(times, [small, larger.as_ref()], CONFIRMATION_SIZE);
    let found =
        format!("{name}: {lowest:.2} times for twice the page, {confirmed:.1} times for {CONFIRMATION_SIZE} times the page");
    println!("{found}");
    if confirmed <= MAX_CONFIRMING_GROWTH { Ok(()) } else { Err(found) }
}

/// Panics with all that [`check_linear`] found.
pub fn assert_all_linear(results: impl IntoIterator<Item = Result<(), String>>) {
    let bad: Vec<String> = results.into_iter().filter_map(Result::err).collect();
    assert!(bad.is_empty(), "more than linear: {bad:#?}");
}
