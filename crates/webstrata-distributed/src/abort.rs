//! Stops all workers of a process after a failure, or on request of the caller.

use super::error::DistributedError;
use super::hosts::Hosts;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// Why a computation is aborted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// A process no longer answers.
    Lost { process: usize, reason: String },
    /// A process reported a failure.
    Failed { process: usize, reason: String },
    /// This process failed with an error of its own, or the caller stopped it.
    Own,
}

impl Failure {
    /// The error for the user; none if this process has an error of its own.
    pub(crate) fn error(&self, hosts: &Hosts, checkpoints: bool) -> Option<DistributedError> {
        let remedy = if checkpoints {
            "start the same commands again to resume from the last checkpoint".to_owned()
        } else {
            "start the same commands again; with --checkpoint-dir DIR they could resume".to_owned()
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

/// Signals a failure to all threads of a process. The first failure is kept: others follow from it.
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
