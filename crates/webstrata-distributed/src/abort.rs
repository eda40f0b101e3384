//! Payload ends the work of all workers of a process: a process that is lost, one that gave up, or the caller.

use super::error::DistributedError;
use super::hosts::Hosts;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// Why work ends before its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// A process does not answer any more.
    Lost { process: usize, reason: String },
    /// A process has said that it cannot go on.
    Failed { process: usize, reason: String },
    /// This process cannot go on, and has an error that says why; or the caller does not want it to.
    Own,
}

impl Failure {
    /// The error that the user sees; none for what has an error of its own.
    pub(crate) fn error(&self, hosts: &Hosts, checkpoints: bool) -> Option<DistributedError> {
        let remedy = if checkpoints {
            "give the same commands again, and they go on from the last checkpoint".to_owned()
        } else {
            "give the same commands again; with --checkpoint-dir DIR they would go on where they were".to_owned()
        };
        match self.clone() {
            Failure::Lost { process, reason } => {
                Some(DistributedError::Lost { process, address: hosts.address(process).to_owned(), reason, remedy })
            }
            Failure::Failed { process, reason } => {
                Some(DistributedError::Failed { process, address: hosts.address(process).to_owned(), reason, remedy })
            }
            Failure::Own => None,
        }
    }
}

/// Tells all threads of a process that there is trouble. The first keeps its place: others follow from it.
#[derive(Debug, Default)]
pub(crate) struct AbortSignal {
    raised: AtomicBool,
    failure: Mutex<Option<Failure>>,
}

impl AbortSignal {
    pub(crate) fn raise(&self, failure: Failure) {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(failure);
        self.raised.store(true, Ordering::Release);
    }

    pub(crate) fn is_raised(&self) -> bool {
        self.raised.load(Ordering::Acquire)
    }

    pub(crate) fn failure(&self) -> Option<Failure> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
