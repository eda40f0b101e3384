//! Options of `train`.

use super::{EvalFormat, When};
use clap::{Args, Subcommand, ValueEnum, ValueHint};
use std::path::PathBuf;
use std::str::FromStr;
use webstrata_lab::learn::column::{Column, UnknownFeature};
use webstrata_lab::learn::cross_validation::By;
use webstrata_lab::strata::train::StrataOptions;

const BLOCKS_HELP: &str = "\
The set is a folder with labelled blocks: html/<id>.html, gold.jsonl ({\"id\", \"url\"} a line) and
annotated/<id>.html, the page with its text in <span class=\"x-nc-selN\">, where N is 1 for a
headline, 2 full text, 3 supplemental text, 4 related content, 5 comments. To label pages of
your own, put such spans round the text.

The learner is trained and judged fold by fold, on pages (or hosts) that it has not seen; these
scores are printed and kept in the model. Then it is trained on all pages: that is the model.
Words are weights throughout: a long block counts for more.

Learners: tree, in the manner of C4.5, is the thesis' choice; svm is a linear support vector
machine; 1r is one feature cut into intervals; zeror always says the commonest class, so that
anything must beat it.
Features: local (all 67 that a page has), density+link, words+link, or names such as
words,link-density,previous.words,next.words. `frequency`, which is in `all`, counts over the
whole set: a model with it cannot be used on single pages.
Leaves of a tree have at least 1000 words, as in the thesis; give a smaller --min-leaf for sets
of less than some hundred pages.

Examples:
  webstrata train blocks sets/labelled -o mine.json              a tree, all features, ten folds
  webstrata train blocks sets/labelled --learner 1r --by host    only scores
  webstrata train blocks sets/labelled --features words+link --min-leaf 100 -o small.json
  webstrata train blocks sets/labelled --l-extractor -o svm.json (Debnath and others 2005)
  webstrata extract --model mine.json page.html                  what it is for

Exit codes: 0 it was trained; 1 it was, but some pages were left out;
2 it could not be carried out as given.";

#[derive(Debug, Args)]
pub(crate) struct TrainArgs {
    #[command(subcommand)]
    pub(crate) what: TrainCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum TrainCommand {
    /// Which blocks are content, learnt from pages with labelled blocks
    Blocks(TrainBlocksArgs),
    /// The models of the methods strata, learnt from pages with gold texts and from pages with marked blocks
    Strata(TrainStrataArgs),
}

const STRATA_HELP: &str = "\
A set is a folder with html/<id>.html and gold.jsonl, an object a line: {\"id\", \"gold_text\"},
and if known \"page_type\" (article, collection, documentation, forum, listing, product,
service) and \"site\": folds of the cross-validation keep sites together.
A set of pieces has \"with\" and \"without\" in place of a gold text: pieces of text that are
content and that are not.

Every stage is judged on sites that it has not seen, and the next one learns from those
answers. Beside each page stands a copy that says less about itself (no classes, no tags for
parts of a page), so that the model holds up on pages of other makes and years.

The same sets give the same model to the byte, for any number of threads. It takes some
minutes for a thousand pages.

Where `webstrata segment` cuts pages is learnt apart, from a set of pages that people have
marked: html/<id>.html with the attributes data-block (1, or 2 for what is inside) and
data-block-type on the elements that are blocks. --trees and --folds are not for it.

Examples:
  webstrata train strata --gold sets/wcxb -o mine.model
  webstrata train strata --gold sets/wcxb --pieces sets/snippets --card mine.md -o mine.model
  webstrata train strata --segments sets/seg-popular --segments-output cuts.model
  webstrata extract --model mine.model page.html                what it is for

Exit codes: 0 it was trained; 1 it was, but some pages were left out;
2 it could not be carried out as given.";

#[derive(Debug, Args)]
#[command(after_help = STRATA_HELP)]
pub(crate) struct TrainStrataArgs {
    /// Set of pages with gold texts; may be given several times
    #[arg(long, value_name = "SET", required_unless_present = "segments", requires = "output", value_hint = ValueHint::DirPath, help_heading = "Data")]
    pub(crate) gold: Vec<PathBuf>,
    /// Set of articles with gold texts that lean to one tool's view: they count less
    #[arg(long, value_name = "SET", requires = "gold", value_hint = ValueHint::DirPath, help_heading = "Data")]
    pub(crate) articles: Vec<PathBuf>,
    /// Set of pages of which pieces are marked
    #[arg(long, value_name = "SET", requires = "gold", value_hint = ValueHint::DirPath, help_heading = "Data")]
    pub(crate) pieces: Vec<PathBuf>,
    /// Set of pages with marked blocks: where `webstrata segment` cuts is learnt from it
    #[arg(long, value_name = "SET", requires = "segments_output", value_hint = ValueHint::DirPath, help_heading = "Data")]
    pub(crate) segments: Option<PathBuf>,
    /// Trees of the first look
    #[arg(long, value_name = "N", default_value_t = StrataOptions::TREES, help_heading = "Learning", value_parser = clap::value_parser!(u16).range(1..=2000))]
    pub(crate) trees: u16,
    /// Folds of the cross-validation, by site
    #[arg(long, value_name = "N", default_value_t = StrataOptions::FOLDS, help_heading = "Measuring", value_parser = clap::value_parser!(u16).range(2..=50))]
    pub(crate) folds: u16,
    /// Also measure what each group of evidence is worth: nine trainings more, with smaller forests
    #[arg(long, requires = "gold", help_heading = "Measuring")]
    pub(crate) ablation: bool,
    /// Write the model that is learnt from gold texts to this file; it appears when it is complete
    #[arg(short, long, value_name = "FILE", requires = "gold", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,
    /// Write the model that is learnt from marked blocks to this file
    #[arg(long, value_name = "FILE", requires = "segments", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub(crate) segments_output: Option<PathBuf>,
    /// Write what is printed to this file too: data, date, command, scores
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub(crate) card: Option<PathBuf>,
    /// Threads; 0 is one a core. The model is the same for any number
    #[arg(long, default_value_t = 0, value_name = "N", help_heading = "Run", value_parser = clap::value_parser!(u16).range(..=1024))]
    pub(crate) threads: u16,
    /// Show how far it has come, on standard error
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = When::Auto, help_heading = "Run")]
    pub(crate) progress: When,
}

