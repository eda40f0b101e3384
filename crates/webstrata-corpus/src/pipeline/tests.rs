//! Runs over pages of the tests' own making: order, time, panics, ends and new beginnings.
use super::cutter::Place;
use super::rows::{RowMaker, Tools, Work};
use super::run::Session;
use super::source::Source;
use super::*;
use crate::input::{Broken, Item};
use crate::store::{self, Counts, Encoder, Format, PageRow, PageRows, RunFolder, Table};
use crate::{Document, Origin};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Pages by number, some of them broken records.
struct Numbers {
    next: u64,
    end: u64,
    /// Bytes of a page.
    size: usize,
    /// How many were read.
    read: Arc<AtomicU64>,
}

impl Numbers {
    fn new(end: u64) -> Self {
        Numbers { next: 0, end, size: 0, read: Arc::default() }
    }
}

impl Source for Numbers {
    fn next(&mut self) -> Option<Result<Item, RunError>> {
        let number = self.next;
        if number == self.end {
            return None;
        }
        self.next += 1;
        self.read.fetch_add(1, Ordering::SeqCst);
        let origin = Origin::new("numbers", number);
        if number % 17 == 16 {
            return Some(Ok(Item::Broken(Broken { origin, reason: "torn".into() })));
        }
        let text = format!("The ferry of the year {number} left the quay, and nobody has seen it since that day. ");
        let mut html = format!("<title>{number}</title><nav><a href=/>Home</a></nav><h1>{number}</h1><p>{}", text.repeat(3));
        html.push_str(&" ".repeat(self.size.saturating_sub(html.len())));
        let url = Some(format!("https://example.org/{number}"));
        Some(Ok(Item::Document(Document {
            origin,
            url,
            date: None,
            charset: None,
            bytes: html.into_bytes(),
            problems: Vec::new(),
        })))
    }

    fn place(&self) -> Place {
        // As of a reader with buffers: not the same when it began elsewhere.
        Place { position: self.next.into(), read: self.read.load(Ordering::SeqCst) }
    }
}

/// Does something with the number of each page.
struct With<F>(F);

impl<F: Fn(u64) -> Result<(), String> + Send + Sync> Work for With<F> {
    fn rows(&self, _: &mut Tools, document: &Document, _: &Times) -> Result<PageRows, String> {
        self.0(document.origin.offset)?;
        let page = PageRow { id: document.origin.to_string(), hash: document.origin.offset, ..PageRow::default() };
        Ok(PageRows { page, ..PageRows::default() })
    }
}

fn options(threads: usize) -> RunOptions {
    RunOptions { format: Format::Jsonl, shard_pages: 30, threads, ..RunOptions::default() }
}

