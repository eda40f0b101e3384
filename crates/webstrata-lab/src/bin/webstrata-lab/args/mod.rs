//! Command-line arguments.

mod annotate;
mod eval;
mod layouts;
mod search;
mod train;

pub(crate) use annotate::AnnotateArgs;
pub(crate) use eval::{
    BlockCut, EvalArgs, EvalBlocksArgs, EvalCommand, EvalExtractArgs, EvalFiguresArgs, EvalMarkdownArgs, EvalMetadataArgs,
    EvalSegmentArgs, EvalTablesArgs, Marks,
};
pub(crate) use layouts::LayoutsArgs;
pub(crate) use search::{EvalFacetsArgs, EvalLatencyArgs, EvalSearchArgs};
pub(crate) use train::{
    ClassCount, LearnerName, PruningName, TrainArgs, TrainBlocksArgs, TrainCommand, TrainGcutsArgs, TrainStrataArgs,
};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use std::path::PathBuf;
use webstrata_corpus::progress::Show;

const EXIT_CODES: &str = "\
Exit codes: 0 success; 1 some pages failed (they are named on standard error);
2 invalid arguments or input; 3 nothing could be done.

The thesis is Kohlschütter: Exploiting Links and Text Structure on the Web, 2011.";

/// Measures webstrata and other tools against gold standards, trains models, and helps to label pages
#[derive(Debug, Parser)]
#[command(name = "webstrata-lab", version, after_help = EXIT_CODES, subcommand_required = true, arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Measure presets, models and other tools against gold standards
    Eval(Box<EvalArgs>),
    /// Train models on labelled pages, for `webstrata extract --model`
    Train(Box<TrainArgs>),
    /// Render the pages of a set in Chromium and save their layouts, for methods that use them
    Layouts(Box<LayoutsArgs>),
    /// Mark pages in a browser, compare annotators, export a set
    Annotate(Box<AnnotateArgs>),
    /// Print this reference as Markdown, for docs/lab-cli.md
    #[command(hide = true)]
    Reference,
}

/// Options common to all commands.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct RunArgs {
    /// Number of threads; 0 = one per core. Results do not depend on it
    #[arg(long, default_value_t = 0, value_name = "N", help_heading = "Run", value_parser = clap::value_parser!(u16).range(..=1024))]
    pub(crate) threads: u16,
    /// Show progress on standard error; `auto` means on a terminal
    #[arg(long, value_name = "WHEN", default_value = "auto", help_heading = "Run", value_parser = show())]
    pub(crate) progress: Show,
}

fn show() -> impl TypedValueParser<Value = Show> {
    PossibleValuesParser::new(["auto", "never", "always"]).map(|name| match name.as_str() {
        "never" => Show::Never,
        "always" => Show::Always,
        _ => Show::Auto,
    })
}

/// Format of tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableFormat {
    /// Aligned columns
    Table,
    /// Markdown
    Markdown,
    /// One JSON object, with the scores of every page
    Json,
    /// One line per page and method
    Csv,
}

/// Where and how scores are written.
#[derive(Debug, Args)]
pub(crate) struct OutputArgs {
    /// Output format
    #[arg(long, value_enum, default_value_t = TableFormat::Table, help_heading = "Output")]
    pub(crate) format: TableFormat,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub(crate) out: Option<PathBuf>,
}
