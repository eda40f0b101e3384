//! Options for fetching.

use super::values::Seconds;
use clap::{Args, ValueHint};
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Args)]
pub(crate) struct FetchArgs {
    /// Fetch the pages at the addresses in a list, one per line; `-` is standard input
    ///
    /// Addresses can also be given as PATH. robots.txt is obeyed, and each host gets one request at a time. Nothing is ever
    /// fetched from private, loopback or link-local addresses.
    #[arg(long, value_name = "FILE|-", help_heading = "Fetching", value_hint = ValueHint::FilePath)]
    pub(crate) urls_from: Option<PathBuf>,
    /// Save the fetched pages as a WARC file, from which the command can be repeated
    #[arg(long, value_name = "FILE.warc.gz", help_heading = "Fetching", value_hint = ValueHint::FilePath)]
    pub(crate) save_warc: Option<PathBuf>,
    /// User-Agent to send when fetching; include a way to contact you
    #[arg(long, value_name = "NAME", help_heading = "Fetching")]
    pub(crate) user_agent: Option<String>,
    /// Minimum delay between two requests to the same host, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = Seconds(Some(Duration::from_secs(1))), help_heading = "Fetching")]
    pub(crate) delay: Seconds,
    /// Number of retries for a failed request
    #[arg(long, value_name = "N", default_value_t = 2, help_heading = "Fetching", value_parser = clap::value_parser!(u32).range(0..=10))]
    pub(crate) retries: u32,
}
