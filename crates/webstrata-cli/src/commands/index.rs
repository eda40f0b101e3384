//! `webstrata index`: builds an index from a crawl or from its tables.

use super::threads::with_threads;
use crate::args::IndexArgs;
use crate::interrupt::Interrupt;
use crate::summary::{Summary, count};
use anyhow::{Context, Result, bail};
use std::fmt::Write as _;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use webstrata_corpus::input::{Input, STDIN};
use webstrata_corpus::progress::{Counts, Progress, error};
use webstrata_corpus::run::{self, RunOptions};
use webstrata_search::{Clusters, Index, IndexOptions, IndexWriter, TopicRanks, build};

/// Folder of the tables within the folder of the index.
const TABLES: &str = "tables";

/// Builds, changes or describes an index.
pub(crate) fn run(args: &IndexArgs) -> Result<Summary> {
    let ranks = args.ranks.as_deref().map(TopicRanks::read).transpose()?;
    let options = IndexOptions {
        memory: args.memory.0,
        checkpoint: args.checkpoint,
        add: args.add,
        threads: match args.execution.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => usize::from(threads),
        },
        ranks: ranks.map(Arc::new),
        clusters: args.clusters.as_deref().map(Clusters::read).transpose()?.map(Arc::new),
    };
    let has_input = !args.input.paths.is_empty() || args.input.files_from.is_some();
    match &args.delete {
        _ if has_input => with_threads(args.execution.threads, || add(args, &options)),
        Some(list) => delete(args, list, &options),
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

/// The input, if it is a folder of tables.
fn tables(args: &IndexArgs) -> Option<PathBuf> {
    match args.input.paths.as_slice() {
        [folder] if args.input.files_from.is_none() && folder.join("manifest.json").is_file() => Some(folder.clone()),
        _ => None,
    }
}

fn add(args: &IndexArgs, options: &IndexOptions) -> Result<Summary> {
    let interrupt = Interrupt::new().context("cannot handle signals")?;
    let Some(tables) = tables(args) else {
        if args.add {
            bail!("--add takes the tables of a run; make them with `webstrata run`");
        }
        let pages = make_tables(args, &interrupt)?;
        if pages.interrupted.is_some() || pages.done == 0 {
            return Ok(pages);
        }
        let indexed = add_tables(args, &args.out.join(TABLES), options, &interrupt)?;
        return Ok(Summary { failures: pages.failures, skipped: pages.skipped, ..indexed });
    };
    add_tables(args, &tables, options, &interrupt)
}

/// Turns pages into tables in the folder of the index, or resumes doing so.
fn make_tables(args: &IndexArgs, interrupt: &Interrupt) -> Result<Summary> {
    let sources = args.input.sources()?.excluding(&args.out);
    let input = Input::list(&sources, &args.input.options(&args.limits))?;
    webstrata_search::begin(&args.out)?;
    let page = args.input.page_options(&args.limits)?;
    let options = RunOptions {
        further: super::run::further(&args.input, &page),
        page,
        timeout: args.limits.timeout.0,
        threads: usize::from(args.execution.threads),
        ..RunOptions::default()
    };
    let display = Progress::new(args.execution.progress, args.execution.quiet);
    display.set_total(input.total_bytes());
    let mut shards = 0;
    let mut watch = |progress: &run::Progress| {
        display.show(&super::run::counts(progress));
        shards = progress.shards;
        if interrupt.signal().is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let outcome = run::run(input, &args.out.join(TABLES), &options, &mut watch);
    display.finish();
    let outcome = outcome.map_err(|error| super::run::with_remedy(error, shards))?;
    let mut summary =
        Summary { done: outcome.rows.pages, failures: outcome.rows.failures, skipped: outcome.skipped, ..Summary::default() };
    if !outcome.complete {
        let (shards, pages) = (count(outcome.shards, "shard"), count(outcome.rows.pages, "page"));
        error(&format!("interrupted: {shards} with {pages} read; run the same command again to resume"));
        summary.interrupted = interrupt.signal();
    } else if let Some(problems) = summary.problems().filter(|_| !args.execution.quiet) {
        error(&problems);
    }
    Ok(summary)
}

fn add_tables(args: &IndexArgs, tables: &Path, options: &IndexOptions, interrupt: &Interrupt) -> Result<Summary> {
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
        (_, 0) => " (all already done)".to_owned(),
        (before, _) => format!(" ({before} already done)"),
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
