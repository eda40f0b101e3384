//! Errors of duplicate detection.

use crate::io::IoError;
use crate::io::record_file::RecordError;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why duplicates could not be found.
#[derive(Debug, Error)]
pub enum DedupError {
    /// A file could not be read or written: it is missing, or the disk is full.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        error: io::Error,
    },
    /// A file of an index is damaged.
    #[error("{}: {what}; delete the index folder and build it again", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// A description of the problem.
        what: String,
    },
    /// The folder has files, but no index.
    #[error("{} is not empty and is not a dedup index; choose another index folder", path.display())]
    NotAnIndex {
        /// The folder.
        path: PathBuf,
    },
    /// The index was made with different settings.
    #[error("the index {} was made with different settings ({found}, not {wanted}); use the same settings, or another index folder", path.display())]
    Settings {
        /// The index folder.
        path: PathBuf,
        /// The settings of the index.
        found: String,
        /// The settings of this call.
        wanted: String,
    },
    /// The index has pages of another input, and adding was not allowed.
    #[error("the index {} already has other pages; use --add to add to them, or choose another index folder", path.display())]
    Occupied {
        /// The index folder.
        path: PathBuf,
    },
    /// A batch was begun with another input and never completed.
    #[error("{} is an unfinished batch from another input; finish it with that input, or delete the folder", path.display())]
    Unfinished {
        /// The folder of the batch.
        path: PathBuf,
    },
    /// The input cannot be read any further.
    #[error("{0}")]
    Input(String),
    /// There are more pages than 32-bit page numbers.
    #[error("an index can have at most {} pages; divide the input by site or by date", u32::MAX)]
    TooMany,
    /// The caller asked to stop. The work can be resumed from what is on disk.
    #[error("stopped; run the same command again to resume")]
    Stopped,
}

/// Adds a path to a system error.
pub(crate) fn at(path: &Path) -> impl Fn(io::Error) -> DedupError + '_ {
    move |error| DedupError::Io { path: path.to_owned(), error }
}

pub(crate) fn damaged(path: &Path, what: impl Into<String>) -> DedupError {
    DedupError::Damaged { path: path.to_owned(), what: what.into() }
}

impl From<IoError> for DedupError {
    fn from(IoError { path, error, .. }: IoError) -> DedupError {
        DedupError::Io { path, error }
    }
}

impl From<RecordError> for DedupError {
    fn from(error: RecordError) -> DedupError {
        match error {
            RecordError::Io(error) => error.into(),
            RecordError::Damaged { path, reason } => damaged(&path, reason),
        }
    }
}
