//! Options of `layouts`.

use clap::{Args, ValueHint};
use std::path::PathBuf;

const HELP: &str = "\
Writes OUT/<id>.json for each page, and prints one line per page: the number of its texts, how many the browser
found, how many are visible, and the seconds it took. The browser has no network access and runs no scripts; a
page gets the files saved with it, if --assets has them.

Examples:
  webstrata-lab layouts sets/seg-popular --assets sets/seg-popular-assets -o layouts
  webstrata-lab layouts sets/seg-popular -o layouts --pictures pictures    also with screenshots

Exit codes: 0 success; 1 some pages failed (they are named on standard error); 2 invalid arguments or input; 3 no
page was rendered.";

#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct LayoutsArgs {
    /// Folder with a set of marked pages
    #[arg(value_name = "SET", value_hint = ValueHint::DirPath)]
    pub(crate) set: PathBuf,
    /// Folder for the layouts
    #[arg(short, long, value_name = "OUT", value_hint = ValueHint::DirPath)]
    pub(crate) out: PathBuf,
    /// Folder with one subfolder per page, named by its id: the page (*.blocks.html) and the files saved with it
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) assets: Option<PathBuf>,
    /// Folder for screenshots
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) pictures: Option<PathBuf>,
    /// Width of the window in pixels
    #[arg(long, value_name = "N", default_value_t = 1280, value_parser = clap::value_parser!(u32).range(100..=10_000))]
    pub(crate) width: u32,
    /// Time limit per page in seconds
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) timeout: u64,
    /// Only the page with this id; repeatable
    #[arg(long, value_name = "ID")]
    pub(crate) only: Vec<String>,
}
