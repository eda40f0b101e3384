//! Options of `rank topics`, and what it shares with `rank facets`.

use super::{GraphInput, RankFormatName, Saying};
use clap::{Args, ValueHint};
use std::path::PathBuf;
use webstrata_corpus::graph::rank::{DAMPING, SolveOptions};
use webstrata_corpus::graph::topics::{Mixture, TaxonomyOptions};

const HELP: &str = "\
The taxonomy is a file of lines topic<TAB>page (plain, gzip, Zstandard; # begins a comment). A topic is a path from the top
down, Science/Biology/Mammals; slashes separate if the file has any in a topic, else dots do. A topic's pages are its own and
those of all topics below it; the link_weights preferences to them and to no others. Pages that the graph does not have are left out and
counted.

The result has a line of names, page<TAB>*<TAB>topic…, and a line for each page; * prefers no topic. With --top it has the
best pages of each topic: topic<TAB>page<TAB>rank.

A mixture has the ranks of a link_weights who preferences to each topic as often as its weight says: the same that ranking anew with all
pages of the topics would give, from the ranks that are there.

Examples:
  webstrata rank topics web.graph --taxonomy topics.tsv --out ranks.tsv
  webstrata rank topics links.tsv --taxonomy categories.tsv --pages-first --root subject --depth 2 --out ranks.tsv
  webstrata rank topics web.graph --taxonomy topics.tsv --topic Science --depth 3 --top 20
  webstrata rank topics web.graph --taxonomy topics.tsv --combine 'Sports=0.7,Science/Biology=0.3' --out ranks.tsv
  webstrata rank compare ranks.tsv --svg topics.svg          how alike the topics are

Exit codes: 0 the ranks are there; 2 it could not be carried out as given.";

#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct RankTopicsArgs {
    #[command(flatten)]
    pub(crate) input: GraphInput,
    /// The tree of topics with their pages
    #[arg(long, value_name = "FILE", help_heading = "Topics", value_hint = ValueHint::FilePath)]
    pub(crate) taxonomy: PathBuf,
    #[command(flatten)]
    pub(crate) reading: TaxonomyReading,
    /// Topics to rank by, with those below them as --depth says; the topics on top if none is named
    #[arg(long, value_name = "NAME", help_heading = "Topics")]
    pub(crate) topic: Vec<String>,
    /// Levels of topics: 1 are those on top (or named), 2 also those below them …
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Topics", value_parser = clap::value_parser!(u8).range(1..=64))]
    pub(crate) depth: u8,
    /// One more ranking, a mixture of topics: 'A=0.7,B=0.3', or 'NAME: A=0.7,B=0.3' to give it a name
    #[arg(long, value_name = "MIXTURE", help_heading = "Topics")]
    pub(crate) combine: Vec<Mixture>,
    #[command(flatten)]
    pub(crate) solving: Solving,

    /// File for the ranks; standard output if none is named
    #[arg(short, long, value_name = "FILE", help_heading = "Output", value_hint = ValueHint::FilePath)]
    pub(crate) out: Option<PathBuf>,
    /// How ranks are written
    #[arg(long, value_enum, default_value_t = RankFormatName::Tsv, help_heading = "Output")]
    pub(crate) format: RankFormatName,
    /// Only the K best pages of each topic, highest first
    #[arg(long, value_name = "K", help_heading = "Output")]
    pub(crate) top: Option<usize>,
    #[command(flatten)]
    pub(crate) saying: Saying,
}

/// How a file of topics is read.
#[derive(Debug, Args)]
pub(crate) struct TaxonomyReading {
    /// Lines of the taxonomy are page<TAB>topic
    #[arg(long, help_heading = "Topics")]
    pub(crate) pages_first: bool,
    /// What separates a topic from the one above it
    #[arg(long, value_name = "CHAR", help_heading = "Topics")]
    pub(crate) separator: Option<char>,
    /// Only topics below this one, which is left out of their names
    #[arg(long, value_name = "NAME", help_heading = "Topics")]
    pub(crate) root: Option<String>,
}

impl From<&TaxonomyReading> for TaxonomyOptions {
    fn from(reading: &TaxonomyReading) -> TaxonomyOptions {
        let TaxonomyReading { pages_first, separator, root } = reading;
        TaxonomyOptions { pages_first: *pages_first, separator: *separator, root: root.clone() }
    }
}

/// How vectors are solved for.
#[derive(Debug, Args)]
pub(crate) struct Solving {
    /// Share of a rank that goes over links; the rest jumps
    #[arg(long, value_name = "A", default_value_t = DAMPING, help_heading = "Ranking")]
    pub(crate) damping: f64,
    /// Residual to stop at
    #[arg(long, value_name = "E", default_value_t = 1e-10, help_heading = "Ranking")]
    pub(crate) tolerance: f64,
    /// IterationState after which it is an error not to be there
    #[arg(long, value_name = "N", default_value_t = 1000, help_heading = "Ranking", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_iterations: u32,
    /// Topics that go over the links together; each takes up to 16 bytes a page meanwhile
    #[arg(long, value_name = "N", default_value_t = 16, help_heading = "Run", value_parser = clap::value_parser!(u8).range(1..=16))]
    pub(crate) batch_size: u8,
    /// Threads; 0 is one a core
    #[arg(long, default_value_t = 0, value_name = "N", help_heading = "Run", value_parser = clap::value_parser!(u16).range(..=1024))]
    pub(crate) threads: u16,
}

impl From<&Solving> for SolveOptions {
    fn from(solving: &Solving) -> SolveOptions {
        SolveOptions {
            damping: solving.damping,
            tolerance: solving.tolerance,
            max_iterations: solving.max_iterations as usize,
            batch_size: solving.batch_size.into(),
            threads: solving.threads.into(),
            ..SolveOptions::default()
        }
    }
}
