//! The counting driver: every thread reads pages from a shard and counts them.
//!
//! Each thread prefers a shard of its own, so threads rarely wait for each other; when shards run out, they share those that are
//! still open. Each has its own counts, which are merged at the end. Sums do not depend on which thread counted what.

use super::files::{self, Shard};
use super::plain;
use super::tables::Pages;
use crate::count::{Chunk, Counts, Memory, is_counts};
use crate::error::StatsError;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
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
    let source = Source::new(inputs, threads)?;
    let watch = Mutex::new((watch, Progress::default(), false));
    let work = |thread: usize| -> Result<Counts, StatsError> {
        let mut counts = Counts::new(memory, &folder);
        let mut chunk = Chunk::default();
        loop {
            let next = source.next(thread, &mut chunk)?;
            let Some((part, bytes)) = next else {
                counts.sort();
                return Ok(counts);
            };
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
            let mut guard = locked(&watch);
            let (watch, progress, stopped) = &mut *guard;
            progress.pages += pages;
            progress.text += text;
            progress.bytes = progress.bytes.max(bytes);
            *stopped = *stopped || watch(*progress).is_break();
            if *stopped {
                return Ok(counts);
            }
        }
    };
    let results: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|thread| scope.spawn(move || work(thread))).collect();
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

/// The input that is not yet counted.
struct Source {
    waiting: Mutex<Waiting>,
    /// A shard for each thread.
    open: Vec<Mutex<Option<Open>>>,
    failed: AtomicBool,
}

/// What no thread has opened yet, in reverse order.
struct Waiting {
    shards: Vec<(Shard, Format, String)>,
    texts: Vec<PathBuf>,
    counts: Vec<PathBuf>,
    /// Bytes of the files that have been read.
    bytes: u64,
}

/// A shard that is being read.
struct Open {
    pages: Pages,
    /// Its segmentation method.
    method: String,
    bytes: u64,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn size(path: &Path) -> u64 {
    path.metadata().map_or(0, |data| data.len())
}

impl Source {
    fn new(inputs: &[Input], threads: usize) -> Result<Source, StatsError> {
        let (mut shards, mut texts, mut counts) = (Vec::new(), Vec::new(), Vec::new());
        for input in inputs {
            match input {
                Input::Tables(path) => {
                    let run = files::run(path)?;
                    let method = run.manifest.settings.get("method").cloned().unwrap_or_default();
                    let format = run.manifest.format;
                    shards.extend(run.shards.into_iter().map(|shard| (shard, format, method.clone())));
                }
                Input::Text(path) => texts.extend(plain::files(path)?),
                Input::Counts(path) => counts.push(path.clone()),
            }
        }
        shards.reverse();
        texts.reverse();
        let waiting = Mutex::new(Waiting { shards, texts, counts, bytes: 0 });
        let open = (0..threads).map(|_| Mutex::new(None)).collect();
        Ok(Source { waiting, open, failed: AtomicBool::new(false) })
    }

    /// The next part for a thread, and the bytes of the files read before. Pages are put in the chunk, whose memory is reused.
    fn next(&self, thread: usize, chunk: &mut Chunk) -> Result<Option<(Part, u64)>, StatsError> {
        // After an error, the other threads stop as well.
        if self.failed.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let next = self.read(thread, chunk);
        if next.is_err() {
            self.failed.store(true, Ordering::Relaxed);
        }
        next
    }

    fn read(&self, thread: usize, chunk: &mut Chunk) -> Result<Option<(Part, u64)>, StatsError> {
        if let Some(path) = self.take(|waiting| waiting.counts.pop()) {
            let bytes = locked(&self.waiting).bytes;
            return Ok(Some((Part::Counts(path), bytes)));
        }
        // The thread's own shard, or a new one; otherwise that of another thread, if that thread is not reading it right now; and
        // if all of them are being read, the first whose turn comes.
        let (after, before) = self.open.split_at(thread);
        for wait in [false, true] {
            for open in before.iter().chain(after) {
                let mut open = match open.try_lock() {
                    Ok(open) => open,
                    Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
                    Err(TryLockError::WouldBlock) if wait => locked(open),
                    Err(TryLockError::WouldBlock) => continue,
                };
                if let Some(method) = self.pages(&mut open, chunk)? {
                    return Ok(Some((Part::Pages(method), locked(&self.waiting).bytes)));
                }
            }
        }
        let Some(path) = self.take(|waiting| waiting.texts.pop()) else { return Ok(None) };
        *chunk = plain::page(&path)?;
        Ok(Some((Part::Pages("plain text".to_owned()), locked(&self.waiting).bytes)))
    }

    /// Fills the chunk from an open shard, or from the next one if that is at its end; returns the segmentation method.
    fn pages(&self, open: &mut Option<Open>, chunk: &mut Chunk) -> Result<Option<String>, StatsError> {
        loop {
            let shard = match open {
                Some(shard) => shard,
                None => {
                    let Some((shard, format, method)) = locked(&self.waiting).shards.pop() else { return Ok(None) };
                    open.insert(Open { pages: Pages::open(&shard, format)?, method, bytes: shard.bytes })
                }
            };
            shard.pages.next(chunk)?;
            if !chunk.is_empty() {
                return Ok(Some(shard.method.clone()));
            }
            locked(&self.waiting).bytes += shard.bytes;
            *open = None;
        }
    }

    /// Takes a file that no thread has read, and adds its size to the bytes read.
    fn take(&self, next: impl Fn(&mut Waiting) -> Option<PathBuf>) -> Option<PathBuf> {
        let mut waiting = locked(&self.waiting);
        let path = next(&mut waiting)?;
        waiting.bytes += size(&path);
        Some(path)
    }
}
