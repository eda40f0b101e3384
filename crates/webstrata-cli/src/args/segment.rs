//! Options of `segment`.

use super::PageArgs;
use clap::{Args, ValueEnum, ValueHint};
use std::path::PathBuf;
use webstrata::label::Preset;
use webstrata::segment::{Granularity, Method, RuleSet};

const HELP: &str = "\
Examples:
  webstrata segment page.html                                  segments by rule-based Block Fusion
  webstrata segment --format text page.html                    to read in a terminal
  webstrata segment --method just-rules --rules paper a.html b.html
  webstrata segment --files-from pages.txt -o segments.jsonl
  webstrata segment --method bf-rulebased --method bf-plain --report report.html page.html

A line of jsonl is {\"id\", \"method\", \"segments\": [{\"spans\": [[start, end], …], \"text\", \"role\", \"score\", \"why\", …}], …}.
Spans are byte ranges in the input; where `transcoded` is true (the input was not UTF-8) they are byte ranges in its
UTF-8 transcoding.

Exit codes: 0 all pages came out; 1 some pages failed (they are named on standard error);
2 the command could not be carried out as given; 3 not one page came out;
130 it was interrupted (143: asked to end).";

#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct SegmentArgs {
    /// What to write
    #[arg(long, value_enum, default_value_t = SegmentFormat::Jsonl)]
    pub(crate) format: SegmentFormat,
    /// Method: wordwrap taggap bf-plain bf-smoothed bf-rulebased just-rules getblockset strata; with --report it may be given
    /// again
    #[arg(long, default_value = Method::Strata.name())]
    pub(crate) method: Vec<Method>,
    /// Tags that force or forbid a gap: those of the papers (2008), or those and what HTML has become since
    #[arg(long, default_value = "html5", value_name = "paper|html5")]
    pub(crate) rules: RuleSet,
    /// How fine the method strata cuts: the main parts of a page, the blocks a person would outline, or a number from 0 (one
    /// segment) to 1 (cut wherever it can be)
    #[arg(long, default_value = "fine", value_name = "coarse|fine|0..1")]
    pub(crate) granularity: Granularity,
    /// Method that decides which segments are content and what their roles are; see `webstrata extract --help`
    #[arg(long, default_value_t = Preset::Strata)]
    pub(crate) preset: Preset,
    /// Write a report instead: densities, gaps and segments of all methods that are given, as one HTML file for a browser
    ///
    /// What -o says about files and folders holds for it: several pages have a folder of reports.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with_all = ["format", "output"])]
    pub(crate) report: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) pages: PageArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SegmentFormat {
    /// For eyes: each segment with its role, its reason and its text
    Text,
    /// One JSON object, or an array of them if there may be several pages
    Json,
    /// One JSON object a page, each on a line
    Jsonl,
}
