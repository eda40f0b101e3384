//! `webstrata eval figures`: the figures and tables of the thesis on the sets at hand.

use super::write_file;
use crate::args::EvalFiguresArgs;
use crate::run::Summary;
use anyhow::{Context, Result, ensure};
use std::io::Write;
use webstrata_corpus::progress::Progress;
use webstrata_corpus::progress::error;
use webstrata_lab::figures::{Data, Figure, Name, Set};
use webstrata_lab::table::Table;

/// What is said when all is drawn: a bar and text on the same terminal would mix.
#[derive(Default)]
struct Said {
    tables: String,
    complaints: Vec<String>,
    summary: Summary,
}

pub(super) fn run(args: &EvalFiguresArgs) -> Result<Summary> {
    ensure!(args.data.is_dir(), "{} is no folder; --data names the one that has the sets", args.data.display());
    let wanted: Vec<Name> = Name::ALL.into_iter().filter(|name| args.only.is_empty() || args.only.contains(name)).collect();
    let watch = Progress::with_total(args.progress, "the thesis", wanted.len(), "figures");
    let mut said = Said::default();
    let drawn = Set::ALL.into_iter().try_for_each(|set| {
        let names: Vec<Name> = wanted.iter().copied().filter(|name| name.set() == set).collect();
        of_set(args, set, &names, &watch, &mut said)
    });
    drop(watch);
    said.complaints.iter().for_each(|complaint| error(complaint));
    drawn?;
    std::io::stdout().lock().write_all(said.tables.as_bytes()).context("cannot write to standard output")?;
    Ok(said.summary)
}

/// Draws all that are wanted of a set.
fn of_set(args: &EvalFiguresArgs, set: Set, names: &[Name], watch: &Progress, said: &mut Said) -> Result<()> {
    if names.is_empty() {
        return Ok(());
    }
    match set.read(&args.data) {
        Ok((data, problems)) => {
            said.summary.failed += problems.len() as u64;
            said.complaints.extend(problems.iter().map(|problem| format!("{}: {problem}; left out", set.folder())));
            for &name in names {
                one(args, name, &data, said)?;
                watch.tick();
            }
        }
        Err(error) => {
            let lost: Vec<&str> = names.iter().map(|name| name.name()).collect();
            said.complaints.push(format!("{}: {}; not drawn: {}", set.folder(), chain(&*error), lost.join(", ")));
            said.summary.failed += names.len() as u64;
        }
    }
    Ok(())
}

/// Draws and writes one.
fn one(args: &EvalFiguresArgs, name: Name, data: &Data, said: &mut Said) -> Result<()> {
    let figures = name.draw(data);
    if figures.is_empty() {
        said.complaints.push(format!("{name}: there is nothing to draw it from"));
        said.summary.failed += 1;
    }
    for figure in figures {
        match figure.svg() {
            Ok(Some(svg)) => write_file(&args.out.join(format!("{}.svg", figure.file)), &svg)?,
            Ok(None) => {}
            Err(error) => {
                said.complaints.push(error.to_string());
                said.summary.failed += 1;
                continue;
            }
        }
        write_file(&args.out.join(format!("{}.csv", figure.file)), &figure.numbers.csv())?;
        said.tables.push_str(&shown(&figure, args.markdown));
        said.summary.done += 1;
    }
    Ok(())
}

fn shown(figure: &Figure, markdown: bool) -> String {
    let table = if markdown { Table::markdown(&figure.summary) } else { Table::text(&figure.summary) };
    format!("{} ({})\n\n{table}\n", figure.title, figure.file)
}

/// An error with its causes.
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
