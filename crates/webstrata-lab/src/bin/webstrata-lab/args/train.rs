//! Options of `train`.

use super::{Marks, RunArgs, TableFormat};
use clap::{Args, Subcommand, ValueEnum, ValueHint};
use std::path::PathBuf;
use std::str::FromStr;
use webstrata::label::strata::{PageType, UnknownPageType};
use webstrata_lab::learn::column::{Column, UnknownFeature};
use webstrata_lab::learn::cross_validation::By;
use webstrata_lab::strata::train::StrataOptions;

const BLOCKS_HELP: &str = "\
The set is a folder with labelled blocks: html/<id>.html, gold.jsonl ({\"id\", \"url\"} per line) and
annotated/<id>.html, the page with its text in <span class=\"x-nc-selN\">, where N is 1 for a
headline, 2 full text, 3 supplemental text, 4 related content, 5 comments. To label your own
pages, wrap the text in such spans.

The learner is cross-validated on pages (or hosts) it has not seen; these scores are printed and
stored in the model. The model itself is then trained on all pages.
Blocks are weighted by their words throughout.

Learners: tree, in the style of C4.5, is the thesis' choice; svm is a linear support vector
machine; 1r is one feature cut into intervals; zeror always predicts the most common class and
serves as the baseline.
Features: local (all 67 that a page has), density+link, words+link, or names such as
words,link-density,previous.words,next.words. `frequency`, which is part of `all`, counts over the
whole set: a model that uses it cannot label single pages.
Leaves of a tree have at least 1000 words, as in the thesis; use a smaller --min-leaf for sets
of fewer than a few hundred pages.

Examples:
  webstrata-lab train blocks sets/labelled -o mine.json              a tree, all features, ten folds
  webstrata-lab train blocks sets/labelled --learner 1r --by host    scores only
  webstrata-lab train blocks sets/labelled --features words+link --min-leaf 100 -o small.json
  webstrata-lab train blocks sets/labelled --l-extractor -o svm.json (Debnath and others 2005)
  webstrata extract --model mine.json page.html                      use the model

Exit codes: 0 success; 1 the model was trained, but some pages were skipped;
2 invalid arguments or input.";

#[derive(Debug, Args)]
pub(crate) struct TrainArgs {
    #[command(subcommand)]
    pub(crate) command: TrainCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum TrainCommand {
    /// Learn which blocks are content from pages with labelled blocks
    Blocks(TrainBlocksArgs),
    /// Learn the models of the strata methods from pages with gold texts and from annotated pages
    Strata(TrainStrataArgs),
    /// Learn the weights of gcuts and cclus from annotated pages, and measure them
    Gcuts(TrainGcutsArgs),
}

const GCUTS_HELP: &str = "\
Pages are split at random into training pages, validation pages, on which lambda is chosen, and
test pages (25 : 25 : 50, as in the paper), several times. The scores on the test pages are
printed; the weights that are written are learned from all pages, with the median lambda.

With --layouts, everything is done twice: with the content of the pages alone, and with their
layouts as well (see `webstrata-lab layouts`).

Examples:
  webstrata-lab train gcuts sets/seg-popular --splits 3                     scores only
  webstrata-lab train gcuts sets/seg-popular --layouts layouts --figures figures --card gcuts.md -o gcuts.model

Exit codes: 0 success; 1 the weights were learned, but some pages were skipped;
2 invalid arguments or input.";

#[derive(Debug, Args)]
#[command(after_help = GCUTS_HELP)]
pub(crate) struct TrainGcutsArgs {
    /// Set of annotated pages
    #[arg(value_name = "SET", value_hint = ValueHint::DirPath)]
    pub(crate) set: PathBuf,
    /// Folder with the layouts of the pages
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) layouts: Option<PathBuf>,
    /// Annotations that count: the inner ones where present, or the outer ones only
    #[arg(long, value_enum, default_value_t = Marks::Inner)]
    pub(crate) marks: Marks,
    /// Number of random splits of the pages
    #[arg(long, value_name = "N", default_value_t = 5, help_heading = "Measuring", value_parser = clap::value_parser!(u8).range(1..=50))]
    pub(crate) splits: u8,
    /// Folder for the figures and tables of the paper, as SVG and CSV
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = "Output")]
    pub(crate) figures: Option<PathBuf>,
    /// Write the weights to this file
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub(crate) out: Option<PathBuf>,
    /// Write the model card to this file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub(crate) card: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

const STRATA_HELP: &str = "\
A set is a folder with html/<id>.html and gold.jsonl, one object per line: {\"id\", \"gold_text\"},
and optionally \"page_type\" (article, collection, documentation, forum, listing, product,
service) and \"site\": folds of the cross-validation keep sites together.
A set of snippets has \"with\" and \"without\" instead of a gold text: snippets that are
content, and snippets that are not.

