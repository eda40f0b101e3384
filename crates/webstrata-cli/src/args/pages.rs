//! What `extract` and `segment` share: which pages, where results go, caps, how the run behaves.

use super::values::{Bytes, Seconds};
use clap::{Args, ValueEnum, ValueHint};
use std::path::PathBuf;
use std::time::Duration;
use webstrata::Limits;
use webstrata_corpus::progress::Show;

/// Time for a page when none is given. The engine needs milliseconds; this is for disks that sleep and pipes that stall.
const TIMEOUT: Seconds = Seconds(Some(Duration::from_secs(30)));

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

/// What `extract` and `segment` share.
#[derive(Debug, Args)]
pub(crate) struct PageArgs {
    /// Pages: files, folders, quoted patterns such as 'crawl/**/*.html', or `-` for standard input
    ///
    /// In folders the pages are the files whose names end as --ext says, at any depth, in the order of the bytes of their
    /// names. Symbolic links in folders are not followed; name their targets.
    #[arg(value_name = "PATH", help_heading = "Input", value_hint = ValueHint::AnyPath)]
    pub(crate) paths: Vec<PathBuf>,
    /// Read names of pages from a file, one a line; `-` is standard input
    ///
    /// A line is FILE, or FILE<TAB>URL, or {"file": …, "url": …}, where the URL is the address that the page came from. It
    /// takes the place of --base-url for that page. Pages are not fetched.
    #[arg(long, value_name = "FILE|-", help_heading = "Input", value_hint = ValueHint::FilePath)]
    pub(crate) files_from: Option<PathBuf>,
    /// Endings of the names of pages in folders
    #[arg(long, value_name = "EXT,…", value_delimiter = ',', default_value = "html,htm,xhtml,shtml", help_heading = "Input")]
    pub(crate) ext: Vec<String>,
    /// Address of the page, against which links and images are resolved
    #[arg(long, value_name = "URL", help_heading = "Input", value_hint = ValueHint::Url)]
    pub(crate) base_url: Option<String>,
    /// Encoding of all pages (a label such as utf-8 or shift_jis), whatever they say themselves
    #[arg(long, value_name = "LABEL", help_heading = "Input")]
    pub(crate) encoding: Option<String>,
    /// Count the text of noscript elements
    #[arg(long, help_heading = "Input")]
    pub(crate) noscript: bool,

    /// Write to this file or folder instead of standard output
    ///
    /// It is a folder if there is one, if the name ends with `/`, or if there are several pages and the format is not json
    /// or jsonl. In a folder every page has a file of its own, and the names keep their structure: that inside the
    /// input folder if there is only one, else all of it. A file appears when it is complete.
    #[arg(short, long, value_name = "PATH", help_heading = "Output", value_hint = ValueHint::AnyPath)]
    pub(crate) output: Option<PathBuf>,

    /// Read at most so many bytes of a page (4096, 512k, 256M); what follows is cut off
    #[arg(long, value_name = "BYTES", default_value_t = Bytes(Limits::default().bytes), help_heading = "Limits")]
    pub(crate) max_bytes: Bytes,
    /// Make at most so many nodes of a page; what follows is cut off
    #[arg(long, value_name = "N", default_value_t = Limits::default().nodes, help_heading = "Limits",
        value_parser = clap::value_parser!(u32).range(1..=i64::from(Limits::MAX_NODES)))]
    pub(crate) max_nodes: u32,
    /// Nest elements at most so deep; deeper ones are attached there
    #[arg(long, value_name = "N", default_value_t = Limits::default().depth, help_heading = "Limits",
        value_parser = clap::value_parser!(u16).range(1..=i64::from(Limits::MAX_DEPTH)))]
    pub(crate) max_depth: u16,
    /// Give up a page after so many seconds, reading it included; 0 is no limit
    #[arg(long, value_name = "SECONDS", default_value_t = TIMEOUT, help_heading = "Limits")]
    pub(crate) timeout: Seconds,

    /// Threads; 0 is one a core
    #[arg(long, default_value_t = 0, value_name = "N", help_heading = "Run", value_parser = clap::value_parser!(u16).range(..=1024))]
    pub(crate) threads: u16,
    /// Stop at the first page that fails
    #[arg(long, help_heading = "Run")]
    pub(crate) fail_fast: bool,
    /// Say nothing about pages that fail; the exit code tells
    #[arg(short, long, help_heading = "Run")]
    pub(crate) quiet: bool,
    /// Show pages per second and the time left, on standard error
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = When::Auto, help_heading = "Run")]
    pub(crate) progress: When,
    /// Use colours; the variable NO_COLOR turns them off too
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = When::Auto, help_heading = "Run")]
    pub(crate) color: When,
    /// Take options that are not typed from this file (TOML, see `webstrata help extract`)
    ///
    /// Without it the file is $WEBSTRATA_CONFIG, or else webstrata/config.toml in $XDG_CONFIG_HOME (~/.config), if there is
    /// one. Tables are [extract] and [segment], keys the long names of options: `format = "markdown"`, `no-comments = true`,
    /// `exclude = [".ad", "#cookie"]`.
    #[arg(long, value_name = "FILE", help_heading = "Run", value_hint = ValueHint::FilePath, conflicts_with = "no_config")]
    pub(crate) config: Option<PathBuf>,
    /// Use no configuration file
    #[arg(long, help_heading = "Run")]
    pub(crate) no_config: bool,
}
