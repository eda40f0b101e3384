//! Options of `eval blocks`.

use super::EvalOutputArgs;
use clap::{Args, ValueHint};
use std::path::PathBuf;
use webstrata::label::Preset;

const HELP: &str = "\
A set is a folder with html/<id>.html, gold.jsonl ({\"id\", \"url\"} a line), and
annotated/<id>.html: the page with its text in <span class=\"x-nc-selN\">, where N is 1 for a
headline, 2 full text, 3 supplemental text (captions, dates), 4 related content, 5 comments.
1, 2, 3 and 5 are content; the rest is not. What is broken in the set is named and left out.

Examples:
  webstrata eval blocks sets/labelled                            all presets, two tables
  webstrata eval blocks sets/labelled --preset article --model mine.json
  webstrata eval blocks sets/labelled --model mine.json --format csv -o pages.csv

Measures: b-P, b-R and b-F (precision, recall and F of blocks); word P, R and F1, where a block
counts as often as it has words; FP rate, the share of words of boilerplate that was kept;
ROC AuC for strata and models, which give scores. The first table is the mean of the pages, the
second counts the blocks of all pages together. What is measured is the method: `extract` also
drops copies and follows rules. A model is judged fairly only on pages that it was not trained
on; `webstrata train blocks` prints what cross-validation says.

Exit codes: 0 it was measured; 1 some pages were left out;
2 it could not be carried out as given.";

#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct EvalBlocksArgs {
    /// Sets of pages with labelled blocks
    #[arg(value_name = "SET", required = true, value_hint = ValueHint::DirPath)]
    pub(crate) sets: Vec<PathBuf>,
    /// Preset to measure; may be given again. All if none is given
    #[arg(long)]
    pub(crate) preset: Vec<Preset>,
    /// Trained model to measure as well (see `webstrata train blocks`); may be given again
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) model: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) output: EvalOutputArgs,
}
