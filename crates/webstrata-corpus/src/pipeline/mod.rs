//! A run over a crawl: pages in, rows out, on all cores, in bounded memory, and gone on with where it was ended.
//!
//! The input is read in order, pages are worked on by any thread, and their rows are put in order again before anything
//! is cut: chunks and shards depend on the rows alone, so the output is the same byte for byte, for any number of threads and
//! however often the run was killed. A shard counts once its checkpoint is written; a run that is begun again
//! reads from the last one on.

mod cutter;
mod evidence;
mod flow;
mod options;
mod rows;
mod run;
mod segments;
mod slot;
mod source;
#[cfg(test)]
mod tests;
mod times;
mod watchdog;
mod worker;

pub use evidence::{Evidence, Signer, site_of};
pub use options::RunOptions;
pub use run::{Progress, RunError, Summary, run};
pub use times::{Stage, Times};

use std::sync::{Mutex, MutexGuard, PoisonError};

/// A lock whose holder panicked is still a lock: what it guards is changed in single steps.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
