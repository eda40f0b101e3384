//! A small random generator: the same seed gives the same inputs on every machine.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Xorshift with 64 bits of state.
pub struct Random(u64);

impl Random {
    /// Any seed will do, 0 included.
    pub fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        ((self.next() >> 32) as usize * n) >> 32
    }

    /// One of `items`.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

/// Bounds of a fuzz run: number of inputs, time, seed. `WEBSTRATA_FUZZ_SECONDS` lengthens a run and seeds it from the clock.
pub struct Bounds {
    inputs: usize,
    until: Instant,
    pub seed: u64,
}

impl Bounds {
    pub fn new(inputs: usize, seconds: u64, seed: u64) -> Self {
        let longer = std::env::var("WEBSTRATA_FUZZ_SECONDS").ok().and_then(|s| s.parse().ok());
        let clock = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |t| t.as_secs());
        Bounds {
            inputs: if longer.is_some() { usize::MAX } else { inputs },
            until: Instant::now() + Duration::from_secs(longer.unwrap_or(seconds)),
            seed: if longer.is_some() { seed ^ clock } else { seed },
        }
    }

    /// Whether there were enough inputs or the time is up.
    pub fn done(&self, count: usize) -> bool {
        count >= self.inputs || Instant::now() > self.until
    }
}
