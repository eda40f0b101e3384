//! Result files, and the gate that an interrupted run closes so that no temporary file is left behind.

use std::io;
use std::path::Path;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use webstrata_corpus::io::write_without_sync;

/// Counts the files that are being written, and can be shut: then no new ones are begun, and those under way are waited for.
/// That is how an interrupted run leaves no temporary files.
#[derive(Debug, Default)]
pub(crate) struct Gate {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    writing: usize,
    shut: bool,
}

/// A file is being written while this lives.
#[derive(Debug)]
pub(crate) struct Pass<'g>(&'g Gate);

impl Gate {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Leave to write a file; none when the gate is shut.
    pub(crate) fn enter(&self) -> Option<Pass<'_>> {
        let mut state = self.lock();
        if state.shut {
            return None;
        }
        state.writing += 1;
        Some(Pass(self))
    }

    /// Lets nobody in any more and waits until everybody is out, at most for `patience`: a disk may hang.
    pub(crate) fn shut(&self, patience: Duration) {
        let mut state = self.lock();
        state.shut = true;
        drop(self.changed.wait_timeout_while(state, patience, |state| state.writing > 0));
    }
}

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        self.0.lock().writing -= 1;
        self.0.changed.notify_all();
    }
}

/// Writes a file; its folder is created if it is missing.
pub(crate) fn write_whole(path: &Path, text: impl AsRef<[u8]>) -> io::Result<()> {
    write_without_sync(path, text.as_ref()).map_err(|error| error.error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gate_waits_for_those_inside() {
        let gate = Gate::default();
        let pass = gate.enter().unwrap();
        std::thread::scope(|scope| {
            let shutting = scope.spawn(|| gate.shut(Duration::from_secs(60)));
            while gate.enter().is_some() {
                std::thread::yield_now();
            }
            assert!(!shutting.is_finished());
            drop(pass);
        });
        assert!(gate.enter().is_none());
    }

    #[test]
    fn a_gate_does_not_wait_for_ever() {
        let gate = Gate::default();
        let _pass = gate.enter().unwrap();
        gate.shut(Duration::from_millis(1));
    }
}
