//! PageRank by several processes, on timely dataflow (F. McSherry and others): the computation of [`rank`](webstrata_corpus::graph::rank), with the pages
//! of a graph partitioned by whole hosts.
//!
//! Every worker opens the same graph and keeps the links among its own pages. Within a worker, pages read the newest values, as in a
//! single process; between workers, those of the previous iteration: one number for each page with predecessors on another worker,
//! the sum of what these carry, rather than one per link. The list of such pages is sent once. All workers see the same sums in the
//! same order, so all stop at the same iteration, and ranks are bit-identical for a given number of workers.
//!
//! `partition.rs` assigns hosts to workers, `subgraph.rs` extracts the links of a worker, `worker.rs` iterates, `exchange.rs` has the
//! dataflow, `checkpoint.rs` saves state. Between processes: `hosts.rs` and `handshake.rs` (membership), `connection.rs` and `frame.rs`
//! (protocol), `transport.rs` (what timely sees of a connection), `abort.rs` (failures).
//!
//! Processes trust each other: nothing is encrypted, and anyone who knows the handshake can send votes. Use a private network.

mod abort;
mod checkpoint;
mod connection;
mod error;
mod exchange;
mod fingerprint;
mod frame;
mod handshake;
mod hosts;
mod partition;
mod run;
mod subgraph;
#[cfg(test)]
mod tests;
mod transport;
mod worker;

pub use checkpoint::Checkpoints;
pub use error::DistributedError;
pub use hosts::{Hosts, MAX_PROCESSES};
pub use run::{DistributedRanks, solve_distributed};

use std::time::Duration;
use webstrata_corpus::graph::rank::Iteration;

/// Workers and processes.
#[derive(Clone, Debug)]
pub enum Topology {
    /// Workers in this process.
    Workers(usize),
    /// One worker in each of several processes.
    Processes {
        /// Addresses of all processes.
        hosts: Hosts,
        /// Number of this process.
        process: usize,
        /// How long to wait for the others at the start.
        timeout: Duration,
    },
}

/// How a computation is distributed.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Workers and processes.
    pub topology: Topology,
    /// Checkpoints, to resume after a failure.
    pub checkpoints: Option<Checkpoints>,
}

/// Something to report while the computation runs.
#[derive(Clone, Debug)]
pub enum Event {
    /// Waiting for a process.
    Waiting {
        /// Its number.
        process: usize,
        /// Its address.
        address: String,
    },
    /// A message for the user.
    Note(String),
    /// The computation resumes after this iteration.
    Resumed(u64),
    /// An iteration is done.
    Iteration(Iteration),
}

/// Statistics of a computation. Only the first process knows the numbers of bytes.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Number of workers, and so of partitions.
    pub workers: usize,
    /// Number of links of the graph.
    pub links: u64,
    /// Number of links between pages of different workers.
    pub links_between: u64,
    /// Votes sent per iteration: one for each page and other worker with links to it.
    pub votes: u64,
    /// Iterations, including those before the checkpoint.
    pub iterations: usize,
    /// Iteration of the checkpoint; 0 if the computation started from the beginning.
    pub resumed: u64,
    /// Residual of the last iteration.
    pub residual: f64,
    /// Whether the tolerance was reached.
    pub converged: bool,
    /// Bytes sent by all processes before the first iteration: mostly lists of pages.
    pub bytes_before: u64,
    /// Bytes sent during iterations; 0 within one process.
    pub bytes: u64,
}

impl Report {
    /// Share of links between different workers.
    #[must_use]
    pub fn share_between(&self) -> f64 {
        self.links_between as f64 / self.links.max(1) as f64
    }

    /// Votes per iteration and link.
    #[must_use]
    pub fn votes_per_link(&self) -> f64 {
        self.votes as f64 / self.links.max(1) as f64
    }

    /// Bytes sent per iteration.
    #[must_use]
    pub fn bytes_per_iteration(&self) -> f64 {
        // There is one more exchange than iterations: the starting values are sent, too.
        self.bytes as f64 / ((self.iterations as u64).saturating_sub(self.resumed) + 1) as f64
    }
}
