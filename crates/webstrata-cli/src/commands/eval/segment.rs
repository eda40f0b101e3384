//! `webstrata eval segment`: segmentation methods against pages that people have marked.

use super::write;
use crate::args::{EvalFormat, EvalSegmentArgs, Marks};
use crate::progress::complain;
use crate::run::Summary;
use anyhow::Result;
use rayon::prelude::*;
use serde_json::json;
use webstrata::Page;
use webstrata::segment::Method;
use webstrata_eval::gold::seg_popular::{Level, MarkedPage};
use webstrata_eval::segmentation::{Score, Task};
use webstrata_eval::table::{Table, share};

pub(super) fn run(args: &EvalSegmentArgs) -> Result<Summary> {
    let marked = MarkedPage::read_all(&args.set)?;
    let level = match args.marks {
        Marks::Inner => Level::Sub,
        Marks::Outer => Level::Top,
    };
    let methods = if args.method.is_empty() { Method::ALL.to_vec() } else { args.method.clone() };
    // By page: the score of each method, or why there is none.
    let rows: Vec<Result<Vec<Score>, String>> = marked
        .par_iter()
        .map(|marked| {
            let page: Page<'_> = marked.parse();
            let task = Task::new(&page, |byte| marked.label_at(byte, level)).map_err(|why| format!("{}: {why}", marked.id()))?;
            Ok(methods.iter().map(|method| task.score(&*method.segmenter(args.rules))).collect())
        })
        .collect();
    let mut summary = Summary::default();
    for problem in rows.iter().filter_map(|row| row.as_ref().err()) {
        summary.failed += 1;
        complain(&format!("{problem}; left out"));
    }
    let scored: Vec<(&MarkedPage, &Vec<Score>)> =
        marked.iter().zip(&rows).filter_map(|(m, row)| Some((m, row.as_ref().ok()?))).collect();
    summary.done = scored.len() as u64;
    write(&args.output, &written(args, &methods, &scored)?)?;
    Ok(summary)
}

fn written(args: &EvalSegmentArgs, methods: &[Method], scored: &[(&MarkedPage, &Vec<Score>)]) -> Result<String> {
    let figures = |score: &Score| [score.adjusted_rand, score.nmi, score.bcubed.precision, score.bcubed.recall, score.bcubed.f];
    let mean = |at: usize| Score::mean(&scored.iter().map(|(_, row)| row[at]).collect::<Vec<_>>());
    let mut table = Table::new(&["method", "pages", "AdjRand", "NMI", "BCubed P", "BCubed R", "BCubed F", "segments"]);
    for (at, method) in methods.iter().enumerate() {
        let score = mean(at);
        let mut row = vec![method.to_string(), scored.len().to_string()];
        row.extend(figures(&score).map(share));
        row.push(format!("{:.1}", score.segments));
        table.row(row);
    }
    Ok(match args.output.format {
        EvalFormat::Table => table.text(),
        EvalFormat::Markdown => table.markdown(),
        EvalFormat::Csv => {
            let mut pages = Table::new(&["page", "method", "adjusted_rand", "nmi", "bcubed_p", "bcubed_r", "bcubed_f", "segments"]);
            for (marked, row) in scored {
                for (method, score) in methods.iter().zip(row.iter()) {
                    let mut cells = vec![marked.id().to_owned(), method.to_string()];
                    cells.extend(figures(score).map(|value| format!("{value:.6}")));
                    cells.push(score.segments.to_string());
                    pages.row(cells);
                }
            }
            pages.csv()
        }
        EvalFormat::Json => {
            let object = |score: &Score| {
                let [adjusted_rand, nmi, precision, recall, f] = figures(score);
                json!({ "adjusted_rand": adjusted_rand, "nmi": nmi, "bcubed": { "precision": precision, "recall": recall, "f": f },
                    "segments": score.segments })
            };
            let method = |(at, method): (usize, &Method)| {
                let pages = scored.iter().map(|(marked, row)| json!({ "id": marked.id(), "score": object(&row[at]) }));
                json!({ "name": method.name(), "mean": object(&mean(at)), "pages": pages.collect::<Vec<_>>() })
            };
            let methods: Vec<_> = methods.iter().enumerate().map(method).collect();
            let value = json!({ "format": "webstrata.eval.segment/1", "rules": args.rules.name, "methods": methods });
            serde_json::to_string_pretty(&value)? + "\n"
        }
    })
}
