//! Options of `run`.

use super::When;
use super::dedup::SimilarityName;
use super::values::{Bytes, Seconds};
use clap::{Args, ValueHint};
use std::path::PathBuf;
use std::time::Duration;
use webstrata::Limits;
use webstrata::label::Preset;
use webstrata::segment::{Granularity, Method};
use webstrata_corpus::store::{Format, Table};

const HELP: &str = "\
Examples:
  webstrata run crawl.warc.gz --out tables                     pages, segments and links as Parquet
  webstrata run crawl/ --out tables --format jsonl --tables pages
  webstrata run dump.parquet --html-column content --out tables
  webstrata run crawl/*.warc.gz --out texts --format wet       texts as Common Crawl has them

The folder has pages/, segments/ and links/ with a file a shard, ledger/ with what could not be read or worked on,
checkpoints/ and manifest.json:
  duckdb -c \"select host, count(*) from 'tables/pages/*.parquet' group by host\"

A run that was ended (interrupted, killed, out of room) goes on when the same command is given again. Its output
is the same byte for byte as that of a run that was not, for any number of threads.

Exit codes: 0 all pages came out; 1 some records or pages failed (they are in ledger/);
2 the command could not be carried out as given; 3 not one page came out;
130 it was interrupted (143: asked to end).";

/// Time for a page when none is given. The engine needs milliseconds.
const TIMEOUT: Seconds = Seconds(Some(Duration::from_secs(30)));
/// Pages of a shard when no number is given.
const SHARD_PAGES: u64 = 10_000;
/// Bytes of rows of a shard when no number is given.
const SHARD_BYTES: Bytes = Bytes(512 << 20);
/// Bytes of a page when no number is given: no page for readers has as many.
const MAX_BYTES: Bytes = Bytes(32 << 20);

#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct RunArgs {
    /// Crawls: WARC files (.warc, .warc.gz, .warc.zst), .jsonl and .parquet files with a column of pages, pages, folders of these
    #[arg(value_name = "PATH", help_heading = "Input", value_hint = ValueHint::AnyPath, required_unless_present = "files_from")]
    pub(crate) paths: Vec<PathBuf>,
    /// Read names of files from a file, one a line: FILE, or FILE<TAB>URL for a page
    #[arg(long, value_name = "FILE", help_heading = "Input", value_hint = ValueHint::FilePath)]
    pub(crate) files_from: Option<PathBuf>,
    /// Column or field of Parquet and JSON Lines that has the page
    #[arg(long, value_name = "NAME", default_value = "html", help_heading = "Input")]
    pub(crate) html_column: String,
    /// Column or field that has its address; it may be missing
    #[arg(long, value_name = "NAME", default_value = "url", help_heading = "Input")]
    pub(crate) url_column: String,
    /// Column or field that has its date; it may be missing
    #[arg(long, value_name = "NAME", default_value = "date", help_heading = "Input")]
    pub(crate) date_column: String,
    /// Take answers with any HTTP status for pages, not only those from 200 to 299
    #[arg(long, help_heading = "Input")]
    pub(crate) any_status: bool,
    /// Count the text of noscript elements
    #[arg(long, help_heading = "Input")]
    pub(crate) noscript: bool,

    /// Folder for the output: a new one, or that of a run to go on with
    #[arg(short, long, value_name = "DIR", help_heading = "Output", value_hint = ValueHint::DirPath)]
    pub(crate) out: PathBuf,
    /// What to write: parquet, jsonl, wet (texts as WARC records) or wat (links as WARC records)
    #[arg(long, value_name = "FORMAT", default_value_t = Format::Parquet, help_heading = "Output")]
    pub(crate) format: Format,
    /// Tables to write with parquet and jsonl: pages, segments, links
    #[arg(long, value_name = "TABLE,…", value_delimiter = ',', default_value = "pages,segments,links", help_heading = "Output")]
    pub(crate) tables: Vec<Table>,
    /// Method that decides what is content; see `webstrata extract --help`
    #[arg(long, default_value = "strata", help_heading = "Output")]
    pub(crate) preset: Preset,
    /// Method that makes segments; see `webstrata segment --help`
    #[arg(long, default_value = Method::Strata.name(), help_heading = "Output")]
    pub(crate) method: Method,
    /// How fine the method strata cuts
    #[arg(long, default_value = "fine", value_name = "coarse|fine|0..1", help_heading = "Output")]
    pub(crate) granularity: Granularity,
    /// What `webstrata site` has learned of the sites of the crawl (its file `evidence`): what all pages of a site share is no content
    #[arg(long, value_name = "FILE", help_heading = "Output", value_hint = ValueHint::FilePath)]
    pub(crate) site_evidence: Option<PathBuf>,
    /// Fill the column `signature` of the pages with what `webstrata dedup` compares texts by
    #[arg(long, value_enum, value_name = "PRESET", help_heading = "Output")]
    pub(crate) signatures: Option<SimilarityName>,
    /// Pages and failures of a shard at most
    #[arg(long, value_name = "N", default_value_t = SHARD_PAGES, help_heading = "Output",
        value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) shard_pages: u64,
    /// Bytes of the rows of a shard at most, before they are compressed
    #[arg(long, value_name = "BYTES", default_value_t = SHARD_BYTES, help_heading = "Output")]
    pub(crate) shard_bytes: Bytes,

    /// Read at most so many bytes of a page (4096, 512k, 256M); what follows is cut off
    #[arg(long, value_name = "BYTES", default_value_t = MAX_BYTES, help_heading = "Limits")]
    pub(crate) max_bytes: Bytes,
    /// Make at most so many nodes of a page; what follows is cut off
    #[arg(long, value_name = "N", default_value_t = Limits::default().nodes, help_heading = "Limits",
        value_parser = clap::value_parser!(u32).range(1..=i64::from(Limits::MAX_NODES)))]
    pub(crate) max_nodes: u32,
    /// Nest elements at most so deep; deeper ones are attached there
    #[arg(long, value_name = "N", default_value_t = Limits::default().depth, help_heading = "Limits",
        value_parser = clap::value_parser!(u16).range(1..=i64::from(Limits::MAX_DEPTH)))]
    pub(crate) max_depth: u16,
    /// Give up a page after so many seconds; 0 is no limit
    #[arg(long, value_name = "SECONDS", default_value_t = TIMEOUT, help_heading = "Limits")]
    pub(crate) timeout: Seconds,

    /// Threads; 0 is one a core
    #[arg(long, default_value_t = 0, value_name = "N", help_heading = "Run", value_parser = clap::value_parser!(u16).range(..=1024))]
    pub(crate) threads: u16,
    /// Do not say what came out
    #[arg(short, long, help_heading = "Run")]
    pub(crate) quiet: bool,
    /// Show pages and bytes per second and the time left, on standard error
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = When::Auto, help_heading = "Run")]
    pub(crate) progress: When,
    /// Say at the end where the time went
    #[arg(long, help_heading = "Run")]
    pub(crate) timings: bool,
}
