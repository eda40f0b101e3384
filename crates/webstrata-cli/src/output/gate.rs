//! Keeps an interrupted command from leaving temporary files.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Counts the files being written. Closing it waits for them and keeps new ones from being started.
#[derive(Debug, Default)]
pub(crate) struct Gate {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    writing: usize,
    closed: bool,
}

/// Permission to write a file.
#[derive(Debug)]
pub(crate) struct Pass<'g>(&'g Gate);

impl Gate {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Permission to write a file; `None` when the gate is closed.
    pub(crate) fn enter(&self) -> Option<Pass<'_>> {
        let mut state = self.lock();
        if state.closed {
            return None;
        }
        state.writing += 1;
        Some(Pass(self))
    }

    /// Closes the gate and waits until no file is being written, but no longer than `timeout`: a disk may hang.
    pub(crate) fn close(&self, timeout: Duration) {
        let mut state = self.lock();
        state.closed = true;
        drop(self.changed.wait_timeout_while(state, timeout, |state| state.writing > 0));
    }
}

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        self.0.lock().writing -= 1;
        self.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closing_gate_waits_for_those_inside() {
        let gate = Gate::default();
        let pass = gate.enter().unwrap();
        std::thread::scope(|scope| {
            let closing = scope.spawn(|| gate.close(Duration::from_secs(60)));
            while gate.enter().is_some() {
                std::thread::yield_now();
            }
            assert!(!closing.is_finished());
            drop(pass);
        });
        assert!(gate.enter().is_none());
    }

    #[test]
    fn a_closing_gate_does_not_wait_for_ever() {
        let gate = Gate::default();
        let _pass = gate.enter().unwrap();
        gate.close(Duration::from_millis(1));
    }
}
