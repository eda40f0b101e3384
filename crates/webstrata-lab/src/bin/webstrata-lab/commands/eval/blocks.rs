//! `webstrata-lab eval blocks`: presets and models against labelled blocks.

use super::{figure, write};
use crate::Summary;
use crate::args::{EvalBlocksArgs, TableFormat};
use crate::commands::warn_if_trained_on;
use anyhow::{Result, bail};
use serde_json::{Map, Value, json};
use std::sync::Arc;
use webstrata::label::TrainedModel;
use webstrata_corpus::progress::{Progress, error};
use webstrata_corpus::read_model;
use webstrata_lab::blocks::run::{self, Judge, Method, Outcome};
use webstrata_lab::blocks::score::Figures;
use webstrata_lab::blocks::set::BlockSet;
use webstrata_lab::blocks::tables::{self as block_tables, Counts, NAMES};
use webstrata_lab::table::Table;

pub(super) fn run(args: &EvalBlocksArgs) -> Result<Summary> {
    let methods = methods(args)?;
    let mut summary = Summary::default();
    let mut out = String::new();
    let mut objects = Vec::new();
    for folder in &args.methods.sets {
        let set = BlockSet::read(folder)?;
        for problem in &set.labelled.problems {
            error(&format!("{}: {problem}; skipped", set.name));
        }
        for method in &methods {
            if let Judge::Model(model) = &method.judge {
                warn_if_trained_on(model, &method.name, &set.name);
            }
        }
        let progress = Progress::with_total(args.run.progress, &set.name, set.labelled.pages.len(), "pages");
        let outcomes = run::run(&set, &methods, &|| progress.tick());
        drop(progress);
        summary.done += set.labelled.pages.len() as u64;
        summary.failed += set.labelled.problems.len() as u64;
        match args.output.format {
            TableFormat::Table => out.push_str(&tables(&set, &outcomes, Table::text)),
            TableFormat::Markdown => out.push_str(&tables(&set, &outcomes, Table::markdown)),
            TableFormat::Csv => {
                let csv = block_tables::pages(&set, &outcomes).csv();
                // One header for all sets.
                out.push_str(if out.is_empty() { &csv } else { csv.split_once('\n').map_or("", |(_, rows)| rows) });
            }
            TableFormat::Json => objects.push(object(&set, &outcomes)),
        }
    }
    if args.output.format == TableFormat::Json {
        out = serde_json::to_string_pretty(&json!({ "format": "webstrata.eval.blocks/1", "sets": objects }))? + "\n";
    }
    write(&args.output, &out)?;
    Ok(summary)
}

fn methods(args: &EvalBlocksArgs) -> Result<Vec<Method>> {
    let preset = |preset| Method { name: format!("{preset}"), judge: Judge::Preset(preset) };
    let mut methods: Vec<Method> = args.methods.presets().into_iter().map(preset).collect();
    for path in &args.methods.model {
        let TrainedModel::Blocks(model) = read_model(path)? else {
            bail!("cannot use the model {}: `eval blocks` takes models of `webstrata-lab train blocks`", path.display());
        };
        methods.push(Method { name: path.display().to_string(), judge: Judge::Model(Arc::new(*model)) });
    }
    Ok(methods)
}

fn tables(set: &BlockSet, outcomes: &[Outcome], form: fn(&Table) -> String) -> String {
    let Counts { blocks: [blocks, content, _], words: [words, content_words, _] } =
        outcomes.first().map(|outcome| Counts::new(&outcome.pages.concat())).unwrap_or_default();
    format!(
        "{} ({} pages; {content} of {blocks} blocks and {content_words} of {words} words are content)\n\n{}\n{}\n",
        set.name,
        set.labelled.pages.len(),
        form(&block_tables::by_page(outcomes)),
        form(&block_tables::overall(outcomes))
    )
}

fn figures(figures: &Figures) -> Map<String, Value> {
    NAMES.into_iter().zip(figures.list()).map(|(name, value)| (name.to_owned(), figure(value))).collect()
}

fn object(set: &BlockSet, outcomes: &[Outcome]) -> Value {
    let method = |outcome: &Outcome| {
        let pages: Vec<Value> = set
            .labelled
            .pages
            .iter()
            .zip(&outcome.pages)
            .map(|(labelled, blocks)| {
                let Counts { blocks: [all, content, kept], words: [words, content_words, kept_words] } = Counts::new(blocks);
                json!({
                    "id": labelled.gold.id, "blocks": all, "content_blocks": content, "kept_blocks": kept, "words": words,
                    "content_words": content_words, "kept_words": kept_words, "figures": figures(&Figures::from_blocks(blocks)),
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
