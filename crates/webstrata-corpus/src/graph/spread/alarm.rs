//! What ends the work of all workers of a process: a process that is lost, one that gave up, or the caller.

use super::error::SpreadError;
use super::hosts::Hosts;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// Why work ends before its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Trouble {
    /// A process does not answer any more.
    Lost { process: usize, reason: String },
    /// A process has said that it cannot go on.
    GaveUp { process: usize, reason: String },
    /// This process cannot go on, and has an error that says why; or the caller does not want it to.
    Own,
}

impl Trouble {
    /// The error that the user sees; none for what has an error of its own.
    pub(super) fn error(&self, hosts: &Hosts, checkpoints: bool) -> Option<SpreadError> {
        let remedy = if checkpoints {
            "give the same commands again, and they go on from the last checkpoint".to_owned()
        } else {
            "give the same commands again; with --checkpoint DIR they would go on where they were".to_owned()
        };
        match self.clone() {
            Trouble::Lost { process, reason } => {
                Some(SpreadError::Lost { process, address: hosts.address(process).to_owned(), reason, remedy })
            }
            Trouble::GaveUp { process, reason } => {
                Some(SpreadError::GaveUp { process, address: hosts.address(process).to_owned(), reason, remedy })
            }
            Trouble::Own => None,
        }
    }
}

/// Tells all threads of a process that there is trouble. The first keeps its place: others follow from it.
#[derive(Debug, Default)]
pub(super) struct Alarm {
    raised: AtomicBool,
    trouble: Mutex<Option<Trouble>>,
}

impl Alarm {
    pub(super) fn raise(&self, trouble: Trouble) {
        self.trouble.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(trouble);
        self.raised.store(true, Ordering::Release);
    }

    pub(super) fn is_raised(&self) -> bool {
        self.raised.load(Ordering::Acquire)
    }

    pub(super) fn trouble(&self) -> Option<Trouble> {
        self.trouble.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
