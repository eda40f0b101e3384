//! Runs `extract` and `segment` over all pages and writes the results in the order of the input.

use crate::args::PageArgs;
use crate::interrupt::Interrupt;
use crate::output::{Folder, Gate, Shape, Sink, Target};
use crate::summary::{Summary, count};
use anyhow::{Context, Result, anyhow, bail};
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use webstrata::block::WordOptions;
use webstrata::{Page, PageOptions};
use webstrata_corpus::executor::{Event, Executor, ItemReader, Job, Phase, Source, Stop};
use webstrata_corpus::format::Rendered;
use webstrata_corpus::input::{Entry, Failure, Input, InputError, Item, Reason, Sources};
use webstrata_corpus::io::write_without_sync;
use webstrata_corpus::progress::{Counts, Progress};

/// How long an interrupted command waits for files that are being written.
const GRACE: Duration = Duration::from_secs(5);
/// Polling interval while waiting for results.
const WAIT: Duration = Duration::from_secs(1);

/// A page and its origin.
pub(crate) struct PageInput<'i> {
    /// Its file, with an offset if the file contains several pages.
    pub(crate) name: &'i str,
    /// Its address, if known from the input.
    pub(crate) url: Option<&'i str>,
    /// Its file, if that contains only this page: other files of the page may be next to it.
    pub(crate) file: Option<&'i Path>,
}

/// Turns pages into text.
pub(crate) trait Render: Send + Sync + 'static {
    /// The reason to refuse a page, if there is one.
    fn refusal(&self, _: &PageInput<'_>) -> Option<String> {
        None
    }
    /// The reason to refuse several pages, if there is one.
    fn only_one(&self) -> Option<&'static str> {
        None
    }
    /// The result of a page, or why it failed.
    fn page(&self, input: &PageInput<'_>, page: &Page<'_>) -> Result<Rendered, String>;
    /// The output for a page that failed, if any.
    fn failure(&self, name: &str, error: &str) -> Option<String>;
    /// How words and lines of the pages are counted.
    fn words(&self) -> WordOptions;
}

/// Runs `render` over the pages of `args`; results go to `out`.
pub(crate) fn run(args: &PageArgs, out: Option<&Path>, shape: Shape, render: impl Render) -> Result<Summary> {
    let mut sources = args.input.sources()?;
    let options = args.input.options(&args.limits);
    let page_options = args.input.page_options(&args.limits)?.words(render.words());
    let single = Input::stream(sources.clone(), &options);
    let several = !single.as_ref().is_ok_and(Input::is_single_page);
    if let Some(refusal) = render.only_one().filter(|_| several) {
        bail!("{refusal}");
    }
    let target = Target::new(out, several, shape)?;
    let folder = match &target {
        Target::Folder(root) => Some(Folder::new(root, sources.only_folder(), shape.extension)?),
        Target::File(path) if sources.names(path) => {
            bail!("the result would overwrite the page {}; choose another name for {}", path.display(), shape.option)
        }
        Target::File(_) | Target::Stdout => None,
    };
    // The input was opened to detect its kind. Unless it is standard input, it is opened again, this time excluding the results.
    let input = match &target {
        Target::Folder(path) | Target::File(path) if several && !sources.is_stdin() => {
            sources = sources.excluding(path);
            Input::stream(sources.clone(), &options)?
        }
        _ => single?,
    };
    let gate = Arc::new(Gate::default());
    // From here on there is something to clean up after a signal.
    let interrupt = Interrupt::new().context("cannot handle signals")?;
    let mut sink = Sink::new(&target, shape, several)?;
    let mut executor_options = args.execution.executor(&args.limits);
    if !several {
        executor_options.threads = 1;
    }
    interrupt
        .cancel_on_signal(Arc::clone(&executor_options.cancel), Arc::clone(&gate), sink.temporary())
        .context("cannot start a thread")?;
    let hides_results = target == Target::Stdout && io::stdout().is_terminal();
    let progress = Arc::new(Progress::new(args.execution.progress, args.execution.quiet || hides_results));
    find_total(&sources, &options, &progress);
    let skipped = input.skip_counter();
    let job = TextJob { render, page: page_options, gate: Arc::clone(&gate), shape };
    let executor = Executor::start(PlacedInput { input, folder }, job, &executor_options).map_err(stopped)?;
    let mut collector =
        Collector { args, progress: &progress, counts: Counts::default(), summary: Summary::default(), last: None, ended: false };
    let outcome = collector.write_all(&executor, &mut sink);
    executor.stop();
    progress.finish();
    collector.summary.skipped = skipped.get();
    let summary = collector.summary;
    match outcome {
        Ok(None) => {
            if summary.done > 0 || summary.failures.total() == 0 || target == Target::Stdout {
                sink.finish()?;
            }
            if let Some(problems) = summary.problems().filter(|_| !args.execution.quiet) {
                progress.error(&problems);
            }
            Ok(summary)
        }
        Ok(Some(Stop::Cancelled)) => {
            gate.close(GRACE);
            let flushed = sink.flush();
            let kept = if matches!(target, Target::File(_)) { "; the output file was not written" } else { "" };
            let last = collector.last.map(|name| format!(", the last one {name}")).unwrap_or_default();
            progress.error(&format!("interrupted: {} done{last}{kept}", count(summary.done, "page")));
            flushed.map(|()| Summary { interrupted: interrupt.signal(), ..summary })
        }
        Ok(Some(stop)) => {
            sink.flush()?;
            let (done, failed) = (count(summary.done, "page"), summary.failures.total());
            Err(anyhow!("{}; {done} done, {failed} failed, the others were not tried", stopped(stop)))
        }
        Err(error) => Err(error),
    }
}

