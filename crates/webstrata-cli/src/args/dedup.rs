//! Options of `dedup`.

use super::input::InputArgs;
use super::limits::{ExecutionArgs, LimitArgs};
use super::values::ByteSize;
use clap::{Args, ValueEnum, ValueHint};
use std::path::PathBuf;
use webstrata_corpus::dedup::{Keep, Similarity, TextSource};

const HELP: &str = "\
Examples:
  webstrata dedup tables --out clusters.jsonl                  the folder of a run: one row per page
  webstrata dedup tables --filter kept.parquet                 its pages without the duplicates
  webstrata dedup texts.jsonl --filter kept.jsonl              lines with the fields id and text; kept unchanged
  webstrata dedup pages/ --filter kept.txt                     names of the pages that are kept
  webstrata dedup crawl.warc.gz --out c.jsonl --text-source largest-segment --preset paper
  webstrata dedup monday.jsonl --index seen --out c.jsonl      keep the index …
  webstrata dedup tuesday.jsonl --index seen --add --keep earliest --filter new.jsonl
                                                               … and add to it: what was new on Tuesday
  webstrata dedup crawl.warc.gz --blocks --out blocks.jsonl    blocks that pages and sites share

Besides pages, PATH may be the folder of a run, or JSON Lines with texts instead of pages.

A row is {\"id\", \"cluster\", \"keep\", \"size\", \"match\"}: the page, the page kept from its cluster, whether this page is the one
kept, the number of pages in the cluster, and `exact` or `near` for pages that are not kept. Rows are in the order of the input;
with --add, the pages already in the index come first.

With --blocks, individual blocks (GetBlockSet, as in `webstrata site`) are compared, regardless of what surrounds them: menus,
notices, and agency texts that appear on several sites. A row is {\"page\", \"site\", \"start\", \"end\", \"cluster\", \"keep\", \"size\",
\"match\"}: the page and its site, the block's byte range (end excluded), and the block that is kept, as page#start-end. The summary
reports how many bytes of page source are saved if every site stores its blocks once, and if all sites share one store. Blocks
without words are skipped.

Presets: fineweb, for whole corpora, uses word 5-grams and 14 bands of 8 min-hashes: texts that share 75% of their 5-grams are
found with probability 77%, those that share 85% with probability 99%. paper, for the same text in different surroundings, uses
windows of 6 words and joins texts that share 4 of their 8 smallest hashes. Both join identical texts.

A killed command resumes when it is run again, with the same result.

Exit codes: 0 success; 1 some pages failed (they are named on standard error); 2 the command
cannot be executed as given; 3 no content found, or no page could be read; 130 interrupted, 143
terminated by SIGTERM.";

#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct DedupArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// Field of JSON Lines that contains the text
    #[arg(long, value_name = "NAME", default_value = "text", help_heading = "Input")]
    pub(crate) text_column: String,
    /// Field of JSON Lines that contains the id
    #[arg(long, value_name = "NAME", default_value = "id", help_heading = "Input")]
    pub(crate) id_column: String,

    /// Which texts are duplicates
    #[arg(long, value_enum, default_value_t = SimilarityName::Fineweb, help_heading = "Duplicates")]
    pub(crate) preset: SimilarityName,
    /// Text of each page to compare: content, largest-segment[=METHOD] or all-text
    ///
    /// The texts of JSON Lines and of runs are compared as they are. METHOD is a method of `webstrata segment`, strata by default.
    /// Segments with half or more of their words in links are ignored.
    #[arg(long, value_name = "TEXT", default_value_t = TextSource::Content, help_heading = "Duplicates")]
    pub(crate) text_source: TextSource,
    /// Which page of a cluster is kept: longest, earliest (by date) or confidence (of the extraction)
    ///
    /// In a tie, the page with the smaller id is kept.
    #[arg(long, value_name = "RULE", default_value_t = Keep::Longest, help_heading = "Duplicates")]
    pub(crate) keep: Keep,

    /// Compare blocks instead of whole pages, and report what storing each block once would save
    #[arg(long, conflicts_with_all = ["text_source", "filter"], help_heading = "Duplicates")]
    pub(crate) blocks: bool,

    /// Write one row per page, as Parquet if the name ends in .parquet, else as JSON Lines; `-` is standard output
    #[arg(short, long, value_name = "FILE", required_unless_present = "filter", help_heading = "Output", value_hint = ValueHint::FilePath)]
    pub(crate) out: Option<PathBuf>,
    /// Write a copy of the input without duplicates
    ///
    /// JSON Lines with texts: the lines, unchanged. The folder of a run: its pages, as Parquet if the name ends in .parquet, else
    /// as JSON Lines. Pages: their names, one per line, as a list for --files-from. With --add, only this input is copied.
    #[arg(long, value_name = "FILE", help_heading = "Output", value_hint = ValueHint::FilePath)]
    pub(crate) filter: Option<PathBuf>,
    /// Folder for signatures; it is kept, so that pages can be added later
    ///
    /// By default, a folder next to the output is used and removed when the command is done.
    #[arg(long, value_name = "DIR", help_heading = "Output", value_hint = ValueHint::DirPath)]
    pub(crate) index: Option<PathBuf>,
    /// Add the input to the pages in the index, and compare it with them
    #[arg(long, requires = "index", help_heading = "Output")]
    pub(crate) add: bool,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[command(flatten)]
    pub(crate) execution: ExecutionArgs,
    /// Memory for sorting (64MB, 1GB); the total is a few times as much, plus four bytes per page
    #[arg(long, value_name = "SIZE", default_value_t = ByteSize(128 << 20), help_heading = "Execution")]
    pub(crate) memory: ByteSize,
    /// Pages between checkpoints
    #[arg(long, value_name = "N", default_value_t = 100_000, help_heading = "Execution", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) checkpoint: u32,
}

/// Name of a definition of duplicates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SimilarityName {
    /// Word 5-grams, 14 bands of 8 min-hashes
    Fineweb,
    /// Windows of 6 words, 4 of the 8 smallest hashes
    Paper,
}

impl SimilarityName {
    /// The similarity with this name.
    pub(crate) const fn similarity(self) -> Similarity {
        match self {
            SimilarityName::Fineweb => Similarity::fineweb(),
            SimilarityName::Paper => Similarity::paper(),
        }
    }
}
