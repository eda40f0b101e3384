//! What can go wrong with files of a run.

use crate::io::IoError;
use std::io;
use std::path::{Path, PathBuf};

/// Why something could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A file could not be read or written.
    #[error(transparent)]
    Io(#[from] IoError),
    /// A file is not what it was when it was written.
    #[error("{} is damaged: {reason}; remove the folder of the run and make it again", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The folder holds no output of `webstrata run`.
    #[error("{} holds no run: there is no manifest.json; name a folder that `webstrata run --out` has written", .0.display())]
    NoRun(PathBuf),
    /// The run has not come to its end.
    #[error("the run in {} is not complete; give the command that made it once more, and it goes on", .0.display())]
    Incomplete(PathBuf),
    /// The folder holds a run with other settings or another input.
    #[error(
        "{} holds a run that is another one: {difference}; give the folder of --out another name, or remove it to begin anew",
        path.display()
    )]
    Changed {
        /// The folder.
        path: PathBuf,
        /// What is not the same.
        difference: String,
    },
    /// The folder holds other files.
    #[error("{} is not empty and holds no run; give --out the name of a new folder", .0.display())]
    Occupied(PathBuf),
    /// Another process writes the same run.
    #[error("{} is being written by another process; wait for its end, or give --out another name", .0.display())]
    Busy(PathBuf),
    /// The run was written without this table.
    #[error("the run in {} has no table `{table}`: it was written as {format} with {tables}", path.display())]
    NoTable {
        /// The folder.
        path: PathBuf,
        /// The table that was asked for.
        table: &'static str,
        /// The format that the run has.
        format: &'static str,
        /// The tables that it has.
        tables: String,
    },
    /// Rows cannot be put into a format.
    #[error("cannot encode the table `{table}`: {reason}; please report it")]
    Encode {
        /// The table.
        table: &'static str,
        /// What the encoder says.
        reason: String,
    },
}

impl StoreError {
    /// The system refused to do something with a file.
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> StoreError {
        let add_path = IoError::on(action, path);
        move |error| StoreError::Io(add_path(error))
    }

    /// A file is damaged.
    pub(crate) fn damaged(path: &Path, reason: impl ToString) -> StoreError {
        StoreError::Damaged { path: path.to_owned(), reason: reason.to_string() }
    }

    /// Is there no room left, on the disk or for the user?
    #[must_use]
    pub fn is_out_of_room(&self) -> bool {
        matches!(self, StoreError::Io(error) if error.is_out_of_space())
    }
}
