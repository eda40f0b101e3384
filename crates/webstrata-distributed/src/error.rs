//! Errors of distributed computations.

use std::path::PathBuf;
use thiserror::Error;
use webstrata_corpus::graph::GraphError;
use webstrata_corpus::io::IoError;

/// Why a distributed computation failed.
#[derive(Debug, Error)]
pub enum DistributedError {
    /// The graph or an option is invalid.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// A file could not be read or written.
    #[error(transparent)]
    Io(#[from] IoError),
    /// A line of the host file is invalid.
    #[error("{}, line {line}: {reason}", path.display())]
    Hosts {
        /// The host file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong, and what to do.
        reason: String,
    },
    /// This process cannot listen at its address.
    #[error("{place}: process {process} cannot listen at {address} ({reason}); is it running already, or is the port in use?")]
    Listen {
        /// Number of this process.
        process: usize,
        /// Its address.
        address: String,
        /// File and line.
        place: String,
        /// The system's error.
        reason: String,
    },
    /// A process did not answer in time.
    #[error(
        "{place}: no answer from process {process} at {address} after {seconds} s ({reason}); start it there with the same \
         command and --process {process}, or correct the line"
    )]
    Absent {
        /// Number of the process.
        process: usize,
        /// Its address.
        address: String,
        /// File and line.
        place: String,
        /// Waiting time.
        seconds: u64,
        /// The last error.
        reason: String,
    },
    /// A process computes something else.
    #[error("{place}: process {process} at {address} {difference}; start all processes with the same files and options")]
    Differs {
        /// Number of the process.
        process: usize,
        /// Its address.
        address: String,
        /// File and line.
        place: String,
        /// What differs.
        difference: String,
    },
    /// The connection to a process was lost.
    #[error("process {process} at {address} is lost ({reason}); {remedy}")]
    Lost {
        /// Number of the process.
        process: usize,
        /// Its address.
        address: String,
        /// The error.
        reason: String,
        /// What to do.
        remedy: String,
    },
    /// A process failed.
    #[error("process {process} at {address} failed: {reason}; {remedy}")]
    Failed {
        /// Number of the process.
        process: usize,
        /// Its address.
        address: String,
        /// Its error.
        reason: String,
        /// What to do.
        remedy: String,
    },
    /// The folder has checkpoints of another computation.
    #[error("{} has checkpoints of {what}; choose another folder, or remove it to start over", folder.display())]
    OtherCheckpoints {
        /// The folder.
        folder: PathBuf,
        /// What they belong to.
        what: String,
    },
    /// An internal error.
    #[error("a worker failed ({0}); please report it")]
    Worker(String),
}
