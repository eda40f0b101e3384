//! `webstrata-lab eval extract`: presets, models and rivals against gold texts.

use super::{figure, write};
use crate::Summary;
use crate::args::{EvalExtractArgs, TableFormat};
use crate::commands::warn_if_trained_on;
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use webstrata::ExtractOptions;
use webstrata::label::strata::StrataLabeller;
use webstrata::label::{Preset, TrainedModel};
use webstrata::select::Mode;
use webstrata_corpus::io::write_without_sync;
use webstrata_corpus::progress::{Progress, error};
use webstrata_corpus::read_model;
use webstrata_lab::extract::run::{Answers, Candidate, LabellerCandidate, Outcome};
use webstrata_lab::extract::score::PageScore;
use webstrata_lab::extract::summary::Summary as Figures;
use webstrata_lab::extract::tables::{self as extract_tables, Group};
use webstrata_lab::extract::{causes, report, run};
use webstrata_lab::gold::set::{GoldPage, GoldSet};
use webstrata_lab::strata::folds::FoldModels;
use webstrata_lab::table::Table;

/// Number of failures of a method that are named; the rest are counted.
const MAX_NAMED: usize = 5;

pub(super) fn run(args: &EvalExtractArgs) -> Result<Summary> {
    let models = models(args)?;
    let folds = args.folds.as_deref().map(FoldModels::read).transpose()?;
    let candidates = candidates(args, &models, folds);
    let mut summary = Summary::default();
    let mut out = String::new();
    let mut objects = Vec::new();
    for folder in &args.methods.sets {
        let set = GoldSet::read(folder)?;
        for problem in &set.problems {
            error(&format!("{}: {problem}; skipped", set.name));
        }
        for model in &models {
            if let TrainedModel::Blocks(blocks) = &model.labeller {
                warn_if_trained_on(blocks, &model.name, &set.name);
            }
        }
        let progress = |what: &str| Progress::with_total(args.run.progress, what, set.pages.len(), "pages");
        let ours = progress(&set.name);
        let mut outcomes = run::run_watched(&set, &candidates, &|| ours.tick());
        drop(ours);
        for rival in &args.rival {
            let theirs = progress(&format!("{}, {}", set.name, rival.name));
            let outcome = rival.run_watched(&set, &|| theirs.tick());
            outcomes.push(outcome.with_context(|| format!("cannot run the rival {}", rival.name))?);
        }
        for outcome in outcomes.iter().filter(|outcome| !outcome.failures.is_empty()) {
            let failures = outcome.failures.len();
            let named = outcome.failures.iter().take(MAX_NAMED).cloned().collect::<Vec<_>>().join("; ");
            error(&format!("{}, {}: {failures} failures: {named}", set.name, outcome.name));
        }
        summary.done += set.pages.len() as u64;
        let failures = outcomes.iter().map(|outcome| outcome.failures.len()).sum::<usize>();
        summary.failed += (set.problems.len() + failures) as u64;
        match args.output.format {
            TableFormat::Table => out.push_str(&tables(args, &set, &outcomes, Table::text)),
            TableFormat::Markdown => out.push_str(&tables(args, &set, &outcomes, Table::markdown)),
            TableFormat::Csv => {
                let csv = extract_tables::pages(&set, &outcomes).csv();
                // One header for all sets.
                out.push_str(if out.is_empty() { &csv } else { csv.split_once('\n').map_or("", |(_, rows)| rows) });
            }
            TableFormat::Json => objects.push(object(&set, &outcomes)),
        }
        if let Some(path) = &args.report {
            let html = report::html(&set, &candidates, &outcomes)?;
            write_without_sync(&report_file(path, &set.name, args.methods.sets.len()), html.as_bytes())?;
        }
    }
    if args.output.format == TableFormat::Json {
        out = serde_json::to_string_pretty(&json!({ "format": "webstrata.eval.extract/1", "sets": objects }))? + "\n";
    }
    write(&args.output, &out)?;
    Ok(summary)
}

/// Whether the shipped `strata` model was trained on this set, judging by its name.
fn is_learned_from(set: &GoldSet) -> bool {
    StrataLabeller::shipped().is_ok_and(|strata| strata.trained_on().contains(&set.name))
}

