//! PageRank by several processes, on timely dataflow (F. McSherry and others): the computation of [`rank`](webstrata_corpus::graph::rank), with the pages
//! of a graph dealt out by whole hosts.
//!
//! Every worker opens the same graph and keeps the links among its own pages. Within a worker the newest values count, as in
//! one process; between workers those of the last round, and of them one number for each page that somebody else's pages link to, the sum
//! of what these carry, not one for each link. The list of such pages is sent once. All workers see the same sums in the same order, so all
//! stop in the same round, and the ranks for a number of workers are the same bits wherever these run.
//!
//! `deal.rs` says whose pages are whose, `part.rs` cuts out the links of a worker, `work.rs` has the rounds, `post.rs` the dataflow,
//! `checkpoint.rs` what is kept of a round. Between processes: `hosts.rs` and `greet.rs` (who takes part), `line.rs` and `frame.rs` (what goes over
//! a connection), `pipe.rs` (what timely sees of it), `alarm.rs` (what ends the work).
//!
//! A process that takes part is trusted: nothing is encrypted, and who knows the greeting may send votes. Use a network of your own.

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

/// Who works.
#[derive(Clone, Debug)]
pub enum Topology {
    /// So many workers in this process.
    Workers(usize),
    /// A worker in each of several processes.
    Processes {
        /// All of them.
        hosts: Hosts,
        /// The number of this one.
        process: usize,
        /// How long the others are waited for at the beginning.
        timeout: Duration,
    },
}

/// How the work is spread.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Who works.
    pub topology: Topology,
    /// Payload is kept for the case that something breaks.
    pub checkpoints: Option<Checkpoints>,
}

/// Payload is told while it goes on.
#[derive(Clone, Debug)]
pub enum Event {
    /// A process is waited for.
    Waiting {
        /// Its number.
        process: usize,
        /// Its address.
        address: String,
    },
    /// Something that the user should know.
    Note(String),
    /// Work goes on behind this round.
    Resumed(u64),
    /// A round is done.
    Iteration(Iteration),
}

/// How the work went. Bytes are known to the first process only.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Workers, and so partitions.
    pub workers: usize,
    /// Links of the graph.
    pub links: u64,
    /// Links from a page of one worker to a page of another.
    pub links_between: u64,
    /// Votes that are sent in a round: one for each page that another worker's pages link to, and worker.
    pub votes: u64,
    /// Rounds, with those before the checkpoint that it went on from.
    pub iterations: usize,
    /// The round that it went on from; 0 if it began anew.
    pub resumed: u64,
    /// The residual of the last round.
    pub residual: f64,
    /// Did it come to the residual that was asked for?
    pub converged: bool,
    /// Bytes that all processes sent before the first round: lists of pages, for the most part.
    pub bytes_before: u64,
    /// Bytes that they sent in rounds; nothing within one process.
    pub bytes: u64,
}

impl Report {
    /// Share of links that lead to another worker's page.
    #[must_use]
    pub fn share_between(&self) -> f64 {
        self.links_between as f64 / self.links.max(1) as f64
    }

    /// Votes of a round as a share of links.
    #[must_use]
    pub fn votes_per_link(&self) -> f64 {
        self.votes as f64 / self.links.max(1) as f64
    }

    /// Bytes that were sent in a round.
    #[must_use]
    pub fn bytes_per_iteration(&self) -> f64 {
        // One more exchange than rounds: what the start carries is sent, too.
        self.bytes as f64 / ((self.iterations as u64).saturating_sub(self.resumed) + 1) as f64
    }
}
