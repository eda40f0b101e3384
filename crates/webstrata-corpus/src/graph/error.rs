//! What can go wrong with a graph.

use crate::store::StoreError;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a graph cannot be made, opened or ranked.
#[derive(Debug, Error)]
pub enum GraphError {
    /// A file could not be read or written.
    #[error(transparent)]
    Io(#[from] crate::io::IoError),
    /// The system refused.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The links of a run cannot be numbered.
    #[error(transparent)]
    Links(#[from] crate::links::GraphError),
    /// A line of an edge list says something that is no link.
    #[error("{}, line {line}: {reason}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What is wrong, and what to do.
        reason: String,
    },
    /// A packed file cannot be unpacked.
    #[error("{} is damaged near byte {offset} ({reason}); copy or download it again, or unpack what is left of it", path.display())]
    Unpack {
        /// The file.
        path: PathBuf,
        /// Where, in the packed file.
        offset: u64,
        /// What is wrong.
        reason: String,
    },
    /// There is nothing to rank.
    #[error("{} has no links; a graph needs one line `from<TAB>to` at least", .0.display())]
    Empty(PathBuf),
    /// A graph has more pages than numbers.
    #[error("more than {limit} pages; rank hosts instead, or part of the graph", limit = super::MAX_PAGES)]
    TooLarge,
    /// A file of a graph is not what it was when it was written.
    #[error("{} is no graph that can be read: {reason}; make it again with `webstrata rank build`", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A BVGraph cannot be read.
    #[error("cannot read the BVGraph {}: {reason}", path.display())]
    BvGraph {
        /// Its name, without an ending.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The solver cannot work with an option.
    #[error("{0}")]
    Option(String),
    /// The caller has ended the work.
    #[error("stopped")]
    Stopped,
}

impl From<crate::io::record_file::RecordError> for GraphError {
    fn from(error: crate::io::record_file::RecordError) -> GraphError {
        GraphError::Links(error.into())
    }
}

impl GraphError {
    /// A file is not what it should be.
    pub(crate) fn damaged(path: &Path, reason: impl ToString) -> GraphError {
        GraphError::Damaged { path: path.to_owned(), reason: reason.to_string() }
    }
}
