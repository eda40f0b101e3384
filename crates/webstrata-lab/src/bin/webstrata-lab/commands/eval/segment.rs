//! `webstrata-lab eval segment`: segmentation methods against annotated pages.

use super::write;
use crate::Summary;
use crate::args::{EvalSegmentArgs, TableFormat};
use anyhow::Result;
use rayon::prelude::*;
use serde_json::json;
use webstrata::Page;
use webstrata::segment::Method;
use webstrata_corpus::progress::{Progress, error};
use webstrata_lab::gold::seg_popular::MarkedPage;
use webstrata_lab::segmentation::{Reading, Score, Task};
use webstrata_lab::table::{Table, share};

/// The scores of a page for all methods, by reading, and the share of its words that are marked.
struct Row {
    scores: [Vec<Score>; 2],
    marked: f64,
}

pub(super) fn run(args: &EvalSegmentArgs) -> Result<Summary> {
    let marked = MarkedPage::read_all(&args.set)?;
    let level = args.marks.level();
    let methods = if args.method.is_empty() { Method::ALL.to_vec() } else { args.method.clone() };
    let progress = Progress::with_total(args.run.progress, &args.set.to_string_lossy(), marked.len(), "pages");
    // The scores of each page, or the reason why it has none.
    let rows: Vec<Result<Row, String>> = marked
        .par_iter()
        .map(|marked| {
            progress.tick();
            let page: Page<'_> = marked.parse();
            let task = |reading| {
                let gold = |byte| marked.label_at(byte, level);
                Task::with_reading(&page, gold, reading).map_err(|why| format!("{}: {why}", marked.id()))
            };
            let [only, all] = [task(Reading::Marked)?, task(Reading::AllText)?];
            let scores = |task: &Task<'_>| methods.iter().map(|method| task.score(&*method.segmenter(args.rules))).collect();
            Ok(Row { scores: [scores(&only), scores(&all)], marked: only.marked_words() as f64 / only.words() as f64 })
        })
        .collect();
    drop(progress);
    let mut summary = Summary::default();
    for problem in rows.iter().filter_map(|row| row.as_ref().err()) {
        summary.failed += 1;
        error(&format!("{problem}; skipped"));
    }
    let scored: Vec<(&MarkedPage, &Row)> = marked.iter().zip(&rows).filter_map(|(m, row)| Some((m, row.as_ref().ok()?))).collect();
    summary.done = scored.len() as u64;
    write(&args.output, &written(args, &methods, &scored)?)?;
    Ok(summary)
}

fn figures(score: &Score) -> [f64; 5] {
    [score.adjusted_rand, score.nmi, score.bcubed.precision, score.bcubed.recall, score.bcubed.f]
}

fn mean(scored: &[(&MarkedPage, &Row)], reading: Reading, method: usize) -> Score {
    Score::mean(&scored.iter().map(|(_, row)| row.scores[reading as usize][method]).collect::<Vec<_>>())
}

/// Makes a table for each reading of unmarked text.
fn tables(methods: &[Method], scored: &[(&MarkedPage, &Row)], form: fn(&Table) -> String) -> String {
    let marked = scored.iter().map(|(_, row)| row.marked).sum::<f64>() / scored.len().max(1) as f64;
    let table = |reading: Reading| {
        let mut table = Table::new(&["method", "pages", "AdjRand", "NMI", "BCubed P", "BCubed R", "BCubed F", "segments"]);
        for (at, method) in methods.iter().enumerate() {
            let score = mean(scored, reading, at);
            let mut row = vec![method.to_string(), scored.len().to_string()];
            row.extend(figures(&score).map(share));
            row.push(format!("{:.1}", score.segments));
            table.row(row);
        }
        let note = match reading {
            Reading::Marked => format!("Marked text only ({} of the words)", share(marked)),
            Reading::AllText => "All text; each unmarked stretch is a segment".to_owned(),
        };
        format!("{note}\n\n{}", form(&table))
    };
    Reading::ALL.map(table).join("\n")
}

fn written(args: &EvalSegmentArgs, methods: &[Method], scored: &[(&MarkedPage, &Row)]) -> Result<String> {
    Ok(match args.output.format {
        TableFormat::Table => tables(methods, scored, Table::text),
        TableFormat::Markdown => tables(methods, scored, Table::markdown),
        TableFormat::Csv => {
            let heading = ["page", "method", "text", "adjusted_rand", "nmi", "bcubed_p", "bcubed_r", "bcubed_f", "segments"];
            let mut pages = Table::new(&heading);
            for (marked, row) in scored {
                for reading in Reading::ALL {
                    for (method, score) in methods.iter().zip(&row.scores[reading as usize]) {
                        let mut cells = vec![marked.id().to_owned(), method.to_string(), reading.name().to_owned()];
                        cells.extend(figures(score).map(|value| format!("{value:.6}")));
                        cells.push(score.segments.to_string());
                        pages.row(cells);
                    }
                }
            }
            pages.csv()
        }
        TableFormat::Json => {
            let object = |score: &Score| {
                let [adjusted_rand, nmi, precision, recall, f] = figures(score);
                json!({ "adjusted_rand": adjusted_rand, "nmi": nmi, "bcubed": { "precision": precision, "recall": recall, "f": f },
                    "segments": score.segments })
            };
            let [only, all] = Reading::ALL;
            let method = |(at, method): (usize, &Method)| {
                let page = |(marked, row): &(&MarkedPage, &Row)| {
                    let [score, all_text] = [only, all].map(|reading| object(&row.scores[reading as usize][at]));
                    json!({ "id": marked.id(), "score": score, "all_text": all_text })
                };
                json!({ "name": method.name(), "mean": object(&mean(scored, only, at)), "mean_all_text": object(&mean(scored, all, at)),
                    "pages": scored.iter().map(page).collect::<Vec<_>>() })
            };
            let methods: Vec<_> = methods.iter().enumerate().map(method).collect();
            let value = json!({ "format": "webstrata.eval.segment/1", "rules": args.rules.name, "methods": methods });
            serde_json::to_string_pretty(&value)? + "\n"
        }
    })
}