/// The error for the user.
fn stopped(stop: Stop<InputError>) -> anyhow::Error {
    match stop {
        Stop::Source(error) => error.into(),
        Stop::TooManyStuck(_) => anyhow!("stopped: {stop}; remove them from the input, or allow more time with --timeout"),
        Stop::NoThread(_) => anyhow!("stopped: {stop}; try fewer --threads"),
        stop => anyhow!("stopped: {stop}"),
    }
}

/// Determines in the background how many bytes there are to read, if progress is shown.
fn find_total(sources: &Sources, options: &webstrata_corpus::input::InputOptions, progress: &Arc<Progress>) {
    if !progress.is_shown() {
        return;
    }
    let (sources, options, progress) = (sources.clone(), options.clone(), Arc::downgrade(progress));
    let find = move || {
        if let Some(bytes) = sources.total_bytes(&options, || progress.strong_count() > 0)
            && let Some(progress) = progress.upgrade()
        {
            progress.set_total(bytes);
        }
    };
    // Without the thread there is no total; nothing else depends on it.
    drop(std::thread::Builder::new().name("total".into()).spawn(find));
}

/// The pages, with the files that results go to.
struct PlacedInput {
    input: Input,
    folder: Option<Folder>,
}

/// A page and the file for its result, or why there is none.
struct Placed {
    entry: Entry,
    name: String,
    path: Option<Result<PathBuf, String>>,
}

impl Source for PlacedInput {
    type Item = Placed;
    type Error = InputError;

    fn next(&mut self) -> Option<Result<Placed, InputError>> {
        let entry = match Source::next(&mut self.input)? {
            Ok(entry) => entry,
            Err(error) => return Some(Err(error)),
        };
        let folder = self.folder.as_mut().filter(|_| !matches!(entry.item, Item::Broken(_)));
        let path = folder.map(|folder| folder.assign(&entry.item));
        Some(Ok(Placed { name: entry.item.name(), entry, path }))
    }

    fn is_ready(&self) -> bool {
        self.input.is_ready()
    }
}

/// Renders pages and writes those that have a file.
struct TextJob<R> {
    render: R,
    page: PageOptions,
    gate: Arc<Gate>,
    shape: Shape,
}

/// The outcome for a page.
#[derive(Default)]
struct Output {
    /// Empty if it has been written.
    text: String,
    is_blank: bool,
    parts: Vec<String>,
    bytes: u64,
    failure: Option<Failure>,
}

impl<R: Render> Job for TextJob<R> {
    type Source = PlacedInput;
    type Tools = ItemReader;
    type Output = Output;
    type Background = ();

    fn tools(&self) -> ItemReader {
        ItemReader::new(self.page.clone())
    }

