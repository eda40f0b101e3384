//! The calling thread of a run: opens the folder, starts the executor, and writes its output.

use super::RunOptions;
use super::chunker::{Chunker, Output, Piece};
use super::rows::{MakeRows, RowMaker};
use super::skip::Unlisted;
use crate::executor::{Clock, Event, Executor, ExecutorOptions, ItemReader, Job, Phase, Source, Stage, Stop, Timer, Times};
use crate::input::{Entry, Failure, Failures, Input, InputError, Position, Skipped};
use crate::store::{Checkpoint, Counts, EncodedChunk, Encoder, ErrorRow, RunFolder, RunState, ShardWriter, StoreError};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Maximum interval between two calls of `watch`.
const TICK: Duration = Duration::from_millis(50);

/// Why a run ended before its input did. Written shards count, and the same call resumes the run.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The output cannot be written, or is damaged or a different run.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The input cannot be read.
    #[error(transparent)]
    Input(InputError),
    /// The executor stopped.
    #[error("{0}")]
    Stopped(Stop<InputError>),
}

impl From<Stop<InputError>> for RunError {
    fn from(stop: Stop<InputError>) -> RunError {
        match stop {
            Stop::Source(error) => RunError::Input(error),
            stop => RunError::Stopped(stop),
        }
    }
}

/// Progress of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Pages processed in this session.
    pub pages: u64,
    /// Records and pages that failed in this session.
    pub failures: Failures,
    /// Bytes of those pages.
    pub bytes: u64,
    /// Bytes of the input read in all sessions, as stored.
    pub read: u64,
    /// Bytes of the input read in earlier sessions.
    pub read_before: u64,
    /// Bytes of the input.
    pub total: u64,
    /// Shards that are done.
    pub shards: u64,
}

/// The outcome of a run.
#[derive(Debug)]
pub struct Summary {
    /// Whether the whole input is done. If not, the caller ended the run.
    pub complete: bool,
    /// Shards, including those of earlier sessions.
    pub shards: u64,
    /// Shards of earlier sessions.
    pub shards_before: u64,
    /// Rows in those shards, and failures by reason.
    pub rows: Counts,
    /// Records that were skipped because they are not pages.
    pub skipped: Skipped,
    /// Progress of this session, including unfinished shards.
    pub session: Progress,
    /// Time per stage, summed over all threads.
    pub times: Arc<Times>,
}

/// Processes the whole input. `watch` is called at intervals and may end the run; the same call then resumes it.
///
/// # Errors
/// When the output cannot be written or belongs to another run, when the input cannot be read, or when too many pages exceed the
/// time limit.
pub fn run(
    mut input: Input,
    out: &Path,
    options: &RunOptions,
    watch: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
) -> Result<Summary, RunError> {
    let encoder = Encoder::new(options.format, &options.tables)?;
    let files = serde_json::to_value(input.fingerprint()).unwrap_or_default();
    let manifest = options.manifest(encoder.tables(), files);
    let (folder, state) = RunFolder::open(out, &manifest)?;
    let total = input.total_bytes();
    let times = Arc::<Times>::default();
    if state.complete {
        let session = Progress { read: total, read_before: total, total, shards: state.shards, ..Progress::default() };
        let (shards, rows, skipped) = (state.shards, state.rows, state.skipped);
        return Ok(Summary { complete: true, shards, shards_before: shards, rows, skipped, session, times });
    }
    if let Some(last) = &state.last {
        let position: Position = serde_json::from_value(last.position.clone())
            .map_err(|error| StoreError::damaged(&out.join("checkpoints"), format!("not a position in the input: {error}")))?;
        input.seek(&position).map_err(RunError::Input)?;
    }
    let skipped = input.skip_counter();
    let rows = Box::new(RowMaker::new(options, &encoder).with_max_bytes(input.max_bytes()));
    let mut session = Session { folder, state, read_before: input.read_bytes(), total, watch, times, clock: None };
    let source: BoxedSource = match &options.skip {
        Some(list) => Box::new(Unlisted { source: input, list: Arc::clone(list), skipped: skipped.clone() }),
        None => Box::new(input),
    };
    let (complete, progress) = session.write(source, rows, encoder, options)?;
    let skipped = skipped.get();
    if complete {
        session.folder.complete(&manifest, progress.shards, session.state.rows, skipped)?;
    }
    Ok(Summary {
        complete,
        shards: progress.shards,
        shards_before: session.state.shards,
        rows: session.state.rows,
        skipped,
        session: progress,
        times: session.times,
    })
}

/// Makes rows of pages.
struct RowJob {
    rows: Box<dyn MakeRows>,
    times: Arc<Times>,
}

pub(super) type BoxedSource = Box<dyn Source<Item = Entry, Error = InputError>>;

impl Job for RowJob {
    type Source = BoxedSource;
    type Tools = ItemReader;
    type Output = Output;
    type Background = Result<Encoded, StoreError>;

    fn tools(&self) -> ItemReader {
        ItemReader::new(self.rows.page_options())
    }

    fn run(&self, reader: &mut ItemReader, entry: &Entry, phase: &dyn Fn(Phase)) -> Output {
        match self.rows.rows(reader, &entry.item, phase, &self.times) {
            Ok(rows) => Output::Page { rows: Box::new(rows), bytes: reader.page_bytes() },
            Err(failure) => self.failed(entry, failure),
        }
    }

