//! The driver: one thread at a time reads the next pages, all count.
//!
//! Each thread has counts of its own, which are added at the end. Sums do not depend on which thread counted what.

use super::files::{self, Run};
use super::plain;
use super::tables::Pages;
use crate::count::{Chunk, Counts, Memory};
use crate::error::StatsError;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use webstrata_corpus::io::TempDir;
use webstrata_corpus::store::{Format, Manifest};

/// Something to count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// The folder of a run.
    Tables(PathBuf),
    /// A folder of plain text, or one such file.
    Text(PathBuf),
}

impl Input {
    /// A run if the folder has one, otherwise plain text.
    #[must_use]
    pub fn detect(path: &Path) -> Input {
        if Manifest::is_in(path) { Input::Tables(path.to_owned()) } else { Input::Text(path.to_owned()) }
    }
}

/// How to count.
#[derive(Clone, Debug)]
pub struct Options {
    /// Threads; 0 = one per core.
    pub threads: usize,
    /// Memory of the counters.
    pub memory: Memory,
    /// Folder for temporary files.
    pub temporary: PathBuf,
}

impl Default for Options {
    fn default() -> Self {
        Options { threads: 0, memory: Memory::default(), temporary: std::env::temp_dir() }
    }
}

/// How far it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Pages counted.
    pub pages: u64,
    /// Bytes of the files that are done.
    pub bytes: u64,
    /// Bytes of text counted.
    pub text: u64,
}

/// Counts everything. `watch` is called after each part and can stop it: then there are no counts.
///
/// # Errors
/// If something cannot be read.
pub fn count(
    inputs: &[Input],
    options: &Options,
    watch: &mut (dyn FnMut(Progress) -> ControlFlow<()> + Send),
) -> Result<Option<Counts>, StatsError> {
    let threads = match options.threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    };
    let folder = TempDir::new(&options.temporary);
    let memory = options.memory.divided(threads + 1);
    let source = Mutex::new(Source::new(inputs)?);
    let watch = Mutex::new((watch, Progress::default(), false));
    let work = || -> Result<Counts, StatsError> {
        let mut counts = Counts::new(memory, &folder);
        loop {
            let next = source.lock().unwrap_or_else(PoisonError::into_inner).next()?;
            let Some((chunk, method, bytes)) = next else { return Ok(counts) };
            chunk.pages().try_for_each(|page| counts.add(page))?;
            *counts.tallies.methods.entry(method).or_default() += chunk.len() as u64;
            let mut guard = watch.lock().unwrap_or_else(PoisonError::into_inner);
            let (watch, progress, stopped) = &mut *guard;
            progress.pages += chunk.len() as u64;
            progress.text += chunk.bytes() as u64;
            progress.bytes = bytes;
            *stopped = *stopped || watch(*progress).is_break();
            if *stopped {
                return Ok(counts);
            }
        }
    };
    let results: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap_or(Err(StatsError::Thread))).collect()
    });
    let mut all = Counts::new(memory, &folder);
    for counts in results {
        all.merge(counts?)?;
    }
    let stopped = watch.into_inner().unwrap_or_else(PoisonError::into_inner).2;
    Ok((!stopped).then_some(all))
}

/// What is still to be read.
struct Source {
    runs: Vec<(Run, String)>,
    texts: Vec<PathBuf>,
    /// The next shard: its run and its number.
    next: (usize, usize),
    open: Option<Pages>,
    failed: bool,
    bytes: u64,
}

impl Source {
    fn new(inputs: &[Input]) -> Result<Source, StatsError> {
        let (mut runs, mut texts) = (Vec::new(), Vec::new());
        for input in inputs {
            match input {
                Input::Tables(path) => {
                    let run = files::run(path)?;
                    let method = run.manifest.settings.get("method").cloned().unwrap_or_default();
                    runs.push((run, method));
                }
                Input::Text(path) => texts.extend(plain::files(path)?),
            }
        }
        texts.reverse();
        Ok(Source { runs, texts, next: (0, 0), open: None, failed: false, bytes: 0 })
    }

    /// The next pages with their method, and the bytes of the files read before.
    fn next(&mut self) -> Result<Option<(Chunk, String, u64)>, StatsError> {
        // After an error the other threads stop as well.
        if self.failed {
            return Ok(None);
        }
        let next = self.read();
        self.failed = next.is_err();
        next
    }

    fn read(&mut self) -> Result<Option<(Chunk, String, u64)>, StatsError> {
        while let Some((run, method)) = self.runs.get(self.next.0) {
            let Some(shard) = run.shards.get(self.next.1) else {
                self.next = (self.next.0 + 1, 0);
                continue;
            };
            let format: Format = run.manifest.format;
            let pages = match &mut self.open {
                Some(pages) => pages,
                None => self.open.insert(Pages::open(shard, format)?),
            };
            if let Some(chunk) = pages.next()? {
                return Ok(Some((chunk, method.clone(), self.bytes)));
            }
            self.bytes += shard.bytes;
            self.open = None;
            self.next.1 += 1;
        }
        let Some(path) = self.texts.pop() else { return Ok(None) };
        let chunk = plain::page(&path)?;
        self.bytes += path.metadata().map_or(0, |data| data.len());
        Ok(Some((chunk, "plain text".to_owned(), self.bytes)))
    }
}
