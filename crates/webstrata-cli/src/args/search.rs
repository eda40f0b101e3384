//! Options of `search`.

use super::config_file::ConfigArgs;
use super::limits::When;
use clap::{Args, ValueEnum, ValueHint};
use std::path::PathBuf;
use webstrata_search::{Ranking, Weights};

const HELP: &str = "\
Queries:
  rain snow                pages with either word; those that say more about both come first
  rain AND snow            both words; rain OR snow is the same as rain snow
  rain -snow               without this word; the same as NOT snow
  '\"hot water\"'            the words as a phrase
  rain site:example.org    only from this host or site; also lang:de, kind:article (or another page type),
                           after:2024-05, before:2025 (the date of publication or change)

Examples:
  webstrata search index 'heavy rain'
  webstrata search index 'rain site:example.org' --ranking bm25-nt --limit 20
  webstrata search index rain --weights title=8,heading=2,navigation=0
  webstrata search index rain --weights site               weights learned for each site
  webstrata search index rain --rank ranks.tsv             pages with many in-links first (`webstrata rank pagerank`)
  webstrata search index jaguar --facets                   what the results are about (`webstrata index --ranks`) …
  webstrata search index jaguar --facets --topic Science   … and results of one topic first, with the topics below it
  webstrata search index rain --explain                    how scores are computed
  webstrata search index rain --format jsonl | jq .url

Rankings: bm25 (all text), bm25-nt (content only), bm25-segment (words weighted by the segments in which they
occur), bm25-minwords=K and bm25-mindensity=D (only blocks of at least K words, or D words per line).

Exit codes: 0 success; 2 the command cannot be executed as given; 3 nothing found.";

#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct SearchArgs {
    /// Folder of the index
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) index: PathBuf,
    /// The query; several arguments are joined with spaces
    #[arg(value_name = "QUERY", required = true, allow_hyphen_values = false)]
    pub(crate) query: Vec<String>,

    /// Ranking function; see Rankings below
    #[arg(long, value_name = "RANKING", default_value_t = Ranking::default(), help_heading = "Ranking")]
    pub(crate) ranking: Ranking,
    /// Weights of bm25-segment: role, site, or CLASS=WEIGHT,…
    ///
    /// Classes: title, heading, content, comment, navigation, boilerplate; classes not named have weight 1. role is
    /// title=6,heading=8,content=1,comment=0.7,navigation=0.3,boilerplate=0.7. Headings are h1 … h6 and terms of definition lists
    /// that are not links.
    #[arg(long, value_name = "WEIGHTS", default_value = "role", help_heading = "Ranking")]
    pub(crate) weights: Weights,
    /// BM25 saturation: the larger the value, the more repetitions count
    #[arg(long, value_name = "K", default_value_t = 1.2, help_heading = "Ranking")]
    pub(crate) k1: f32,
    /// How much long pages are penalised, from 0 (not at all) to 1
    #[arg(long, value_name = "B", default_value_t = 0.75, help_heading = "Ranking")]
    pub(crate) b: f32,
    /// Multiply scores by page ranks (TSV from `webstrata rank`)
    #[arg(long, value_name = "FILE", help_heading = "Ranking", value_hint = ValueHint::FilePath)]
    pub(crate) rank: Option<PathBuf>,
    /// Exponent of ranks: 0 has no effect, 1 multiplies by the rank itself
    ///
    /// The default is 0.2 with --rank or --topic. Without --rank, the ranks are those of the index (`webstrata index --ranks`).
    #[arg(long, value_name = "W", help_heading = "Ranking")]
    pub(crate) rank_weight: Option<f64>,
    /// Column of the ranks, or a mixture such as Sports=0.7,Science=0.3; by default the first column
    ///
    /// --facets then shows the topics below this one.
    #[arg(long, value_name = "TOPIC", help_heading = "Ranking")]
    pub(crate) topic: Option<String>,

    /// Number of results
    #[arg(short = 'n', long, value_name = "N", default_value_t = 10, help_heading = "Output", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) limit: u32,
    /// Output format
    #[arg(long, value_enum, default_value_t = SearchFormat::Text, help_heading = "Output")]
    pub(crate) format: SearchFormat,
    /// Show near-duplicate pages as well
    #[arg(long, help_heading = "Output")]
    pub(crate) no_fold: bool,
    /// Show the topics of the top results and the share of each
    #[arg(long, help_heading = "Output")]
    pub(crate) facets: bool,
    /// Show how scores are computed
    #[arg(long, help_heading = "Output")]
    pub(crate) explain: bool,
    /// Colour the output
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = When::Auto, help_heading = "Output")]
    pub(crate) color: When,
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
}

/// Format of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SearchFormat {
    /// Human-readable
    Text,
    /// One JSON object
    Json,
    /// One JSON object per result, each on its own line
    Jsonl,
}
