//! The counting driver: one thread at a time reads the next pages, and all threads count.
//!
//! Each thread has its own counts, which are merged at the end. Sums do not depend on which thread counted what.

use super::files::{self, Run};
use super::plain;
use super::tables::Pages;
use crate::count::{Chunk, Counts, Memory, is_counts};
use crate::error::StatsError;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use webstrata_corpus::io::TempDir;
use webstrata_corpus::store::{Format, Manifest};

/// An input to count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// The folder of a run.
    Tables(PathBuf),
    /// A folder of plain text files, or one such file.
    Text(PathBuf),
    /// A file of counts.
    Counts(PathBuf),
}

impl Input {
    /// Detects the kind of input: a run if the folder contains one, counts if the file says so, otherwise plain text.
    #[must_use]
    pub fn detect(path: &Path) -> Input {
        let path = path.to_owned();
        match path {
            path if Manifest::is_in(&path) => Input::Tables(path),
            path if is_counts(&path) => Input::Counts(path),
            path => Input::Text(path),
        }
    }
}

/// Counting options.
#[derive(Clone, Debug)]
pub struct Options {
    /// Threads; 0 = one per core.
    pub threads: usize,
    /// Memory limits of the counters.
    pub memory: Memory,
    /// Folder for temporary files.
    pub temporary: PathBuf,
}

impl Default for Options {
    fn default() -> Self {
        Options { threads: 0, memory: Memory::default(), temporary: std::env::temp_dir() }
    }
}

/// Progress of counting.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Pages counted.
    pub pages: u64,
    /// Bytes of the files that have been read.
    pub bytes: u64,
    /// Bytes of text counted.
    pub text: u64,
}

/// Counts all inputs. `watch` is called after each part and can stop the count, in which case nothing is returned.
///
/// # Errors
/// If an input cannot be read.
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
        let mut chunk = Chunk::default();
        loop {
            let next = source.lock().unwrap_or_else(PoisonError::into_inner).next(&mut chunk)?;
            let Some((part, bytes)) = next else { return Ok(counts) };
            let (pages, text) = match part {
                Part::Pages(method) => {
                    chunk.pages().try_for_each(|page| counts.add(page))?;
                    *counts.tallies.methods.entry(method).or_default() += chunk.len() as u64;
                    (chunk.len() as u64, chunk.bytes() as u64)
                }
                Part::Counts(path) => {
                    let before = counts.tallies.all.pages;
                    counts.read(&path)?;
                    (counts.tallies.all.pages - before, 0)
                }
            };
            let mut guard = watch.lock().unwrap_or_else(PoisonError::into_inner);
            let (watch, progress, stopped) = &mut *guard;
            progress.pages += pages;
            progress.text += text;
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
        all.merge(counts?);
    }
    let stopped = watch.into_inner().unwrap_or_else(PoisonError::into_inner).2;
    Ok((!stopped).then_some(all))
}

/// A unit of work for a thread.
enum Part {
    /// The pages in the chunk, with their segmentation method.
    Pages(String),
    /// A file of counts.
    Counts(PathBuf),
}

/// The remaining input.
struct Source {
    runs: Vec<(Run, String)>,
    texts: Vec<PathBuf>,
    counts: Vec<PathBuf>,
    /// The next shard: the number of its run, and its own.
    next: (usize, usize),
    open: Option<Pages>,
    failed: bool,
    bytes: u64,
}

impl Source {
    fn new(inputs: &[Input]) -> Result<Source, StatsError> {
        let (mut runs, mut texts, mut counts) = (Vec::new(), Vec::new(), Vec::new());
        for input in inputs {
            match input {
                Input::Tables(path) => {
                    let run = files::run(path)?;
                    let method = run.manifest.settings.get("method").cloned().unwrap_or_default();
                    runs.push((run, method));
                }
                Input::Text(path) => texts.extend(plain::files(path)?),
                Input::Counts(path) => counts.push(path.clone()),
            }
        }
        texts.reverse();
        Ok(Source { runs, texts, counts, next: (0, 0), open: None, failed: false, bytes: 0 })
    }

    /// The next part, and the bytes of the files read before. Pages are put in the chunk, whose memory is reused.
    fn next(&mut self, chunk: &mut Chunk) -> Result<Option<(Part, u64)>, StatsError> {
        // After an error, the other threads stop as well.
        if self.failed {
            return Ok(None);
        }
        let next = self.read(chunk);
        self.failed = next.is_err();
        next
    }

    fn read(&mut self, chunk: &mut Chunk) -> Result<Option<(Part, u64)>, StatsError> {
        let size = |path: &Path| path.metadata().map_or(0, |data| data.len());
        if let Some(path) = self.counts.pop() {
            self.bytes += size(&path);
            return Ok(Some((Part::Counts(path), self.bytes)));
        }
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
            pages.next(chunk)?;
            if !chunk.is_empty() {
                return Ok(Some((Part::Pages(method.clone()), self.bytes)));
            }
            self.bytes += shard.bytes;
            self.open = None;
            self.next.1 += 1;
        }
        let Some(path) = self.texts.pop() else { return Ok(None) };
        *chunk = plain::page(&path)?;
        self.bytes += size(&path);
        Ok(Some((Part::Pages("plain text".to_owned()), self.bytes)))
    }
}
