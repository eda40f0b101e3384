//! `webstrata-lab train`: models from labelled pages.

mod cuts;
mod date;
mod gcuts;
mod options;
mod report;
mod strata;

use super::with_threads;
use crate::Summary;
use crate::args::{TrainArgs, TrainBlocksArgs, TrainCommand};
use anyhow::{Context, Result, bail};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use webstrata::block::GapModel;
use webstrata::label::trained::BlockModel;
use webstrata_corpus::io::write_without_sync;
use webstrata_corpus::progress::{Progress, error};
use webstrata_lab::blocks::set::BlockSet;
use webstrata_lab::learn::classifier::Classifier;
use webstrata_lab::learn::cross_validation::By;
use webstrata_lab::learn::dataset::{Dataset, LabelledBlocks};
use webstrata_lab::learn::train::{About, TrainOptions, train_watched};

/// Runs one of the training commands.
pub(crate) fn run(args: &TrainArgs) -> Result<Summary> {
    match &args.command {
        TrainCommand::Blocks(args) => with_threads(args.run.threads, || blocks(args)),
        TrainCommand::Strata(args) => with_threads(args.run.threads, || strata::run(args)),
        TrainCommand::Gcuts(args) => with_threads(args.run.threads, || gcuts::run(args)),
    }
}

fn blocks(args: &TrainBlocksArgs) -> Result<Summary> {
    let options = options::options(args)?;
    // Reported before anything is trained.
    if let Some(path) = args.out.as_deref().filter(|path| path.is_dir()) {
        bail!("{} is a folder; give -o the name of a file", path.display());
    }
    let set = BlockSet::read(&args.set)?;
    for problem in &set.labelled.problems {
        error(&format!("{}: {problem}; skipped", set.name));
    }
    let blocks = LabelledBlocks::new(&set.labelled, GapModel::Lines);
    let data = blocks.dataset(&[], options.classes);
    enough_for_folds(&data, &options)?;
    let about = About { data: set.name.clone(), date: date::today(), command: options::command(args, &options, &set.name) };
    let progress = Progress::with_total(args.run.progress, &set.name, options.folds + 1, "training runs");
    let model = train_watched(&blocks, &options, about, &|| progress.tick());
    drop(progress);
    if let Classifier::Tree(tree) = model.classifier()
        && tree.leaves() == 1
    {
        error(
            "the tree has only one leaf and gives every block the same label; allow smaller leaves with --min-leaf, or use more pages",
        );
    }
    let size = match &args.out {
        Some(path) => Some((path.as_path(), write_model(path, &model)?)),
        None => None,
    };
    let out = report::report(args, &set, &data, &model, size)?;
    std::io::stdout().lock().write_all(out.as_bytes()).context("cannot write to standard output")?;
    Ok(Summary { done: set.labelled.pages.len() as u64, failed: set.labelled.problems.len() as u64 })
}

/// Checks that no fold is empty.
fn enough_for_folds(data: &Dataset, options: &TrainOptions) -> Result<()> {
    let (groups, unit) = match options.by {
        By::Page => ((0..data.len()).map(|row| data.page(row)).collect::<BTreeSet<u32>>().len(), "page"),
        By::Host => ((0..data.len()).map(|row| data.host(row)).collect::<BTreeSet<u32>>().len(), "host"),
        By::Block => (data.len(), "block"),
    };
    match (groups, options.folds) {
        (groups, folds) if groups >= folds => Ok(()),
        (0 | 1, _) => bail!("the set has only one {unit}, and cross-validation by {unit} needs at least two"),
        (groups, folds) => bail!("there are only {groups} {unit}s for {folds} folds; use --folds {groups} or fewer"),
    }
}

/// Writes the model and returns its size.
fn write_model(path: &Path, model: &BlockModel) -> Result<usize> {
    let text = model.to_json().context("cannot write the model")?;
    write_without_sync(path, text.as_bytes())?;
    Ok(text.len())
}
