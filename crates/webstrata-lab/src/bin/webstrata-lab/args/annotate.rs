//! Options of `annotate`.

use super::TableFormat;
use clap::{Args, ValueEnum, ValueHint};
use std::path::PathBuf;
use webstrata_lab::annotate::marks::Start;

const HELP: &str = "\
Opens a small server on 127.0.0.1 and prints its address; open it in a browser. Pages are DIR/html/*.html, or
DIR/*.html. Every click is saved to DIR/annotations/NAME/<id>.json. docs/annotation.md says what to mark and how.

Nothing from a page is run or loaded: the browser gets only the text of its blocks. The address contains a random
token, and requests from other sites are refused.

Examples:
  webstrata-lab annotate pages --annotator anna                    start from nothing
  webstrata-lab annotate pages --annotator ben --start strata      correct the prediction of strata
  webstrata-lab annotate pages --agreement anna ben                compare the two
  webstrata-lab annotate pages --annotator anna --export set       a set for eval and train

Exit codes: 0 success; 1 some pages could not be compared or exported; 2 invalid arguments or input; 3 there was
nothing to compare or export.";

#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct AnnotateArgs {
    /// Folder with pages
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) folder: PathBuf,
    /// Your name: letters, digits, - and _
    #[arg(long, value_name = "NAME", default_value = "me")]
    pub(crate) annotator: String,
    /// Initial state of pages that you have not marked yet; saved with the marks
    #[arg(long, value_enum, default_value_t = StartName::Empty, conflicts_with_all = ["agreement", "export"])]
    pub(crate) start: StartName,
    /// Port to listen on; 0 = any free port
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with_all = ["agreement", "export"])]
    pub(crate) port: u16,
    /// Compare two annotators on the pages that both have finished, and exit
    #[arg(long, num_args = 2, value_names = ["A", "B"], conflicts_with_all = ["annotator", "export"])]
    pub(crate) agreement: Option<Vec<String>>,
    /// Format of the comparison
    #[arg(long, value_enum, default_value_t = TableFormat::Table, requires = "agreement")]
    pub(crate) format: TableFormat,
    /// Write the finished pages to this folder as a set for `eval` and `train`, and exit
    #[arg(long, value_name = "OUT", value_hint = ValueHint::DirPath)]
    pub(crate) export: Option<PathBuf>,
}

/// The state in which pages are first shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StartName {
    /// Nothing is marked
    Empty,
    /// Labelled and segmented by strata
    Strata,
}

impl From<StartName> for Start {
    fn from(name: StartName) -> Start {
        match name {
            StartName::Empty => Start::Empty,
            StartName::Strata => Start::Strata,
        }
    }
}
