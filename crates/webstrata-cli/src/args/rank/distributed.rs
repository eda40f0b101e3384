//! Options of `rank pagerank` for several processes.

use clap::{Args, ValueHint};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct DistributedArgs {
    /// Rank by several processes: a file with the address of each, a line a process, as node1:4700
    ///
    /// Give every process the same command, and each its number. Pages are dealt out by whole hosts; every process opens the whole graph, and
    /// keeps its own part in memory. The network must be one that you trust.
    #[arg(long, value_name = "FILE", requires = "process", help_heading = "Several processes", value_hint = ValueHint::FilePath)]
    pub(crate) hosts: Option<PathBuf>,
    /// The number of this process: 0 is the first address of the host file. Process 0 writes the ranks
    #[arg(long, value_name = "I", requires = "hosts", help_heading = "Several processes")]
    pub(crate) process: Option<u32>,
    /// Folder for checkpoints: if a process is lost, the same commands go on from the last one
    #[arg(long, value_name = "DIR", requires = "hosts", help_heading = "Several processes", value_hint = ValueHint::DirPath)]
    pub(crate) checkpoint_dir: Option<PathBuf>,
    /// Seconds between checkpoints; 0 writes one after every round
    #[arg(long, value_name = "SECONDS", default_value_t = 30, help_heading = "Several processes")]
    pub(crate) checkpoint_every: u32,
    /// Seconds that the other processes are waited for at the beginning
    #[arg(long, value_name = "SECONDS", default_value_t = 30, help_heading = "Several processes")]
    pub(crate) connect_timeout: u32,
}
