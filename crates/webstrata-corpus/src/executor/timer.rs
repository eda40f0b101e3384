//! Time that a command spends in each stage.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A stage of the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Reading and decompressing the input.
    Read,
    /// Decoding and parsing pages.
    Parse,
    /// Separating content from the rest, and rendering it.
    Extract,
    /// Segmenting pages.
    Segment,
    /// Listing links.
    Links,
    /// Encoding rows.
    Encode,
    /// Writing files and syncing them.
    Write,
}

impl Stage {
    /// All stages, in the order of the work.
    pub const ALL: [Stage; 7] =
        [Stage::Read, Stage::Parse, Stage::Extract, Stage::Segment, Stage::Links, Stage::Encode, Stage::Write];

    /// The name of the stage.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Stage::Read => "read",
            Stage::Parse => "parse",
            Stage::Extract => "extract",
            Stage::Segment => "segment",
            Stage::Links => "links",
            Stage::Encode => "encode",
            Stage::Write => "write",
        }
    }
}

/// Time per stage, summed over all threads.
#[derive(Debug, Default)]
pub struct Times([AtomicU64; Stage::ALL.len()]);

impl Times {
    /// The time of a stage.
    #[must_use]
    pub fn get(&self, stage: Stage) -> Duration {
        Duration::from_nanos(self.0[stage as usize].load(Ordering::Relaxed))
    }

    fn add(&self, stage: Stage, time: Duration) {
        self.0[stage as usize].fetch_add(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }
}

/// Measures consecutive stages on one thread.
#[derive(Debug)]
pub struct Timer<'t> {
    times: &'t Times,
    since: Instant,
}

impl<'t> Timer<'t> {
    /// Starts measuring.
    #[must_use]
    pub fn start(times: &'t Times) -> Self {
        Timer { times, since: Instant::now() }
    }

    /// Adds the time since the previous call to a stage.
    pub fn end(&mut self, stage: Stage) {
        let now = Instant::now();
        self.times.add(stage, now - self.since);
        self.since = now;
    }
}
