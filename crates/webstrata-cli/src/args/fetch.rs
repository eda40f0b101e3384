//! Options of fetching.

use super::values::Seconds;
use clap::{Args, ValueHint};
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Args)]
pub(crate) struct FetchArgs {
    /// Fetch the pages of a list of addresses, one per line; `-` is standard input
    ///
    /// robots.txt is obeyed, and a host gets one request at a time. Private, loopback and link-local addresses are never fetched from.
    #[arg(long, value_name = "FILE|-", help_heading = "Fetching", value_hint = ValueHint::FilePath)]
    pub(crate) urls_from: Option<PathBuf>,
    /// Keep what was fetched as a WARC file, from which the command can be repeated
    #[arg(long, value_name = "FILE.warc.gz", help_heading = "Fetching", value_hint = ValueHint::FilePath)]
    pub(crate) save_warc: Option<PathBuf>,
    /// What webstrata calls itself when it fetches; add how to reach you
    #[arg(long, value_name = "NAME", help_heading = "Fetching")]
    pub(crate) user_agent: Option<String>,
    /// Least pause between two requests to a host, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = Seconds(Some(Duration::from_secs(1))), help_heading = "Fetching")]
    pub(crate) delay: Seconds,
    /// How often a request that failed is tried again
    #[arg(long, value_name = "N", default_value_t = 2, help_heading = "Fetching", value_parser = clap::value_parser!(u32).range(0..=10))]
    pub(crate) retries: u32,
}
