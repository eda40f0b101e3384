//! Options of `eval figures`.

use super::When;
use clap::{Args, ValueHint};
use std::path::PathBuf;
use webstrata_lab::figures::Name;

const HELP: &str = "\
The folder has the sets by name: seg-popular (table 4.1, figures 4.4 to 4.8), l3s-gn1 (table 4.8,
figures 4.20, 4.21b, 4.24) and cleaneval (figure 4.21a). A set that is not there is named, and the
others are drawn.

Names: table-4.1 figure-4.4 figure-4.5 figure-4.6 (with table 4.2) figure-4.7 figure-4.8 table-4.8
figure-4.20 figure-4.21a figure-4.21b figure-4.24

Examples:
  webstrata eval figures --data sets --out figures
  webstrata eval figures --data sets --out figures --only figure-4.4 --only figure-4.5

For every figure there is NAME.svg and NAME.csv, for a table NAME.csv; short tables with the thesis'
numbers beside ours are printed.

Exit codes: 0 all were drawn; 1 a set or some of its pages are missing;
2 it could not be carried out as given; 3 nothing was drawn.";

#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct EvalFiguresArgs {
    /// Folder with the sets
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) data: PathBuf,
    /// Folder for the figures; made if it is not there
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) out: PathBuf,
    /// Figure to draw; may be given again. All if none is given
    #[arg(long, value_name = "NAME")]
    pub(crate) only: Vec<Name>,
    /// Print tables in Markdown
    #[arg(long)]
    pub(crate) markdown: bool,
    /// Threads; 0 is one a core. The figures are the same for any number
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = clap::value_parser!(u16).range(..=1024))]
    pub(crate) threads: u16,
    /// Show how far it has come, on standard error
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = When::Auto)]
    pub(crate) progress: When,
}
