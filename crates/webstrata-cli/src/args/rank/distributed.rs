//! Arguments of `rank pagerank` for several processes.

use clap::{Args, ValueHint};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct DistributedArgs {
    /// Rank with several processes: a file with the address of each, one per line, such as node1:4700
    ///
    /// Start every process with the same command and its own --process. Pages are partitioned by host; every process opens the
    /// whole graph and keeps its own part in memory. Use a trusted network: nothing is encrypted.
    #[arg(long, value_name = "FILE", requires = "process", help_heading = "Several processes", value_hint = ValueHint::FilePath)]
    pub(crate) host_file: Option<PathBuf>,
    /// Number of this process: 0 is the first address of the host file; it writes the ranks
    #[arg(long, value_name = "I", requires = "host_file", help_heading = "Several processes")]
    pub(crate) process: Option<u32>,
    /// Folder for checkpoints; if a process is lost, the same commands resume from the last one
    #[arg(long, value_name = "DIR", requires = "host_file", help_heading = "Several processes", value_hint = ValueHint::DirPath)]
    pub(crate) checkpoint_dir: Option<PathBuf>,
    /// Seconds between checkpoints; 0 = one after every iteration
    #[arg(long, value_name = "SECONDS", default_value_t = 30, help_heading = "Several processes")]
    pub(crate) checkpoint_every: u32,
    /// Seconds to wait for the other processes at the start
    #[arg(long, value_name = "SECONDS", default_value_t = 30, help_heading = "Several processes")]
    pub(crate) connect_timeout: u32,
}
