//! `webstrata train strata`: the models of the learned methods, and their card.

use super::cuts::Marked;
use super::date;
use crate::args::TrainStrataArgs;
use crate::output::write_whole;
use crate::run::Summary;
use anyhow::{Context, Result, bail};
use std::io::Write;
use std::path::{Path, PathBuf};
use webstrata_corpus::progress::Progress;
use webstrata_corpus::progress::error;
use webstrata_lab::gold::set::GoldSet;
use webstrata_lab::strata::course::{STEPS, Sets, ablation, learn};
use webstrata_lab::strata::train::StrataOptions;

/// Trees of the forests that evidence is weighed by: nine trainings have to end.
const SMALL: usize = 80;

pub(super) fn run(args: &TrainStrataArgs) -> Result<Summary> {
    // All that can be wrong with what was typed is said before anything is trained.
    let outputs = [("-o", &args.output), ("--segments-output", &args.segments_output), ("--card", &args.card)];
    let mut named: Vec<&Path> = Vec::new();
    for (option, path) in outputs.into_iter().filter_map(|(option, path)| Some((option, path.as_deref()?))) {
        if path.is_dir() {
            bail!("{} is a folder; give {option} the name of a file", path.display());
        }
        if named.contains(&path) {
            bail!("{} would be written twice; give {option} another name", path.display());
        }
        named.push(path);
    }
    let mut summary = Summary::default();
    let sets = read(args, &mut summary)?;
    let marked = args.segments.as_deref().map(|folder| Marked::read(folder, &mut summary)).transpose()?;
    let mut cards = Vec::new();
    if let Some(output) = &args.output {
        cards.push(content(args, &sets, output)?);
    }
    if let (Some(marked), Some(output)) = (&marked, &args.segments_output) {
        cards.push(marked.learn(output, args.progress)?);
    }
    let text = cards.join("\n");
    if let Some(path) = &args.card {
        write_whole(path, &text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    std::io::stdout().lock().write_all(text.as_bytes()).context("cannot write to standard output")?;
    Ok(summary)
}

/// Reads the sets with gold texts. What cannot be used is named and left out.
fn read(args: &TrainStrataArgs, summary: &mut Summary) -> Result<Sets> {
    let mut read = |folders: &[PathBuf]| {
        let set = |folder: &PathBuf| -> Result<GoldSet> {
            let set = GoldSet::read(folder)?;
            for problem in &set.problems {
                error(&format!("{}: {problem}; left out", set.name));
            }
            summary.done += set.pages.len() as u64;
            summary.failed += set.problems.len() as u64;
            Ok(set)
        };
        folders.iter().map(set).collect::<Result<Vec<_>>>()
    };
    Ok(Sets { gold: read(&args.gold)?, articles: read(&args.articles)?, pieces: read(&args.pieces)? })
}

/// Learns which blocks are content, writes the model, and gives its card.
fn content(args: &TrainStrataArgs, sets: &Sets, output: &Path) -> Result<String> {
    let mut options = StrataOptions { folds: usize::from(args.folds), ..StrataOptions::default() };
    options.first.trees = usize::from(args.trees);
    let watch = Progress::with_total(args.progress, "strata", STEPS, "steps");
    let (model, card) = learn(sets, &options, &|_| watch.tick())?;
    drop(watch);
    let weighed = if args.ablation {
        let watch = Progress::with_total(args.progress, "evidence", 9 * STEPS, "steps");
        let mut small = options;
        (small.first.trees, small.first.rate) = (SMALL.min(options.first.trees), 0.12);
        ablation(sets, &small, &|_| watch.tick())?
    } else {
        Vec::new()
    };
    write_whole(output, model.write()).with_context(|| format!("cannot write {}", output.display()))?;
    Ok(card.markdown(&date::today(), &command(args, sets), &weighed))
}

/// The command that trains the model again, with names of sets in place of where they are.
fn command(args: &TrainStrataArgs, sets: &Sets) -> String {
    let mut words = vec!["webstrata train strata".to_owned()];
    for (option, sets) in [("--gold", &sets.gold), ("--articles", &sets.articles), ("--pieces", &sets.pieces)] {
        words.extend(sets.iter().map(|set| format!("{option} {}", set.name)));
    }
    words.push(format!("--trees {} --folds {}", args.trees, args.folds));
    words.join(" ")
}
