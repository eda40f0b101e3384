//! `webstrata train`: models from what people said about pages.

mod cuts;
mod date;
mod options;
mod strata;
mod written;

use super::threads::with_threads;
use crate::args::{TrainArgs, TrainBlocksArgs, TrainCommand};
use crate::output::write_whole;
use crate::run::Summary;
use anyhow::{Context, Result, bail};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use webstrata::block::GapModel;
use webstrata_corpus::progress::Progress;
use webstrata_corpus::progress::error;
use webstrata_lab::blocks::set::BlockSet;
use webstrata_lab::learn::classifier::Classifier;
use webstrata_lab::learn::cross_validation::By;
use webstrata_lab::learn::dataset::{Dataset, LabelledBlocks};
use webstrata_lab::learn::model::Model;
use webstrata_lab::learn::train::{About, TrainOptions, train_watched};

/// Carries out one of the trainings.
pub(crate) fn run(args: &TrainArgs) -> Result<Summary> {
    match &args.what {
        TrainCommand::Blocks(args) => with_threads(args.threads, || blocks(args)),
        TrainCommand::Strata(args) => with_threads(args.threads, || strata::run(args)),
    }
}

fn blocks(args: &TrainBlocksArgs) -> Result<Summary> {
    let options = options::options(args)?;
    // Said before anything is trained.
    if let Some(path) = args.output.as_deref().filter(|path| path.is_dir()) {
        bail!("{} is a folder; give -o the name of a file", path.display());
    }
    let set = BlockSet::read(&args.set)?;
    for problem in &set.labelled.problems {
        error(&format!("{}: {problem}; left out", set.name));
    }
    let blocks = LabelledBlocks::new(&set.labelled, GapModel::Lines);
    let data = blocks.dataset(&[], options.classes);
    enough_for_folds(&data, &options)?;
    let about = About { data: set.name.clone(), date: date::today(), command: options::command(args, &options, &set.name) };
    let watch = Progress::with_total(args.progress, &set.name, options.folds + 1, "trainings");
    let model = train_watched(&blocks, &options, about, &|| watch.tick());
    drop(watch);
    if let Classifier::Tree(tree) = model.classifier()
        && tree.leaves() == 1
    {
        error("the tree has only one leaf: it says the same of every block; give it smaller leaves with --min-leaf, or more pages");
    }
    let size = match &args.output {
        Some(path) => Some((path.as_path(), write_model(path, &model)?)),
        None => None,
    };
    let out = written::written(args, &set, &data, &model, size)?;
    std::io::stdout().lock().write_all(out.as_bytes()).context("cannot write to standard output")?;
    Ok(Summary { done: set.labelled.pages.len() as u64, failed: set.labelled.problems.len() as u64, ..Summary::default() })
}

/// A fold without a page would be judged on nothing.
fn enough_for_folds(data: &Dataset, options: &TrainOptions) -> Result<()> {
    let (groups, unit) = match options.by {
        By::Page => ((0..data.len()).map(|row| data.page(row)).collect::<BTreeSet<u32>>().len(), "page"),
        By::Host => ((0..data.len()).map(|row| data.host(row)).collect::<BTreeSet<u32>>().len(), "host"),
        By::Block => (data.len(), "block"),
    };
    match (groups, options.folds) {
        (groups, folds) if groups >= folds => Ok(()),
        (0 | 1, _) => bail!("the set has only one {unit}, and cross-validation by {unit} needs two at least"),
        (groups, folds) => bail!("there are only {groups} {unit}s for {folds} folds; give --folds {groups} or less"),
    }
}

/// Writes the model and gives its size.
fn write_model(path: &Path, model: &Model) -> Result<usize> {
    let text = model.to_json().context("the model cannot be written")?;
    write_whole(path, &text).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(text.len())
}
