//! How the time of a job grows with its input, on a machine that others use too.

use std::time::{Duration, Instant};

/// Linear time is a factor of 2; the rest is for the machine.
pub const MOST_GROWTH: f64 = 2.5;
const RUNS: usize = 3;
const ATTEMPTS: usize = 5;
/// How often a short job is repeated at most.
const MOST_REPEATS: u32 = 1 << 16;
/// Times below this say nothing about growth.
const SHORTEST: Duration = Duration::from_millis(30);

/// Processor time of this thread where the system tells it, else the time of day.
fn now() -> Duration {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let used = stat.and_then(|s| s.split(' ').next()?.parse().ok()).map(Duration::from_nanos);
    used.unwrap_or_else(|| START.get_or_init(Instant::now).elapsed())
}

/// Best times of two pages, run in turns so that a busy machine disturbs both alike. Short jobs are repeated: the
/// system's clock of processor time ticks in milliseconds.
fn best(pages: [&[u8]; 2], runs: usize, job: impl Fn(&[u8]) -> usize) -> [f64; 2] {
    let mut best = [f64::MAX; 2];
    let mut repeats = 1;
    let mut run = 0;
    while run < runs {
        let mut shortest = Duration::MAX;
        for (page, best) in pages.iter().zip(&mut best) {
            let start = now();
            for _ in 0..repeats {
                std::hint::black_box(job(page));
            }
            let time = now().saturating_sub(start);
            shortest = shortest.min(time);
            *best = best.min(time.as_secs_f64() / f64::from(repeats));
        }
        if shortest < SHORTEST && repeats < MOST_REPEATS {
            repeats *= 4;
            best = [f64::MAX; 2];
        } else {
            run += 1;
        }
    }
    // What is too short even so takes no time worth speaking of.
    best.map(|time| time.max(1e-6))
}

/// Times of two pages of sizes one to two. Twice the page in over 2.5 times the time must show again and again to
/// count: a neighbour on the machine makes one measurement bad, quadratic work all of them.
pub fn times(small: &[u8], large: &[u8], job: impl Fn(&[u8]) -> usize) -> (f64, f64) {
    let size = large.len() as f64 / small.len() as f64 / 2.0;
    let mut result = (f64::MAX, 0.0);
    for attempt in 0..ATTEMPTS {
        let [a, b] = best([small, large], RUNS + 2 * attempt, &job);
        if b / a / size < result.0 {
            result = (b / a / size, b);
        }
        if result.0 <= MOST_GROWTH {
            break;
        }
    }
    result
}
