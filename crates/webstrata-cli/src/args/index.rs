//! Options of `index`.

use super::config_file::ConfigArgs;
use super::input::InputArgs;
use super::limits::{ExecutionArgs, LimitArgs};
use super::values::ByteSize;
use clap::{ArgGroup, Args, ValueHint};
use std::path::PathBuf;

const HELP: &str = "\
Examples:
  webstrata index crawl.warc.gz --out index                a crawl into an index …
  webstrata search index 'heavy rain'                      … and searched
  webstrata index tables --out index                       from the tables of `webstrata run`
  webstrata index tables --out index --ranks topics.tsv    with the ranks of `webstrata rank topics`, for --topic and --facets
  webstrata index tuesday --out index --add                add another run; pages with the same address are replaced
  webstrata index --out index --delete gone.txt            delete pages by address or id, one per line
  webstrata index --out index --explain-weights            weights of segment classes, by site
  webstrata index --out index --check                      compare all files with their checksums

PATH is the folder of a run with the tables of pages and segments, or pages: files, folders, WARC files and so on. Pages are
first turned into tables, which stay in the folder of the index as `tables`; options that `index` does not have need
`webstrata run`. Words are indexed by language: stems for 18 languages, words found by dictionary
for Chinese, Japanese, Thai and other scripts without spaces.

A command that was interrupted or killed resumes when it is run again, and the index gives the same answers.

Weights of segment classes are the table class<TAB>weight<TAB>icf<TAB>spread<TAB>segments<TAB>site; docs/search.md has the formula.

Exit codes: 0 success; 1 some pages failed (they are in tables/errors); 2 the command cannot be executed as given; 3 no pages; 130 interrupted, 143 terminated by SIGTERM.";

#[derive(Debug, Args)]
#[command(after_help = HELP)]
#[command(group = ArgGroup::new("job").args(["paths", "files_from", "delete", "explain_weights", "check"]).required(true).multiple(true))]
pub(crate) struct IndexArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// Folder of the index: a new one, or one to resume or change
    #[arg(short, long, value_name = "DIR", help_heading = "Output", value_hint = ValueHint::DirPath)]
    pub(crate) out: PathBuf,
    /// Add these tables to those that the index has; pages with the same address are replaced
    #[arg(long, requires = "paths", help_heading = "Output")]
    pub(crate) add: bool,
    /// Store these ranks with the pages (TSV of `webstrata rank`), one column or one for each topic
    #[arg(long, value_name = "FILE", requires = "paths", help_heading = "Output", value_hint = ValueHint::FilePath)]
    pub(crate) ranks: Option<PathBuf>,
    /// Clusters of near duplicates (JSON Lines of `webstrata dedup`), of which searches show one page
    #[arg(long, value_name = "FILE", requires = "paths", help_heading = "Output", value_hint = ValueHint::FilePath)]
    pub(crate) clusters: Option<PathBuf>,
    /// Delete the pages in a list of addresses or ids, one per line; `-` is standard input
    #[arg(long, value_name = "FILE|-", conflicts_with_all = ["paths", "files_from", "add"], help_heading = "Output", value_hint = ValueHint::FilePath)]
    pub(crate) delete: Option<PathBuf>,
    /// Print the weights of segment classes
    #[arg(long, conflicts_with_all = ["paths", "files_from", "add", "delete"], help_heading = "Output")]
    pub(crate) explain_weights: bool,
    /// Compare all files of the index with their checksums
    #[arg(long, conflicts_with_all = ["paths", "files_from", "add", "delete", "explain_weights"], help_heading = "Output")]
    pub(crate) check: bool,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[command(flatten)]
    pub(crate) execution: ExecutionArgs,
    /// Memory for words before they are written (64MB, 1GB); the total is about twice as much
    #[arg(long, value_name = "SIZE", default_value_t = ByteSize(128 << 20), help_heading = "Execution")]
    pub(crate) memory: ByteSize,
    /// Pages between checkpoints
    #[arg(long, value_name = "N", default_value_t = 20_000, help_heading = "Execution", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) checkpoint: u64,
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
}
