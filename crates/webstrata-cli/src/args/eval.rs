//! Options of `eval`.

use super::{EvalBlocksArgs, EvalFiguresArgs, When};
use clap::{Args, Subcommand, ValueEnum, ValueHint};
use std::path::PathBuf;
use webstrata::label::Preset;
use webstrata::segment::{Method, RuleSet};
use webstrata_lab::extract::rival::Rival;

const EXTRACT_HELP: &str = "\
A set is a folder with html/<id>.html and gold.jsonl, an object a line: {\"id\", \"gold_text\"}, and
if known \"page_type\", \"lang\", \"with\" and \"without\" (pieces of text that are content and that
are not). What is broken in it is named and left out.

Examples:
  webstrata eval extract sets/mine                               all presets, a table
  webstrata eval extract sets/mine --preset article --preset canola --report report.html
  webstrata eval extract sets/mine --preset article --model mine.json
  webstrata eval extract sets/mine --rival 'other=python3 other.py' --format csv -o scores.csv

A rival reads names of files on standard input and writes a line of JSON for each:
{\"file\", \"text\"}.

Exit codes: 0 it was measured; 1 some pages or rivals failed;
2 it could not be carried out as given.";

const SEGMENT_HELP: &str = "\
The set is a folder with pages that people have marked: html/<id>.html with the attributes data-block and data-block-type.

Examples:
  webstrata eval segment sets/seg-popular
  webstrata eval segment sets/seg-popular --method just-rules --method bf-rulebased --rules paper --format json

Exit codes: 0 it was measured; 1 some pages were left out; 2 it could not be carried out as given.";

#[derive(Debug, Args)]
pub(crate) struct EvalArgs {
    #[command(subcommand)]
    pub(crate) what: EvalCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum EvalCommand {
    /// Extraction against gold texts: presets and rivals, by words and by order
    Extract(EvalExtractArgs),
    /// Segmentation against pages that people have marked
    Segment(EvalSegmentArgs),
    /// Verdicts on blocks against blocks that people have labelled: presets and models
    Blocks(EvalBlocksArgs),
    /// Figures and tables of the thesis, as SVG and CSV
    Figures(EvalFiguresArgs),
}

/// How figures are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum EvalFormat {
    /// A table for reading
    Table,
    /// A table in Markdown
    Markdown,
    /// One JSON object, the scores of every page included
    Json,
    /// A line for every page and method
    Csv,
}

#[derive(Debug, Args)]
pub(crate) struct EvalOutputArgs {
    /// How figures are written
    #[arg(long, value_enum, default_value_t = EvalFormat::Table)]
    pub(crate) format: EvalFormat,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
    /// Threads; 0 is one a core. The figures are the same for any number
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = clap::value_parser!(u16).range(..=1024))]
    pub(crate) threads: u16,
    /// Show how far it has come, on standard error
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = When::Auto)]
    pub(crate) progress: When,
}

#[derive(Debug, Args)]
#[command(after_help = EXTRACT_HELP)]
pub(crate) struct EvalExtractArgs {
    /// Sets of pages with gold texts
    #[arg(value_name = "SET", required = true, value_hint = ValueHint::DirPath)]
    pub(crate) sets: Vec<PathBuf>,
    /// Preset to measure; may be given again. All if none is given
    #[arg(long)]
    pub(crate) preset: Vec<Preset>,
    /// Trained model to measure as well (see `webstrata train strata` and `webstrata train blocks`); may be given again
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) model: Vec<PathBuf>,
    /// With precision and recall modes of each preset and model
    #[arg(long)]
    pub(crate) modes: bool,
    /// Another tool to measure, `NAME=COMMAND`; may be given again
    #[arg(long, value_name = "NAME=COMMAND")]
    pub(crate) rival: Vec<Rival>,
    /// Write a report to look at, with the worst pages of the first method; a folder if there are several sets
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) report: Option<PathBuf>,
    /// Behind the tables, the worst pages of the first preset with the cause of each
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) worst: usize,
    #[command(flatten)]
    pub(crate) output: EvalOutputArgs,
}

#[derive(Debug, Args)]
#[command(after_help = SEGMENT_HELP)]
pub(crate) struct EvalSegmentArgs {
    /// Set of marked pages
    #[arg(value_name = "SET", value_hint = ValueHint::DirPath)]
    pub(crate) set: PathBuf,
    /// Method to measure; may be given again. All if none is given
    #[arg(long)]
    pub(crate) method: Vec<Method>,
    /// Tags that force or forbid a gap
    #[arg(long, default_value = "paper", value_name = "paper|html5")]
    pub(crate) rules: RuleSet,
    /// Marks that count: the inner ones where there are any, or the outer ones only
    #[arg(long, value_enum, default_value_t = Marks::Inner)]
    pub(crate) marks: Marks,
    #[command(flatten)]
    pub(crate) output: EvalOutputArgs,
}

/// Which marks count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Marks {
    /// Level 2, and level 1 where there is no level 2
    Inner,
    /// Level 1 only
    Outer,
}
