//! A worker's current batch, shared with the watchdog, which can take it away.

use super::lock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Items that are processed and returned together.
#[derive(Debug)]
pub(super) struct Batch<I, O> {
    pub(super) number: u64,
    pub(super) items: Arc<[I]>,
    /// Bytes of the items.
    pub(super) bytes: usize,
    /// Outputs of the first items.
    pub(super) outputs: Vec<O>,
}

impl<I, O> Batch<I, O> {
    pub(super) fn is_done(&self) -> bool {
        self.outputs.len() == self.items.len()
    }
}

/// Time in microseconds, as the watchdog counts it: it does not advance while the process is stopped or the machine asleep.
#[derive(Debug, Default)]
pub(super) struct Ticks(AtomicU64);

impl Ticks {
    pub(super) fn now(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    pub(super) fn advance(&self, by: Duration) {
        self.0.fetch_add(microseconds(by), Ordering::Relaxed);
    }
}

pub(super) fn microseconds(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

/// What a worker is doing with an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Not subject to the time limit: waiting, or writing a finished output.
    Untimed,
    /// Reading the item.
    Reading,
    /// Processing it.
    Working,
}

#[derive(Debug)]
struct State<I, O> {
    batch: Option<Batch<I, O>>,
    phase: Phase,
    /// When the item was started, by the watchdog's clock.
    since: u64,
    /// The batch was taken away; the worker ends when it notices.
    abandoned: bool,
}

/// The batch of one worker.
#[derive(Debug)]
pub(super) struct Assignment<I, O>(Mutex<State<I, O>>);

impl<I, O> Assignment<I, O> {
    /// An assignment that continues with `batch`.
    pub(super) fn new(batch: Option<Batch<I, O>>) -> Arc<Self> {
        Arc::new(Assignment(Mutex::new(State { batch, phase: Phase::Untimed, since: 0, abandoned: false })))
    }

    pub(super) fn put(&self, batch: Batch<I, O>) {
        lock(&self.0).batch = Some(batch);
    }

    /// The items of the batch and the index of the next one.
    pub(super) fn current(&self) -> Option<(Arc<[I]>, usize)> {
        let state = lock(&self.0);
        state.batch.as_ref().map(|batch| (Arc::clone(&batch.items), batch.outputs.len()))
    }

    /// Changes the phase. Returns false if the item was abandoned.
    pub(super) fn enter(&self, phase: Phase, now: u64) -> bool {
        let mut state = lock(&self.0);
        if state.phase == Phase::Untimed {
            state.since = now;
        }
        state.phase = phase;
        !state.abandoned
    }

    /// Takes the output of the current item. Returns the batch if that was the last one, and `Err` if the item was abandoned.
    pub(super) fn finish(&self, output: O) -> Result<Option<Batch<I, O>>, ()> {
        let mut state = lock(&self.0);
        state.phase = Phase::Untimed;
        let Some(batch) = state.batch.as_mut() else { return Err(()) };
        batch.outputs.push(output);
        Ok(if batch.is_done() { state.batch.take() } else { None })
    }

    /// Takes the batch away from a worker whose item has taken longer than `limit` microseconds, and returns what it was doing.
    pub(super) fn abandon(&self, now: u64, limit: u64) -> Option<(Batch<I, O>, Phase)> {
        let mut state = lock(&self.0);
        if state.phase == Phase::Untimed || now.saturating_sub(state.since) < limit {
            return None;
        }
        state.abandoned = true;
        let phase = state.phase;
        state.batch.take().map(|batch| (batch, phase))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn assignment(items: usize) -> Arc<Assignment<(), ()>> {
        Assignment::new(Some(Batch { number: 0, items: vec![(); items].into(), bytes: 0, outputs: Vec::new() }))
    }

    #[test]
    fn an_item_is_abandoned_once() {
        let assignment = assignment(2);
        assert!(assignment.enter(Phase::Reading, 1000));
        assert!(assignment.abandon(1900, 1000).is_none(), "there is time left");
        assert!(assignment.enter(Phase::Working, 1900), "reading counts");
        assert_eq!(assignment.abandon(2000, 1000).unwrap().1, Phase::Working);
        assert!(assignment.abandon(9000, 1000).is_none());
        assert!(!assignment.enter(Phase::Untimed, 9000), "the worker notices");
        assert!(assignment.finish(()).is_err(), "a late output is dropped");
    }

    #[test]
    fn writing_is_not_timed() {
        let assignment = assignment(1);
        assert!(assignment.enter(Phase::Reading, 0) && assignment.enter(Phase::Untimed, 10));
        assert!(assignment.abandon(u64::MAX, 1).is_none());
        assert_eq!(assignment.finish(()).unwrap().unwrap().outputs.len(), 1);
    }
}
