//! Options of `index`.

use super::config_file::ConfigArgs;
use super::input::InputArgs;
use super::limits::{ExecutionArgs, LimitArgs};
use super::values::ByteSize;
use clap::{ArgGroup, Args, ValueHint};
use std::path::PathBuf;

const HELP: &str = "\
Examples:
  webstrata index crawl.warc.gz --out index                index a crawl …
  webstrata search index 'heavy rain'                      … and search it
  webstrata index tables --out index                       from the tables of `webstrata run`
  webstrata index tables --out index --ranks topics.tsv    with the ranks of `webstrata rank topics`, for --topic and --facets
  webstrata index tuesday --out index --add                add another run; pages with the same address are replaced
  webstrata index --out index --delete gone.txt            delete pages by address or id, one per line
  webstrata index --out index --explain-weights            weights of segment classes, by site
  webstrata index --out index --check                      verify the checksums of all files

PATH is the folder of a run with the tables of pages and segments, or pages: files, folders, WARC files and so on. Pages are
first turned into tables, which stay in the folder of the index as `tables`; for options that `index` lacks, use `webstrata run`
first. Words are indexed by language: stemmed for 18 languages, and segmented by dictionary for Chinese, Japanese, Thai and other
scripts without spaces.

A command that was interrupted or killed resumes when it is run again, and the index gives the same answers.

--explain-weights prints the table class<TAB>weight<TAB>icf<TAB>spread<TAB>segments<TAB>site; docs/search.md has the formula.

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
    /// Add these tables to an existing index; pages with the same address are replaced
    #[arg(long, requires = "paths", help_heading = "Output")]
    pub(crate) add: bool,
    /// Store these ranks with the pages (TSV from `webstrata rank`): one column, or one per topic
    #[arg(long, value_name = "FILE", requires = "paths", help_heading = "Output", value_hint = ValueHint::FilePath)]
    pub(crate) ranks: Option<PathBuf>,
    /// Clusters of near duplicates (JSON Lines from `webstrata dedup`); searches show one page of each
    #[arg(long, value_name = "FILE", requires = "paths", help_heading = "Output", value_hint = ValueHint::FilePath)]
    pub(crate) clusters: Option<PathBuf>,
    /// Delete the pages in a list of addresses or ids, one per line; `-` is standard input
    #[arg(long, value_name = "FILE|-", conflicts_with_all = ["paths", "files_from", "add"], help_heading = "Output", value_hint = ValueHint::FilePath)]
    pub(crate) delete: Option<PathBuf>,
    /// Print the weights of segment classes
    #[arg(long, conflicts_with_all = ["paths", "files_from", "add", "delete"], help_heading = "Output")]
    pub(crate) explain_weights: bool,
    /// Verify the checksums of all index files
    #[arg(long, conflicts_with_all = ["paths", "files_from", "add", "delete", "explain_weights"], help_heading = "Output")]
    pub(crate) check: bool,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[command(flatten)]
    pub(crate) execution: ExecutionArgs,
    /// Memory for buffering words (64MB, 1GB); total use is about twice as much
    #[arg(long, value_name = "SIZE", default_value_t = ByteSize(128 << 20), help_heading = "Execution")]
    pub(crate) memory: ByteSize,
    /// Pages between checkpoints
    #[arg(long, value_name = "N", default_value_t = 20_000, help_heading = "Execution", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) checkpoint: u64,
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
}
