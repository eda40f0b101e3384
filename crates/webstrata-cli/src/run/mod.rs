//! Runs a job over all pages: on all threads, each page in its time, results in the order of the input. A page that
//! fails does not stop the others.
//!
//! Workers take names in batches, read the pages and make their results; this thread puts the results in order and
//! writes them. A watchdog looks at what the workers are at. All queues have an end, so memory does not grow with the
//! number of pages.

mod flow;
mod page;
mod slot;
#[cfg(test)]
mod tests;
mod watchdog;
mod worker;

use crate::args::PageArgs;
use crate::inputs::{Input, Inputs};
use crate::interrupt::Interrupt;
use crate::output::{Folder, Gate, Shape, Sink, Target};
use anyhow::{Context, Result, anyhow, bail};
pub(crate) use page::keep_panics_quiet;
use webstrata_corpus::progress::Progress;

use flow::{Flow, Next, Stop};
use slot::{Batch, Done};
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use webstrata::{Limits, Page, PageOptions};
use worker::{Shared, Source};

/// How long an interrupted run waits for files that are being written.
const PATIENCE: Duration = Duration::from_secs(5);

/// How a run went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Summary {
    pub(crate) done: u64,
    pub(crate) failed: u64,
    /// The signal that ended it.
    pub(crate) interrupted: Option<i32>,
}

/// What becomes of each page.
pub(crate) trait Job: Send + Sync {
    /// The result of a page, as it is written.
    fn page(&self, input: &Input, page: &Page<'_>) -> Result<String>;
    /// What is written for a page that failed, if anything.
    fn failure(&self, name: &str, error: &str) -> Option<String>;
}

/// Runs `job` over the pages of `args`; results go to `output`.
pub(crate) fn run(args: &PageArgs, output: Option<&Path>, shape: Shape, job: Arc<dyn Job>) -> Result<Summary> {
    let mut inputs = Inputs::new(args)?;
    let options = page_options(args)?;
    let target = Target::new(output, inputs.several(), shape)?;
    let folder = match &target {
        Target::Folder(root) => {
            let folder = Folder::new(root, inputs.only_folder(), shape.extension)?;
            inputs.skip(root);
            Some(folder)
        }
        Target::File(path) if inputs.names(path) => {
            bail!("the result would take the place of the page {}; give -o another name", path.display())
        }
        Target::File(_) | Target::Stdout => None,
    };
    let names = inputs.open()?;
    let gate = Arc::new(Gate::default());
    // From here on a signal is heard: there is something to be cleared away.
    let mut interrupt = Interrupt::new(Arc::clone(&gate)).context("cannot watch for signals")?;
    let mut sink = Sink::new(&target, shape, inputs.several())?;
    interrupt.removes(sink.temporary());
    let threads = if inputs.several() { threads(args.threads) } else { 1 };
    let shared = Arc::new(Shared {
        source: Mutex::new(Source::new(names, folder, threads)),
        flow: Flow::new(threads),
        gate,
        clock: slot::Clock::default(),
        job,
        options,
    });
    let progress = Arc::new(Progress::new(args.progress, args.quiet || covers_results(&target)));
    count(&inputs, &progress);
    watchdog::start(&shared, args.timeout.0, threads, interrupt).context("cannot start the threads")?;
    let mut main = Main { args, shared: &shared, progress: &progress, summary: Summary::default(), last: None };
    let ended = main.write_all(&mut sink);
    let summary = main.summary;
    let last = main.last.take();
    shared.flow.stop(Stop::Ended);
    progress.finish();
    match ended {
        Ok(()) => {
            if summary.done > 0 || summary.failed == 0 || target == Target::Stdout {
                sink.finish()?;
            }
            if summary.failed > 0 && !args.quiet {
                progress.error(&format!("{} of {} pages failed", summary.failed, summary.failed + summary.done));
            }
            Ok(summary)
        }
        Err(Ended::Stopped(Stop::Interrupted(signal))) => {
            shared.gate.shut(PATIENCE);
            let flushed = sink.flush();
            let kept = if matches!(target, Target::File(_)) { "; the output file was not written" } else { "" };
            let last = last.map(|name| format!(", the last is {}", name.display())).unwrap_or_default();
            progress.error(&format!("interrupted: {} pages came out{last}{kept}", summary.done));
            flushed.map(|()| Summary { interrupted: Some(signal), ..summary })
        }
        Err(Ended::Stopped(stop)) => {
            sink.flush()?;
            Err(anyhow!("{stop}; {} pages came out, {} failed, the others were not tried", summary.done, summary.failed))
        }
        Err(Ended::Failed(error)) => Err(error),
    }
}

/// Whether results and a bar would share a terminal.
fn covers_results(target: &Target) -> bool {
    *target == Target::Stdout && io::stdout().is_terminal()
}

/// Counts the pages in the background, if anybody looks.
fn count(inputs: &Inputs, progress: &Arc<Progress>) {
    if !progress.is_shown() {
        return;
    }
    let (inputs, progress) = (inputs.clone(), Arc::downgrade(progress));
    let count = move || {
        if let Some(pages) = inputs.count(|_| progress.strong_count() > 0)
            && let Some(progress) = progress.upgrade()
        {
            progress.set_total(pages);
        }
    };
    // Without the thread there is no total, and that is all.
    drop(std::thread::Builder::new().name("count".into()).spawn(count));
}

/// What the thread that writes knows.
struct Main<'r> {
    args: &'r PageArgs,
    shared: &'r Arc<Shared>,
    progress: &'r Progress,
    summary: Summary,
    /// The page that came out last.
    last: Option<PathBuf>,
}

