//! Options from a configuration file.

use clap::{Args, ValueHint};
use std::path::PathBuf;

/// Looked up by name before the final parse of the arguments; see `config.rs`.
#[derive(Debug, Args)]
pub(crate) struct ConfigArgs {
    /// Read options not given on the command line from this file (TOML)
    ///
    /// The default is $WEBSTRATA_CONFIG, or else webstrata/config.toml in $XDG_CONFIG_HOME (~/.config), if it exists. Tables are
    /// [extract], [segment], [index] and [search]; keys are the long option names: `format = "markdown"`,
    /// `no-comments = true`, `exclude = [".ad", "#cookie"]`.
    #[arg(long, value_name = "FILE", help_heading = "Execution", value_hint = ValueHint::FilePath, conflicts_with = "no_config")]
    pub(crate) config: Option<PathBuf>,
    /// Do not read a configuration file
    #[arg(long, help_heading = "Execution")]
    pub(crate) no_config: bool,
}
