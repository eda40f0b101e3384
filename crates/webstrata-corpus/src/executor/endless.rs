//! For tests: items that do not end, and a clock that advances only when another one of them has begun.

use super::Clock;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// Items that end when one of its clones is dropped, which a test keeps until it has seen enough.
#[derive(Clone, Default)]
pub(crate) struct Endless {
    begun: Arc<AtomicU64>,
    released: Arc<AtomicBool>,
}

impl Endless {
    /// An item.
    pub(crate) fn run(&self) {
        self.begun.fetch_add(1, Ordering::SeqCst);
        while !self.released.load(Ordering::SeqCst) {
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// How many have begun.
    pub(crate) fn begun(&self) -> u64 {
        self.begun.load(Ordering::SeqCst)
    }

    /// Ends them all.
    pub(crate) fn release(&self) {
        self.released.store(true, Ordering::SeqCst);
    }

    /// An hour has passed whenever another item has begun.
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
