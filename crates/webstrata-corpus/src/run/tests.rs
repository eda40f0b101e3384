//! Runs over generated pages: order, panics, time limits, interruption and resumption.
use super::driver::{BoxedSource, Session};
use super::rows::{MakeRows, RowMaker};
use super::*;
use crate::executor::endless::Endless;
use crate::executor::{Clock, ItemReader, Phase, Source, Stop, Times};
use crate::input::{Broken, Entry, Failure, InputError, Item, Position, Reason, Skipped};
use crate::store::{self, Counts, Encoder, Format, PageRow, PageRows, RunFolder, Table};
use crate::{Document, Origin};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Pages by number, some of them broken records.
struct Numbers {
    next: u64,
    end: u64,
    /// Number of pages read.
    read: Arc<AtomicU64>,
}

impl Numbers {
    fn new(end: u64) -> Self {
        Numbers { next: 0, end, read: Arc::default() }
    }

    fn entry(&self, item: Item) -> Entry {
        // Like a buffered reader: the count differs if reading began elsewhere.
        let read = self.read.load(Ordering::SeqCst);
        Entry { item, position: Position { offset: self.next, ..Position::default() }, read }
    }
}

impl Source for Numbers {
    type Item = Entry;
    type Error = InputError;

    fn next(&mut self) -> Option<Result<Entry, InputError>> {
        let number = self.next;
        if number == self.end {
            return None;
        }
        self.next += 1;
        self.read.fetch_add(1, Ordering::SeqCst);
        let origin = Origin::new("numbers", number);
        if number % 17 == 16 {
            let failure = Failure::new(Reason::Damaged, "torn");
            return Some(Ok(self.entry(Item::Broken(Broken { origin, failure, whole_file: false }))));
        }
        let text = format!("The ferry of the year {number} left the quay, and nobody has seen it since that day. ");
        let html = format!("<title>{number}</title><nav><a href=/>Home</a></nav><h1>{number}</h1><p>{}", text.repeat(3));
        let url = Some(format!("https://example.org/{number}"));
        Some(Ok(self.entry(Item::Document(Document { url, ..Document::new(origin, html.into_bytes()) }))))
    }
}

/// Calls a function with the number of each page.
struct With<F>(F);

impl<F: Fn(u64) -> Result<(), Failure> + Send + Sync> MakeRows for With<F> {
    fn rows(&self, _: &mut ItemReader, item: &Item, phase: &dyn Fn(Phase), _: &Times) -> Result<PageRows, Failure> {
        phase(Phase::Working);
        let origin = item.origin();
        if let Item::Broken(broken) = item {
            return Err(broken.failure.clone());
        }
        self.0(origin.offset)?;
        let page = PageRow { id: origin.to_string(), hash: origin.offset, ..PageRow::default() };
        Ok(PageRows { page, ..PageRows::default() })
    }
}

fn options(threads: usize) -> RunOptions {
    RunOptions { format: Format::Jsonl, shard_pages: 30, threads, ..RunOptions::default() }
}

/// Runs over numbers, or resumes. Returns true at the end of the input.
fn run_over(
    out: &Path,
    source: Numbers,
    work: Option<Box<dyn MakeRows>>,
    options: &RunOptions,
    watch: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
) -> Result<(bool, Counts), RunError> {
    run_with_clock(out, source, work, options, watch, None)
}

fn run_with_clock(
    out: &Path,
    mut source: Numbers,
    work: Option<Box<dyn MakeRows>>,
    options: &RunOptions,
    watch: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
    clock: Option<Clock>,
) -> Result<(bool, Counts), RunError> {
    let encoder = Encoder::new(options.format, &options.tables).unwrap();
    let manifest = options.manifest(encoder.tables(), json!("numbers"));
    let (folder, state) = RunFolder::open(out, &manifest).unwrap();
    if let Some(last) = &state.last {
        source.next = last.position["offset"].as_u64().unwrap();
    }
    let work = work.unwrap_or_else(|| Box::new(RowMaker::new(options, &encoder)));
    let times = Arc::default();
    let mut session = Session { folder, state, read_before: source.next, total: source.end, watch, times, clock };
    let (complete, progress) = session.write(Box::new(source), work, encoder, options)?;
    if complete {
        session.folder.complete(&manifest, progress.shards, session.state.rows, Skipped::default()).unwrap();
    }
    Ok((complete, session.state.rows))
}

fn on(_: &Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// All files by name.
fn contents(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.insert(path.strip_prefix(root).unwrap().to_string_lossy().into_owned(), fs::read(path).unwrap());
            }
        }
    }
    found
}

#[test]
fn the_output_is_the_same_for_any_number_of_threads() {
    for format in Format::ALL {
        let outputs: Vec<_> = [1, 2, 3, 8]
            .into_iter()
            .map(|threads| {
                let here = tempfile::tempdir().unwrap();
                let options = RunOptions { format, ..options(threads) };
                let (complete, rows) = run_over(here.path(), Numbers::new(200), None, &options, &mut on).unwrap();
                assert!(complete && rows.pages == 189 && rows.failures.total() == 11);
                contents(here.path())
            })
            .collect();
        assert!(outputs[0].len() > 15, "{:?}", outputs[0].keys());
        for other in &outputs[1..] {
            assert_eq!(outputs[0].keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>());
            assert!(outputs[0] == *other, "{format}");
        }
    }
}

