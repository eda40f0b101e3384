//! Options that decide what counts as content, shared by `extract`, `segment` and `run`.

use super::method::MethodArgs;
use super::site_methods::{PresetName, SiteMethodArgs};
use clap::{Args, ValueHint};
use std::path::PathBuf;
use webstrata::html::{Selector, SelectorError};
use webstrata::label::{RoleSet, UnknownRole};

#[derive(Debug, Args)]
pub(crate) struct ContentArgs {
    /// Method that decides what is content; `webstrata extract --help` lists them
    #[arg(long, default_value_t, help_heading = "Content")]
    pub(crate) preset: PresetName,
    /// Use a trained model instead of a preset: a file from `webstrata-lab train blocks` or `webstrata-lab train strata`
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Content", conflicts_with = "preset")]
    pub(crate) model: Option<PathBuf>,
    /// Favour precision: less text, with less boilerplate
    #[arg(long, help_heading = "Content", conflicts_with = "recall")]
    pub(crate) precision: bool,
    /// Favour recall: more text, at the risk of boilerplate
    #[arg(long, help_heading = "Content")]
    pub(crate) recall: bool,
    /// Leave out readers' comments
    #[arg(long, help_heading = "Content")]
    pub(crate) no_comments: bool,
    /// Leave out data tables; layout tables are not affected
    #[arg(long, help_heading = "Content")]
    pub(crate) no_tables: bool,
    /// Leave out the page's headline, which text, Markdown and HTML otherwise begin with
    #[arg(long, help_heading = "Content")]
    pub(crate) no_title: bool,
    /// Keep blocks with these roles inside and next to the content, such as caption,credit,byline
    ///
    /// Roles are those of `webstrata extract --explain`. Captions and credits of pictures and bylines are left out by default; with
    /// `extract --images`, captions and credits stay with their pictures in Markdown and HTML.
    #[arg(long, value_name = "ROLE,…", value_parser = roles, default_value_t, hide_default_value = true, help_heading = "Content")]
    pub(crate) keep_roles: RoleSet,
    /// Leave out blocks with these roles, such as heading,table
    #[arg(long, value_name = "ROLE,…", value_parser = roles, default_value_t, hide_default_value = true, help_heading = "Content")]
    pub(crate) drop_roles: RoleSet,
    /// Keep text inside elements matching this CSS selector, whatever the method decides; repeatable
    #[arg(long, value_name = "SELECTOR", value_parser = selector, help_heading = "Content")]
    pub(crate) include: Vec<Selector>,
    /// Leave out text inside elements matching this selector; takes precedence; repeatable
    #[arg(long, value_name = "SELECTOR", value_parser = selector, help_heading = "Content")]
    pub(crate) exclude: Vec<Selector>,
    /// Keep only text inside elements matching this selector; repeatable
    #[arg(long, value_name = "SELECTOR", value_parser = selector, help_heading = "Content")]
    pub(crate) only_in: Vec<Selector>,
    /// Per-site rules (TOML): preset, mode and selectors by host
    ///
    /// The host is that of the page's address, or else of its canonical address. A rule is a table such as [site."*.example.org"]
    /// with the keys only, include, exclude, preset, mode, comments and tables. Options on the command line take precedence;
    /// selectors are combined.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Content")]
    pub(crate) site_rules: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) method: MethodArgs,
    #[command(flatten)]
    pub(crate) site: SiteMethodArgs,
}

/// Parses a selector. A separate function, so that clap does not repeat the selector in its error message.
fn selector(text: &str) -> Result<Selector, SelectorError> {
    Selector::parse(text)
}

/// Parses roles; a separate function for the same reason.
fn roles(text: &str) -> Result<RoleSet, UnknownRole> {
    text.parse()
}
