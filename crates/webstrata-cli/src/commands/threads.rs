//! Work on a number of threads of its own.

use anyhow::{Context, Result};

/// Does the work on so many threads; 0 is one a core.
pub(crate) fn with_threads<T: Send>(threads: u16, work: impl FnOnce() -> Result<T> + Send) -> Result<T> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(usize::from(threads)).build().context("cannot start the threads")?;
    pool.install(work)
}