    fn run(&self, reader: &mut ItemReader, placed: &Placed, phase: &dyn Fn(Phase)) -> Output {
        if let Some(Err(message)) = &placed.path {
            return self.failed(placed, Failure::new(Reason::Failed, message.clone()));
        }
        let render = |document: &webstrata_corpus::Document, page: &Page<'_>| {
            let file = if let Item::File(file) = &placed.entry.item { Some(file.path.as_path()) } else { None };
            let input = PageInput { name: &placed.name, url: document.url.as_deref(), file };
            let rendered = self.render.refusal(&input).map_or_else(|| self.render.page(&input, page), Err);
            rendered.map_err(|reason| Failure::new(Reason::Failed, reason))
        };
        match reader.read(&placed.entry.item, phase, render).and_then(|rendered| rendered) {
            Ok(Rendered { text, is_blank, parts }) => Output { text, is_blank, parts, bytes: reader.page_bytes(), failure: None },
            Err(failure) => Output { bytes: reader.page_bytes(), ..self.failed(placed, failure) },
        }
    }

    fn finish(&self, placed: &Placed, mut output: Output) -> Option<Output> {
        if let (Some(Ok(path)), None) = (&placed.path, &output.failure) {
            let _pass = self.gate.enter()?;
            output.text.insert_str(0, self.shape.header);
            let written =
                if self.shape.parts { write_parts(path, &output.parts) } else { write_without_sync(path, output.text.as_bytes()) };
            if let Err(error) = written {
                output.failure = Some(Failure::new(Reason::Failed, error.to_string()));
            }
            (output.text, output.parts) = (String::new(), Vec::new());
        }
        Some(output)
    }

    fn failed(&self, _: &Placed, failure: Failure) -> Output {
        Output { failure: Some(failure), ..Output::default() }
    }

    fn item_size(&self, placed: &Placed) -> usize {
        placed.entry.item.size()
    }

    fn output_size(&self, output: &Output) -> usize {
        size_of::<Output>() + output.text.len() + output.parts.iter().map(String::len).sum::<usize>()
    }
}

/// Writes the parts of a page into a folder named after the page: `page/1.csv`, `page/2.csv`.
fn write_parts(path: &Path, parts: &[String]) -> Result<(), webstrata_corpus::io::IoError> {
    let extension = path.extension().unwrap_or_default();
    for (number, part) in parts.iter().enumerate() {
        let file = path.with_extension("").join((number + 1).to_string()).with_extension(extension);
        write_without_sync(&file, part.as_bytes())?;
    }
    Ok(())
}

/// Collects and writes the results on the main thread.
struct Collector<'r> {
    args: &'r PageArgs,
    progress: &'r Progress,
    counts: Counts,
    summary: Summary,
    /// The last page that was written.
    last: Option<String>,
    ended: bool,
}

impl Collector<'_> {
    /// Writes all results. Returns the reason if it stopped early.
    fn write_all<R: Render>(&mut self, executor: &Executor<TextJob<R>>, sink: &mut Sink) -> Result<Option<Stop<InputError>>> {
        let mut wait = Duration::ZERO;
        while !self.ended {
            match executor.next(wait) {
                Ok(Event::Outputs(outputs)) => {
                    let render = &executor.job().render;
                    outputs.try_for_each(
                        |placed, output| if self.ended { Ok(()) } else { self.write(render, sink, placed, output) },
                    )?;
                    wait = Duration::ZERO;
                }
                // No result is ready, so flush those written so far.
                Ok(Event::Idle) => {
                    sink.flush()?;
                    wait = WAIT;
                }
                Ok(Event::Background(())) => {}
                Ok(Event::End) => self.ended = true,
                Err(stop) => return Ok(Some(stop)),
            }
        }
        Ok(None)
    }

    fn write<R: Render>(&mut self, render: &R, sink: &mut Sink, placed: &Placed, output: Output) -> Result<()> {
        self.counts.bytes += output.bytes;
        // Files that are one page are counted when they are loaded, the others while they are read.
        match placed.entry.item {
            Item::File(_) => self.counts.loaded += output.bytes,
            _ => self.counts.read = placed.entry.read,
        }
        let Some(failure) = output.failure else {
            sink.write(&output.text)?;
            self.summary.done += 1;
            self.summary.blank += u64::from(output.is_blank);
            self.last = Some(placed.name.clone());
            self.show();
            return Ok(());
        };
        self.summary.failures.count(failure.reason);
        if !self.args.execution.quiet {
            self.progress.error(&format!("{}: {}", placed.name, failure.message));
        }
        if let Some(text) = render.failure(&placed.name, &failure.message) {
            sink.write(&text)?;
        }
        self.ended = self.args.fail_fast;
        self.show();
        Ok(())
    }

    fn show(&mut self) {
        (self.counts.pages, self.counts.failed) = (self.summary.done, self.summary.failures.total());
        self.progress.show(&self.counts);
    }
}