#[test]
fn a_resumed_run_gives_the_same() {
    let whole = tempfile::tempdir().unwrap();
    run_over(whole.path(), Numbers::new(300), None, &options(2), &mut on).unwrap();
    let parts = tempfile::tempdir().unwrap();
    let mut sessions = 0;
    loop {
        let mut end_after_a_shard = |progress: &Progress| match progress.shards {
            shards if shards > sessions => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        };
        let (complete, _) = run_over(parts.path(), Numbers::new(300), None, &options(2), &mut end_after_a_shard).unwrap();
        if complete {
            break;
        }
        sessions += 1;
    }
    assert!(sessions > 3, "{sessions}");
    assert!(contents(whole.path()) == contents(parts.path()));
}

#[test]
fn a_run_without_pages_is_empty() {
    let here = tempfile::tempdir().unwrap();
    let (complete, rows) = run_over(here.path(), Numbers::new(0), None, &options(2), &mut on).unwrap();
    assert!(complete && rows == Counts::default());
    assert_eq!(store::pages(here.path()).unwrap().count(), 0);
}

#[test]
fn pages_that_panic_or_fail_are_listed() {
    let here = tempfile::tempdir().unwrap();
    let work = With(|number| match number {
        40 => panic!("asked for it"),
        41 => Err(Failure::new(Reason::Failed, "too large")),
        _ => Ok(()),
    });
    let (complete, rows) = run_over(here.path(), Numbers::new(60), Some(Box::new(work)), &options(2), &mut on).unwrap();
    assert!(complete && rows.pages == 55);
    let errors: Vec<_> = store::errors(here.path()).unwrap().map(|row| row.unwrap()).collect();
    let found: Vec<(u64, &str)> = errors.iter().map(|row| (row.offset, row.message.as_str())).collect();
    let panicked = "webstrata failed on it (asked for it); please report the page";
    assert_eq!(found, [(16, "torn"), (33, "torn"), (40, panicked), (41, "too large"), (50, "torn")]);
    let ids: Vec<u64> = store::pages(here.path()).unwrap().map(|row| row.unwrap().hash).collect();
    assert!(ids.is_sorted() && !ids.contains(&40) && ids.contains(&42));
}

/// Rows of pages, some of which never finish.
fn endless_rows(endless: &Endless, is_endless: impl Fn(u64) -> bool + Send + Sync + 'static) -> Box<dyn MakeRows> {
    let endless = endless.clone();
    Box::new(With(move |number| {
        if is_endless(number) {
            endless.run();
        }
        Ok(())
    }))
}

#[test]
fn a_page_that_does_not_end_is_listed() {
    let here = tempfile::tempdir().unwrap();
    let endless = Endless::default();
    let rows = endless_rows(&endless, |number| number == 20 || number == 21);
    let options = RunOptions { timeout: Some(Duration::from_millis(10)), ..options(1) };
    let (complete, rows) =
        run_with_clock(here.path(), Numbers::new(120), Some(rows), &options, &mut on, Some(endless.clock())).unwrap();
    assert!(complete && rows.pages == 120 - 7 - 2, "{rows:?}");
    assert_eq!((rows.failures.get(Reason::TimedOut), rows.failures.get(Reason::Damaged)), (2, 7));
    let errors = store::errors(here.path()).unwrap().map(|row| row.unwrap()).filter(|row| row.reason == Reason::TimedOut);
    assert_eq!(errors.map(|row| row.offset).collect::<Vec<_>>(), [20, 21]);
}

#[test]
fn too_many_pages_that_do_not_end_stop_the_run() {
    let here = tempfile::tempdir().unwrap();
    let endless = Endless::default();
    let rows = endless_rows(&endless, |number| number >= 40);
    let limited = RunOptions { timeout: Some(Duration::from_millis(10)), ..options(1) };
    let error = run_with_clock(here.path(), Numbers::new(120), Some(rows), &limited, &mut on, Some(endless.clock())).unwrap_err();
    assert!(matches!(error, RunError::Stopped(Stop::TooManyStuck(4))), "{error}");
    // Finished work is kept, and the run can be resumed.
    let (complete, rows) = run_over(here.path(), Numbers::new(120), None, &options(1), &mut on).unwrap();
    assert!(complete && rows.pages == 113);
}

/// An input that fails at a page.
struct Failing(Numbers);

impl Source for Failing {
    type Item = Entry;
    type Error = InputError;

    fn next(&mut self) -> Option<Result<Entry, InputError>> {
        if self.0.next == 70 {
            return Some(Err(InputError::Stdin("the disk is gone")));
        }
        self.0.next()
    }
}

#[test]
fn an_input_that_fails_ends_the_run() {
    let here = tempfile::tempdir().unwrap();
    let options = options(2);
    let encoder = Encoder::new(options.format, &options.tables).unwrap();
    let manifest = options.manifest(encoder.tables(), Value::Null);
    let (folder, state) = RunFolder::open(here.path(), &manifest).unwrap();
    let mut watch = on;
    let times = Arc::default();
    let mut session = Session { folder, state, read_before: 0, total: 0, watch: &mut watch, times, clock: None };
    let work = Box::new(With(|_| Ok(())));
    let source: BoxedSource = Box::new(Failing(Numbers::new(100)));
    let error = session.write(source, work, encoder, &options).unwrap_err();
    assert!(error.to_string().contains("the disk is gone"));
    assert!(contents(here.path()).keys().all(|name| !name.contains(".tmp")), "no unfinished files are left");
}

#[test]
fn tables_that_are_not_requested_are_not_written() {
    let here = tempfile::tempdir().unwrap();
    let options = RunOptions { tables: vec![Table::Links, Table::Links], ..options(1) };
    run_over(here.path(), Numbers::new(20), None, &options, &mut on).unwrap();
    assert!(here.path().join("links").is_dir() && !here.path().join("pages").exists());
    assert_eq!(store::links(here.path()).unwrap().count(), 19);
}
