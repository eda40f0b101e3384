//! `webstrata dedup`: pages with the same text, or nearly the same.

use super::threads::with_threads;
use crate::args::DedupArgs;
use crate::run::Summary;
use anyhow::{Context, Result, bail};
use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use webstrata_corpus::dedup::{
    Index, Of, Resources, Settings, Source, SourceOptions, Tally, Watch, check_filter, write_kept, write_rows,
};
use webstrata_corpus::progress::Progress;

/// Finds duplicates.
pub(crate) fn run(args: &DedupArgs) -> Result<Summary> {
    with_threads(args.threads, || find(args))
}

fn find(args: &DedupArgs) -> Result<Summary> {
    let mut options =
        SourceOptions { text_column: args.text_column.clone(), id_column: args.id_column.clone(), ..SourceOptions::default() };
    options.pages.date_column = args.date_column.clone();
    let mut source = Source::open(&args.inputs, options)?;
    if source.has_texts() && args.of != Of::Content {
        bail!("--of {} is for pages; of texts and runs there is only the text that they have", args.of);
    }
    if let Some(filter) = &args.filter {
        check_filter(&source, filter)?;
    }
    let Some(output) = args.out.as_ref().or(args.filter.as_ref()) else { bail!("give --out or --filter") };
    for path in [&args.out, &args.filter].into_iter().flatten() {
        if args.inputs.contains(path) {
            bail!("the result would take the place of the input {}; give it another name", path.display());
        }
    }
    let (dir, lasting) = match &args.index {
        Some(dir) => (dir.clone(), true),
        None => (beside(output), false),
    };
    let settings = Settings { similarity: args.preset.similarity(), of: args.of.to_string() };
    let resources = Resources { sort: args.sort_memory.0.max(1 << 20), part: args.checkpoint as usize };
    let mut index = Index::open(&dir, &settings, resources)?;
    let shown = Shown { progress: Progress::new(args.progress, args.quiet), quiet: args.quiet };
    let added = index.add(&mut source, args.of, args.add, &shown);
    shown.progress.finish();
    added?;
    let (pages, broken) = index.pages_of(source.fingerprint()).context("the input was not added to the index")?;
    let mut tally = Tally::default();
    if let Some(out) = &args.out {
        tally = write_rows(out, index.clusters(args.keep, &shown)?)?;
    }
    if let Some(filter) = &args.filter {
        let (skip, take) = (usize::try_from(pages.start)?, usize::try_from(pages.end - pages.start)?);
        let rows = index.clusters(args.keep, &shown)?.skip(skip).take(take);
        let of_input = write_kept(filter, &source, rows)?;
        if args.out.is_none() {
            tally = of_input;
        }
    }
    drop(index);
    if !lasting {
        fs::remove_dir_all(&dir).with_context(|| format!("cannot remove {}", dir.display()))?;
    }
    if !args.quiet {
        say(&tally);
    }
    Ok(Summary { done: pages.end - pages.start, failed: broken, interrupted: None })
}

/// The index of a command that names none.
fn beside(output: &Path) -> PathBuf {
    let mut name = OsString::from(output);
    name.push(".index");
    name.into()
}

/// What was found, in a line.
fn say(tally: &Tally) {
    let Tally { kept, exact, near, clusters } = tally;
    let pages = tally.pages();
    let _ = writeln!(
        io::stderr(),
        "webstrata: {pages} pages: {kept} kept, {exact} exact and {near} near duplicates in {clusters} clusters"
    );
}

/// Shows how far it is, and names what could not be read.
struct Shown {
    progress: Progress,
    quiet: bool,
}

impl Watch for Shown {
    fn signed(&self, pages: u64, bytes: u64) {
        self.progress.advance(pages, bytes);
    }

    fn broken(&self, what: &str) {
        if !self.quiet {
            self.progress.error(what);
        }
    }
}
