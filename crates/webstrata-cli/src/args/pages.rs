//! Options that `extract` and `segment` share besides input and limits.

use super::When;
use super::config_file::ConfigArgs;
use super::input::InputArgs;
use super::limits::{ExecutionArgs, LimitArgs};
use clap::{Args, ValueHint};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct PageArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// Address of the page, for resolving links and images
    ///
    /// Addresses in lists, WARC records and columns take precedence.
    #[arg(long, value_name = "URL", help_heading = "Input", value_hint = ValueHint::Url)]
    pub(crate) base_url: Option<String>,

    /// Write to this file or folder instead of standard output
    ///
    /// PATH is a folder if it exists as one, if it ends with `/`, or if there are several pages and the format is neither json nor
    /// jsonl. In a folder every page has its own file, and the folder structure is kept: below the input folder if there is only
    /// one, else from the root. A file appears when it is complete.
    #[arg(short, long, value_name = "PATH", help_heading = "Output", value_hint = ValueHint::AnyPath)]
    pub(crate) out: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[command(flatten)]
    pub(crate) execution: ExecutionArgs,
    /// Stop at the first page that fails
    #[arg(long, help_heading = "Execution")]
    pub(crate) fail_fast: bool,
    /// Use colours; the environment variable NO_COLOR also turns them off
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = When::Auto, help_heading = "Execution")]
    pub(crate) color: When,
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
}
