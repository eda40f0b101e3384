//! Errors of link graphs.

use crate::io::IoError;
use crate::io::record_file::RecordError;
use crate::store::StoreError;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a graph could not be built, opened, exported or ranked.
#[derive(Debug, Error)]
pub enum GraphError {
    /// A file could not be read or written.
    #[error(transparent)]
    Io(#[from] IoError),
    /// A run could not be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A temporary file changed between writing and reading.
    #[error("{} is damaged: {reason}; check the disk", path.display())]
    Temporary {
        /// The file.
        path: PathBuf,
        /// A description of the problem.
        reason: &'static str,
    },
    /// A line of a text file is invalid.
    #[error("{}, line {line}: {reason}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// A description of the problem and its remedy.
        reason: String,
    },
    /// A compressed file cannot be decompressed.
    #[error("{} is damaged near byte {offset} ({reason}); copy or download it again, or salvage the part that can be decompressed", path.display())]
    Decompress {
        /// The file.
        path: PathBuf,
        /// Position in the compressed file.
        offset: u64,
        /// A description of the problem.
        reason: String,
    },
    /// A graph has no links.
    #[error("{} has no links; a graph needs at least one line `from<TAB>to`", .0.display())]
    Empty(PathBuf),
    /// A graph has more pages than page numbers allow.
    #[error("more than {limit} pages; use hosts instead, or part of the graph", limit = super::MAX_PAGES)]
    TooLarge,
    /// A graph file is damaged.
    #[error("{} is not a readable graph: {reason}; build it again with `webstrata graph build`", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// A description of the problem.
        reason: String,
    },
    /// A BVGraph cannot be read or written.
    #[error("cannot {action} the BVGraph {}: {reason}", path.display())]
    BvGraph {
        /// The attempted action, as a verb: `read`, `write`.
        action: &'static str,
        /// Its path, without extension.
        path: PathBuf,
        /// A description of the problem.
        reason: String,
    },
    /// The program cannot handle BVGraphs.
    #[error("built without BVGraph support; rebuild with --features bvgraph")]
    NoBvGraph,
    /// An option has an invalid value.
    #[error("{0}")]
    Option(String),
    /// The caller stopped the work.
    #[error("stopped")]
    Stopped,
}

impl GraphError {
    /// The error for a damaged graph file.
    pub(crate) fn damaged(path: &Path, reason: impl ToString) -> GraphError {
        GraphError::Damaged { path: path.to_owned(), reason: reason.to_string() }
    }
}

impl From<RecordError> for GraphError {
    fn from(error: RecordError) -> GraphError {
        match error {
            RecordError::Io(error) => error.into(),
            RecordError::Damaged { path, reason } => GraphError::Temporary { path, reason },
        }
    }
}
