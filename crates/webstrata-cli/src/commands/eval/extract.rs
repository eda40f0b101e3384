//! `webstrata eval extract`: presets and rivals against gold texts.

use super::{write, write_file};
use crate::args::{EvalExtractArgs, EvalFormat};
use crate::progress::complain;
use crate::run::Summary;
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use webstrata::ExtractOptions;
use webstrata::content::Mode;
use webstrata::label::Preset;
use webstrata_eval::extract::run::{Candidate, Outcome};
use webstrata_eval::extract::summary::Summary as Figures;
use webstrata_eval::extract::tables::{self, Group};
use webstrata_eval::extract::{report, run};
use webstrata_eval::gold::set::GoldSet;

/// Failures of a method that are named; the rest is counted.
const NAMED: usize = 5;

pub(super) fn run(args: &EvalExtractArgs) -> Result<Summary> {
    let candidates = candidates(args);
    let mut summary = Summary::default();
    let mut out = String::new();
    let mut objects = Vec::new();
    for folder in &args.sets {
        let set = GoldSet::read(folder)?;
        for problem in &set.problems {
            complain(&format!("{}: {problem}; left out", set.name));
        }
        let mut outcomes = run::run(&set, &candidates);
        for rival in &args.rival {
            outcomes.push(rival.run(&set).with_context(|| format!("cannot run the rival {}", rival.name))?);
        }
        for outcome in outcomes.iter().filter(|outcome| !outcome.failures.is_empty()) {
            let failures = outcome.failures.len();
            let named = outcome.failures.iter().take(NAMED).cloned().collect::<Vec<_>>().join("; ");
            complain(&format!("{}, {}: {failures} failures: {named}", set.name, outcome.name));
        }
        summary.done += set.pages.len() as u64;
        let failures = outcomes.iter().map(|outcome| outcome.failures.len()).sum::<usize>();
        summary.failed += (set.problems.len() + failures) as u64;
        match args.output.format {
            EvalFormat::Table => out.push_str(&shown(&set, &outcomes, webstrata_eval::table::Table::text)),
            EvalFormat::Markdown => out.push_str(&shown(&set, &outcomes, webstrata_eval::table::Table::markdown)),
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

fn candidates(args: &EvalExtractArgs) -> Vec<Candidate> {
    let presets = if args.preset.is_empty() { Preset::ALL.to_vec() } else { args.preset.clone() };
    let modes = if args.modes { Mode::ALL.to_vec() } else { vec![Mode::Balanced] };
    let candidate = |preset: Preset, mode: Mode| {
        let name = if mode == Mode::Balanced { preset.to_string() } else { format!("{preset} --{mode}") };
        Candidate { name, options: ExtractOptions { mode, ..preset.into() } }
    };
    presets.iter().flat_map(|&preset| modes.iter().map(move |&mode| candidate(preset, mode))).collect()
}

fn report_file(path: &Path, set: &str, sets: usize) -> PathBuf {
    if sets > 1 { path.join(format!("{set}.html")) } else { path.to_owned() }
}

fn shown(set: &GoldSet, outcomes: &[Outcome], form: fn(&webstrata_eval::table::Table) -> String) -> String {
    let mut out = format!("{} ({} pages)\n\n{}\n", set.name, set.pages.len(), form(&tables::summary(outcomes)));
    for group in [Group::Kind, Group::Language] {
        let table = tables::grouped(set, outcomes, group);
        if !table.is_empty() {
            out.push_str(&form(&table));
            out.push('\n');
        }
    }
    out
}

/// A figure, or null where there is none: JSON has no NaN.
fn figure(value: f64) -> Value {
    if value.is_finite() { json!(value) } else { Value::Null }
}

fn object(set: &GoldSet, outcomes: &[Outcome]) -> Value {
    let method = |outcome: &Outcome| {
        let s = Figures::of(outcome.answered());
        let page = |(page, score): (&webstrata_eval::gold::set::GoldPage, &Option<_>)| -> Value {
            let score: &Option<webstrata_eval::extract::score::PageScore> = score;
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
