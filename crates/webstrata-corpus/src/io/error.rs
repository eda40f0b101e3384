//! The error of a file operation.

use std::io;
use std::path::{Path, PathBuf};

/// A file operation that failed.
///
/// The message includes the system's error, so it is not repeated as a `source`.
#[derive(Debug, thiserror::Error)]
#[error("cannot {action} {}: {error}", path.display())]
pub struct IoError {
    /// The attempted action, as a verb: `read`, `write`.
    pub action: &'static str,
    /// The file or folder.
    pub path: PathBuf,
    /// The system's error.
    pub error: io::Error,
}

impl IoError {
    /// Adds the action and the path to a system error, for use with `map_err`.
    pub fn on(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> IoError {
        let path = path.to_owned();
        move |error| IoError { action, path, error }
    }

    /// Whether the disk is full or the user's quota is used up.
    #[must_use]
    pub fn is_out_of_space(&self) -> bool {
        use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
        matches!(self.error.kind(), StorageFull | QuotaExceeded | FileTooLarge)
    }
}
