//! Runs a function over all pages, on all threads, results in input order; a page that fails does not stop the others.

use crate::args::PageArgs;
use crate::inputs;
use crate::output::{Sink, complain};
use anyhow::{Context, Result, anyhow};
use rayon::prelude::*;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use webstrata::{Limits, Page, PageOptions, Reader};

/// How a run went.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Summary {
    pub(crate) done: usize,
    pub(crate) failed: usize,
}

/// Pages in flight for each thread: enough to even out long and short ones, few enough to bound memory.
const PAGES_PER_THREAD: usize = 64;

/// The encodings of the Web, by the names of the WHATWG Encoding standard.
const ENCODINGS: &str = "UTF-8 IBM866 ISO-8859-2 ISO-8859-3 ISO-8859-4 ISO-8859-5 ISO-8859-6 ISO-8859-7 ISO-8859-8 \
ISO-8859-8-I ISO-8859-10 ISO-8859-13 ISO-8859-14 ISO-8859-15 ISO-8859-16 KOI8-R KOI8-U macintosh windows-874 windows-1250 \
windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 x-mac-cyrillic GBK \
gb18030 Big5 EUC-JP ISO-2022-JP Shift_JIS EUC-KR UTF-16BE UTF-16LE x-user-defined";

/// What becomes of each page.
pub(crate) trait Job: Sync {
    /// Ending of the files it writes.
    fn extension(&self) -> &'static str;
    /// What stands between two pages on standard output.
    fn separator(&self) -> &'static str {
        ""
    }
    /// The result of a page, as it is written.
    fn page(&self, name: &str, page: &Page<'_>) -> Result<String>;
    /// What is written for a page that failed, if anything.
    fn failure(&self, name: &str, error: &str) -> Option<String>;
}

thread_local! {
    /// Is this thread inside a page? A panic there is reported with the page.
    static IN_PAGE: Cell<bool> = const { Cell::new(false) };
}

/// Keeps the default message of a panic off standard error where the page's own report says the same.
pub(crate) fn keep_panics_quiet() {
    let default = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !IN_PAGE.get() {
            default(panic);
        }
    }));
}

/// Runs `job` over the pages of `args`.
pub(crate) fn run(args: &PageArgs, job: &impl Job) -> Result<Summary> {
    let names = inputs::names(args)?;
    let options = page_options(args)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.threads).build().context("cannot start the threads")?;
    let mut sink = Sink::new(args.output.as_deref(), job.extension(), job.separator())?;
    let mut summary = Summary::default();
    for batch in names.chunks(PAGES_PER_THREAD * pool.current_num_threads()) {
        let results: Vec<Result<String>> = pool.install(|| {
            let reader = || Reader::new(options.clone());
            batch.par_iter().with_max_len(8).map_init(reader, |reader, name| one(name, reader, &options, job)).collect()
        });
        for (name, result) in batch.iter().zip(results) {
            write(&mut sink, job, name, result, &mut summary)?;
        }
    }
    sink.finish()?;
    if summary.failed > 0 {
        complain(&format!("{} of {} pages failed", summary.failed, summary.failed + summary.done));
    }
    Ok(summary)
}

fn page_options(args: &PageArgs) -> Result<PageOptions> {
    let label = |label: &String| {
        encoding_rs::Encoding::for_label_no_replacement(label.as_bytes()).ok_or_else(|| {
            anyhow!("no encoding '{label}'; there are: {ENCODINGS} (and the other labels that the Web has for them)")
        })
    };
    Ok(PageOptions {
        encoding: args.encoding.as_ref().map(label).transpose()?,
        limits: Limits { bytes: args.max_bytes, ..Limits::default() },
        noscript: args.noscript,
        ..PageOptions::default()
    })
}

/// One page: read, parsed, given to the job. A panic in it is this page's error.
fn one(name: &Path, reader: &mut Reader, options: &PageOptions, job: &impl Job) -> Result<String> {
    let bytes = inputs::read(name, options.limits.bytes).context("cannot read it")?;
    IN_PAGE.set(true);
    let attempt = catch_unwind(AssertUnwindSafe(|| {
        let page = reader.read(&bytes);
        let result = job.page(&name.to_string_lossy(), &page);
        reader.recycle(page);
        result
    }));
    IN_PAGE.set(false);
    attempt.unwrap_or_else(|panic| {
        *reader = Reader::new(options.clone()); // its buffers may be half written
        let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
        Err(anyhow!("webstrata failed on it ({}); please report the page", text.unwrap_or("panic")))
    })
}

fn write(sink: &mut Sink, job: &impl Job, name: &Path, result: Result<String>, summary: &mut Summary) -> Result<()> {
    match result {
        Ok(text) => {
            let to_file = matches!(sink, Sink::Folder { .. });
            match sink.write(name, &text) {
                Ok(()) => summary.done += 1,
                // A file that cannot be written is that page's failure; standard output gone is everyone's.
                Err(error) if to_file => {
                    summary.failed += 1;
                    complain(&format!("{}: {error:#}", name.display()));
                }
                Err(error) => return Err(error),
            }
        }
        Err(error) => {
            summary.failed += 1;
            complain(&format!("{}: {error:#}", name.display()));
            if let (Sink::Stdout { .. }, Some(text)) = (&*sink, job.failure(&name.to_string_lossy(), &format!("{error:#}"))) {
                sink.write(name, &text)?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "tests, and a job that panics on purpose")]
    use super::*;

    /// Panics on pages that ask for it.
    struct Fragile;

    impl Job for Fragile {
        fn extension(&self) -> &'static str {
            "txt"
        }

        fn page(&self, _: &str, page: &Page<'_>) -> Result<String> {
            assert!(!page.dom().text().contains("boom"), "asked for it");
            Ok(page.dom().text())
        }

        fn failure(&self, _: &str, _: &str) -> Option<String> {
            None
        }
    }

    #[test]
    fn a_panic_is_the_error_of_its_page_only() {
        let folder = tempfile::tempdir().unwrap();
        let mut reader = Reader::new(PageOptions::default());
        let mut run = |name: &str, html: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, html).unwrap();
            one(&path, &mut reader, &PageOptions::default(), &Fragile)
        };
        assert_eq!(run("a.html", "<p>fine").unwrap(), "fine");
        let error = run("b.html", "<p>boom").unwrap_err().to_string();
        assert!(error.contains("asked for it") && error.contains("report"), "{error}");
        assert_eq!(run("c.html", "<p>fine again").unwrap(), "fine again");
    }

    #[test]
    fn the_encodings_that_are_listed_exist() {
        for name in ENCODINGS.split(' ') {
            let encoding = encoding_rs::Encoding::for_label_no_replacement(name.as_bytes());
            assert_eq!(encoding.map(encoding_rs::Encoding::name), Some(name));
        }
    }
}
