//! `webstrata eval extract`: presets and rivals against gold texts.

use super::{figure, write, write_file};
use crate::args::{EvalExtractArgs, EvalFormat};
use crate::commands::model;
use crate::run::Summary;
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use webstrata::ExtractOptions;
use webstrata::label::Preset;
use webstrata::select::Mode;
use webstrata_corpus::progress::Progress;
use webstrata_corpus::progress::error;
use webstrata_lab::extract::run::{Answers, Candidate, LabellerCandidate, Outcome};
use webstrata_lab::extract::summary::Summary as Figures;
use webstrata_lab::extract::tables::{self, Group};
use webstrata_lab::extract::{causes, report, run};
use webstrata_lab::gold::set::GoldSet;
use webstrata_lab::table::Table;

/// Failures of a method that are named; the rest is counted.
const NAMED: usize = 5;

pub(super) fn run(args: &EvalExtractArgs) -> Result<Summary> {
    let models = models(args)?;
    let candidates = candidates(args, &models);
    let mut summary = Summary::default();
    let mut out = String::new();
    let mut objects = Vec::new();
    for folder in &args.sets {
        let set = GoldSet::read(folder)?;
        for problem in &set.problems {
            error(&format!("{}: {problem}; left out", set.name));
        }
        for model in &models {
            model::warn_if_trained_on(&model.labeller, &model.name, &set.name);
        }
        let watch = |what: &str| Progress::with_total(args.output.progress, what, set.pages.len(), "pages");
        let ours = watch(&set.name);
        let mut outcomes = run::run_watched(&set, &candidates, &|| ours.tick());
        drop(ours);
        for rival in &args.rival {
            let theirs = watch(&format!("{}, {}", set.name, rival.name));
            let outcome = rival.run_watched(&set, &|| theirs.tick());
            outcomes.push(outcome.with_context(|| format!("cannot run the rival {}", rival.name))?);
        }
        for outcome in outcomes.iter().filter(|outcome| !outcome.failures.is_empty()) {
            let failures = outcome.failures.len();
            let named = outcome.failures.iter().take(NAMED).cloned().collect::<Vec<_>>().join("; ");
            error(&format!("{}, {}: {failures} failures: {named}", set.name, outcome.name));
        }
        summary.done += set.pages.len() as u64;
        let failures = outcomes.iter().map(|outcome| outcome.failures.len()).sum::<usize>();
        summary.failed += (set.problems.len() + failures) as u64;
        match args.output.format {
            EvalFormat::Table => out.push_str(&shown(args, &set, &outcomes, Table::text)),
            EvalFormat::Markdown => out.push_str(&shown(args, &set, &outcomes, Table::markdown)),
            EvalFormat::Csv => {
                let csv = tables::pages(&set, &outcomes).csv();
                // One heading for all sets.
                out.push_str(if out.is_empty() { &csv } else { csv.split_once('\n').map_or("", |(_, rows)| rows) });
            }
            EvalFormat::Json => objects.push(object(&set, &outcomes)),
        }
        if let Some(path) = &args.report {
            let html = report::html(&set, &candidates, &outcomes)?;
            write_file(&report_file(path, &set.name, args.sets.len()), &html)?;
        }
    }
    if args.output.format == EvalFormat::Json {
        out = serde_json::to_string_pretty(&json!({ "format": "webstrata.eval.extract/1", "sets": objects }))? + "\n";
    }
    write(&args.output, &out)?;
    Ok(summary)
}

/// A model, and what it is called: by its file.
struct Named {
    name: String,
    labeller: model::AnyModel,
}

fn models(args: &EvalExtractArgs) -> Result<Vec<Named>> {
    args.model.iter().map(|path| Ok(Named { name: path.display().to_string(), labeller: model::read(path)? })).collect()
}

fn candidates(args: &EvalExtractArgs, models: &[Named]) -> Vec<Box<dyn Answers>> {
    let presets = if args.preset.is_empty() { Preset::ALL.to_vec() } else { args.preset.clone() };
    let modes = if args.modes { Mode::ALL.to_vec() } else { vec![Mode::Balanced] };
    let named = |name: &str, mode: Mode| if mode == Mode::Balanced { name.to_owned() } else { format!("{name} --{mode}") };
    let mut candidates: Vec<Box<dyn Answers>> = Vec::new();
    for preset in presets {
        for &mode in &modes {
            let options = ExtractOptions::from(preset).mode(mode);
            candidates.push(Box::new(Candidate { name: named(&preset.to_string(), mode), options }));
        }
    }
    for Named { name, labeller } in models {
        for &mode in &modes {
            let options = ExtractOptions::default().mode(mode);
            candidates.push(Box::new(LabellerCandidate { name: named(name, mode), labeller: Box::new(labeller.clone()), options }));
        }
    }
    candidates
}

fn report_file(path: &Path, set: &str, sets: usize) -> PathBuf {
    if sets > 1 { path.join(format!("{set}.html")) } else { path.to_owned() }
}

fn shown(args: &EvalExtractArgs, set: &GoldSet, outcomes: &[Outcome], form: fn(&Table) -> String) -> String {
    let mut out = format!("{} ({} pages)\n\n{}\n", set.name, set.pages.len(), form(&tables::summary(outcomes)));
    for group in [Group::Kind, Group::Language] {
        let table = tables::grouped(set, outcomes, group);
        if !table.is_empty() {
            out.push_str(&form(&table));
            out.push('\n');
        }
    }
    if args.worst > 0 {
        let preset = args.preset.first().copied().unwrap_or(Preset::Strata);
        let failures = causes::worst(set, &preset.into(), args.worst);
        out.push_str(&format!("The worst pages of {preset}\n\n{}\n", form(&causes::table(&failures))));
    }
    out
}

fn object(set: &GoldSet, outcomes: &[Outcome]) -> Value {
    let method = |outcome: &Outcome| {
        let s = Figures::of(outcome.answered());
        let page = |(page, score): (&webstrata_lab::gold::set::GoldPage, &Option<_>)| -> Value {
            let score: &Option<webstrata_lab::extract::score::PageScore> = score;
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
        "name": set.name, "pages": set.pages.len(), "problems": set.problems,
        "methods": outcomes.iter().map(method).collect::<Vec<_>>(),
    })
}
