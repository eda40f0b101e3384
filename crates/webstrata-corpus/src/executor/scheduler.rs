//! Decides what threads do next, and puts outputs back into the order of the input.

use super::assignment::Batch;
use super::{Event, Outputs, Source, Stop, lock};
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// Bytes that may be in flight: read, being processed, finished, not yet returned.
const MAX_BYTES: usize = 48 << 20;
/// Additional bytes per thread.
const MAX_BYTES_PER_THREAD: usize = 16 << 20;
/// Items and bytes per batch at most. Handing over a batch wakes other threads, which is too expensive for a single page.
const MAX_BATCH_ITEMS: u64 = 32;
const MAX_BATCH_BYTES: usize = 1 << 20;
/// Batches start small and grow to a fraction of what was read, so that even ten pages keep all threads busy.
const BATCHES_PER_THREAD: u64 = 8;

/// Background work.
pub(super) type Work<B> = Box<dyn FnOnce() -> B + Send>;

/// The next task of a thread.
pub(super) enum Task<S: Source, O, B> {
    /// Read a batch of at most this many items.
    Read(S, u64),
    Background(u64, Work<B>),
    Process(Batch<S::Item, O>),
    /// End the thread.
    End,
}

struct State<S: Source, O, B> {
    /// `None` while a thread is reading.
    source: Option<S>,
    ended: bool,
    /// Batches and items that were read.
    batches: u64,
    items: u64,
    queue: VecDeque<Batch<S::Item, O>>,
    /// Batches waiting for earlier ones.
    finished: BTreeMap<u64, Batch<S::Item, O>>,
    returned: u64,
    work: VecDeque<(u64, Work<B>)>,
    /// Sizes of background work that has not been returned.
    work_sizes: VecDeque<usize>,
    submitted: u64,
    results: BTreeMap<u64, B>,
    results_returned: u64,
    bytes: usize,
    stop: Option<Stop<S::Error>>,
    /// Whether the stop was reported.
    stopped: bool,
}

pub(super) struct Scheduler<S: Source, O, B> {
    state: Mutex<State<S, O, B>>,
    /// Signals that there may be a task.
    work: Condvar,
    /// Signals that there may be something to return.
    ready: Condvar,
    threads: usize,
}

/// Items read together.
pub(super) struct ReadBatch<I> {
    items: Vec<I>,
    /// Approximate bytes of the items.
    bytes: usize,
    /// Whether the source has ended.
    ended: bool,
}

impl<S: Source, O, B> Scheduler<S, O, B> {
    pub(super) fn new(source: S, threads: usize) -> Self {
        let state = State {
            source: Some(source),
            ended: false,
            batches: 0,
            items: 0,
            queue: VecDeque::new(),
            finished: BTreeMap::new(),
            returned: 0,
            work: VecDeque::new(),
            work_sizes: VecDeque::new(),
            submitted: 0,
            results: BTreeMap::new(),
            results_returned: 0,
            bytes: 0,
            stop: None,
            stopped: false,
        };
        Scheduler { state: Mutex::new(state), work: Condvar::new(), ready: Condvar::new(), threads }
    }