    fn failed(&self, entry: &Entry, failure: Failure) -> Output {
        Output::Failed(ErrorRow::new(entry.item.origin(), entry.item.url(), failure))
    }

    fn item_size(&self, entry: &Entry) -> usize {
        entry.item.size()
    }

    fn output_size(&self, output: &Output) -> usize {
        output.size()
    }
}

/// A piece in the format of the run.
#[derive(Debug)]
struct Encoded {
    chunk: EncodedChunk,
    ends_shard: Option<Position>,
}

/// One call of a run.
pub(super) struct Session<'s> {
    pub(super) folder: RunFolder,
    /// The state at the start, to which rows are added.
    pub(super) state: RunState,
    /// Bytes of the input read in earlier sessions.
    pub(super) read_before: u64,
    pub(super) total: u64,
    pub(super) watch: &'s mut dyn FnMut(&Progress) -> ControlFlow<()>,
    pub(super) times: Arc<Times>,
    /// A clock that replaces the system clock.
    pub(super) clock: Option<Clock>,
}

impl Session<'_> {
    /// Writes everything the source yields. Returns false if the caller ended it.
    pub(super) fn write(
        &mut self,
        source: BoxedSource,
        rows: Box<dyn MakeRows>,
        encoder: Encoder,
        options: &RunOptions,
    ) -> Result<(bool, Progress), RunError> {
        let executor_options = ExecutorOptions {
            threads: options.threads,
            timeout: options.timeout,
            times: Arc::clone(&self.times),
            ..ExecutorOptions::default()
        };
        let job = RowJob { rows, times: Arc::clone(&self.times) };
        let executor = match self.clock.take() {
            Some(clock) => Executor::start_with_clock(source, job, &executor_options, clock)?,
            None => Executor::start(source, job, &executor_options)?,
        };
        let progress = Progress {
            read: self.read_before,
            read_before: self.read_before,
            total: self.total,
            shards: self.state.shards,
            ..Progress::default()
        };
        let chunker = Chunker::new(options.shard_pages, options.shard_bytes);
        let mut writer = Writer { session: self, encoder: Arc::new(encoder), chunker: Some(chunker), shard: None, progress };
        let complete = writer.write_all(&executor)?;
        Ok((complete, writer.progress))
    }
}

/// Puts rows into shards.
struct Writer<'w, 's> {
    session: &'w mut Session<'s>,
    encoder: Arc<Encoder>,
    /// `None` when the input has ended.
    chunker: Option<Chunker>,
    shard: Option<ShardWriter>,
    progress: Progress,
}

impl Writer<'_, '_> {
    fn write_all(&mut self, executor: &Executor<RowJob>) -> Result<bool, RunError> {
        loop {
            match executor.next(TICK)? {
                Event::Outputs(outputs) => outputs.try_for_each(|entry, output| {
                    self.push(executor, entry, output);
                    Ok::<(), RunError>(())
                })?,
                Event::Background(encoded) => {
                    let times = Arc::clone(&self.session.times);
                    let mut timer = Timer::start(&times);
                    let written = encoded.and_then(|encoded| self.append(encoded));
                    timer.end(Stage::Write);
                    written?;
                }
                Event::Idle => {}
                Event::End => match self.chunker.take() {
                    Some(mut chunker) => self.encode(executor, chunker.end()),
                    None => return Ok(true),
                },
            }
            if (self.session.watch)(&self.progress).is_break() {
                return Ok(false);
            }
        }
    }

    fn push(&mut self, executor: &Executor<RowJob>, entry: &Entry, output: Output) {
        match &output {
            Output::Page { bytes, .. } => {
                self.progress.pages += 1;
                self.progress.bytes += bytes;
            }
            Output::Failed(row) => self.progress.failures.count(row.reason),
        }
        self.progress.read = entry.read;
        let piece = self.chunker.as_mut().and_then(|chunker| chunker.push(output, entry.position));
        self.encode(executor, piece);
    }

    /// Has a piece encoded by any thread.
    fn encode(&self, executor: &Executor<RowJob>, piece: Option<Piece>) {
        let Some(piece) = piece else { return };
        let (encoder, times) = (Arc::clone(&self.encoder), Arc::clone(&self.session.times));
        executor.submit(piece.size, move || {
            let mut timer = Timer::start(&times);
            let encoded = encoder.encode(&piece.chunk);
            timer.end(Stage::Encode);
            encoded.map(|chunk| Encoded { chunk, ends_shard: piece.ends_shard })
        });
    }

    fn append(&mut self, encoded: Encoded) -> Result<(), StoreError> {
        let shard = match &mut self.shard {
            Some(shard) => shard,
            None => self.shard.insert(ShardWriter::create(self.session.folder.root(), self.progress.shards, &self.encoder)?),
        };
        shard.append(encoded.chunk)?;
        match encoded.ends_shard {
            Some(position) => self.end_shard(position),
            None => Ok(()),
        }
    }

    fn end_shard(&mut self, position: Position) -> Result<(), StoreError> {
        let Some(shard) = self.shard.take() else { return Ok(()) };
        let (files, rows) = shard.finish()?;
        let position = serde_json::to_value(position).unwrap_or_default();
        self.session.folder.commit(&Checkpoint { shard: self.progress.shards, position, rows, files })?;
        self.session.state.rows.add(rows);
        self.progress.shards += 1;
        Ok(())
    }
}
