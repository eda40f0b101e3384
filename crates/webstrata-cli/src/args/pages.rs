//! What `extract` and `segment` share besides input and limits.

use super::When;
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
    /// Use colours; the environment variable NO_COLOR turns them off, too
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = When::Auto, help_heading = "Execution")]
    pub(crate) color: When,
    /// Read options that are not given from this file (TOML)
    ///
    /// The default is $WEBSTRATA_CONFIG, or else webstrata/config.toml in $XDG_CONFIG_HOME (~/.config), if it exists. Tables are
    /// [extract] and [segment], keys are the long names of options: `format = "markdown"`, `no-comments = true`,
    /// `exclude = [".ad", "#cookie"]`.
    #[arg(long, value_name = "FILE", help_heading = "Execution", value_hint = ValueHint::FilePath, conflicts_with = "no_config")]
    pub(crate) config: Option<PathBuf>,
    /// Do not read a configuration file
    #[arg(long, help_heading = "Execution")]
    pub(crate) no_config: bool,
}