Every stage is evaluated on sites it has not seen, and the next stage learns from those
predictions. Each page is used twice: as it is, and masked (without classes and sectioning
tags), so that the model holds up on pages with other markup.

The same sets give the same model, byte for byte, with any number of threads. Training takes a
few minutes for a thousand pages.

The segment boundaries of `webstrata segment` are learned separately, from annotated pages:
html/<id>.html with the attributes data-block (1, or 2 for nested blocks) and
data-block-type on the elements that are blocks. --trees and --folds do not apply to them.

Examples:
  webstrata-lab train strata --gold sets/wcxb -o mine.model
  webstrata-lab train strata --gold sets/wcxb --snippets sets/snippets --card mine.md -o mine.model
  webstrata-lab train strata --segments sets/seg-popular --segments-out cuts.model
  webstrata-lab train strata --segments sets/seg-popular --segments-out cuts.model \
      --layouts layouts --layout-out cuts-layout.model
  webstrata extract --model mine.model page.html                use the model

Exit codes: 0 success; 1 the model was trained, but some pages were skipped;
2 invalid arguments or input.";

#[derive(Debug, Args)]
#[command(after_help = STRATA_HELP)]
pub(crate) struct TrainStrataArgs {
    /// Set of pages with gold texts; repeatable
    #[arg(long, value_name = "SET", required_unless_present = "segments", requires = "out", value_hint = ValueHint::DirPath, help_heading = "Data")]
    pub(crate) gold: Vec<PathBuf>,
    /// Page type of the pages of a set whose gold does not state it, such as news=article; repeatable
    #[arg(long = "page-type", value_name = "SET=TYPE", requires = "gold", help_heading = "Data", value_parser = set_and_type)]
    pub(crate) page_types: Vec<(String, PageType)>,
    /// Learn from this share of a set's sites only, such as news=0.5, for a learning curve; all its pages are scored. Repeatable
    #[arg(long = "share", value_name = "SET=SHARE", requires = "gold", help_heading = "Measuring", value_parser = set_and_share)]
    pub(crate) shares: Vec<(String, f64)>,
    /// Set of articles whose gold texts are biased towards one tool; they get less weight. Repeatable
    #[arg(long, value_name = "SET", requires = "gold", value_hint = ValueHint::DirPath, help_heading = "Data")]
    pub(crate) articles: Vec<PathBuf>,
    /// Set of pages with labelled snippets; repeatable
    #[arg(long, value_name = "SET", requires = "gold", value_hint = ValueHint::DirPath, help_heading = "Data")]
    pub(crate) snippets: Vec<PathBuf>,
    /// Set of annotated pages, to learn the boundaries of `webstrata segment` from
    #[arg(long, value_name = "SET", requires = "segments_out", value_hint = ValueHint::DirPath, help_heading = "Data")]
    pub(crate) segments: Option<PathBuf>,
    /// Folder with the layouts of the annotated pages (see `webstrata-lab layouts`), for the layout pass
    #[arg(long, value_name = "DIR", requires = "layout_out", value_hint = ValueHint::DirPath, help_heading = "Data")]
    pub(crate) layouts: Option<PathBuf>,
    /// Number of trees of the first pass
    #[arg(long, value_name = "N", default_value_t = StrataOptions::TREES, help_heading = "Learning", value_parser = clap::value_parser!(u16).range(1..=2000))]
    pub(crate) trees: u16,
    /// Number of folds of the cross-validation, by site
    #[arg(long, value_name = "N", default_value_t = StrataOptions::FOLDS, help_heading = "Measuring", value_parser = clap::value_parser!(u16).range(2..=50))]
    pub(crate) folds: u16,
    /// Also measure the effect of each group of features: nine more training runs, with smaller forests
    #[arg(long, requires = "gold", help_heading = "Measuring")]
    pub(crate) ablation: bool,
    /// Write the model learned from gold texts to this file
    #[arg(short, long, value_name = "FILE", requires = "gold", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub(crate) out: Option<PathBuf>,
    /// Write the models of the cross-validation to this folder, for `eval extract --folds`
    #[arg(long, value_name = "DIR", requires = "gold", value_hint = ValueHint::DirPath, help_heading = "Output")]
    pub(crate) folds_out: Option<PathBuf>,
    /// Write the model learned from annotated pages to this file
    #[arg(long, value_name = "FILE", requires = "segments", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub(crate) segments_out: Option<PathBuf>,
    /// Write the model of the layout pass to this file
    #[arg(long, value_name = "FILE", requires_all = ["segments", "layouts"], value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub(crate) layout_out: Option<PathBuf>,
    /// Also write the printed model card to this file: data, date, command, scores
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub(crate) card: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(Debug, Args)]
#[command(after_help = BLOCKS_HELP)]
pub(crate) struct TrainBlocksArgs {
    /// Set of pages with labelled blocks
    #[arg(value_name = "SET", value_hint = ValueHint::DirPath)]
    pub(crate) set: PathBuf,
    /// Learner
    #[arg(long, value_enum, default_value_t = LearnerName::Tree, help_heading = "Learning")]
    pub(crate) learner: LearnerName,
    /// Train as L-Extractor does: --learner svm --features parts --folds 5 --cost 1
    ///
    /// Its samples are the parts into which GetBlockSet divides a page, all with the same weight; its features are their numbers of
    /// words and of tags of each kind.
    #[arg(long, help_heading = "Learning", conflicts_with_all = ["learner", "features"])]
    pub(crate) l_extractor: bool,
    /// Features: local, all, density+link, words+link, parts (of L-Extractor), or names separated by commas
    #[arg(long, value_name = "LIST", default_value = "local", help_heading = "Learning")]
    pub(crate) features: Features,
    /// Number of classes
    #[arg(long, value_enum, value_name = "2|4", default_value_t = ClassCount::Two, help_heading = "Learning")]
    pub(crate) classes: ClassCount,
    /// Minimum number of words in a leaf of a tree (default 1000) or in an interval of 1r (default: 6 blocks of any length)
    #[arg(long, value_name = "WORDS", help_heading = "Learning", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) min_leaf: Option<u32>,
    /// Pruning method
    #[arg(long, value_enum, help_heading = "Learning")]
    pub(crate) pruning: Option<PruningName>,
    /// Cost of an error for svm (default 1)
    #[arg(long, value_name = "C", help_heading = "Learning", value_parser = cost)]
    pub(crate) cost: Option<f64>,
    /// Number of folds of the cross-validation (default 10; 5 with --l-extractor)
    #[arg(long, value_name = "N", help_heading = "Measuring", value_parser = clap::value_parser!(u16).range(2..=1000))]
    pub(crate) folds: Option<u16>,
    /// Unit that folds keep together: page, host (estimates scores on unseen sites), or block (optimistic; as in the thesis)
    #[arg(long, value_name = "page|host|block", default_value_t = By::Page, help_heading = "Measuring")]
    pub(crate) by: By,
    /// Write the model to this file. Without it, only scores are printed
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub(crate) out: Option<PathBuf>,
    /// Format of the printed scores
    #[arg(long, value_enum, default_value_t = TableFormat::Table, help_heading = "Output")]
    pub(crate) format: TableFormat,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

/// The name of a set and a page type, separated by `=`.
fn set_and_type(text: &str) -> Result<(String, PageType), String> {
    let (set, page_type) = text.split_once('=').ok_or("expected SET=TYPE, such as news=article")?;
    Ok((set.to_owned(), page_type.parse().map_err(|error: UnknownPageType| error.to_string())?))
}

/// A learner by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LearnerName {
    /// Always the most common class
    Zeror,
    /// One feature, cut into intervals (Holte 1993)
    #[value(name = "1r")]
    OneR,
    /// A decision tree in the style of C4.5
    Tree,
    /// A linear support vector machine
    Svm,
}

