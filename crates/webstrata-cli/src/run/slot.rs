//! What a worker is at, for the watchdog to see and to take away.

use super::lock;
use crate::inputs::Input;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Pages that are taken, worked on and written together.
#[derive(Debug)]
pub(super) struct Batch {
    pub(super) number: u64,
    pub(super) inputs: Arc<[Input]>,
    /// Results of the first ones.
    pub(super) done: Vec<Done>,
}

impl Batch {
    /// Bytes that wait in it to be written.
    pub(super) fn size(&self) -> usize {
        self.done.iter().map(|done| done.text.len()).sum()
    }
}

/// What came of a page.
#[derive(Debug, Default)]
pub(super) struct Done {
    /// What is to be written; nothing if it has been.
    pub(super) text: String,
    /// Bytes of the page.
    pub(super) bytes: usize,
    pub(super) error: Option<String>,
}

impl Done {
    pub(super) fn failed(error: String) -> Self {
        Done { error: Some(error), ..Done::default() }
    }
}

/// The time of a run: it stands still while the process does (stopped from the terminal, or a machine asleep).
#[derive(Debug, Default)]
pub(super) struct Clock(AtomicU64);

impl Clock {
    /// Microseconds.
    pub(super) fn now(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    pub(super) fn advance(&self, by: Duration) {
        self.0.fetch_add(u64::try_from(by.as_micros()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }
}

/// What a worker does with a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Nothing that takes a page's time: waiting for names, for standard input, or writing a finished result.
    Untimed,
    Reading,
    Working,
}

#[derive(Debug)]
struct State {
    batch: Option<Batch>,
    phase: Phase,
    /// Since when, by the clock of the run: when reading began.
    since: u64,
    /// Was the batch taken away? The worker ends when it comes back.
    abandoned: bool,
}

/// A worker's place.
#[derive(Debug)]
pub(super) struct Slot(Mutex<State>);

impl Slot {
    /// A place where `batch` is to be gone on with.
    pub(super) fn new(batch: Option<Batch>) -> Arc<Self> {
        Arc::new(Slot(Mutex::new(State { batch, phase: Phase::Untimed, since: 0, abandoned: false })))
    }

    /// The batch that is here, and the number of the page that is next.
    pub(super) fn at(&self) -> Option<(Arc<[Input]>, usize)> {
        let state = lock(&self.0);
        state.batch.as_ref().map(|batch| (Arc::clone(&batch.inputs), batch.done.len()))
    }

    pub(super) fn put(&self, batch: Batch) {
        lock(&self.0).batch = Some(batch);
    }

    /// Goes on to another phase at this time; false if the page was given up.
    pub(super) fn enter(&self, phase: Phase, now: u64) -> bool {
        let mut state = lock(&self.0);
        if state.phase == Phase::Untimed {
            state.since = now;
        }
        state.phase = phase;
        !state.abandoned
    }

    /// Takes what came of the page. The batch comes back with the last one. `Err` if the page was given up.
    pub(super) fn finish(&self, done: Done) -> Result<Option<Batch>, ()> {
        let mut state = lock(&self.0);
        state.phase = Phase::Untimed;
        // Taken away with the page.
        let Some(batch) = state.batch.as_mut() else { return Err(()) };
        batch.done.push(done);
        Ok(if batch.done.len() == batch.inputs.len() { state.batch.take() } else { None })
    }

    /// Takes the batch away from a worker whose page has taken longer than `limit` microseconds, and says what it was doing.
    pub(super) fn abandon(&self, now: u64, limit: u64) -> Option<(Batch, Phase)> {
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
mod tests {
    use super::*;

    #[test]
    fn a_page_is_given_up_once() {
        let slot = Slot::new(Some(Batch { number: 0, inputs: [Input::default(), Input::default()].into(), done: Vec::new() }));
        assert!(slot.enter(Phase::Reading, 1000));
        assert!(slot.abandon(1900, 1000).is_none(), "its time is not over");
        assert!(slot.enter(Phase::Working, 1900), "the time of reading counts");
        assert_eq!(slot.abandon(2000, 1000).unwrap().1, Phase::Working);
        assert!(slot.abandon(9000, 1000).is_none());
        assert!(!slot.enter(Phase::Untimed, 9000), "the worker learns of it");
        assert!(slot.finish(Done::default()).is_err(), "a late result is dropped");
    }

    #[test]
    fn writing_takes_nobodys_time() {
        let slot = Slot::new(Some(Batch { number: 0, inputs: [Input::default()].into(), done: Vec::new() }));
        assert!(slot.enter(Phase::Reading, 0) && slot.enter(Phase::Untimed, 10));
        assert!(slot.abandon(u64::MAX, 1).is_none());
        assert_eq!(slot.finish(Done::default()).unwrap().unwrap().done.len(), 1);
    }
}
