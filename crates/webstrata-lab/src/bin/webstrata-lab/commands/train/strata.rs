//! `webstrata-lab train strata`: the models of the learned methods, and their cards.

use super::cuts::Marked;
use super::date;
use crate::Summary;
use crate::args::TrainStrataArgs;
use anyhow::{Context, Result, bail};
use std::io::Write;
use std::path::{Path, PathBuf};
use webstrata_corpus::io::write_without_sync;
use webstrata_corpus::progress::{Progress, error};
use webstrata_lab::gold::set::GoldSet;
use webstrata_lab::strata::pipeline::{STEPS, Sets, ablation, learn};
use webstrata_lab::strata::train::StrataOptions;

/// Trees per forest in the ablation, which trains nine times.
const ABLATION_TREES: usize = 80;

pub(super) fn run(args: &TrainStrataArgs) -> Result<Summary> {
    // Errors in the arguments are reported before anything is trained.
    let outputs =
        [("-o", &args.out), ("--segments-out", &args.segments_out), ("--layout-out", &args.layout_out), ("--card", &args.card)];
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
    let marked = args.segments.as_deref().map(|folder| Marked::read(folder, args.layouts.as_deref(), &mut summary)).transpose()?;
    let mut cards = Vec::new();
    if let Some(output) = &args.out {
        cards.push(content(args, &sets, output)?);
    }
    if let (Some(marked), Some(output)) = (&marked, &args.segments_out) {
        cards.push(marked.learn(output, args.layout_out.as_deref(), args.run.progress)?);
    }
    let text = cards.join("\n");
    if let Some(path) = &args.card {
        write_without_sync(path, text.as_bytes())?;
    }
    std::io::stdout().lock().write_all(text.as_bytes()).context("cannot write to standard output")?;
    Ok(summary)
}

/// Reads the sets with gold texts. Broken entries are reported and skipped.
fn read(args: &TrainStrataArgs, summary: &mut Summary) -> Result<Sets> {
    let mut read = |folders: &[PathBuf]| {
        let set = |folder: &PathBuf| -> Result<GoldSet> {
            let set = GoldSet::read(folder)?;
            for problem in &set.problems {
                error(&format!("{}: {problem}; skipped", set.name));
            }
            summary.done += set.pages.len() as u64;
            summary.failed += set.problems.len() as u64;
            Ok(set)
        };
        folders.iter().map(set).collect::<Result<Vec<_>>>()
    };
    let (gold, articles, snippets) = (read(&args.gold)?, read(&args.articles)?, read(&args.snippets)?);
    Ok(Sets { gold, articles, snippets, page_types: args.page_types.clone(), shares: args.shares.clone() })
}

/// Learns which blocks are content, writes the model, and returns its card.
fn content(args: &TrainStrataArgs, sets: &Sets, output: &Path) -> Result<String> {
    let mut options = StrataOptions { folds: usize::from(args.folds), ..StrataOptions::default() };
    options.first.trees = usize::from(args.trees);
    let progress = Progress::with_total(args.run.progress, "strata", STEPS, "steps");
    let learned = learn(sets, &options, &|_| progress.tick())?;
    drop(progress);
    let effects = if args.ablation {
        let progress = Progress::with_total(args.run.progress, "evidence", 9 * STEPS, "steps");
        let mut small = options;
        (small.first.trees, small.first.rate) = (ABLATION_TREES.min(options.first.trees), 0.12);
        ablation(sets, &small, &|_| progress.tick())?
    } else {
        Vec::new()
    };
    write_without_sync(output, &learned.model.write())?;
    if let Some(folder) = &args.folds_out {
        learned.folds.write(folder)?;
    }
    Ok(learned.card.markdown(&date::today(), &command(args, sets), &effects))
}

/// The command that reproduces the model, with the names of the sets instead of their paths.
fn command(args: &TrainStrataArgs, sets: &Sets) -> String {
    let mut words = vec!["webstrata-lab train strata".to_owned()];
    for (option, sets) in [("--gold", &sets.gold), ("--articles", &sets.articles), ("--snippets", &sets.snippets)] {
        words.extend(sets.iter().map(|set| format!("{option} {}", set.name)));
    }
    words.extend(sets.page_types.iter().map(|(set, page_type)| format!("--page-type {set}={page_type}")));
    words.extend(sets.shares.iter().map(|(set, share)| format!("--share {set}={share}")));
    words.push(format!("--trees {} --folds {}", args.trees, args.folds));
    words.join(" ")
}
