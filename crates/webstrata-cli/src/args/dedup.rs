//! Options of `dedup`.

use super::When;
use super::values::Bytes;
use clap::{Args, ValueEnum, ValueHint};
use std::path::PathBuf;
use webstrata_corpus::dedup::{Keep, Of, Similarity};

const HELP: &str = "\
Examples:
  webstrata dedup run --out clusters.jsonl                     the folder of a run: a row for each page
  webstrata dedup run --filter kept.parquet                    its pages, without the duplicates
  webstrata dedup texts.jsonl --filter kept.jsonl              lines with the fields id and text; lines stay as they are
  webstrata dedup crawl.warc.gz --out c.jsonl --of largest-segment --preset paper
  webstrata dedup monday.jsonl --index seen --out c.jsonl      keeps the index …
  webstrata dedup tuesday.jsonl --index seen --add --keep earliest --filter new.jsonl
                                                               … and adds to it: what was not there on Monday

A row is {\"id\", \"cluster\", \"keep\", \"size\", \"match\"}: the page, the page of its cluster that is kept (the same for all of them), whether
it is this one, the number of pages, and `exact` or `near` for those that are not kept. Rows stand in the order of the input; with
--add the pages that were in the index come first.

Presets: fineweb takes word 5-grams and 14 bands of 8 min-hashes, for whole corpora: texts that share 75% of their 5-grams are
found with a chance of 77%, 85% with 99%. paper takes windows of 6 words and joins texts that share 4 of their 8 smallest
hashes; it is made for the same text in different surroundings. Both join texts that are the same.

A run that was killed goes on when the same command is given again, and the output is the same as if nothing had happened.

Exit codes: 0 all pages were compared; 1 some could not be read (they are named on standard error);
2 the command could not be carried out as given; 3 not one page could be read.";

#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct DedupArgs {
    /// What is compared: folders of runs, JSON Lines with texts, or pages (WARC, folders, HTML files, JSON Lines with pages)
    #[arg(value_name = "INPUT", required = true, help_heading = "Input", value_hint = ValueHint::AnyPath)]
    pub(crate) inputs: Vec<PathBuf>,
    /// Field of JSON Lines with the text
    #[arg(long, value_name = "NAME", default_value = "text", help_heading = "Input")]
    pub(crate) text_column: String,
    /// Field of JSON Lines with the id
    #[arg(long, value_name = "NAME", default_value = "id", help_heading = "Input")]
    pub(crate) id_column: String,
    /// Field of JSON Lines with the date
    #[arg(long, value_name = "NAME", default_value = "date", help_heading = "Input")]
    pub(crate) date_column: String,

    /// When texts are alike
    #[arg(long, value_enum, default_value_t = SimilarityName::Fineweb, help_heading = "Duplicates")]
    pub(crate) preset: SimilarityName,
    /// Which text of a page is compared: content, largest-segment[=METHOD] or all-text
    ///
    /// For pages; texts are compared as they are. METHOD is one of `webstrata segment`, strata if none is named. Segments of
    /// which half or more is links do not count.
    #[arg(long, value_name = "TEXT", default_value_t = Of::Content, help_heading = "Duplicates")]
    pub(crate) of: Of,
    /// Which page of a cluster is kept: longest, earliest (by date) or confidence (of the extraction)
    ///
    /// Where that does not decide, the smaller id does.
    #[arg(long, value_name = "RULE", default_value_t = Keep::Longest, help_heading = "Duplicates")]
    pub(crate) keep: Keep,

    /// Write a row for each page, as Parquet if the name ends with .parquet, else as JSON Lines
    #[arg(long, value_name = "FILE", required_unless_present = "filter", help_heading = "Output", value_hint = ValueHint::FilePath)]
    pub(crate) out: Option<PathBuf>,
    /// Write a copy of the input with the pages that are kept
    ///
    /// Of JSON Lines with texts: the lines as they are. Of the folder of a run: its pages, as Parquet if the name ends with
    /// .parquet, else as JSON Lines. With --add: of this input only.
    #[arg(long, value_name = "FILE", help_heading = "Output", value_hint = ValueHint::FilePath)]
    pub(crate) filter: Option<PathBuf>,
    /// Folder for signatures and bands; it stays, so that pages can be added
    ///
    /// Without it there is one beside the output while the command runs (or was killed), and none when it is done.
    #[arg(long, value_name = "DIR", help_heading = "Output", value_hint = ValueHint::DirPath)]
    pub(crate) index: Option<PathBuf>,
    /// Compare with the pages that are in the index already, and add these to them
    #[arg(long, requires = "index", help_heading = "Output")]
    pub(crate) add: bool,

    /// Threads; 0 is one a core
    #[arg(long, default_value_t = 0, value_name = "N", help_heading = "Run", value_parser = clap::value_parser!(u16).range(..=1024))]
    pub(crate) threads: u16,
    /// Memory of a sort (64M, 1G); a few times that is used in all, and four bytes a page
    #[arg(long, value_name = "BYTES", default_value_t = Bytes(128 << 20), help_heading = "Run")]
    pub(crate) sort_memory: Bytes,
    /// Pages after which what was done is safe
    #[arg(long, value_name = "N", default_value_t = 100_000, help_heading = "Run", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) checkpoint: u32,
    /// Say nothing about records that cannot be read, nor what was found; the exit code tells
    #[arg(short, long, help_heading = "Run")]
    pub(crate) quiet: bool,
    /// Show pages per second, on standard error
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = When::Auto, help_heading = "Run")]
    pub(crate) progress: When,
}

/// When texts are alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SimilarityName {
    /// Word 5-grams, 14 bands of 8 min-hashes
    Fineweb,
    /// Windows of 6 words, 4 of the 8 smallest hashes
    Paper,
}

impl SimilarityName {
    /// What it stands for.
    pub(crate) const fn similarity(self) -> Similarity {
        match self {
            SimilarityName::Fineweb => Similarity::fineweb(),
            SimilarityName::Paper => Similarity::paper(),
        }
    }
}
