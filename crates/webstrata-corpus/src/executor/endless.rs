//! For tests: items that never finish, and a clock that advances only when another of them has started.

use super::Clock;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// Items that run until any clone of this value is dropped; a test keeps the clones until it is done.
#[derive(Clone, Default)]
pub(crate) struct Endless {
    begun: Arc<AtomicU64>,
    released: Arc<AtomicBool>,
}

impl Endless {
    /// Runs an item, until it is released.
    pub(crate) fn run(&self) {
        self.begun.fetch_add(1, Ordering::SeqCst);
        while !self.released.load(Ordering::SeqCst) {
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Number of items that have started.
    pub(crate) fn begun(&self) -> u64 {
        self.begun.load(Ordering::SeqCst)
    }

    /// Ends all items.
    pub(crate) fn release(&self) {
        self.released.store(true, Ordering::SeqCst);
    }

    /// A clock that advances by an hour whenever another item has started.
    pub(crate) fn clock(&self) -> Clock {
        let (begun, mut seen) = (Arc::clone(&self.begun), 0);
        Box::new(move || {
            let now = begun.load(Ordering::SeqCst);
            let is_new = std::mem::replace(&mut seen, now) != now;
            if is_new { Duration::from_secs(3600) } else { Duration::ZERO }
        })
    }
}

impl Drop for Endless {
    fn drop(&mut self) {
        self.release();
    }
}
