//! `webstrata eval blocks`: presets and models against labelled blocks.

use super::{figure, write};
use crate::args::{EvalBlocksArgs, EvalFormat};
use crate::commands::model;
use crate::run::Summary;
use anyhow::Result;
use serde_json::{Map, Value, json};
use std::sync::Arc;
use webstrata::label::Preset;
use webstrata_corpus::progress::Progress;
use webstrata_corpus::progress::error;
use webstrata_lab::blocks::run::{self, Judge, Method, Outcome};
use webstrata_lab::blocks::score::Figures;
use webstrata_lab::blocks::set::BlockSet;
use webstrata_lab::blocks::tables::{self, Counts, NAMES};
use webstrata_lab::table::Table;

pub(super) fn run(args: &EvalBlocksArgs) -> Result<Summary> {
    let methods = methods(args)?;
    let mut summary = Summary::default();
    let mut out = String::new();
    let mut objects = Vec::new();
    for folder in &args.sets {
        let set = BlockSet::read(folder)?;
        for problem in &set.labelled.problems {
            error(&format!("{}: {problem}; left out", set.name));
        }
        for method in &methods {
            if let Judge::Model(model) = &method.judge {
                model::warn_if_blocks_of(model, &method.name, &set.name);
            }
        }
        let watch = Progress::with_total(args.output.progress, &set.name, set.labelled.pages.len(), "pages");
        let outcomes = run::run(&set, &methods, &|| watch.tick());
        drop(watch);
        summary.done += set.labelled.pages.len() as u64;
        summary.failed += set.labelled.problems.len() as u64;
        match args.output.format {
            EvalFormat::Table => out.push_str(&shown(&set, &outcomes, Table::text)),
            EvalFormat::Markdown => out.push_str(&shown(&set, &outcomes, Table::markdown)),
            EvalFormat::Csv => {
                let csv = tables::pages(&set, &outcomes).csv();
                // One heading for all sets.
                out.push_str(if out.is_empty() { &csv } else { csv.split_once('\n').map_or("", |(_, rows)| rows) });
            }
            EvalFormat::Json => objects.push(object(&set, &outcomes)),
        }
    }
    if args.output.format == EvalFormat::Json {
        out = serde_json::to_string_pretty(&json!({ "format": "webstrata.eval.blocks/1", "sets": objects }))? + "\n";
    }
    write(&args.output, &out)?;
    Ok(summary)
}

fn methods(args: &EvalBlocksArgs) -> Result<Vec<Method>> {
    let presets = if args.preset.is_empty() { Preset::ALL.to_vec() } else { args.preset.clone() };
    let mut methods: Vec<Method> =
        presets.iter().map(|preset| Method { name: preset.to_string(), judge: Judge::Preset(*preset) }).collect();
    for path in &args.model {
        methods.push(Method { name: path.display().to_string(), judge: Judge::Model(Arc::new(model::read_blocks(path)?)) });
    }
    Ok(methods)
}

fn shown(set: &BlockSet, outcomes: &[Outcome], form: fn(&Table) -> String) -> String {
    let Counts { blocks: [blocks, content, _], words: [words, content_words, _] } =
        outcomes.first().map(|outcome| Counts::of(&outcome.pages.concat())).unwrap_or_default();
    format!(
        "{} ({} pages; {content} of {blocks} blocks and {content_words} of {words} words are content)\n\n{}\n{}\n",
        set.name,
        set.labelled.pages.len(),
        form(&tables::by_page(outcomes)),
        form(&tables::overall(outcomes))
    )
}

fn figures(of: &Figures) -> Map<String, Value> {
    NAMES.into_iter().zip(of.list()).map(|(name, value)| (name.to_owned(), figure(value))).collect()
}

fn object(set: &BlockSet, outcomes: &[Outcome]) -> Value {
    let method = |outcome: &Outcome| {
        let pages: Vec<Value> = set
            .labelled
            .pages
            .iter()
            .zip(&outcome.pages)
            .map(|(labelled, blocks)| {
                let Counts { blocks: [all, content, kept], words: [words, content_words, kept_words] } = Counts::of(blocks);
                json!({
                    "id": labelled.gold.id, "blocks": all, "content_blocks": content, "kept_blocks": kept, "words": words,
                    "content_words": content_words, "kept_words": kept_words, "figures": figures(&Figures::of(blocks)),
                })
            })
            .collect();
        json!({ "name": outcome.name, "mean": figures(&outcome.mean()), "overall": figures(&outcome.overall()), "pages": pages })
    };
    json!({
        "name": set.name, "pages": set.labelled.pages.len(), "problems": set.labelled.problems,
        "methods": outcomes.iter().map(method).collect::<Vec<_>>(),
    })
}
