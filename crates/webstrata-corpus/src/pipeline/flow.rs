//! The way of pages through a run: what is there to do, in which order, and how much of it may be under way.
//!
//! Threads have no parts of their own. Whoever is free takes what is most pressing: reading when little has been
//! read ahead, putting finished rows into the format, working on pages. So one thread does all of it and takes no more than one
//! thread's time, and many have no idle hands. What is under way is bounded by bytes.

use super::cutter::{Cutter, Piece, Place};
use super::slot::Batch;
use super::source::Source;
use super::{RunError, lock};
use crate::store::EncodedChunk;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// Bytes that may be under way: read, worked on, finished, encoded, not yet written.
const MOST: usize = 48 << 20;
/// More for each thread.
const MOST_PER_THREAD: usize = 16 << 20;

/// What a thread does next.
pub(super) enum Task {
    Read(Box<dyn Source>),
    Encode(Piece),
    Work(Batch),
    /// Nothing will come any more.
    End,
}

/// A piece in the format of the run.
#[derive(Debug)]
pub(super) struct Encoded {
    pub(super) number: u64,
    pub(super) chunk: EncodedChunk,
    pub(super) ends_shard: Option<Place>,
}

/// What the writer has to do.
pub(super) enum Next {
    Write(Encoded),
    /// Nothing yet.
    Wait,
    /// All is written.
    End,
    Failed(RunError),
}

struct State {
    /// None while somebody reads.
    source: Option<Box<dyn Source>>,
    ended: bool,
    /// Batches that were read.
    read: u64,
    queue: VecDeque<Batch>,
    /// Batches that wait for those before them.
    finished: BTreeMap<u64, Batch>,
    /// Batches that went to the cutter.
    collected: u64,
    cutter: Cutter,
    pieces: VecDeque<Piece>,
    /// Pieces that were cut.
    cut: u64,
    encoded: BTreeMap<u64, Encoded>,
    written: u64,
    /// Bytes under way. The piece that the cutter fills is not among them: it is as large as it may be, and is not emptied by
    /// waiting.
    bytes: usize,
    stopped: bool,
    failure: Option<RunError>,
}

pub(super) struct Flow {
    state: Mutex<State>,
    /// There may be something to do for a worker.
    work: Condvar,
    /// There may be something to write.
    ready: Condvar,
    threads: usize,
    most: usize,
}

impl Flow {
    pub(super) fn new(source: Box<dyn Source>, cutter: Cutter, threads: usize) -> Self {
        let state = State {
            source: Some(source),
            ended: false,
            read: 0,
            queue: VecDeque::new(),
            finished: BTreeMap::new(),
            collected: 0,
            cutter,
            pieces: VecDeque::new(),
            cut: 0,
            encoded: BTreeMap::new(),
            written: 0,
            bytes: 0,
            stopped: false,
            failure: None,
        };
        let most = MOST + MOST_PER_THREAD * threads;
        Flow { state: Mutex::new(state), work: Condvar::new(), ready: Condvar::new(), threads, most }
    }

    /// Waits for something to do.
    pub(super) fn task(&self) -> Task {
        let mut state = lock(&self.state);
        loop {
            if state.stopped {
                return Task::End;
            }
            // The batch that is to be written next is under way or nothing is, so whoever waits for room is woken.
            let wants_more = !state.ended && state.queue.len() < self.threads && state.bytes < self.most;
            if wants_more && let Some(source) = state.source.take() {
                return Task::Read(source);
            }
            if let Some(piece) = state.pieces.pop_front() {
                return Task::Encode(piece);
            }
            if let Some(batch) = state.queue.pop_front() {
                return Task::Work(batch);
            }
            if state.ended && state.collected == state.read && state.pieces.is_empty() {
                return Task::End;
            }
            state = self.work.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Hands the source back, with what was read.
    pub(super) fn has_read(&self, source: Box<dyn Source>, batch: Option<Batch>, ended: bool) {
        let mut state = lock(&self.state);
        state.source = Some(source);
        state.ended = ended;
        if let Some(batch) = batch {
            state.read += 1;
            state.bytes += batch.input_size();
            state.queue.push_back(batch);
        }
        state.finish_if_all_is_collected();
        drop(state);
        self.work.notify_all();
        self.ready.notify_all();
    }

    /// The number of the next batch. Only whoever has the source asks.
    pub(super) fn next_batch(&self) -> u64 {
        lock(&self.state).read
    }

    /// Hands in a finished batch.
    pub(super) fn deliver(&self, batch: Batch) {
        let mut state = lock(&self.state);
        state.bytes = (state.bytes + batch.output_size()).saturating_sub(batch.input_size());
        state.finished.insert(batch.number, batch);
        while let Some(batch) = state.next_finished() {
            state.collected += 1;
            for result in batch.done {
                state.bytes = state.bytes.saturating_sub(result.size);
                let piece = state.cutter.push(result);
                state.take_piece(piece);
            }
        }
        state.finish_if_all_is_collected();
        drop(state);
        self.work.notify_all();
        self.ready.notify_all();
    }

    /// Hands in a piece in the format of the run, that was `size` bytes of rows.
    pub(super) fn encoded(&self, encoded: Encoded, size: usize) {
        let mut state = lock(&self.state);
        state.bytes = (state.bytes + encoded.chunk.size()).saturating_sub(size);
        state.encoded.insert(encoded.number, encoded);
        drop(state);
        self.work.notify_all();
        self.ready.notify_all();
    }

    /// What is to be written next; waits so long for it at most.
    pub(super) fn next(&self, patience: Duration) -> Next {
        let nothing = |state: &mut State| !state.is_over() && !state.stopped && !state.has_next();
        let state = lock(&self.state);
        let (mut state, _) = self.ready.wait_timeout_while(state, patience, nothing).unwrap_or_else(PoisonError::into_inner);
        if let Some(failure) = state.failure.take() {
            return Next::Failed(failure);
        }
        let number = state.written;
        if let Some(encoded) = state.encoded.remove(&number) {
            state.written += 1;
            return Next::Write(encoded);
        }
        if state.is_over() { Next::End } else { Next::Wait }
    }

    /// So many bytes have been written.
    pub(super) fn has_written(&self, size: usize) {
        let mut state = lock(&self.state);
        state.bytes = state.bytes.saturating_sub(size);
        drop(state);
        self.work.notify_all();
    }

    /// Ends the run: no task is given any more. The first reason counts.
    pub(super) fn stop(&self, failure: Option<RunError>) {
        let mut state = lock(&self.state);
        state.stopped = true;
        if let Some(failure) = failure {
            state.failure.get_or_insert(failure);
        }
        drop(state);
        self.work.notify_all();
        self.ready.notify_all();
    }
}

impl State {
    fn next_finished(&mut self) -> Option<Batch> {
        let number = self.collected;
        self.finished.remove(&number)
    }

    fn has_next(&self) -> bool {
        self.encoded.contains_key(&self.written)
    }

    fn take_piece(&mut self, piece: Option<Piece>) {
        if let Some(piece) = piece {
            self.cut += 1;
            self.bytes += piece.size;
            self.pieces.push_back(piece);
        }
    }

    /// Takes the last piece once nothing more will come.
    fn finish_if_all_is_collected(&mut self) {
        if self.ended && self.collected == self.read {
            let piece = self.cutter.end();
            self.take_piece(piece);
        }
    }

    fn is_over(&self) -> bool {
        self.ended && self.collected == self.read && self.written == self.cut
    }
}
