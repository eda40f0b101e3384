//! The thread that a run is called on: opens the folder, starts the workers, writes what they make, in order.

use super::RunOptions;
use super::cutter::{Cutter, Place};
use super::flow::{Encoded, Flow, Next};
use super::rows::{RowMaker, Work};
use super::slot::Clock;
use super::source::Source;
use super::times::{Lap, Stage, Times};
use super::watchdog::{TICK, Watchdog};
use super::worker::{Shared, Tally};
use crate::input::{Input, InputError, Position};
use crate::store::{Checkpoint, Counts, Encoder, Reached, RunFolder, ShardWriter, StoreError};
use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Why a run ended before its input did. What was written counts, and the same run goes on there.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// Something could not be written, or what is there is not what it should be.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The input cannot be read any more.
    #[error(transparent)]
    Input(InputError),
    /// So many pages do not end.
    #[error("{0} pages did not end in their time and still occupy their threads; give more time, or report the pages")]
    TooManyStuck(usize),
    /// A thread could not be started.
    #[error("cannot start another thread: {0}; try fewer")]
    NoThread(#[source] io::Error),
    /// Something went wrong that should not.
    #[error("webstrata failed ({0}); please report it")]
    Panicked(String),
}

/// How far a run has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Pages that came out, in this session.
    pub pages: u64,
    /// Records and pages that did not.
    pub faults: u64,
    /// Bytes of those pages.
    pub bytes: u64,
    /// Bytes of the input that were read, as it is stored, in all sessions.
    pub read: u64,
    /// Those of them that were read in sessions before.
    pub read_before: u64,
    /// Bytes of the input.
    pub total: u64,
    /// Shards that are done.
    pub shards: u64,
}

/// How a run went.
#[derive(Debug)]
pub struct Summary {
    /// Is all of the input done? Otherwise the caller ended it.
    pub complete: bool,
    /// Shards, with those of sessions before.
    pub shards: u64,
    /// Shards that sessions before had done.
    pub shards_before: u64,
    /// Rows in those shards.
    pub rows: Counts,
    /// What this session did, shards that were not finished included.
    pub session: Progress,
    /// Where its time went, over all threads.
    pub times: Times,
}

/// Works on all of the input. `watch` is told now and then how far it is, and may end the run; the same call goes on then.
///
/// # Errors
/// When the output cannot be written, or is of another run; when the input cannot be read; when pages do not end.
pub fn run(
    mut input: Input,
    out: &Path,
    options: &RunOptions,
    watch: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
) -> Result<Summary, RunError> {
    let encoder = Encoder::new(options.format, &options.tables)?;
    let files = serde_json::to_value(input.fingerprint()).unwrap_or_default();
    let manifest = options.manifest(encoder.tables(), files);
    let (folder, reached) = RunFolder::open(out, &manifest)?;
    let total = input.total_bytes();
    if reached.complete {
        let read = Progress { read: total, read_before: total, total, shards: reached.shards, ..Progress::default() };
        return Ok(summary(true, &reached, reached.shards, read, Times::default()));
    }
    if let Some(last) = &reached.last {
        let position: Position = serde_json::from_value(last.position.clone())
            .map_err(|error| StoreError::damaged(&out.join("checkpoints"), format!("no position of the input: {error}")))?;
        input.seek(&position).map_err(RunError::Input)?;
    }
    let work = Box::new(RowMaker::new(options, &encoder));
    let mut session = Session { folder, reached, read_before: input.read_bytes(), total, watch };
    let (complete, progress, times) = session.write(Box::new(input), work, encoder, options)?;
    if complete {
        session.folder.complete(&manifest, progress.shards, session.reached.rows)?;
    }
    Ok(summary(complete, &session.reached, progress.shards, progress, times))
}

fn summary(complete: bool, reached: &Reached, shards: u64, session: Progress, times: Times) -> Summary {
    Summary { complete, shards, shards_before: reached.shards, rows: reached.rows, session, times }
}

/// One call of a run.
pub(super) struct Session<'s> {
    pub(super) folder: RunFolder,
    /// What was there at its beginning; its rows are added to.
    pub(super) reached: Reached,
    /// Bytes of the input that were read in sessions before.
    pub(super) read_before: u64,
    pub(super) total: u64,
    pub(super) watch: &'s mut dyn FnMut(&Progress) -> ControlFlow<()>,
}

impl Session<'_> {
    /// Writes all that comes of the source; false if the caller ended it.
    pub(super) fn write(
        &mut self,
        source: Box<dyn Source>,
        work: Box<dyn Work>,
        encoder: Encoder,
        options: &RunOptions,
    ) -> Result<(bool, Progress, Times), RunError> {
        let threads = options.threads();
        let done = Tally { read: self.read_before.into(), ..Tally::default() };
        let flow = Flow::new(source, Cutter::new(options.shard_pages, options.shard_bytes), threads);
        let shared = Arc::new(Shared { flow, clock: Clock::default(), times: Times::default(), encoder, work, done });
        let mut writer = Writer { session: self, shared: &shared, shard: None, shards: 0 };
        writer.shards = writer.session.reached.shards;
        let ended = Watchdog::start(&shared, threads, options.timeout).and_then(|watchdog| writer.write_all(watchdog));
        let progress = writer.progress();
        drop(writer);
        shared.flow.stop(None);
        let complete = ended?;
        Ok((complete, progress, shared.times.copy()))
    }
}

/// Puts encoded pieces into shards.
struct Writer<'w, 's> {
    session: &'w mut Session<'s>,
    shared: &'w Arc<Shared>,
    shard: Option<ShardWriter>,
    shards: u64,
}

impl Writer<'_, '_> {
    fn progress(&self) -> Progress {
        let done = &self.shared.done;
        Progress {
            pages: done.pages.load(Ordering::Relaxed),
            faults: done.faults.load(Ordering::Relaxed),
            bytes: done.bytes.load(Ordering::Relaxed),
            read: done.read.load(Ordering::Relaxed),
            read_before: self.session.read_before,
            total: self.session.total,
            shards: self.shards,
        }
    }

    fn write_all(&mut self, mut watchdog: Watchdog) -> Result<bool, RunError> {
        loop {
            match self.shared.flow.next(TICK) {
                Next::Write(encoded) => {
                    let size = encoded.chunk.size();
                    let mut lap = Lap::start(&self.shared.times);
                    self.append(encoded)?;
                    lap.end(Stage::Write);
                    self.shared.flow.has_written(size);
                }
                Next::Wait => {}
                Next::End => return Ok(true),
                Next::Failed(error) => return Err(error),
            }
            watchdog.look()?;
            let progress = self.progress();
            if (self.session.watch)(&progress).is_break() {
                return Ok(false);
            }
        }
    }

    fn append(&mut self, encoded: Encoded) -> Result<(), StoreError> {
        let shard = match &mut self.shard {
            Some(shard) => shard,
            None => self.shard.insert(ShardWriter::create(self.session.folder.root(), self.shards, &self.shared.encoder)?),
        };
        shard.append(encoded.chunk)?;
        match encoded.ends_shard {
            Some(place) => self.end_shard(place),
            None => Ok(()),
        }
    }

    fn end_shard(&mut self, place: Place) -> Result<(), StoreError> {
        let Some(shard) = self.shard.take() else { return Ok(()) };
        let (files, rows) = shard.finish()?;
        let checkpoint = Checkpoint { shard: self.shards, position: place.position, rows, files };
        self.session.folder.commit(&checkpoint)?;
        self.session.reached.rows.add(rows);
        self.shards += 1;
        Ok(())
    }
}