    /// Waits for a task.
    pub(super) fn task(&self) -> Task<S, O, B> {
        let max_bytes = MAX_BYTES + MAX_BYTES_PER_THREAD * self.threads;
        let mut state = lock(&self.state);
        loop {
            if state.stop.is_some() || state.stopped {
                return Task::End;
            }
            // The batch to be returned next is in flight, or nothing is, so a thread that waits for room will be woken.
            let wants_more = !state.ended && state.queue.len() < self.threads && state.bytes < max_bytes;
            if wants_more && let Some(source) = state.source.take() {
                let share = state.items / (self.threads as u64 * BATCHES_PER_THREAD);
                return Task::Read(source, share.clamp(1, MAX_BATCH_ITEMS));
            }
            if let Some((number, work)) = state.work.pop_front() {
                return Task::Background(number, work);
            }
            if let Some(batch) = state.queue.pop_front() {
                return Task::Process(batch);
            }
            state = self.work.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Reads up to `count` items.
    pub(super) fn read(source: &mut S, count: u64, size: impl Fn(&S::Item) -> usize) -> Result<ReadBatch<S::Item>, S::Error> {
        let mut read = ReadBatch { items: Vec::new(), bytes: 0, ended: false };
        while (read.items.len() as u64) < count && read.bytes < MAX_BATCH_BYTES {
            let Some(item) = source.next() else { return Ok(ReadBatch { ended: true, ..read }) };
            let item = item?;
            read.bytes += size(&item);
            read.items.push(item);
            if !source.is_ready() {
                break; // process what there is instead of waiting for more
            }
        }
        Ok(read)
    }

    /// Gives the source back, with the items that were read.
    pub(super) fn has_read(&self, source: S, read: ReadBatch<S::Item>) {
        let ReadBatch { items, bytes, ended } = read;
        let mut state = lock(&self.state);
        state.source = Some(source);
        state.ended = ended;
        if !items.is_empty() {
            let number = state.batches;
            state.batches += 1;
            state.items += items.len() as u64;
            state.bytes += bytes;
            state.queue.push_back(Batch { number, items: items.into(), bytes, outputs: Vec::new() });
        }
        drop(state);
        self.work.notify_all();
        if ended {
            self.ready.notify_all();
        }
    }

    /// Hands in a finished batch, whose outputs take `size` bytes.
    pub(super) fn deliver(&self, batch: Batch<S::Item, O>, size: usize) {
        let mut state = lock(&self.state);
        state.bytes = (state.bytes + size).saturating_sub(batch.bytes);
        let is_next = batch.number == state.returned;
        state.finished.insert(batch.number, batch);
        drop(state);
        if is_next {
            self.ready.notify_all();
        }
    }

    /// Queues background work.
    pub(super) fn submit(&self, size: usize, work: Work<B>) {
        let mut state = lock(&self.state);
        let number = state.submitted;
        state.submitted += 1;
        state.bytes += size;
        state.work.push_back((number, work));
        state.work_sizes.push_back(size);
        drop(state);
        self.work.notify_all();
    }

    /// Hands in the result of background work.
    pub(super) fn complete(&self, number: u64, result: B) {
        lock(&self.state).results.insert(number, result);
        self.ready.notify_all();
    }

    /// See [`super::Executor::next`].
    pub(super) fn next(&self, timeout: Duration, size: impl Fn(&O) -> usize) -> Result<Event<S::Item, O, B>, Stop<S::Error>> {
        let nothing = |state: &mut State<S, O, B>| !state.is_over() && state.stop.is_none() && !state.has_next();
        let state = lock(&self.state);
        let (mut state, _) = self.ready.wait_timeout_while(state, timeout, nothing).unwrap_or_else(PoisonError::into_inner);
        if matches!(state.stop, Some(Stop::Cancelled)) {
            return Err(Stop::Cancelled);
        }
        let number = state.results_returned;
        if let Some(result) = state.results.remove(&number) {
            state.results_returned += 1;
            let size = state.work_sizes.pop_front().unwrap_or(0);
            state.release(size);
            drop(state);
            self.work.notify_all();
            return Ok(Event::Background(result));
        }
        let number = state.returned;
        if let Some(batch) = state.finished.remove(&number) {
            state.returned += 1;
            state.release(batch.outputs.iter().map(size).sum());
            drop(state);
            self.work.notify_all();
            return Ok(Event::Outputs(Outputs { items: batch.items, outputs: batch.outputs }));
        }
        if let Some(stop) = state.stop.take() {
            state.stopped = true;
            return Err(stop);
        }
        if state.stopped {
            return Err(Stop::Cancelled);
        }
        Ok(if state.is_over() { Event::End } else { Event::Idle })
    }

    /// Ends the work. Only the first reason is kept.
    pub(super) fn stop(&self, reason: Stop<S::Error>) {
        let mut state = lock(&self.state);
        if !state.stopped {
            state.stop.get_or_insert(reason);
        }
        drop(state);
        self.work.notify_all();
        self.ready.notify_all();
    }

    pub(super) fn is_stopped(&self) -> bool {
        let state = lock(&self.state);
        state.stop.is_some() || state.stopped
    }
}

impl<S: Source, O, B> State<S, O, B> {
    fn has_next(&self) -> bool {
        self.finished.contains_key(&self.returned) || self.results.contains_key(&self.results_returned)
    }

    fn is_over(&self) -> bool {
        self.ended && self.returned == self.batches && self.results_returned == self.submitted
    }

    fn release(&mut self, bytes: usize) {
        self.bytes = self.bytes.saturating_sub(bytes);
    }
}
