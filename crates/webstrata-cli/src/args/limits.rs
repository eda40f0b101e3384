//! Limits per page, and how a command runs: the same for every command that reads pages.

use super::values::{ByteSize, Seconds};
use clap::{Args, ValueEnum};
use std::sync::Arc;
use std::time::Duration;
use webstrata::Limits;
use webstrata_corpus::executor::ExecutorOptions;
use webstrata_corpus::progress::Show;

/// Default time limit. The engine needs milliseconds; this is for sleeping disks and stalled pipes.
const TIMEOUT: Seconds = Seconds(Some(Duration::from_secs(30)));
/// Default size limit: no page meant for readers is that large.
const MAX_BYTES: ByteSize = ByteSize(32 << 20);

/// When something is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    /// On a terminal
    Auto,
    /// Never
    Never,
    /// Always
    Always,
}

impl From<When> for Show {
    fn from(when: When) -> Show {
        match when {
            When::Auto => Show::Auto,
            When::Never => Show::Never,
            When::Always => Show::Always,
        }
    }
}

/// Limits per page.
#[derive(Debug, Args)]
pub(crate) struct LimitArgs {
    /// Maximum size of a page (4096, 512kB, 256MB); the rest is cut off
    #[arg(long, value_name = "SIZE", default_value_t = MAX_BYTES, help_heading = "Limits")]
    pub(crate) max_bytes: ByteSize,
    /// Maximum number of nodes in the tree of a page; the rest is cut off
    #[arg(long, value_name = "N", default_value_t = Limits::default().nodes, help_heading = "Limits",
        value_parser = clap::value_parser!(u32).range(1..=i64::from(Limits::MAX_NODES)))]
    pub(crate) max_nodes: u32,
    /// Maximum depth of nested elements; deeper ones are attached at that depth
    #[arg(long, value_name = "N", default_value_t = Limits::default().depth, help_heading = "Limits",
        value_parser = clap::value_parser!(u16).range(1..=i64::from(Limits::MAX_DEPTH)))]
    pub(crate) max_depth: u16,
    /// Time limit per page in seconds, including reading its file; 0 = no limit
    #[arg(long, value_name = "SECONDS", default_value_t = TIMEOUT, help_heading = "Limits")]
    pub(crate) timeout: Seconds,
}

impl LimitArgs {
    pub(crate) fn limits(&self) -> Limits {
        Limits::default().bytes(self.max_bytes.0).nodes(self.max_nodes).depth(self.max_depth)
    }
}

/// How a command runs.
#[derive(Debug, Args)]
pub(crate) struct ExecutionArgs {
    /// Number of threads; 0 = one per core
    #[arg(long, default_value_t = 0, value_name = "N", help_heading = "Execution", value_parser = clap::value_parser!(u16).range(..=1024))]
    pub(crate) threads: u16,
    /// Print neither page errors nor a summary; the exit code still reports failures
    #[arg(short, long, help_heading = "Execution")]
    pub(crate) quiet: bool,
    /// Show progress on standard error: pages and bytes per second, time left
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = When::Auto, help_heading = "Execution")]
    pub(crate) progress: When,
}

impl ExecutionArgs {
    /// Threads and time limit of the executor.
    pub(crate) fn executor(&self, limits: &LimitArgs) -> ExecutorOptions {
        ExecutorOptions {
            threads: usize::from(self.threads),
            timeout: limits.timeout.0,
            cancel: Arc::default(),
            times: Arc::default(),
        }
    }
}