/// The classes to distinguish.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ClassCount {
    /// Boilerplate and content
    #[value(name = "2")]
    Two,
    /// Boilerplate, full text with comments, headline, supplemental
    #[value(name = "4")]
    Four,
}

/// Pruning method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PruningName {
    /// By an upper bound on the error, as in C4.5 (default)
    C45,
    /// By the errors on a held-out third of the pages
    ReducedError,
    /// No pruning
    None,
}

/// A list of features.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Features {
    /// As typed.
    pub(crate) typed: String,
    pub(crate) columns: Vec<Column>,
}

impl FromStr for Features {
    type Err = UnknownFeature;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Features { typed: text.to_owned(), columns: Column::list(text)? })
    }
}

fn set_and_share(text: &str) -> Result<(String, f64), String> {
    let (set, share) = text.split_once('=').ok_or("give the name of a set and a share, such as news=0.5")?;
    let share: f64 = share.parse().map_err(|_| "the share is a number from 0 to 1")?;
    if !(0.0..=1.0).contains(&share) {
        return Err("the share is a number from 0 to 1".to_owned());
    }
    Ok((set.to_owned(), share))
}

fn cost(text: &str) -> Result<f64, String> {
    let cost = text.parse::<f64>().ok().filter(|cost| cost.is_finite() && *cost > 0.0);
    cost.ok_or_else(|| "give a number above 0, such as 1 or 0.1".to_owned())
}
