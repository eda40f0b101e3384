//! Command-line arguments.

mod config_file;
mod content;
mod dedup;
mod extract;
#[cfg(feature = "serve")]
mod fetch;
mod graph;
#[cfg(feature = "search")]
mod index;
mod input;
mod limits;
mod method;
mod pages;
mod rank;
mod run;
#[cfg(feature = "search")]
mod search;
mod segment;
#[cfg(feature = "serve")]
mod serve;
mod site;
mod site_methods;
#[cfg(feature = "stats")]
mod stats;
mod values;

pub(crate) use content::ContentArgs;
pub(crate) use dedup::DedupArgs;
pub(crate) use extract::{ExtractArgs, ExtractFormat, TablesFormat};
pub(crate) use graph::{
    GraphAddArgs, GraphArgs, GraphBacklinksArgs, GraphBuildArgs, GraphCommand, GraphExportArgs, GraphGenerateArgs, GraphInput,
    ProgressArgs,
};
#[cfg(feature = "search")]
pub(crate) use index::IndexArgs;
pub(crate) use input::InputArgs;
pub(crate) use limits::When;
pub(crate) use pages::PageArgs;
pub(crate) use rank::{
    DimensionName, PagerankArgs, RankArgs, RankCommand, RankCompareArgs, RankFacetsArgs, RankFormatName, RankTopicsArgs, SurferName,
};
pub(crate) use run::RunArgs;
#[cfg(feature = "search")]
pub(crate) use search::{SearchArgs, SearchFormat};
#[cfg(feature = "layout")]
pub(crate) use segment::LayoutName;
pub(crate) use segment::{MethodName, Methods, SegmentArgs, SegmentFormat};
#[cfg(feature = "serve")]
pub(crate) use serve::ServeArgs;
pub(crate) use site::SiteArgs;
pub(crate) use site_methods::PresetName;
#[cfg(feature = "stats")]
pub(crate) use stats::{CountingArgs, StatsArgs, StatsCommand, StatsCountArgs, StatsPagesArgs, StatsReportArgs, StatsWalksArgs};

use clap::{Args, Parser, Subcommand, ValueHint};
use std::path::PathBuf;

/// The exit codes of all commands.
const EXIT_CODES: &str = "\
Exit codes: 0 success; 1 some pages failed (they are named on standard error); 2 the command
cannot be executed as given; 3 no content found, or no page could be read; 130 interrupted, 143
terminated by SIGTERM.";

/// Extracts the main content and the segments of Web pages, traced to the byte.
#[derive(Debug, Parser)]
#[command(name = "webstrata", version, after_help = EXIT_CODES, subcommand_required = true, arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Extract the main content of pages as text, Markdown, HTML or JSON
    Extract(Box<ExtractArgs>),
    /// Divide pages into segments with role, reason and byte ranges
    Segment(Box<SegmentArgs>),
    /// Turn a crawl into tables of pages, segments and links (Parquet or JSON Lines); resumable
    Run(Box<RunArgs>),
    /// Learn templates and segment classes from the pages of a site, as evidence for `run`
    Site(Box<SiteArgs>),
    /// Find exact and near duplicates among any number of pages
    Dedup(Box<DedupArgs>),
    /// Build, extend, query, export and generate link graphs
    Graph(Box<GraphArgs>),
    /// Rank pages by their links: PageRank, topic-sensitive ranks, facets
    Rank(Box<RankArgs>),
    /// Make a crawl, or the tables of a run, searchable; resumable
    #[cfg(feature = "search")]
    Index(Box<IndexArgs>),
    /// Search an index: results ranked by what matched and where, with snippets, filters and facets
    #[cfg(feature = "search")]
    Search(Box<SearchArgs>),
    /// Explore pages, segments, sites, links and searches in a browser, or through an HTTP API
    #[cfg(feature = "serve")]
    Serve(Box<ServeArgs>),
    /// Fit the laws of Web text to a corpus, with a report and figures; simulate pages and surfers
    #[cfg(feature = "stats")]
    Stats(StatsArgs),
    /// Print shell completions
    Completions(CompletionsArgs),
    /// Write manual pages
    Man(ManArgs),
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  webstrata completions bash > ~/.local/share/bash-completion/completions/webstrata
  webstrata completions zsh > ~/.zfunc/_webstrata                        (a folder in $fpath)
  webstrata completions fish > ~/.config/fish/completions/webstrata.fish")]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  webstrata man ~/.local/share/man/man1     write webstrata.1, webstrata-extract.1 and so on
  webstrata man | man -l -                  show the page of webstrata itself")]
pub(crate) struct ManArgs {
    /// Folder for the manual pages of all commands; without it, that of webstrata is written to standard output
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) folder: Option<PathBuf>,
}
