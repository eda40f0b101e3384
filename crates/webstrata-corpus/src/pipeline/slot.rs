//! What a worker is at, for the watchdog to see and to take away.

use super::cutter::{Done, Result as ItemResult};
use super::lock;
use super::source::Entry;
use crate::input::Item;
use crate::store::{Fault, LedgerRow};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Items that are read, worked on and handed in together.
#[derive(Debug)]
pub(super) struct Batch {
    pub(super) number: u64,
    pub(super) entries: Arc<[Entry]>,
    /// Results of the first ones.
    pub(super) done: Vec<ItemResult>,
}

impl Batch {
    /// Bytes of its pages.
    pub(super) fn input_size(&self) -> usize {
        self.entries.iter().map(Entry::size).sum()
    }

    /// Bytes of its rows so far.
    pub(super) fn output_size(&self) -> usize {
        self.done.iter().map(|result| result.size).sum()
    }

    fn is_done(&self) -> bool {
        self.done.len() == self.entries.len()
    }

    /// Says that the next page failed.
    pub(super) fn fail(&mut self, reason: &str) {
        let Some(entry) = self.entries.get(self.done.len()) else { return };
        let row = match &entry.item {
            Item::Document(document) => LedgerRow::new(Fault::Page, &document.origin, document.url.as_deref(), reason),
            Item::Broken(broken) => LedgerRow::new(Fault::Record, &broken.origin, None, &broken.reason),
        };
        self.push(Done::Fault(row));
    }

    fn push(&mut self, done: Done) {
        let Some(entry) = self.entries.get(self.done.len()) else { return };
        let size = match &done {
            Done::Page(rows) => rows.size(),
            Done::Fault(row) => row.size(),
        };
        self.done.push(ItemResult { done, size, place: entry.place.clone() });
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

#[derive(Debug)]
struct State {
    batch: Option<Batch>,
    /// When work on the page at hand began; none between pages.
    since: Option<u64>,
}

/// A worker's place.
#[derive(Debug)]
pub(super) struct Slot(Mutex<State>);

impl Slot {
    /// A place where `batch` is to be gone on with.
    pub(super) fn new(batch: Option<Batch>) -> Arc<Self> {
        Arc::new(Slot(Mutex::new(State { batch, since: None })))
    }

    pub(super) fn put(&self, batch: Batch) {
        lock(&self.0).batch = Some(batch);
    }

    /// The batch that is here, and the number of the item that is next.
    pub(super) fn at(&self) -> Option<(Arc<[Entry]>, usize)> {
        let state = lock(&self.0);
        state.batch.as_ref().map(|batch| (Arc::clone(&batch.entries), batch.done.len()))
    }

    /// Work on a page begins.
    pub(super) fn begin(&self, now: u64) {
        lock(&self.0).since = Some(now);
    }

    /// Takes what came of the item. The batch comes back with the last one. `Err` if the page was given up.
    pub(super) fn finish(&self, done: Result<Done, String>) -> Result<Option<Batch>, ()> {
        let mut state = lock(&self.0);
        state.since = None;
        // Taken away with the page.
        let Some(batch) = state.batch.as_mut() else { return Err(()) };
        match done {
            Ok(done) => batch.push(done),
            Err(reason) => batch.fail(&reason),
        }
        Ok(if batch.is_done() { state.batch.take() } else { None })
    }

    /// Takes the batch away from a worker whose page has taken longer than `limit` microseconds. The worker ends when it comes
    /// back.
    pub(super) fn abandon(&self, now: u64, limit: u64) -> Option<Batch> {
        let mut state = lock(&self.0);
        if now.saturating_sub(state.since?) < limit {
            return None;
        }
        state.batch.take()
    }
}
