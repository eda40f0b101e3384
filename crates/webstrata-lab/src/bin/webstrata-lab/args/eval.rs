//! Options of `eval`.

use super::search::{EvalFacetsArgs, EvalLatencyArgs, EvalSearchArgs};
use super::{OutputArgs, RunArgs};
use clap::{Args, Subcommand, ValueEnum, ValueHint};
use std::path::PathBuf;
use webstrata::label::Preset;
use webstrata::segment::{Method, RuleSet};
use webstrata_lab::extract::rival::Rival;
use webstrata_lab::figures::Name;
use webstrata_lab::gold::seg_popular::Level;
use webstrata_lab::learn::cross_validation::By;

const EXTRACT_HELP: &str = "\
A set is a folder with html/<id>.html and gold.jsonl, one object per line: {\"id\", \"gold_text\"}, and
optionally \"page_type\", \"lang\", \"with\" and \"without\" (snippets that are content, and snippets
that are not). Broken entries are reported and skipped.

Examples:
  webstrata-lab eval extract sets/mine                           all presets, as a table
  webstrata-lab eval extract sets/mine --preset article --preset canola --report report.html
  webstrata-lab eval extract sets/mine --preset article --model mine.json
  webstrata-lab eval extract sets/mine --rival 'other=python3 other.py' --format csv -o scores.csv