/// A model with its name in tables, which is the path of its file.
struct NamedModel {
    name: String,
    labeller: TrainedModel,
}

fn models(args: &EvalExtractArgs) -> Result<Vec<NamedModel>> {
    let read = |path: &PathBuf| Ok(NamedModel { name: path.display().to_string(), labeller: read_model(path)? });
    args.methods.model.iter().map(read).collect()
}

fn candidates(args: &EvalExtractArgs, models: &[NamedModel], folds: Option<FoldModels>) -> Vec<Box<dyn Answers>> {
    let modes = if args.modes { Mode::ALL.to_vec() } else { vec![Mode::Balanced] };
    let named = |name: &str, mode: Mode| if mode == Mode::Balanced { name.to_owned() } else { format!("{name} --{mode}") };
    let mut candidates: Vec<Box<dyn Answers>> = Vec::new();
    for preset in args.methods.presets() {
        for &mode in &modes {
            let options = ExtractOptions::from(preset).mode(mode).title(!args.no_title);
            candidates.push(Box::new(Candidate { name: named(&preset.to_string(), mode), options }));
        }
    }
    for NamedModel { name, labeller } in models {
        for &mode in &modes {
            let options = ExtractOptions::default().mode(mode).title(!args.no_title);
            candidates.push(Box::new(LabellerCandidate { name: named(name, mode), labeller: Box::new(labeller.clone()), options }));
        }
    }
    if let Some(folds) = folds {
        candidates.push(Box::new(folds.options(ExtractOptions::default().title(!args.no_title))));
    }
    candidates
}

fn report_file(path: &Path, set: &str, sets: usize) -> PathBuf {
    if sets > 1 { path.join(format!("{set}.html")) } else { path.to_owned() }
}

fn tables(args: &EvalExtractArgs, set: &GoldSet, outcomes: &[Outcome], form: fn(&Table) -> String) -> String {
    let learned = if is_learned_from(set) { "; strata was trained on them" } else { "" };
    let mut out = format!("{} ({} pages{learned})\n\n{}\n", set.name, set.pages.len(), form(&extract_tables::summary(outcomes)));
    for group in [Group::PageType, Group::Language] {
        let table = extract_tables::grouped(set, outcomes, group);
        if !table.is_empty() {
            out.push_str(&form(&table));
            out.push('\n');
        }
    }
    if args.worst > 0 {
        let preset = args.methods.preset.first().copied().unwrap_or(Preset::Strata);
        let failures = causes::worst(set, &preset.into(), args.worst);
        out.push_str(&format!("The worst pages of {preset}\n\n{}\n", form(&causes::table(&failures))));
    }
    out
}

fn object(set: &GoldSet, outcomes: &[Outcome]) -> Value {
    let method = |outcome: &Outcome| {
        let s = Figures::from_scores(outcome.answered());
        let page = |(page, score): (&GoldPage, &Option<PageScore>)| -> Value {
            let words = score.as_ref().and_then(|score| score.words);
            json!({
                "id": page.id, "answered": score.is_some(),
                "precision": words.map(|w| w.bag.precision), "recall": words.map(|w| w.bag.recall), "f1": words.map(|w| w.bag.f1()),
                "order_f1": words.map(|w| w.sequence.f1()),
                "snippets": score.as_ref().map(|s| s.snippets), "snippets_right": score.as_ref().map(|s| s.snippets_right),
            })
        };
        json!({
            "name": outcome.name, "pages": s.pages, "precision": s.precision, "recall": s.recall, "f1": s.f1, "median": s.median,
            "under_half": s.under_half, "order_f1": s.sequence_f1, "snippets": figure(s.snippets), "failures": outcome.failures,
            "scores": set.pages.iter().zip(&outcome.scores).map(page).collect::<Vec<_>>(),
        })
    };
    json!({
        "name": set.name, "pages": set.pages.len(), "trained_on": is_learned_from(set), "problems": set.problems,
        "methods": outcomes.iter().map(method).collect::<Vec<_>>(),
    })
}
