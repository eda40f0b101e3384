//! Errors of a run's files.

use super::LAYOUT;
use crate::io::IoError;
use std::io;
use std::path::{Path, PathBuf};

/// Why something could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A file could not be read or written.
    #[error(transparent)]
    Io(#[from] IoError),
    /// A file is damaged.
    #[error("{} is damaged: {reason}; remove the folder and run the command again", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// A description of the problem.
        reason: String,
    },
    /// The folder has no output of `webstrata run`.
    #[error("{} is not a run: there is no manifest.json; name a folder written by `webstrata run --out`", .0.display())]
    NoRun(PathBuf),
    /// The run is not complete.
    #[error("the run in {} is not complete; run its command again to resume it", .0.display())]
    Incomplete(PathBuf),
    /// The folder has a run with different settings or a different input.
    #[error(
        "{} has a different run: {difference}; choose another folder for --out, or remove this one to start over",
        path.display()
    )]
    Changed {
        /// The folder.
        path: PathBuf,
        /// The difference.
        difference: String,
    },
    /// The folder has a run whose tables have different columns.
    #[error(
        "the tables in {} have the schema {layout} of {software}, and this version has {LAYOUT}; run `webstrata run` again with \
         another folder for --out, or use the version that wrote them",
        path.display()
    )]
    OtherSchema {
        /// The folder.
        path: PathBuf,
        /// Its layout.
        layout: String,
        /// The program that wrote it.
        software: String,
    },
    /// The folder has other files.
    #[error("{} is neither empty nor a run; choose a new folder for --out", .0.display())]
    Occupied(PathBuf),
    /// Another process is writing the same run.
    #[error("{} is being written by another process; wait for it, or choose another folder for --out", .0.display())]
    Busy(PathBuf),
    /// The run was written without this table.
    #[error("the run in {} has no table `{table}`: it was written as {format} with {tables}", path.display())]
    NoTable {
        /// The folder.
        path: PathBuf,
        /// The requested table.
        table: &'static str,
        /// The format of the run.
        format: &'static str,
        /// The tables of the run.
        tables: String,
    },
    /// Rows cannot be encoded.
    #[error("cannot encode the table `{table}`: {reason}; please report it")]
    Encode {
        /// The table.
        table: &'static str,
        /// The encoder's error.
        reason: String,
    },
}

impl StoreError {
    /// Adds the action and the path to a system error.
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> StoreError {
        let add_path = IoError::on(action, path);
        move |error| StoreError::Io(add_path(error))
    }

    /// The error for a damaged file.
    pub(crate) fn damaged(path: &Path, reason: impl ToString) -> StoreError {
        StoreError::Damaged { path: path.to_owned(), reason: reason.to_string() }
    }

    /// Whether the disk is full or the user's quota is used up.
    #[must_use]
    pub fn is_out_of_space(&self) -> bool {
        matches!(self, StoreError::Io(error) if error.is_out_of_space())
    }
}
