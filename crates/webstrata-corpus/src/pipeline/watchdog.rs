//! Sees to it that no page takes longer than its time.
//!
//! A thread cannot be stopped from outside. A worker whose page is past its time is left alone: its batch goes to a fresh
//! worker, the page is a fault, and what the old worker comes back with is dropped. When too many are stuck the run
//! ends: they take the processors from the others.

use super::RunError;
use super::slot::Slot;
use super::worker::{self, Shared};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// How often the watchdog looks.
pub(super) const TICK: Duration = Duration::from_millis(50);
/// A look that comes so much too late means that the process stood still, or that the disk took its time.
const STOOD_STILL: u32 = 4;
/// Stuck workers for each thread before the run ends.
const MOST_STUCK: usize = 4;

pub(super) struct Watchdog {
    shared: Arc<Shared>,
    slots: Vec<Arc<Slot>>,
    timeout: Option<Duration>,
    stuck: usize,
    last: Instant,
}

impl Watchdog {
    /// Starts the workers.
    pub(super) fn start(shared: &Arc<Shared>, threads: usize, timeout: Option<Duration>) -> Result<Self, RunError> {
        let slots: Vec<Arc<Slot>> = (0..threads).map(|_| Slot::new(None)).collect();
        for slot in &slots {
            worker::start(shared, slot).map_err(RunError::NoThread)?;
        }
        Ok(Watchdog { shared: Arc::clone(shared), slots, timeout, stuck: 0, last: Instant::now() })
    }

    /// Gives up the pages that are past their time.
    pub(super) fn look(&mut self) -> Result<(), RunError> {
        let now = Instant::now();
        self.shared.clock.advance((now - self.last).min(TICK * STOOD_STILL));
        self.last = now;
        let Some(timeout) = self.timeout else { return Ok(()) };
        let microseconds = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        // The clock goes in ticks: a page has its time at least.
        let limit = microseconds(timeout).saturating_add(microseconds(TICK));
        let most = MOST_STUCK * self.slots.len();
        for slot in &mut self.slots {
            let Some(mut batch) = slot.abandon(self.shared.clock.now(), limit) else { continue };
            self.stuck += 1;
            if self.stuck >= most {
                return Err(RunError::TooManyStuck(self.stuck));
            }
            let seconds = timeout.as_secs_f64();
            batch.fail(&format!(
                "it was not done within {seconds} s and was given up; please report the page if it is not a large one"
            ));
            self.shared.done.faults.fetch_add(1, Ordering::Relaxed);
            *slot = Slot::new(None);
            if batch.done.len() == batch.entries.len() {
                self.shared.flow.deliver(batch);
            } else {
                slot.put(batch);
            }
            worker::start(&self.shared, slot).map_err(RunError::NoThread)?;
        }
        Ok(())
    }
}
