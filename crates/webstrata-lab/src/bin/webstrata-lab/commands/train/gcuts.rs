//! `webstrata-lab train gcuts`: weights of the graph methods, and the paper's tables on annotated pages.

use super::date;
use crate::Summary;
use crate::args::TrainGcutsArgs;
use anyhow::{Context, Result, bail};
use std::io::Write;
use std::path::Path;
use webstrata::segment::graphcut::{GraphCutModel, Weights};
use webstrata_corpus::io::write_without_sync;
use webstrata_corpus::progress::{Progress, error};
use webstrata_lab::figures::Figure;
use webstrata_lab::figures::graph_cuts::{GraphCuts, measure};
use webstrata_lab::gold::seg_popular::MarkedPage;
use webstrata_lab::graphcut::{Sample, TrainedWeights, ship};
use webstrata_lab::table::Table;

/// Minimum number of pages that can be split into training, validation and test pages.
const MIN_PAGES: usize = 8;

pub(super) fn run(args: &TrainGcutsArgs) -> Result<Summary> {
    let mut pages = MarkedPage::read_all(&args.set)?;
    let mut summary = Summary::default();
    let mut samples: [Vec<Sample>; 2] = [Vec::new(), Vec::new()];
    pages.retain(|marked| match read(marked, args) {
        Ok((content, visual)) => {
            samples[0].push(content);
            samples[1].extend(visual);
            true
        }
        Err(problem) => {
            error(&format!("{}: {problem:#}; skipped", marked.id()));
            summary.failed += 1;
            false
        }
    });
    summary.done = pages.len() as u64;
    if pages.len() < MIN_PAGES {
        bail!("{}: only {} pages can be used, and at least {MIN_PAGES} are needed", args.set.display(), pages.len());
    }
    let splits = usize::from(args.splits);
    let rounds = splits * samples.iter().filter(|samples| !samples.is_empty()).count() + 1;
    let progress = Progress::with_total(args.run.progress, &args.set.to_string_lossy(), rounds, "training runs");
    let measured = measure(&pages, [&samples[0], &samples[1]], args.marks.level(), splits, &|| progress.tick());
    drop(progress);
    let GraphCuts { figures, trained } = &measured;
    if let Some(folder) = &args.figures {
        figures.iter().try_for_each(|figure| write_figure(folder, figure))?;
    }
    let text: String = figures.iter().map(|figure| format!("{}\n\n{}\n", figure.title, Table::text(&figure.summary))).collect();
    std::io::stdout().lock().write_all(text.as_bytes()).context("cannot write to standard output")?;
    if let Some(out) = &args.out {
        let weights = |kind: usize| weights(&samples[kind], &trained[kind]);
        let content = weights(0);
        // Without layouts, the visual weights equal the content weights.
        let visual = if samples[1].is_empty() { content.clone() } else { weights(1) };
        let file = GraphCutModel { content, visual }.write();
        write_without_sync(out, &file)?;
        if let Some(card) = &args.card {
            write_without_sync(card, write_card(args, pages.len(), file.len(), figures).as_bytes())?;
        }
    }
    Ok(summary)
}

/// A page without its layout, and with it if there are layouts.
fn read(marked: &MarkedPage, args: &TrainGcutsArgs) -> Result<(Sample, Option<Sample>)> {
    let page = marked.parse();
    let level = args.marks.level();
    let content = Sample::new(marked, &page, level);
    if !content.is_scored() {
        bail!("too little of it is annotated");
    }
    let visual = match &args.layouts {
        None => None,
        Some(folder) => Some(Sample::new(marked, &webstrata_lab::layouts::with_layout(folder, marked.id(), page)?, level)),
    };
    Ok((content, visual))
}

fn weights(samples: &[Sample], trained: &[TrainedWeights]) -> Weights {
    ship(&samples.iter().collect::<Vec<_>>(), trained)
}

fn write_figure(folder: &Path, figure: &Figure) -> Result<()> {
    if let Some(svg) = figure.svg()? {
        write_without_sync(&folder.join(format!("{}.svg", figure.file)), svg.as_bytes())?;
    }
    Ok(write_without_sync(&folder.join(format!("{}.csv", figure.file)), figure.numbers.csv().as_bytes())?)
}

fn write_card(args: &TrainGcutsArgs, pages: usize, bytes: usize, figures: &[Figure]) -> String {
    let set = args.set.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let layouts = if args.layouts.is_some() { " --layouts DIR" } else { "" };
    let tables: String =
        figures.iter().map(|figure| format!("## {}\n\n{}\n", figure.title, Table::markdown(&figure.summary))).collect();
    format!(
        "# The weights of `gcuts` and `cclus`\n\n\
         Learned on {} by `webstrata-lab train gcuts {set}{layouts} --splits {}`; {bytes} bytes.\n\n\
         {pages} pages of {set}. The shipped weights are learned from all of them, so scores of `eval segment` on these pages are scores on pages that \
         they have seen. The scores below are on test pages: weights are learned from a quarter of the pages, lambda is chosen on another quarter, and the \
         rest is scored, in {} random divisions. Marked text only, means of pages; ± is the standard deviation over the divisions.\n\n{tables}",
        date::today(),
        args.splits,
        args.splits,
    )
}
