//! Where the time of a run goes.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A part of the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Reading and decompressing the input.
    Read,
    /// Decoding and parsing pages.
    Parse,
    /// Telling content from the rest, and writing it as text.
    Extract,
    /// Dividing pages into segments.
    Segment,
    /// Listing links.
    Links,
    /// Putting rows into the format.
    Encode,
    /// Writing files and bringing them to the disk.
    Write,
}

impl Stage {
    /// All stages, in the order of the work.
    pub const ALL: [Stage; 7] =
        [Stage::Read, Stage::Parse, Stage::Extract, Stage::Segment, Stage::Links, Stage::Encode, Stage::Write];

    /// Its name.
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

/// Time by stage, over all threads.
#[derive(Debug, Default)]
pub struct Times([AtomicU64; Stage::ALL.len()]);

impl Times {
    /// The time of a stage.
    #[must_use]
    pub fn of(&self, stage: Stage) -> Duration {
        Duration::from_nanos(self.0[stage as usize].load(Ordering::Relaxed))
    }

    /// The same at this moment.
    pub(super) fn copy(&self) -> Times {
        Times(std::array::from_fn(|stage| self.0[stage].load(Ordering::Relaxed).into()))
    }

    fn add(&self, stage: Stage, time: Duration) {
        self.0[stage as usize].fetch_add(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }
}

/// Tells stages apart that follow each other on one thread.
#[derive(Debug)]
pub(super) struct Lap<'t> {
    times: &'t Times,
    since: Instant,
}

impl<'t> Lap<'t> {
    pub(super) fn start(times: &'t Times) -> Self {
        Lap { times, since: Instant::now() }
    }

    /// The time since the last end was this stage's.
    pub(super) fn end(&mut self, stage: Stage) {
        let now = Instant::now();
        self.times.add(stage, now - self.since);
        self.since = now;
    }
}