#[derive(Debug, Args)]
#[command(after_help = BLOCKS_HELP)]
pub(crate) struct TrainBlocksArgs {
    /// Set of pages with labelled blocks
    #[arg(value_name = "SET", value_hint = ValueHint::DirPath)]
    pub(crate) set: PathBuf,
    /// What learns
    #[arg(long, value_enum, default_value_t = LearnerName::Tree, help_heading = "Learning")]
    pub(crate) learner: LearnerName,
    /// As L-Extractor does: --learner svm --folds 5 and --cost 1 where nothing else is given
    #[arg(long, help_heading = "Learning", conflicts_with = "learner")]
    pub(crate) l_extractor: bool,
    /// What it looks at: local, all, density+link, words+link, or names of features with commas
    #[arg(long, value_name = "LIST", default_value = "local", help_heading = "Learning")]
    pub(crate) features: Features,
    /// What it tells apart
    #[arg(long, value_enum, value_name = "2|4", default_value_t = ClassCount::Two, help_heading = "Learning")]
    pub(crate) classes: ClassCount,
    /// Least words of a leaf of a tree (1000 if not given) or of an interval of 1r (6 blocks if not given)
    #[arg(long, value_name = "WORDS", help_heading = "Learning", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) min_leaf: Option<u32>,
    /// How a tree is cut back
    #[arg(long, value_enum, help_heading = "Learning")]
    pub(crate) pruning: Option<PruningName>,
    /// Price of an error for svm (1 if not given)
    #[arg(long, value_name = "C", help_heading = "Learning", value_parser = cost)]
    pub(crate) cost: Option<f64>,
    /// Folds of the cross-validation (10; 5 for --l-extractor)
    #[arg(long, value_name = "N", help_heading = "Measuring", value_parser = clap::value_parser!(u16).range(2..=1000))]
    pub(crate) folds: Option<u16>,
    /// What stays together in a fold: page, host (what to expect of sites never seen), or block (flatters; as in the thesis)
    #[arg(long, value_name = "page|host|block", default_value_t = By::Page, help_heading = "Measuring")]
    pub(crate) by: By,
    /// Write the model to this file; it appears when it is complete. Without it only scores are printed
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,
    /// How the scores are printed
    #[arg(long, value_enum, default_value_t = EvalFormat::Table, help_heading = "Output")]
    pub(crate) format: EvalFormat,
    /// Threads; 0 is one a core. The model and its scores are the same for any number
    #[arg(long, default_value_t = 0, value_name = "N", help_heading = "Run", value_parser = clap::value_parser!(u16).range(..=1024))]
    pub(crate) threads: u16,
    /// Show how far it has come, on standard error
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = When::Auto, help_heading = "Run")]
    pub(crate) progress: When,
}

/// A learner by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LearnerName {
    /// The commonest class, always
    Zeror,
    /// One feature, cut into intervals (Holte 1993)
    #[value(name = "1r")]
    OneR,
    /// A decision tree in the manner of C4.5
    Tree,
    /// A linear support vector machine
    Svm,
}

/// How many classes there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ClassCount {
    /// Boilerplate and content
    #[value(name = "2")]
    Two,
    /// Boilerplate, full text with comments, headline, supplemental
    #[value(name = "4")]
    Four,
}

/// How a tree is cut back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PruningName {
    /// By an upper bound of the error, as C4.5 does it (what is taken if nothing is given)
    C45,
    /// By a third of the pages that is held back
    ReducedError,
    /// Not at all
    None,
}

/// A list of features.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Features {
    /// As it was typed.
    pub(crate) typed: String,
    pub(crate) columns: Vec<Column>,
}

impl FromStr for Features {
    type Err = UnknownFeature;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Features { typed: text.to_owned(), columns: Column::list(text)? })
    }
}

fn cost(text: &str) -> Result<f64, String> {
    let cost = text.parse::<f64>().ok().filter(|cost| cost.is_finite() && *cost > 0.0);
    cost.ok_or_else(|| "give a number above 0, such as 1 or 0.1".to_owned())
}
