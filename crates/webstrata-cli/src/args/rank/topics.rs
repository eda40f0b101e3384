//! Arguments of `rank topics`, and what it shares with `rank facets`.

use super::super::graph::{GraphInput, ProgressArgs};
use super::{RankOutputArgs, SolveArgs};
use clap::{Args, ValueHint};
use std::path::PathBuf;
use webstrata_corpus::graph::rank::SolveOptions;
use webstrata_corpus::graph::topics::{Mixture, TaxonomyOptions};

const HELP: &str = "\
The taxonomy is a file of lines topic<TAB>page (plain, gzip, Zstandard; # starts a comment). A topic is a path from the root,
such as Science/Biology/Mammals; it is separated by slashes if any topic contains one, else by dots. The pages of a topic are
its own and those of all topics below it; they are its preference vector. Pages that are not in the graph are skipped and
counted.

Writes a header page<TAB>*<TAB>topic… and one line per page; * is the ranking without a preference. With --top it writes the
best pages of each topic: topic<TAB>page<TAB>rank.

A mixture ranks by several topics with weights. It is computed from the ranks of the topics and equals ranking with all their
pages as the preference vector.

Examples:
  webstrata rank topics web.graph --taxonomy topics.tsv --out ranks.tsv
  webstrata rank topics links.tsv --taxonomy categories.tsv --pages-first --root subject --depth 2 --out ranks.tsv
  webstrata rank topics web.graph --taxonomy topics.tsv --topic Science --depth 3 --top 20
  webstrata rank topics web.graph --taxonomy topics.tsv --combine 'Sports=0.7,Science/Biology=0.3' --out ranks.tsv
  webstrata rank compare ranks.tsv --svg topics.svg          how similar the topics are

Exit codes: 0 the ranks were written; 2 the command failed.";

#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct RankTopicsArgs {
    #[command(flatten)]
    pub(crate) input: GraphInput,
    /// Tree of topics with their pages
    #[arg(long, value_name = "FILE", help_heading = "Topics", value_hint = ValueHint::FilePath)]
    pub(crate) taxonomy: PathBuf,
    #[command(flatten)]
    pub(crate) reading: TaxonomyArgs,
    /// Rank by this topic, and by those below it up to --depth [default: the top-level topics]
    #[arg(long, value_name = "NAME", help_heading = "Topics")]
    pub(crate) topic: Vec<String>,
    /// Add a ranking by a mixture of topics: 'A=0.7,B=0.3', or 'NAME: A=0.7,B=0.3' to name it
    #[arg(long, value_name = "MIXTURE", help_heading = "Topics")]
    pub(crate) combine: Vec<Mixture>,
    #[command(flatten)]
    pub(crate) solve: BatchArgs,
    #[command(flatten)]
    pub(crate) output: RankOutputArgs,
    #[command(flatten)]
    pub(crate) progress: ProgressArgs,
}

/// How a taxonomy is read.
#[derive(Debug, Args)]
pub(crate) struct TaxonomyArgs {
    /// Lines of the taxonomy are page<TAB>topic
    #[arg(long, help_heading = "Topics")]
    pub(crate) pages_first: bool,
    /// Separator between a topic and the one above it
    #[arg(long, value_name = "CHAR", help_heading = "Topics")]
    pub(crate) separator: Option<char>,
    /// Use only topics below this one, and drop it from their names
    #[arg(long, value_name = "NAME", help_heading = "Topics")]
    pub(crate) root: Option<String>,
    /// Levels of topics: 1 = the top-level (or named) ones, 2 = also those below them, and so on
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Topics", value_parser = clap::value_parser!(u8).range(1..=64))]
    pub(crate) depth: u8,
}

impl From<&TaxonomyArgs> for TaxonomyOptions {
    fn from(args: &TaxonomyArgs) -> TaxonomyOptions {
        let TaxonomyArgs { pages_first, separator, root, .. } = args;
        TaxonomyOptions { pages_first: *pages_first, separator: *separator, root: root.clone() }
    }
}

/// How several rankings are computed.
#[derive(Debug, Args)]
pub(crate) struct BatchArgs {
    #[command(flatten)]
    pub(crate) solve: SolveArgs,
    /// Topics solved at a time; each needs up to 16 bytes of memory per page
    #[arg(long, value_name = "N", default_value_t = 16, help_heading = "Run", value_parser = clap::value_parser!(u8).range(1..=16))]
    pub(crate) batch_size: u8,
}

impl From<&BatchArgs> for SolveOptions {
    fn from(args: &BatchArgs) -> SolveOptions {
        SolveOptions { batch_size: args.batch_size.into(), ..SolveOptions::from(&args.solve) }
    }
}