/// Why writing ended early.
enum Ended {
    Stopped(Stop),
    Failed(anyhow::Error),
}

impl From<anyhow::Error> for Ended {
    fn from(error: anyhow::Error) -> Self {
        Ended::Failed(error)
    }
}

impl Main<'_> {
    /// Writes all results in order.
    fn write_all(&mut self, sink: &mut Sink) -> Result<(), Ended> {
        loop {
            let batch = match self.shared.flow.next(|| sink.flush())? {
                Next::Batch(batch) => batch,
                Next::End => return Ok(()),
                Next::Stopped(stop) => return Err(Ended::Stopped(stop)),
            };
            for (input, done) in batch.inputs.iter().zip(batch.done) {
                if !self.write(sink, input, done)? {
                    return Ok(());
                }
            }
        }
    }

    /// Writes one result; false if that is to be the last.
    fn write(&mut self, sink: &mut Sink, input: &Input, done: Done) -> Result<bool> {
        self.progress.advance(1, done.bytes as u64);
        let Some(error) = done.error else {
            sink.write(&done.text)?;
            self.summary.done += 1;
            self.last = Some(input.name.clone());
            return Ok(true);
        };
        self.summary.failed += 1;
        if !self.args.quiet {
            self.progress.error(&format!("{}: {error}", input.name.display()));
        }
        if let Some(text) = self.shared.job.failure(&input.name.to_string_lossy(), &error) {
            sink.write(&text)?;
        }
        Ok(!self.args.fail_fast)
    }
}

/// Threads that are asked for; 0 is one a core.
fn threads(asked: u16) -> usize {
    match asked {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        asked => usize::from(asked),
    }
}

/// The encodings of the Web, by the names of the WHATWG Encoding standard.
const ENCODINGS: &str = "UTF-8 IBM866 ISO-8859-2 ISO-8859-3 ISO-8859-4 ISO-8859-5 ISO-8859-6 ISO-8859-7 ISO-8859-8 \
ISO-8859-8-I ISO-8859-10 ISO-8859-13 ISO-8859-14 ISO-8859-15 ISO-8859-16 KOI8-R KOI8-U macintosh windows-874 windows-1250 \
windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 x-mac-cyrillic GBK \
gb18030 Big5 EUC-JP ISO-2022-JP Shift_JIS EUC-KR UTF-16BE UTF-16LE x-user-defined";

fn page_options(args: &PageArgs) -> Result<PageOptions> {
    let label = |label: &String| {
        encoding_rs::Encoding::for_label_no_replacement(label.as_bytes()).ok_or_else(|| {
            anyhow!("no encoding '{label}'; there are: {ENCODINGS} (and the other labels that the Web has for them)")
        })
    };
    Ok(PageOptions::default()
        .encoding(args.encoding.as_ref().map(label).transpose()?)
        .limits(Limits::default().bytes(args.max_bytes.0).depth(args.max_depth).nodes(args.max_nodes))
        .noscript(args.noscript))
}

/// A lock whose holder panicked is still a lock: what it guards is changed in single steps.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
