//! `webstrata dedup`: pages with the same text, or nearly the same.

use super::threads::with_threads;
use crate::args::DedupArgs;
use crate::summary::{Summary, count};
use anyhow::{Context, Result, bail};
use std::cell::{Cell, RefCell};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use webstrata_corpus::dedup::{
    AddOptions, BLOCKS, BlockSavings, Index, Resources, Settings, Source, SourceOptions, Tally, TextSource, Watch, check_filter,
    write_blocks, write_kept, write_rows,
};
use webstrata_corpus::input::{Failure, Failures, InputError, Reason, STDIN};
use webstrata_corpus::io::{FileList, TempDir};
use webstrata_corpus::progress::{Counts, Progress, error};

/// Finds duplicates.
pub(crate) fn run(args: &DedupArgs) -> Result<Summary> {
    with_threads(args.execution.threads, || find(args))
}

fn find(args: &DedupArgs) -> Result<Summary> {
    let paths = paths(args)?;
    let folder = IndexFolder::new(args)?;
    let results = [&args.out, &args.filter].into_iter().flatten().filter(|path| path.as_os_str() != STDIN);
    let options = SourceOptions {
        pages: args.input.options(&args.limits),
        text_column: args.text_column.clone(),
        id_column: args.id_column.clone(),
        extensions: args.input.ext.clone(),
        excluded: results.map(PathBuf::as_path).chain([folder.path()]).map(Path::to_owned).collect(),
        ..SourceOptions::default()
    };
    let mut source = Source::open(&paths, options)?;
    if source.has_texts() && args.text_source != TextSource::Content {
        bail!("--text-source {} is for pages; texts and runs have only one text per page", args.text_source);
    }
    if args.blocks && source.has_texts() {
        bail!("--blocks is for pages; texts and runs have no markup to find blocks in");
    }
    if let Some(filter) = &args.filter {
        check_filter(&source, filter)?;
    }
    for path in [&args.out, &args.filter].into_iter().flatten() {
        if path.as_os_str() != STDIN && paths.contains(path) {
            bail!("the result would overwrite the input {}; choose another name", path.display());
        }
    }
    let compared = if args.blocks { BLOCKS.to_owned() } else { args.text_source.to_string() };
    let settings = Settings { similarity: args.preset.similarity(), text_source: compared };
    let resources = Resources { sort: args.memory.0.max(1 << 20), part: args.checkpoint as usize };
    let mut index = Index::open(folder.path(), &settings, resources)?;
    let watcher = Watcher::new(args);
    let add = AddOptions {
        text_source: args.text_source,
        blocks: args.blocks,
        add: args.add,
        page: args.input.page_options(&args.limits)?,
        executor: args.execution.executor(&args.limits),
    };
    let added = index.add(&mut source, &add, &watcher);
    watcher.progress.finish();
    added?;
    let (pages, failed) = index.pages_of(source.fingerprint()).context("the input was not added to the index")?;
    if args.blocks {
        let items = index.items_of(source.fingerprint()).unwrap_or_default();
        let summary = Summary { done: items.saturating_sub(failed), failures: watcher.failures(failed), ..Summary::default() };
        let out = args.out.as_deref().context("name a file with --out")?;
        let rows = index.clusters(args.keep, &watcher)?;
        let savings = write_to(out, folder.path(), |path| Ok(write_blocks(path, &index, rows)?))?;
        drop(index);
        folder.remove()?;
        if !args.execution.quiet {
            print_savings(&savings);
            summary.problems().iter().for_each(|problems| error(problems));
        }
        return Ok(summary);
    }
    let mut tally = Tally::default();
    if let Some(out) = &args.out {
        let rows = index.clusters(args.keep, &watcher)?;
        tally = write_to(out, folder.path(), |path| Ok(write_rows(path, rows)?))?;
    }
    if let Some(filter) = &args.filter {
        let (skip, take) = (usize::try_from(pages.start)?, usize::try_from(pages.end - pages.start)?);
        let rows = index.clusters(args.keep, &watcher)?.skip(skip).take(take);
        let kept = write_to(filter, folder.path(), |path| Ok(write_kept(path, &source, rows)?))?;
        if args.out.is_none() {
            tally = kept;
        }
    }
    drop(index);
    folder.remove()?;
    let summary = Summary { done: pages.end - pages.start, failures: watcher.failures(failed), ..Summary::default() };
    if !args.execution.quiet {
        print(&tally);
        summary.problems().iter().for_each(|problems| error(problems));
    }
    Ok(summary)
}