/// Runs over numbers; goes on where the folder says. True if it came to the end.
fn run_over(
    out: &Path,
    mut source: Numbers,
    work: Option<Box<dyn Work>>,
    options: &RunOptions,
    watch: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
) -> Result<(bool, Counts), RunError> {
    let encoder = Encoder::new(options.format, &options.tables).unwrap();
    let manifest = options.manifest(encoder.tables(), json!("numbers"));
    let (folder, reached) = RunFolder::open(out, &manifest).unwrap();
    if let Some(last) = &reached.last {
        source.next = last.position.as_u64().unwrap();
    }
    let work = work.unwrap_or_else(|| Box::new(RowMaker::new(options, &encoder)));
    let mut session = Session { folder, reached, read_before: source.next, total: source.end, watch };
    let (complete, progress, _) = session.write(Box::new(source), work, encoder, options)?;
    if complete {
        session.folder.complete(&manifest, progress.shards, session.reached.rows).unwrap();
    }
    Ok((complete, session.reached.rows))
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
                assert!(complete && rows.pages == 189 && rows.faults == 11);
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
fn an_ended_run_goes_on_and_gives_the_same() {
    let whole = tempfile::tempdir().unwrap();
    run_over(whole.path(), Numbers::new(300), None, &options(2), &mut on).unwrap();
    let parts = tempfile::tempdir().unwrap();
    let mut sessions = 0;
    loop {
        let mut end_behind_a_shard = |progress: &Progress| match progress.shards {
            shards if shards > sessions => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        };
        let (complete, _) = run_over(parts.path(), Numbers::new(300), None, &options(2), &mut end_behind_a_shard).unwrap();
        if complete {
            break;
        }
        sessions += 1;
    }
    assert!(sessions > 3, "{sessions}");
    assert!(contents(whole.path()) == contents(parts.path()));
}

#[test]
fn no_page_has_an_empty_run() {
    let here = tempfile::tempdir().unwrap();
    let (complete, rows) = run_over(here.path(), Numbers::new(0), None, &options(2), &mut on).unwrap();
    assert!(complete && rows == Counts::default());
    assert_eq!(store::pages(here.path()).unwrap().count(), 0);
}

#[test]
fn a_page_that_panics_or_fails_is_in_the_ledger() {
    let here = tempfile::tempdir().unwrap();
    let work = With(|number| match number {
        40 => panic!("asked for it"),
        41 => Err("too large".to_owned()),
        _ => Ok(()),
    });
    let (complete, rows) = run_over(here.path(), Numbers::new(60), Some(Box::new(work)), &options(2), &mut on).unwrap();
    assert!(complete && rows.pages == 55);
    let ledger: Vec<_> = store::ledger(here.path()).unwrap().map(|row| row.unwrap()).collect();
    let found: Vec<(u64, &str)> = ledger.iter().map(|row| (row.offset, row.reason.as_str())).collect();
    let panicked = "webstrata failed on it (asked for it); please report the page";
    assert_eq!(found, [(16, "torn"), (33, "torn"), (40, panicked), (41, "too large"), (50, "torn")]);
    let ids: Vec<u64> = store::pages(here.path()).unwrap().map(|row| row.unwrap().hash).collect();
    assert!(ids.is_sorted() && !ids.contains(&40) && ids.contains(&42));
}

/// Lets go of looping pages when the test ends, however it does.
struct LetGo(Arc<AtomicBool>);

impl Drop for LetGo {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

fn looping(on: impl Fn(u64) -> bool + Send + Sync + 'static) -> (Box<dyn Work>, LetGo) {
    let let_go = Arc::<AtomicBool>::default();
    let seen = Arc::clone(&let_go);
    let work = With(move |number| {
        while on(number) && !seen.load(Ordering::SeqCst) {
            std::thread::sleep(Duration::from_millis(1));
        }
        Ok(())
    });
    (Box::new(work), LetGo(let_go))
}

#[test]
fn a_page_that_loops_is_given_up() {
    for threads in [1, 3] {
        let here = tempfile::tempdir().unwrap();
        let (work, _let_go) = looping(|number| number == 20 || number == 21);
        let options = RunOptions { timeout: Some(Duration::from_millis(300)), ..options(threads) };
        let started = Instant::now();
        let (complete, rows) = run_over(here.path(), Numbers::new(120), Some(work), &options, &mut on).unwrap();
        assert!(complete && rows.pages == 120 - 7 - 2 && rows.faults == 9, "{rows:?}");
        assert!(started.elapsed() < Duration::from_secs(60));
        let given_up = store::ledger(here.path()).unwrap().map(|row| row.unwrap()).filter(|row| row.reason.contains("given up"));
        assert_eq!(given_up.map(|row| row.offset).collect::<Vec<_>>(), [20, 21]);
    }
}

#[test]
fn too_many_pages_that_loop_end_the_run() {
    let here = tempfile::tempdir().unwrap();
    let (work, _let_go) = looping(|number| number >= 40);
    let options = RunOptions { timeout: Some(Duration::from_millis(100)), ..options(1) };
    let error = run_over(here.path(), Numbers::new(120), Some(work), &options, &mut on).unwrap_err();
    assert!(matches!(error, RunError::TooManyStuck(4)), "{error}");
    // What was done stays, and the run goes on.
    let (complete, rows) = run_over(here.path(), Numbers::new(120), None, &options, &mut on).unwrap();
    assert!(complete && rows.pages == 113);
}

/// However slow the work is, no more is read than may be under way.
#[test]
fn reading_waits_for_the_work() {
    let here = tempfile::tempdir().unwrap();
    let mut source = Numbers::new(100_000);
    source.size = 1 << 20;
    let read = Arc::clone(&source.read);
    let (work, let_go) = looping(|_| true);
    let started = Instant::now();
    let mut watch = |_: &Progress| match started.elapsed() > Duration::from_secs(2) {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    };
    let options = RunOptions { timeout: None, ..options(2) };
    let (complete, _) = run_over(here.path(), source, Some(work), &options, &mut watch).unwrap();
    drop(let_go);
    assert!(!complete);
    let read = read.load(Ordering::SeqCst);
    assert!(read > 0 && read <= 200, "{read} pages of 1 MB were read");
}

/// An input that fails at a page.
struct Failing(Numbers);

impl Source for Failing {
    fn next(&mut self) -> Option<Result<Item, RunError>> {
        if self.0.next == 70 {
            return Some(Err(RunError::Panicked("the disk is gone".into())));
        }
        self.0.next()
    }

    fn place(&self) -> Place {
        self.0.place()
    }
}

#[test]
fn an_input_that_fails_ends_the_run() {
    let here = tempfile::tempdir().unwrap();
    let options = options(2);
    let encoder = Encoder::new(options.format, &options.tables).unwrap();
    let manifest = options.manifest(encoder.tables(), Value::Null);
    let (folder, reached) = RunFolder::open(here.path(), &manifest).unwrap();
    let mut watch = on;
    let mut session = Session { folder, reached, read_before: 0, total: 0, watch: &mut watch };
    let work = Box::new(With(|_| Ok(())));
    let error = session.write(Box::new(Failing(Numbers::new(100))), work, encoder, &options).unwrap_err();
    assert!(error.to_string().contains("the disk is gone"));
    assert!(contents(here.path()).keys().all(|name| !name.contains(".tmp")), "nothing unfinished stays");
}

#[test]
fn tables_that_nobody_wants_are_not_there() {
    let here = tempfile::tempdir().unwrap();
    let options = RunOptions { tables: vec![Table::Links, Table::Links], ..options(1) };
    run_over(here.path(), Numbers::new(20), None, &options, &mut on).unwrap();
    assert!(here.path().join("links").is_dir() && !here.path().join("pages").exists());
    assert_eq!(store::links(here.path()).unwrap().count(), 19);
}
