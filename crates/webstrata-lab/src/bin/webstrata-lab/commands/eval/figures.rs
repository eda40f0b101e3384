//! `webstrata-lab eval figures`: the figures and tables of the thesis on the available sets.

use crate::Summary;
use crate::args::EvalFiguresArgs;
use anyhow::{Context, Result, ensure};
use std::io::Write;
use webstrata_corpus::io::write_without_sync;
use webstrata_corpus::progress::{Progress, error};
use webstrata_lab::figures::{Data, Figure, Name, Set};
use webstrata_lab::table::Table;

/// Output that is printed at the end, so as not to disturb the progress bar.
#[derive(Default)]
struct Report {
    tables: String,
    errors: Vec<String>,
    summary: Summary,
}

pub(super) fn run(args: &EvalFiguresArgs) -> Result<Summary> {
    ensure!(args.data.is_dir(), "{} is not a folder; --data names the folder with the sets", args.data.display());
    let wanted: Vec<Name> = Name::ALL.into_iter().filter(|name| args.only.is_empty() || args.only.contains(name)).collect();
    let progress = Progress::with_total(args.run.progress, "the thesis", wanted.len(), "figures");
    let mut report = Report::default();
    let drawn = Set::ALL.into_iter().try_for_each(|set| {
        let names: Vec<Name> = wanted.iter().copied().filter(|name| name.set() == set).collect();
        draw_set(args, set, &names, &progress, &mut report)
    });
    drop(progress);
    report.errors.iter().for_each(|text| error(text));
    drawn?;
    std::io::stdout().lock().write_all(report.tables.as_bytes()).context("cannot write to standard output")?;
    Ok(report.summary)
}

/// Draws the requested figures of a set.
fn draw_set(args: &EvalFiguresArgs, set: Set, names: &[Name], progress: &Progress, report: &mut Report) -> Result<()> {
    if names.is_empty() {
        return Ok(());
    }
    match set.read(&args.data) {
        Ok((data, problems)) => {
            report.summary.failed += problems.len() as u64;
            report.errors.extend(problems.iter().map(|problem| format!("{}: {problem}; skipped", set.folder())));
            for &name in names {
                draw(args, name, &data, report)?;
                progress.tick();
            }
        }
        Err(error) => {
            let missing: Vec<&str> = names.iter().map(|name| name.name()).collect();
            report.errors.push(format!("{}: {}; not drawn: {}", set.folder(), chain(&*error), missing.join(", ")));
            report.summary.failed += names.len() as u64;
        }
    }
    Ok(())
}

/// Draws and writes one figure.
fn draw(args: &EvalFiguresArgs, name: Name, data: &Data, report: &mut Report) -> Result<()> {
    let figures = name.draw(data);
    if figures.is_empty() {
        report.errors.push(format!("{name}: the set has no data for it"));
        report.summary.failed += 1;
    }
    for figure in figures {
        match figure.svg() {
            Ok(Some(svg)) => write_without_sync(&args.out.join(format!("{}.svg", figure.file)), svg.as_bytes())?,
            Ok(None) => {}
            Err(error) => {
                report.errors.push(error.to_string());
                report.summary.failed += 1;
                continue;
            }
        }
        write_without_sync(&args.out.join(format!("{}.csv", figure.file)), figure.numbers.csv().as_bytes())?;
        report.tables.push_str(&summary(&figure, name, data, args.markdown));
        report.summary.done += 1;
    }
    Ok(())
}

fn summary(figure: &Figure, name: Name, data: &Data, markdown: bool) -> String {
    let table = if markdown { Table::markdown(&figure.summary) } else { Table::text(&figure.summary) };
    let difference = name.set().difference(data.pages());
    let note = difference.map(|difference| format!("The data differ from the original: {difference}.\n\n")).unwrap_or_default();
    format!("{} ({})\n\n{note}{table}\n", figure.title, figure.file)
}

/// An error followed by its causes.
fn chain(error: &(dyn std::error::Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}
