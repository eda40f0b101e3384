//! Options of `run`.

use super::content::ContentArgs;
use super::dedup::SimilarityName;
use super::input::InputArgs;
use super::limits::{ExecutionArgs, LimitArgs};
use super::values::ByteSize;
use clap::{Args, ValueHint};
use std::path::PathBuf;
use webstrata::segment::{Granularity, Method};
use webstrata_corpus::store::{Format, Table};

const HELP: &str = "\
Examples:
  webstrata run crawl.warc.gz --out tables                     pages, segments and links as Parquet
  webstrata run crawl/ --out tables --format jsonl --tables pages
  webstrata run dump.parquet --html-column content --out tables
  webstrata run crawl/*.warc.gz --out texts --format wet       texts in the format of Common Crawl
  webstrata run crawl.warc.gz --out tables --precision --no-comments --site-rules rules.toml

The output folder contains pages/, segments/ and links/ with one file per shard, errors/ with records and pages that failed,
checkpoints/ and manifest.json:
  duckdb -c \"select host, count(*) from 'tables/pages/*.parquet' group by host\"

A run that was interrupted or killed, or that ran out of disk space, resumes when the same command is run again. The
output is the same byte for byte, however often that happens and for any number of threads.

Exit codes: 0 success; 1 some pages failed (they are in errors/); 2 the command cannot be executed as given;
3 no content found, or no page could be read; 130 interrupted, 143 terminated by SIGTERM.";

/// Default number of pages per shard.
const SHARD_PAGES: u64 = 10_000;
/// Default size of a shard's rows.
const SHARD_BYTES: ByteSize = ByteSize(512 << 20);

#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// Output folder: a new one, or that of a run to resume
    #[arg(short, long, value_name = "DIR", help_heading = "Output", value_hint = ValueHint::DirPath)]
    pub(crate) out: PathBuf,
    /// Output format: parquet, jsonl, wet (texts as WARC records) or wat (links as WARC records)
    #[arg(long, value_name = "FORMAT", default_value_t = Format::Parquet, help_heading = "Output")]
    pub(crate) format: Format,
    /// Tables to write as parquet or jsonl: pages, segments, links
    #[arg(long, value_name = "TABLE,…", value_delimiter = ',', default_value = "pages,segments,links", help_heading = "Output")]
    pub(crate) tables: Vec<Table>,
    /// Segmentation method; see `webstrata segment --help`
    #[arg(long, default_value = Method::Strata.name(), help_heading = "Output")]
    pub(crate) method: Method,
    /// Granularity of the method strata
    #[arg(long, default_value = "fine", value_name = "coarse|fine|0..1", help_heading = "Output")]
    pub(crate) granularity: Granularity,
    /// Evidence about the sites of the crawl (the file `evidence` from `webstrata site`): parts that all pages of a site share are
    /// not content
    #[arg(long, value_name = "FILE", help_heading = "Output", value_hint = ValueHint::FilePath)]
    pub(crate) site_evidence: Option<PathBuf>,
    /// Fill the column `signature` of the table of pages with the hashes that `webstrata dedup` compares
    #[arg(long, value_enum, value_name = "PRESET", help_heading = "Output")]
    pub(crate) signatures: Option<SimilarityName>,
    /// Leave out the pages in a list of ids or addresses, one per line, such as `deviations.txt` of `webstrata stats`
    #[arg(long, value_name = "FILE", help_heading = "Output", value_hint = ValueHint::FilePath)]
    pub(crate) skip: Option<PathBuf>,
    /// Maximum number of pages and failures per shard
    #[arg(long, value_name = "N", default_value_t = SHARD_PAGES, help_heading = "Output",
        value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) shard_pages: u64,
    /// Maximum size of a shard's rows before compression
    #[arg(long, value_name = "SIZE", default_value_t = SHARD_BYTES, help_heading = "Output")]
    pub(crate) shard_bytes: ByteSize,

    #[command(flatten)]
    pub(crate) content: ContentArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[command(flatten)]
    pub(crate) execution: ExecutionArgs,
    /// Print the time spent in each stage
    #[arg(long, help_heading = "Execution")]
    pub(crate) timings: bool,
}
