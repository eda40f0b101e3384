//! `webstrata-lab eval markdown`: code, formulas, tables, headings and list items of Markdown against structured gold.

use super::{figure, write};
use crate::Summary;
use crate::args::{EvalMarkdownArgs, TableFormat};
use anyhow::{Context, Result, bail};
use serde_json::{Map, Value, json};
use std::path::Path;
use webstrata::ExtractOptions;
use webstrata::label::Preset;
use webstrata::select::Mode;
use webstrata_corpus::io::write_without_sync;
use webstrata_corpus::progress::{Progress, error};
use webstrata_lab::extract::run::Candidate;
use webstrata_lab::fidelity::run::{Outcome, run as run_candidates, run_rival};
use webstrata_lab::fidelity::score::{MEASURES, means};
use webstrata_lab::fidelity::{causes, tables};
use webstrata_lab::gold::held_out::held_out;
use webstrata_lab::gold::set::GoldSet;
use webstrata_lab::table::Table;

/// Number of failures of a method that are named; the rest are counted.
const MAX_NAMED: usize = 5;

pub(super) fn run(args: &EvalMarkdownArgs) -> Result<Summary> {
    let candidates = candidates(args);
    let mut summary = Summary::default();
    let (mut out, mut csv, mut objects) = (String::new(), String::new(), Vec::new());
    for folder in &args.sets {
        let set = read(folder)?;
        summary.done += set.pages.len() as u64;
        summary.failed += set.problems.len() as u64;
        let mut outcomes = run_candidates(&set, &candidates);
        for rival in &args.rival {
            let progress =
                Progress::with_total(args.run.progress, &format!("{}, {}", set.name, rival.name), set.pages.len(), "pages");
            let outcome = run_rival(&set, rival, &|| progress.tick());
            outcomes.push(outcome.with_context(|| format!("cannot run the rival {}", rival.name))?);
        }
        for outcome in outcomes.iter().filter(|outcome| !outcome.failures.is_empty()) {
            let named = outcome.failures.iter().take(MAX_NAMED).cloned().collect::<Vec<_>>().join("; ");
            error(&format!("{}, {}: {} failures: {named}", set.name, outcome.name, outcome.failures.len()));
            summary.failed += outcome.failures.len() as u64;
        }
        let pages = tables::pages(&set, &outcomes).csv();
        // One header for all sets.
        csv.push_str(if csv.is_empty() { &pages } else { pages.split_once('\n').map_or("", |(_, rows)| rows) });
        match args.output.format {
            TableFormat::Table => out.push_str(&render_tables(args, &set, &outcomes, Table::text)),
            TableFormat::Markdown => out.push_str(&render_tables(args, &set, &outcomes, Table::markdown)),
            TableFormat::Csv => {}
            TableFormat::Json => objects.push(object(&set, &outcomes)),
        }
    }
    if let Some(path) = &args.csv {
        write_without_sync(path, csv.as_bytes())?;
    }
    let out = match args.output.format {
        TableFormat::Csv => csv,
        TableFormat::Json => {
            serde_json::to_string_pretty(&json!({ "format": "webstrata.eval.markdown/1", "sets": objects }))? + "\n"
        }
        TableFormat::Table | TableFormat::Markdown => out,
    };
    write(&args.output, &out)?;
    Ok(summary)
}

/// Reads a set with structured gold.
fn read(folder: &Path) -> Result<GoldSet> {
    let set = GoldSet::read(folder)?;
    for problem in &set.problems {
        error(&format!("{}: {problem}; skipped", set.name));
    }
    if set.pages.iter().all(|page| page.structure.is_empty()) {
        bail!("{}: no page with code, math, tables, headings or items; scripts/fidelity-gold builds such sets", folder.display());
    }
    Ok(set)
}

fn candidates(args: &EvalMarkdownArgs) -> Vec<Candidate> {
    let presets = if args.preset.is_empty() { vec![Preset::Strata] } else { args.preset.clone() };
    let presets = if args.only_rivals { Vec::new() } else { presets };
    let modes = if args.modes { Mode::ALL.to_vec() } else { vec![Mode::Balanced] };
    let candidate = |preset: Preset, mode: Mode| {
        let name = if mode == Mode::Balanced { preset.to_string() } else { format!("{preset} --{mode}") };
        Candidate { name, options: ExtractOptions::from(preset).mode(mode) }
    };
    presets.iter().flat_map(|&preset| modes.iter().map(move |&mode| candidate(preset, mode))).collect()
}

fn render_tables(args: &EvalMarkdownArgs, set: &GoldSet, outcomes: &[Outcome], form: fn(&Table) -> String) -> String {
    let mut out: String =
        tables::parts(set, outcomes).iter().map(|(title, table)| format!("{title} pages\n\n{}\n", form(table))).collect();
    let Some(first) = outcomes.first().filter(|_| args.worst > 0) else { return out };
    let (counts, list) = causes::worst(set, first, args.worst);
    for table in [tables::by_type(set, first), counts, list] {
        out.push_str(&form(&table));
        out.push('\n');
    }
    out
}

fn object(set: &GoldSet, outcomes: &[Outcome]) -> Value {
    let held = held_out(&set.pages);
    let method = |outcome: &Outcome| {
        let part = |wanted: Option<bool>| -> Value {
            let chosen = outcome.scores.iter().zip(&held).filter(|(_, held)| wanted.is_none_or(|wanted| **held == wanted));
            let named = MEASURES.iter().zip(means(chosen.map(|(score, _)| score)));
            let entry = |(name, (mean, pages)): (&&str, (f64, usize))| {
                ((*name).to_owned(), json!({ "mean": figure(mean), "pages": pages }))
            };
            Value::Object(named.map(entry).collect::<Map<String, Value>>())
        };
        json!({
            "name": outcome.name, "all": part(None), "development": part(Some(false)), "held_out": part(Some(true)),
            "failures": outcome.failures,
        })
    };
    json!({
        "name": set.name, "pages": set.pages.len(), "held_out": held.iter().filter(|held| **held).count(),
        "methods": outcomes.iter().map(method).collect::<Vec<_>>(),
    })
}
