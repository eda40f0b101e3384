//! A thread pool of a given size.

use anyhow::{Context, Result};

/// Runs `work` in a pool of `threads` threads; 0 = one per core.
pub(crate) fn with_threads<T: Send>(threads: u16, work: impl FnOnce() -> Result<T> + Send) -> Result<T> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(usize::from(threads)).build().context("cannot start the threads")?;
    pool.install(work)
}
