//! What can be typed.

mod dedup;
mod extract;
mod graph;
mod pages;
mod rank;
mod run;
mod segment;
mod site;
mod values;

pub(crate) use dedup::DedupArgs;
pub(crate) use extract::{ExtractArgs, ExtractFormat};
pub(crate) use graph::{
    GraphAddArgs, GraphArgs, GraphBacklinksArgs, GraphBuildArgs, GraphCommand, GraphExportArgs, GraphGenerateArgs, GraphInput,
    ProgressArgs,
};
pub(crate) use pages::{PageArgs, When};
pub(crate) use rank::{
    DimensionName, PagerankArgs, RankArgs, RankCommand, RankCompareArgs, RankFacetsArgs, RankFormatName, RankTopicsArgs,
};
pub(crate) use run::RunArgs;
pub(crate) use segment::{SegmentArgs, SegmentFormat};
pub(crate) use site::SiteArgs;
pub(crate) use values::Only;

use clap::{Args, Parser, Subcommand, ValueHint};
use std::path::PathBuf;

/// What the exit codes mean, at the end of every help.
const EXIT_CODES: &str = "\
Exit codes: 0 all pages came out; 1 some pages failed (they are named on standard error);
2 the command could not be carried out as given; 3 not one page came out;
130 it was interrupted (143: asked to end).";

/// Finds the strata of Web pages: clean text and labelled segments, traced to the byte.
#[derive(Debug, Parser)]
#[command(name = "webstrata", version, after_help = EXIT_CODES, subcommand_required = true, arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Main content of pages: text, Markdown, HTML or JSON
    Extract(Box<ExtractArgs>),
    /// Segments of pages with role, reason and byte ranges
    Segment(Box<SegmentArgs>),
    /// A crawl into tables: pages, segments and links as Parquet or JSON Lines; can be ended and gone on with
    Run(Box<RunArgs>),
    /// What many pages of a site tell: segment classes, templates, evidence for `run`
    Site(Box<SiteArgs>),
    /// Duplicates among pages, exact and near, larger than memory
    Dedup(Box<DedupArgs>),
    /// Build, extend, query, export and generate link graphs
    Graph(Box<GraphArgs>),
    /// Rank pages by their links: PageRank, topic-sensitive ranks, facets
    Rank(Box<RankArgs>),
    /// Completions for a shell, on standard output
    Completions(CompletionsArgs),
    /// Manual pages, into a folder
    Man(ManArgs),
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  webstrata completions bash > ~/.local/share/bash-completion/completions/webstrata
  webstrata completions zsh > ~/.zfunc/_webstrata                        (a folder of $fpath)
  webstrata completions fish > ~/.config/fish/completions/webstrata.fish")]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  webstrata man ~/.local/share/man/man1     writes webstrata.1, webstrata-extract.1 and so on
  webstrata man | man -l -                  the page of webstrata alone")]
pub(crate) struct ManArgs {
    /// Folder for the pages of all commands; without one, the page of webstrata is written to standard output
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) folder: Option<PathBuf>,
}
