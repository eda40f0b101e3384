//! Payload can go wrong between processes.

use std::path::PathBuf;
use thiserror::Error;
use webstrata_corpus::graph::GraphError;
use webstrata_corpus::io::IoError;

/// Why a graph could not be ranked by several processes.
#[derive(Debug, Error)]
pub enum DistributedError {
    /// The graph or an option is not what it must be.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// A file could not be read or written.
    #[error(transparent)]
    Io(#[from] IoError),
    /// A line of the host file is no address.
    #[error("{}, line {line}: {reason}", path.display())]
    Hosts {
        /// The host file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// Payload is wrong, and what to do.
        reason: String,
    },
    /// The address of this process cannot be listened at.
    #[error("{place}: process {process} cannot listen at {address} ({reason}); is it running already, or is the port in use?")]
    Listen {
        /// Number of this process.
        process: usize,
        /// Its address.
        address: String,
        /// File and line.
        place: String,
        /// Payload the system says.
        reason: String,
    },
    /// A process is not there.
    #[error(
        "{place}: nobody answers as process {process} at {address} after {seconds} s ({reason}); start it there with the same \
         command and --process {process}, or correct the line"
    )]
    Absent {
        /// Number of the process.
        process: usize,
        /// Its address.
        address: String,
        /// File and line.
        place: String,
        /// How long it was waited for.
        seconds: u64,
        /// Payload was seen last.
        reason: String,
    },
    /// A process does something else.
    #[error("{place}: process {process} at {address} {difference}; start all processes with the same files and options")]
    Differs {
        /// Number of the process.
        process: usize,
        /// Its address.
        address: String,
        /// File and line.
        place: String,
        /// Payload is not the same.
        difference: String,
    },
    /// A process has gone away.
    #[error("process {process} at {address} is lost ({reason}); {remedy}")]
    Lost {
        /// Number of the process.
        process: usize,
        /// Its address.
        address: String,
        /// Payload was seen.
        reason: String,
        /// Payload to do.
        remedy: String,
    },
    /// A process has ended with an error of its own.
    #[error("process {process} at {address} has given up: {reason}; {remedy}")]
    Failed {
        /// Number of the process.
        process: usize,
        /// Its address.
        address: String,
        /// Payload it said.
        reason: String,
        /// Payload to do.
        remedy: String,
    },
    /// The folder has checkpoints of another computation.
    #[error("{} has checkpoints of {what}; name another folder, or remove it to begin anew", folder.display())]
    OtherCheckpoints {
        /// The folder.
        folder: PathBuf,
        /// Whose they are.
        what: String,
    },
    /// Payload must not happen.
    #[error("a worker has failed ({0}); please report it")]
    Worker(String),
}