A rival reads file names on standard input and writes one line of JSON for each:
{\"file\", \"text\"}.

Exit codes: 0 success; 1 some pages or rivals failed; 2 invalid arguments or input.";

const SEGMENT_HELP: &str = "\
The set is a folder with annotated pages: html/<id>.html with the attributes data-block and data-block-type.

Examples:
  webstrata-lab eval segment sets/seg-popular
  webstrata-lab eval segment sets/seg-popular --method just-rules --method bf-rulebased --rules paper --format json

Exit codes: 0 success; 1 some pages were skipped; 2 invalid arguments or input.";

const BLOCKS_HELP: &str = "\
A set is a folder with html/<id>.html, gold.jsonl ({\"id\", \"url\"} per line), and
annotated/<id>.html: the page with its text in <span class=\"x-nc-selN\">, where N is 1 for a
headline, 2 full text, 3 supplemental text (captions, dates), 4 related content, 5 comments.
1, 2, 3 and 5 are content; the rest is not. Broken entries are reported and skipped.

Examples:
  webstrata-lab eval blocks sets/labelled                        all presets, two tables
  webstrata-lab eval blocks sets/labelled --preset article --model mine.json
  webstrata-lab eval blocks sets/labelled --model mine.json --format csv -o pages.csv

Measures: b-P, b-R and b-F (precision, recall and F of blocks); word P, R and F1, where blocks are
weighted by their words; FP rate, the share of boilerplate words that were kept;
ROC AuC for strata and models, which give scores. The first table is the mean over pages, the
second counts the blocks of all pages together. This measures the method alone: `extract` also
drops duplicates and applies rules. A model is judged fairly only on pages it was not trained
on; `webstrata-lab train blocks` prints the result of cross-validation.

Exit codes: 0 success; 1 some pages were skipped; 2 invalid arguments or input.";

const FIGURES_HELP: &str = "\
The folder contains the sets by name: graphs/cnr-2000 (figure 3.1), seg-popular (table 4.1, figures 4.4 to 4.8),
l3s-gn1 (table 4.8, figures 4.20, 4.21b, 4.23 to 4.25, tkde-figure-10) and cleaneval (figures 4.21a, 4.22). Figures 3.1c to 3.6
are drawn on a generated graph. The papers on sites: swde-sample (som-table-1, som-figure-8, som-attributes,
tkde-figure-7 and -8), sites/linux-doc-6.1, the pages of that Debian package (som-samples), daniel and
cleanportaleval (tkde-table-2, tkde-pages, tkde-parameters). Missing sets are reported, and the figures of the others are drawn.

Names: figure-3.1 figure-3.1c figure-3.2 figure-3.3 figure-3.4 figure-3.5 (with tables 3.1 and 3.2) figure-3.6
table-4.1 figure-4.4 figure-4.5 figure-4.6 (with table 4.2) figure-4.7 figure-4.8 table-4.8 figure-4.20
figure-4.21a figure-4.21b figure-4.22 figure-4.23 figure-4.24 figure-4.25
som-table-1 som-figure-8 som-attributes som-samples tkde-table-2 (with 3 and 6) tkde-pages tkde-figure-7 (with 8, 9) tkde-figure-10
tkde-parameters

Examples:
  webstrata-lab eval figures --data sets --out figures
  webstrata-lab eval figures --data sets --out figures --only figure-4.4 --only figure-4.5

Each figure is written as NAME.svg and NAME.csv, each table as NAME.csv; short tables with the
thesis' numbers beside ours are printed, with a note where the pages differ.

Exit codes: 0 success; 1 a set or some of its pages are missing;
2 invalid arguments or input; 3 nothing was drawn.";

const METADATA_HELP: &str = "\
A set is a folder with html/<id>.html and gold.jsonl, one object per line: {\"id\"}, and \"title\",
\"author\", \"date\" where known. Sets with splits are also measured on their held-out part.

A rival reads file names on standard input, one per line, followed by a tab and the page's address
if it is known. It writes one line of JSON for each: {\"id\", \"title\", \"author\", \"date\"}, where
the id is the file name; unknown values are null or missing.

Examples:
  webstrata-lab eval metadata sets/wcxb sets/l3s-gn1 --rival 'other=python3 other.py'
  webstrata-lab eval metadata sets/wcxb --failures date

Exit codes: 0 success; 1 some pages were skipped, or --check failed; 2 invalid arguments or input.";

const MARKDOWN_HELP: &str = "\
A set is a folder with html/<id>.html and gold.jsonl, one object per line: {\"id\"}, and \"code\" (text,
language), \"math\" (tex, display), \"tables\" (rows of cells), \"headings\" (level, text), \"items\"
(texts). testdata/fidelity is one; scripts/fidelity-gold builds others. docs/lab.md defines the measures.

A rival reads file names on standard input and writes one line of JSON for each: {\"file\", \"text\"},
where the text is Markdown.

Examples:
  webstrata-lab eval markdown testdata/fidelity
  webstrata-lab eval markdown sets/fidelity-debian --rival 'other=python3 other.py' --csv pages.csv
  webstrata-lab eval markdown sets/fidelity-debian --worst 5

Exit codes: 0 success; 1 some pages or rivals failed; 2 invalid arguments or input.";

const TABLES_HELP: &str = "\
The set is a folder with labelled blocks, as for `webstrata-lab eval blocks`; the thesis' own is
l3s-gn1. Our numbers are printed beside the thesis', with a note where the pages differ.

Examples:
  webstrata-lab eval tables sets/l3s-gn1 -o thesis-tables.md
  webstrata-lab eval tables sets/l3s-gn1 --blocks lines --by host --no-svm

Exit codes: 0 success; 1 some pages were skipped; 2 invalid arguments or input.";

#[derive(Debug, Args)]
pub(crate) struct EvalArgs {
    #[command(subcommand)]
    pub(crate) command: EvalCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum EvalCommand {
    /// Measure extraction against gold texts: presets, models and rivals, by words and by word order
    Extract(EvalExtractArgs),
    /// Measure segmentation against annotated pages
    Segment(EvalSegmentArgs),
    /// Measure block labels against labelled blocks: presets and models
    Blocks(EvalBlocksArgs),
    /// Measure Markdown against structured gold: code, formulas, tables, headings, list items
    Markdown(EvalMarkdownArgs),
    /// Measure title, author and date against gold
    Metadata(EvalMetadataArgs),
    /// Draw the figures and tables of the thesis and of the papers on sites, as SVG and CSV
    Figures(EvalFiguresArgs),
    /// Compute tables 4.8 and 4.9 of the thesis: classes of text, and learners
    Tables(EvalTablesArgs),
    /// Measure the rankings of `webstrata search` against judgements: known items, or TREC topics
    Search(EvalSearchArgs),
    /// Measure how long searches take, on generated pages
    Latency(EvalLatencyArgs),
    /// Measure how often the first facet of the results is right
    Facets(EvalFacetsArgs),
}

/// Sets, and the methods to measure on them.
#[derive(Debug, Args)]
pub(crate) struct MethodArgs {
    /// Evaluation sets
    #[arg(value_name = "SET", required = true, value_hint = ValueHint::DirPath)]
    pub(crate) sets: Vec<PathBuf>,
    /// Preset to measure; repeatable. Default: all presets
    #[arg(long)]
    pub(crate) preset: Vec<Preset>,
    /// Trained model to measure as well (see `webstrata-lab train`); repeatable
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) model: Vec<PathBuf>,
}

impl MethodArgs {
    /// The given presets, or all of them.
    pub(crate) fn presets(&self) -> Vec<Preset> {
        if self.preset.is_empty() { Preset::ALL.to_vec() } else { self.preset.clone() }
    }
}

#[derive(Debug, Args)]
#[command(after_help = EXTRACT_HELP)]
pub(crate) struct EvalExtractArgs {
    #[command(flatten)]
    pub(crate) methods: MethodArgs,
    /// Measure the precision and recall modes of each preset and model as well
    #[arg(long)]
    pub(crate) modes: bool,
    /// Also measure `strata` cross-validated: every page by the model trained without its site, from this folder, which `train strata
    /// --folds-out` writes
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) folds: Option<PathBuf>,
    /// Leave out the headline, for sets whose gold texts do not have it
    #[arg(long)]
    pub(crate) no_title: bool,
    /// Another tool to measure, as `NAME=COMMAND`; repeatable
    #[arg(long, value_name = "NAME=COMMAND")]
    pub(crate) rival: Vec<Rival>,
    /// Write an HTML report with the worst pages of the first method; a folder if there are several sets
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub(crate) report: Option<PathBuf>,
    /// After the tables, list the N worst pages of the first preset, each with its cause
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Output")]
    pub(crate) worst: usize,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(Debug, Args)]
#[command(after_help = BLOCKS_HELP)]
pub(crate) struct EvalBlocksArgs {
    #[command(flatten)]
    pub(crate) methods: MethodArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(Debug, Args)]
#[command(after_help = SEGMENT_HELP)]
pub(crate) struct EvalSegmentArgs {
    /// Set of annotated pages
    #[arg(value_name = "SET", value_hint = ValueHint::DirPath)]
    pub(crate) set: PathBuf,
    /// Method to measure; repeatable. Default: all methods
    #[arg(long)]
    pub(crate) method: Vec<Method>,
    /// Tags that force or forbid a gap
    #[arg(long, default_value = "paper", value_name = "paper|html5")]
    pub(crate) rules: RuleSet,
    /// Annotations that count: the inner ones where present, or the outer ones only
    #[arg(long, value_enum, default_value_t = Marks::Inner)]
    pub(crate) marks: Marks,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

/// Level of the annotations that count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Marks {
    /// Level 2, or level 1 where there is no level 2
    Inner,
    /// Level 1 only
    Outer,
}

impl Marks {
    pub(crate) fn level(self) -> Level {
        match self {
            Marks::Inner => Level::Sub,
            Marks::Outer => Level::Top,
        }
    }
}

#[derive(Debug, Args)]
#[command(after_help = FIGURES_HELP)]
pub(crate) struct EvalFiguresArgs {
    /// Folder with the sets
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) data: PathBuf,
    /// Folder for the figures; created if missing
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = "Output")]
    pub(crate) out: PathBuf,
    /// Figure to draw; repeatable. Default: all figures
    #[arg(long, value_name = "NAME")]
    pub(crate) only: Vec<Name>,
    /// Print tables in Markdown
    #[arg(long, help_heading = "Output")]
    pub(crate) markdown: bool,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(Debug, Args)]
