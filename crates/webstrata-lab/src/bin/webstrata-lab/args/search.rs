//! Options of `eval search`, `eval facets` and `eval latency`.

use super::{OutputArgs, RunArgs};
use clap::{Args, ValueHint};
use std::path::PathBuf;
use webstrata_search::Weights;

const SEARCH_HELP: &str = "\
Queries are JSON lines {\"query\", \"targets\"} with the names of the pages to be found, or, with --qrels, TREC
topics in <DOC> elements with <DOCNO>, and lines of query, Q0, page, relevance. A page is named by the end
of its path, or by its file name without the extension.

Examples:
  webstrata run site --out tables && webstrata index tables --out index
  webstrata-lab eval search index --queries queries.jsonl
  webstrata-lab eval search index --queries queries.jsonl --losses 20
  webstrata-lab eval search index --queries queries.jsonl --curve
  webstrata-lab eval search index --queries gold.jsonl --from-gold --curve
  webstrata-lab eval search index --queries topics.txt --qrels qrels.txt --rank ranks.tsv

p-values are those of the Wilcoxon signed-rank test on the average precision of queries, against
bm25 and bm25-nt. --curve measures minimum words and minimum densities from 1 to 20 (thesis, 4.4.5).

Exit codes: 0 success; 1 some queries were skipped; 2 invalid arguments or input.";

const LATENCY_HELP: &str = "\
Examples:
  webstrata-lab eval latency generated --pages 100000

The index is generated in the folder unless it exists, and next to it a plain tantivy index with a single text field.

Exit codes: 0 success; 2 invalid arguments or input.";

#[derive(Debug, Args)]
#[command(after_help = SEARCH_HELP)]
pub(crate) struct EvalSearchArgs {
    /// Folder of the index
    #[arg(value_name = "INDEX", value_hint = ValueHint::DirPath)]
    pub(crate) index: PathBuf,
    /// Queries
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) queries: PathBuf,
    /// Relevant pages of TREC topics
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) qrels: Option<PathBuf>,
    /// Make the queries from the gold texts of a set (gold.jsonl): the most distinctive words of each page
    #[arg(long, conflicts_with = "qrels")]
    pub(crate) from_gold: bool,
    /// Weights to measure as well, as for `webstrata search`; repeatable
    #[arg(long, value_name = "WEIGHTS")]
    pub(crate) weights: Vec<Weights>,
    /// Also measure each ranking with these ranks mixed in; by default those of the index, if it has any
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) rank: Option<PathBuf>,
    /// Exponents of ranks; repeatable
    #[arg(long, value_name = "W", default_values_t = [0.2, 1.0])]
    pub(crate) rank_weight: Vec<f64>,
    /// Topic of the ranks, or a mixture, besides the first column; repeatable
    #[arg(long, value_name = "TOPIC")]
    pub(crate) topic: Vec<String>,
    /// List the N queries that lose and gain most with bm25-segment
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) losses: u32,
    /// Also measure rankings with minimum words and minimum densities from 1 to 20
    #[arg(long)]
    pub(crate) curve: bool,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

const FACETS_HELP: &str = "\
A query is a word that occurs in at least --least titles. Its right topics are those of at least half of the
pages with the word in their title. Chance is the same share with topics reassigned to pages at random.

Examples:
  webstrata rank topics web.graph --taxonomy topics.tsv --out ranks.tsv
  webstrata index tables --out index --ranks ranks.tsv
  webstrata-lab eval facets index --taxonomy topics.tsv

Exit codes: 0 success; 2 invalid arguments or input.";

#[derive(Debug, Args)]
#[command(after_help = FACETS_HELP)]
pub(crate) struct EvalFacetsArgs {
    /// Folder of an index with topic ranks
    #[arg(value_name = "INDEX", value_hint = ValueHint::DirPath)]
    pub(crate) index: PathBuf,
    /// File with the topics of pages, one topic<TAB>address per line
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) taxonomy: PathBuf,
    /// Minimum number of titles that must contain a word
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub(crate) least: usize,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(Debug, Args)]
#[command(after_help = LATENCY_HELP)]
pub(crate) struct EvalLatencyArgs {
    /// Folder for the generated index
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) folder: PathBuf,
    /// Number of pages to generate
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    pub(crate) pages: u64,
    /// Number of queries
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) queries: u32,
    /// Number of rounds; the fastest counts for each query
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) rounds: u32,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}
