//! `webstrata-lab eval tables`: tables 4.8 and 4.9 of the thesis, and the information gain of single features.

use crate::Summary;
use crate::args::{BlockCut, EvalTablesArgs};
use anyhow::{Context, Result};
use std::fmt::Write as _;
use std::io::Write as _;
use webstrata::block::GapModel;
use webstrata_corpus::io::write_without_sync;
use webstrata_corpus::progress::error;
use webstrata_lab::figures::Set;
use webstrata_lab::gold::l3s_blocks::L3sBlocks;
use webstrata_lab::learn::column::Column;
use webstrata_lab::learn::dataset::{Classes, LabelledBlocks};
use webstrata_lab::learn::information_gain::{Weighting, information_gain};
use webstrata_lab::learn::tables::{TableOptions, class_table, learner_table, table_4_8, table_4_9};

/// Number of features listed.
const MAX_FEATURES: usize = 25;

pub(super) fn run(args: &EvalTablesArgs) -> Result<Summary> {
    let set = L3sBlocks::read(&args.set)?;
    for problem in &set.problems {
        error(&format!("{problem}; skipped"));
    }
    let gaps = match args.blocks {
        BlockCut::Tags => GapModel::Tags,
        BlockCut::Lines => GapModel::Lines,
    };
    let blocks = LabelledBlocks::new(&set, gaps);
    let out = tables(args, &blocks)?;
    match &args.out {
        Some(path) => write_without_sync(path, out.as_bytes())?,
        None => std::io::stdout().lock().write_all(out.as_bytes()).context("cannot write to standard output")?,
    }
    Ok(Summary { done: blocks.page_count() as u64, failed: set.problems.len() as u64 })
}

fn tables(args: &EvalTablesArgs, blocks: &LabelledBlocks) -> Result<String> {
    let mut out = String::new();
    writeln!(out, "{} pages, blocks by {:?}, folds by {}\n", blocks.page_count(), blocks.gaps(), args.by)?;
    if let Some(difference) = Set::News.difference(blocks.page_count()) {
        writeln!(out, "The pages differ from the thesis': {difference}.\n")?;
    }
    writeln!(out, "Table 4.8\n\n{}", class_table(&table_4_8(blocks)).markdown())?;
    let rows = table_4_9(blocks, &TableOptions { by: args.by, svm: !args.no_svm, ..TableOptions::default() });
    for (classes, title) in [(Classes::Two, "two classes"), (Classes::Four, "four classes")] {
        writeln!(out, "Table 4.9, {title}\n\n{}", learner_table(&rows, classes).markdown())?;
    }
    writeln!(out, "Figure 4.20 (information gain in bits)\n")?;
    for classes in [Classes::Two, Classes::Four] {
        let data = blocks.dataset(&Column::all(), classes);
        for weighting in [Weighting::Words, Weighting::Blocks] {
            for gain in information_gain(&data, weighting).iter().take(MAX_FEATURES) {
                let (column, bits, intervals) = (gain.column.to_string(), gain.gain, gain.intervals);
                writeln!(out, "{classes:?} by {weighting:?}: {column:28} {bits:.4} ({intervals} intervals)")?;
            }
        }
    }
    Ok(out)
}