#[command(after_help = METADATA_HELP)]
pub(crate) struct EvalMetadataArgs {
    /// Evaluation sets
    #[arg(value_name = "SET", required = true, value_hint = ValueHint::DirPath)]
    pub(crate) sets: Vec<PathBuf>,
    /// Another tool to measure, as `NAME=COMMAND`; repeatable
    #[arg(long, value_name = "NAME=COMMAND")]
    pub(crate) rival: Vec<Rival>,
    /// Fail unless webstrata is ahead of every rival in recall and F1
    #[arg(long, requires = "rival")]
    pub(crate) check: bool,
    /// List the pages where this field is wrong, except held-out pages
    #[arg(long, value_name = "FIELD", value_parser = ["title", "author", "date"])]
    pub(crate) failures: Option<String>,
}

#[derive(Debug, Args)]
#[command(after_help = MARKDOWN_HELP)]
pub(crate) struct EvalMarkdownArgs {
    /// Evaluation sets
    #[arg(value_name = "SET", required = true, value_hint = ValueHint::DirPath)]
    pub(crate) sets: Vec<PathBuf>,
    /// Preset to measure; repeatable. Default: strata
    #[arg(long)]
    pub(crate) preset: Vec<Preset>,
    /// Measure the precision and recall modes of each preset as well
    #[arg(long)]
    pub(crate) modes: bool,
    /// Another tool to measure, as `NAME=COMMAND`; repeatable
    #[arg(long, value_name = "NAME=COMMAND")]
    pub(crate) rival: Vec<Rival>,
    /// Leave out our presets
    #[arg(long, requires = "rival", conflicts_with_all = ["preset", "modes"])]
    pub(crate) only_rivals: bool,
    /// List the N worst pages of the first method for each measure, each with its cause; held-out pages are not listed
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Output")]
    pub(crate) worst: usize,
    /// Write the scores of all pages to this file as well
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub(crate) csv: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(Debug, Args)]
#[command(after_help = TABLES_HELP)]
pub(crate) struct EvalTablesArgs {
    /// Set of pages with labelled blocks
    #[arg(value_name = "SET", value_hint = ValueHint::DirPath)]
    pub(crate) set: PathBuf,
    /// Block boundaries
    #[arg(long, value_enum, default_value_t = BlockCut::Tags)]
    pub(crate) blocks: BlockCut,
    /// Unit that the folds of the cross-validation keep together: page, host or block
    #[arg(long, value_name = "page|host|block", default_value_t = By::Page)]
    pub(crate) by: By,
    /// Skip the support vector machines, which take most of the time
    #[arg(long)]
    pub(crate) no_svm: bool,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub(crate) out: Option<PathBuf>,
    /// Number of threads; 0 = one per core. Results do not depend on it
    #[arg(long, default_value_t = 0, value_name = "N", help_heading = "Run", value_parser = clap::value_parser!(u16).range(..=1024))]
    pub(crate) threads: u16,
}

/// Block boundaries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum BlockCut {
    /// At every tag, as in the thesis
    Tags,
    /// At line breaks, as labellers see pages
    Lines,
}
