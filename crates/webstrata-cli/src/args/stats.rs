//! Options of `stats`.

use super::limits::ExecutionArgs;
use super::values::ByteSize;
use clap::{Args, Subcommand, ValueHint};
use std::path::PathBuf;

const HELP: &str = "\
Examples:
  webstrata run crawl.warc.gz --method bf-rulebased --out tables
  webstrata stats report tables --out report                     then open report/index.html
  webstrata run crawl.warc.gz --skip report/deviations.txt --out clean
  webstrata stats pages --law report/laws.json --out simulated

The laws, the writer and the surfer are those of Kohlschütter's thesis, Exploiting Links and Text Structure on the Web, 2011.";

#[derive(Debug, Args)]
#[command(after_help = HELP, subcommand_required = true, arg_required_else_help = true)]
pub(crate) struct StatsArgs {
    #[command(subcommand)]
    pub(crate) command: StatsCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum StatsCommand {
    /// Count the text of a corpus, fit the laws of Web text to it, and write a report
    Report(Box<StatsReportArgs>),
    /// Count the text of a part of a corpus and write the counts to a file, for a report over all parts
    Count(Box<StatsCountArgs>),
    /// Generate pages with a stratified random writer
    Pages(Box<StatsPagesArgs>),
    /// Generate walks of a stratified random surfer over the links of a run
    Walks(Box<StatsWalksArgs>),
}

const REPORT_HELP: &str = "\
Examples:
  webstrata stats report tables --out report                     one run …
  webstrata stats report monday tuesday --out report             … or several as one corpus
  webstrata stats report *.counts --out report                   … or the counts of its parts
  webstrata stats report novels/ --out report                    plain text: .txt files, a paragraph is a block

Segments are those of the run. Kohlschütter's thesis, where the laws come from, uses `run --method bf-rulebased` for densities
and `run --method taggap` for blocks and their lengths. The table of segments is enough; links and languages need links and
pages as well.

The folder contains index.html, a .csv and .svg file for each figure, laws.json with all fits, deviations.csv and deviations.txt
with the pages that deviate most. docs/statistics.md explains them.

Counts do not depend on the number of threads or on the order of the tables. Terms and texts that do not fit in memory go to temporary
files.

Exit codes: 0 success; 2 the command cannot be executed as given; 130 interrupted, 143 terminated by SIGTERM.";

#[derive(Debug, Args)]
#[command(after_help = REPORT_HELP)]
pub(crate) struct StatsReportArgs {
    #[command(flatten)]
    pub(crate) counting: CountingArgs,
    /// Output folder of the report
    #[arg(short, long, value_name = "DIR", help_heading = "Output", value_hint = ValueHint::DirPath)]
    pub(crate) out: PathBuf,
    /// Title of the report
    #[arg(long, default_value = "Statistics of Web text", help_heading = "Output")]
    pub(crate) title: String,
}

/// Input and resources for counting.
#[derive(Debug, Args)]
pub(crate) struct CountingArgs {
    /// Folders of runs, files of counts, or folders and files of plain text
    #[arg(value_name = "TABLES|COUNTS|TEXT", required = true, value_hint = ValueHint::AnyPath)]
    pub(crate) inputs: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) execution: ExecutionArgs,
    /// Memory for terms, texts and pages before they spill to temporary files (64MB, 1GB)
    #[arg(long, value_name = "SIZE", default_value_t = ByteSize(512 << 20), help_heading = "Execution")]
    pub(crate) memory: ByteSize,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  webstrata stats count monday --out monday.counts               on one machine …
  webstrata stats count tuesday --out tuesday.counts             … and on another
  webstrata stats report monday.counts tuesday.counts --out report
  webstrata stats count *.counts --out all.counts                the counts of all parts in one file

A report from the counts of all parts is the same, byte for byte, as one from the whole corpus, if no page is in two parts. The
same pages give the same file for any number of threads and any division into parts.

Exit codes: 0 success; 2 the command cannot be executed as given; 130 interrupted, 143 terminated by SIGTERM.")]
pub(crate) struct StatsCountArgs {
    #[command(flatten)]
    pub(crate) counting: CountingArgs,
    /// Output file of the counts
    #[arg(short, long, value_name = "FILE", help_heading = "Output", value_hint = ValueHint::FilePath)]
    pub(crate) out: PathBuf,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  webstrata stats pages --out simulated                                     the news pages of Kohlschütter's thesis
  webstrata stats pages --law report/laws.json --number 500 --out simulated pages like those of a corpus
  webstrata stats pages --short 0.9 --out simulated                         more short text

The writer first chooses short or long text, and after each word whether the block ends (figure 4.25b of the thesis). Short text
becomes list items, long text paragraphs. The same options give the same pages.")]
pub(crate) struct StatsPagesArgs {
    /// Output folder of the pages
    #[arg(short, long, value_name = "DIR", help_heading = "Output", value_hint = ValueHint::DirPath)]
    pub(crate) out: PathBuf,
    /// Number of pages
    #[arg(long, default_value_t = 100, value_name = "N", help_heading = "Output", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) number: u32,
    /// Blocks per page
    #[arg(long, default_value_t = 80, value_name = "N", help_heading = "Output", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) blocks: u32,
    /// Take the probabilities from a report: its file laws.json
    #[arg(long, value_name = "FILE", help_heading = "Writer", value_hint = ValueHint::FilePath)]
    pub(crate) law: Option<PathBuf>,
    /// Probability of short text, P_N(S) [default: 0.7586 or that of the law]
    #[arg(long, value_name = "P", help_heading = "Writer", value_parser = probability)]
    pub(crate) short: Option<f64>,
    /// Probability that short text ends after a word, P_S(N) [default: 0.3968 or that of the law]
    #[arg(long, value_name = "P", help_heading = "Writer", value_parser = probability)]
    pub(crate) short_end: Option<f64>,
    /// Probability that long text ends after a word, P_L(N) [default: 0.04369 or that of the law]
    #[arg(long, value_name = "P", help_heading = "Writer", value_parser = probability)]
    pub(crate) long_end: Option<f64>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  webstrata stats walks tables --steps 1000                      walk<TAB>behaviour<TAB>page, one line per step
  webstrata stats walks tables --stay 0.9 --roam 0.1             a surfer who prefers links within the site

The surfer first decides whether to follow a link within the site, to leave it, or to jump, then takes one of those links (figure
5.2 of Kohlschütter's thesis). The link graph is held in memory.")]
pub(crate) struct StatsWalksArgs {
    /// Folder of a run with the table of links
    #[arg(value_name = "TABLES", value_hint = ValueHint::DirPath)]
    pub(crate) tables: PathBuf,
    /// Number of walks
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) walks: u32,
    /// Steps per walk
    #[arg(long, default_value_t = 100, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) steps: u32,
    /// Probability of following a link instead of jumping
    #[arg(long, default_value_t = 0.85, value_name = "P", help_heading = "Surfer", value_parser = probability)]
    pub(crate) alpha: f64,
    /// Probability of following a link within the site after having just done so
    #[arg(long, default_value_t = 0.5, value_name = "P", help_heading = "Surfer", value_parser = probability)]
    pub(crate) stay: f64,
    /// Probability of leaving for another site after having just done so
    #[arg(long, default_value_t = 0.5, value_name = "P", help_heading = "Surfer", value_parser = probability)]
    pub(crate) roam: f64,
}

fn probability(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|value| (0.0..=1.0).contains(value)).ok_or_else(|| "give a number from 0 to 1".to_owned())
}