/// The inputs, including those of the list.
fn paths(args: &DedupArgs) -> Result<Vec<PathBuf>> {
    let mut paths = args.input.paths()?;
    if let Some(list) = &args.input.files_from {
        let unreadable = |error: io::Error| InputError::Read { path: list.clone(), error };
        let entries = match list.as_os_str() == STDIN {
            true => FileList::new(io::stdin()),
            false => FileList::open(list).map_err(unreadable)?,
        };
        for entry in entries {
            paths.push(entry.with_context(|| format!("the list {}", list.display()))?.path);
        }
    }
    Ok(paths)
}

/// The folder of the index.
enum IndexFolder {
    Kept(PathBuf),
    /// Next to the output until the command is done, so that a killed command can continue.
    Beside(PathBuf),
    /// Results go to standard output; the folder is removed when the value is dropped.
    Temporary(PathBuf, #[expect(dead_code, reason = "removes the folder when dropped")] TempDir),
}

impl IndexFolder {
    fn new(args: &DedupArgs) -> Result<Self> {
        let files = || args.out.iter().chain(&args.filter).filter(|path| path.as_os_str() != STDIN);
        Ok(match (&args.index, files().next()) {
            (Some(index), _) => IndexFolder::Kept(index.clone()),
            (None, Some(output)) => {
                let mut name = OsString::from(output);
                name.push(".index");
                IndexFolder::Beside(name.into())
            }
            (None, None) => {
                let folder = TempDir::new(&std::env::temp_dir());
                IndexFolder::Temporary(folder.path()?, folder)
            }
        })
    }

    fn path(&self) -> &Path {
        match self {
            IndexFolder::Kept(path) | IndexFolder::Beside(path) | IndexFolder::Temporary(path, _) => path,
        }
    }

    fn remove(self) -> Result<()> {
        match self {
            IndexFolder::Beside(path) => fs::remove_dir_all(&path).with_context(|| format!("cannot remove {}", path.display())),
            IndexFolder::Kept(_) | IndexFolder::Temporary(..) => Ok(()),
        }
    }
}

/// Writes a file, or standard output if `path` is `-`.
fn write_to<T>(path: &Path, folder: &Path, write: impl FnOnce(&Path) -> Result<T>) -> Result<T> {
    if path.as_os_str() != STDIN {
        return write(path);
    }
    let file = folder.join("stdout.jsonl");
    let tally = write(&file)?;
    let copied = File::open(&file).and_then(|mut file| io::copy(&mut file, &mut io::stdout()));
    fs::remove_file(&file).with_context(|| format!("cannot remove {}", file.display()))?;
    copied.context("cannot write to standard output")?;
    Ok(tally)
}

/// Prints what was found.
fn print(tally: &Tally) {
    let Tally { kept, exact, near, clusters } = tally;
    let (pages, clusters) = (count(tally.pages(), "page"), count(*clusters, "cluster"));
    error(&format!("{pages}: {kept} kept, {exact} exact and {near} near duplicates in {clusters}"));
}

/// Prints what storing each block once would save.
fn print_savings(savings: &BlockSavings) {
    let BlockSavings { blocks, copies, clusters, shared, whole, per_site, once } = savings;
    let (of, clusters) = (count(*blocks, "block"), count(*clusters, "cluster"));
    error(&format!("{of}: {} kept, {copies} copies in {clusters}, {shared} of them on several sites", blocks - copies));
    let share = |saved: f64| format!("{:.1}% {}", 100.0 * saved.abs(), if saved < 0.0 { "more" } else { "less" });
    let (by_site, by_all) = (share(savings.saved_per_site()), share(savings.saved()));
    error(&format!(
        "{whole} bytes; {per_site} ({by_site}) if every site stores its blocks once, {once} ({by_all}) if all sites share one store"
    ));
}

/// Shows progress and reports failures.
struct Watcher {
    progress: Progress,
    quiet: bool,
    counts: Cell<Counts>,
    failures: RefCell<Failures>,
}

impl Watcher {
    fn new(args: &DedupArgs) -> Self {
        let progress = Progress::new(args.execution.progress, args.execution.quiet);
        Watcher { progress, quiet: args.execution.quiet, counts: Cell::default(), failures: RefCell::default() }
    }

    /// Failures by reason. For earlier runs, only their number is known.
    fn failures(&self, total: u64) -> Failures {
        let mut failures = *self.failures.borrow();
        for _ in failures.total()..total {
            failures.count(Reason::Unreadable);
        }
        failures
    }
}

impl Watch for Watcher {
    fn signed(&self, pages: u64, bytes: u64) {
        let mut counts = self.counts.get();
        counts.pages += pages;
        counts.bytes += bytes;
        counts.failed = self.failures.borrow().total();
        self.counts.set(counts);
        self.progress.show(&counts);
    }

    fn failed(&self, name: &str, failure: &Failure) {
        self.failures.borrow_mut().count(failure.reason);
        if !self.quiet {
            self.progress.error(&format!("{name}: {}", failure.message));
        }
    }
}
