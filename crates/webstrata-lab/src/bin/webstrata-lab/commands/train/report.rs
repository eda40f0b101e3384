//! The printed result of a training run: the data, and the scores of the cross-validation.

use crate::args::{TableFormat, TrainBlocksArgs};
use anyhow::Result;
use serde_json::json;
use std::path::Path;
use webstrata::label::trained::BlockModel;
use webstrata_lab::blocks::set::BlockSet;
use webstrata_lab::learn::cross_validation::Scores;
use webstrata_lab::learn::dataset::Dataset;
use webstrata_lab::table::{Table, share};

/// The result in the requested format; `file` is the model's file and its size.
pub(super) fn report(
    args: &TrainBlocksArgs,
    set: &BlockSet,
    data: &Dataset,
    model: &BlockModel,
    file: Option<(&Path, usize)>,
) -> Result<String> {
    let card = model.card();
    let leaves = model.classifier().leaves();
    let scores = scores(model, leaves);
    let form: fn(&Table) -> String = match args.format {
        TableFormat::Table => Table::text,
        TableFormat::Markdown => Table::markdown,
        TableFormat::Csv => return Ok(csv_scores(model, leaves).csv()),
        TableFormat::Json => {
            let value = json!({
                "format": "webstrata.train.blocks/1", "set": set.name, "problems": set.labelled.problems,
                "features": model.columns().iter().map(ToString::to_string).collect::<Vec<_>>(), "classes": model.classes(),
                "leaves": leaves, "card": card, "output": file.map(|(path, _)| path.to_string_lossy()),
            });
            return Ok(serde_json::to_string_pretty(&value)? + "\n");
        }
    };
    let mut out = format!(
        "{} ({} pages, {} blocks, {} words)\n\n{}\n{}",
        set.name,
        card.pages,
        card.blocks,
        card.words,
        form(&classes(data)),
        form(&scores)
    );
    if let Some((path, bytes)) = file {
        let shown = path.display();
        out.push_str(&format!("\n{shown}: {bytes} bytes. To use it: webstrata extract --model {shown} PAGE\n"));
    }
    Ok(out)
}

/// The classes of the data.
fn classes(data: &Dataset) -> Table {
    let mut table = Table::new(&["class", "blocks", "words", "share"]);
    let words = data.distribution(&data.rows());
    let all: f64 = words.iter().sum();
    for (class, (name, words)) in data.class_names().iter().zip(words).enumerate() {
        let blocks = (0..data.len()).filter(|row| data.class(*row) == class).count();
        table.row(vec![(*name).to_owned(), blocks.to_string(), words.to_string(), share(words / all)]);
    }
    table
}

/// The scores of the cross-validation, classes weighted by their words.
fn scores(model: &BlockModel, leaves: Option<usize>) -> Table {
    let card = model.card();
    let mut table = Table::new(&[
        "learner", "features", "folds", "precision", "recall", "F1", "FP rate", "ROC AuC", "AuC of answers", "leaves",
    ]);
    let Scores { precision, recall, f1, false_positives, area, area_of_answers } = card.scores;
    let mut row = vec![card.learner.clone(), model.columns().len().to_string(), format!("{} by {}", card.folds, card.by)];
    row.extend([precision, recall, f1, false_positives, area, area_of_answers].map(share));
    row.push(leaves.map_or("–".to_owned(), |leaves| leaves.to_string()));
    table.row(row);
    table
}

/// The scores in machine-readable form, with unrounded numbers.
fn csv_scores(model: &BlockModel, leaves: Option<usize>) -> Table {
    let card = model.card();
    let mut table = Table::new(&[
        "set",
        "learner",
        "features",
        "classes",
        "folds",
        "by",
        "precision",
        "recall",
        "f1",
        "false_positive_rate",
        "roc_auc",
        "roc_auc_of_answers",
        "leaves",
    ]);
    let Scores { precision, recall, f1, false_positives, area, area_of_answers } = card.scores;
    let mut row = vec![card.data.clone(), card.learner.clone(), model.columns().len().to_string()];
    row.extend([model.classes().len().to_string(), card.folds.to_string(), card.by.clone()]);
    row.extend([precision, recall, f1, false_positives, area, area_of_answers].map(|value| format!("{value:.6}")));
    row.push(leaves.map(|leaves| leaves.to_string()).unwrap_or_default());
    table.row(row);
    table
}
