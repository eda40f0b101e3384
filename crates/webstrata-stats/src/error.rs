//! Errors that the user can act on.

use std::path::PathBuf;
use webstrata_corpus::io::IoError;
use webstrata_corpus::store::StoreError;

/// An error in computing statistics.
#[derive(Debug, thiserror::Error)]
pub enum StatsError {
    /// A run's folder cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file cannot be read or written.
    #[error(transparent)]
    Io(#[from] IoError),
    /// A file of a run or of counts is damaged.
    #[error("{} cannot be read: {reason}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// Records that did not fit in memory cannot be written or read back.
    #[error("cannot use the temporary file {}: {source}; is the disk full?", path.display())]
    Temporary {
        /// The file.
        path: PathBuf,
        /// The underlying error.
        source: std::io::Error,
    },
    /// A thread failed.
    #[error("a thread stopped unexpectedly; please report it")]
    Thread,
    /// There is nothing to analyse.
    #[error("there is no text in the input")]
    Empty,
    /// A chart cannot be drawn.
    #[error(transparent)]
    Plot(#[from] crate::plot::PlotError),
}

impl StatsError {
    pub(crate) fn damaged(path: &std::path::Path, reason: impl ToString) -> StatsError {
        StatsError::Damaged { path: path.to_owned(), reason: reason.to_string() }
    }

    /// Adds the action and the path to a system error.
    pub(crate) fn io(action: &'static str, path: &std::path::Path) -> impl FnOnce(std::io::Error) -> StatsError {
        let path = path.to_owned();
        move |error| StatsError::Damaged { path, reason: format!("cannot {action}: {error}") }
    }
}
