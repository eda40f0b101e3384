//! `webstrata index`: tables into an index.

use super::threads::with_threads;
use crate::args::IndexArgs;
use crate::interrupt::Interrupt;
use crate::summary::{Summary, count};
use anyhow::{Context, Result};
use std::fmt::Write as _;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::Path;
use webstrata_corpus::input::STDIN;
use webstrata_corpus::progress::{Counts, Progress, error};
use webstrata_search::{Index, IndexOptions, IndexWriter, build};

/// Builds, changes or describes an index.
pub(crate) fn run(args: &IndexArgs) -> Result<Summary> {
    let options = IndexOptions {
        memory: args.memory.0,
        checkpoint: args.checkpoint,
        add: args.add,
        threads: match args.execution.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => usize::from(threads),
        },
    };
    match (&args.tables, &args.delete) {
        (Some(tables), _) => with_threads(args.execution.threads, || add(args, tables, &options)),
        (None, Some(list)) => delete(args, list, &options),
        _ if args.explain_weights => explain_weights(&Index::open(&args.out)?),
        _ => {
            let index = Index::open(&args.out)?;
            index.verify()?;
            say(args, &format!("{} in {}, all files are intact", count(index.pages(), "page"), args.out.display()))?;
            Ok(summary(index.pages()))
        }
    }
}

fn summary(pages: u64) -> Summary {
    Summary { done: pages, ..Summary::default() }
}

fn say(args: &IndexArgs, message: &str) -> Result<()> {
    if !args.execution.quiet {
        writeln!(io::stdout(), "{message}")?;
    }
    Ok(())
}

fn add(args: &IndexArgs, tables: &Path, options: &IndexOptions) -> Result<Summary> {
    let interrupt = Interrupt::new().context("cannot handle signals")?;
    let display = Progress::new(args.execution.progress, args.execution.quiet);
    let mut watch = |built: &webstrata_search::Built| {
        display.show(&Counts { pages: built.pages - built.pages_before, bytes: built.bytes, ..Counts::default() });
        if interrupt.signal().is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let built = build(tables, &args.out, options, &mut watch);
    display.finish();
    let built = built?;
    let mut summary = summary(built.pages);
    if !built.complete {
        error(&format!("interrupted: {} done; run the same command again to resume", count(built.pages, "page")));
        summary.interrupted = interrupt.signal();
        return Ok(summary);
    }
    let before = match (built.pages_before, built.pages - built.pages_before) {
        (0, _) => String::new(),
        (_, 0) => " (all done before)".to_owned(),
        (before, _) => format!(" ({before} done before)"),
    };
    say(args, &format!("{} of {} in {}{before}", count(built.pages, "page"), tables.display(), args.out.display()))?;
    Ok(summary)
}

fn delete(args: &IndexArgs, list: &Path, options: &IndexOptions) -> Result<Summary> {
    let before = Index::open(&args.out)?.pages();
    let mut writer = IndexWriter::open(&args.out, options)?;
    let text = match list.as_os_str() == STDIN {
        true => io::read_to_string(io::stdin()).context("cannot read standard input")?,
        false => std::fs::read_to_string(list).with_context(|| format!("cannot read {}", list.display()))?,
    };
    text.lines().map(str::trim).filter(|name| !name.is_empty()).for_each(|name| writer.delete(name));
    writer.finish()?;
    let after = Index::open(&args.out)?.pages();
    say(args, &format!("{} deleted, {after} left in {}", count(before - after, "page"), args.out.display()))?;
    Ok(Summary { done: 1, ..Summary::default() })
}

fn explain_weights(index: &Index) -> Result<Summary> {
    let mut text = String::from("class\tweight\ticf\tspread\tsegments\tsite\n");
    for class in index.class_weights() {
        let (name, site) = (webstrata_search::plain(&class.class), webstrata_search::plain(&class.site));
        writeln!(text, "{name}\t{:.4}\t{:.4}\t{:.4}\t{}\t{site}", class.weight, class.icf, class.spread, class.segments)?;
    }
    io::stdout().lock().write_all(text.as_bytes())?;
    Ok(summary(index.pages()))
}
