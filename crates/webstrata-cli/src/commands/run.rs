//! `webstrata run`: turns a crawl into tables.

use super::extract_config::{check_site_options, extraction};
use crate::args::{InputArgs, RunArgs};
use crate::config::GivenOptions;
use crate::interrupt::Interrupt;
use crate::summary::{Summary, count};
use anyhow::{Context, Result, anyhow};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::sync::Arc;
use webstrata::PageOptions;
use webstrata_corpus::executor::{Stage, Stop};
use webstrata_corpus::input::Input;
use webstrata_corpus::progress::{Counts, Progress, error};
use webstrata_corpus::run::{self, Evidence, RunError, RunOptions, Signer, SkipList};
use webstrata_corpus::site::evidence_reader::EvidenceReader;

/// Processes the input, or resumes an earlier run.
pub(crate) fn run(args: &RunArgs, given: &GivenOptions) -> Result<Summary> {
    check_site_options(&args.content, given, false)?;
    let sources = args.input.sources()?.excluding(&args.out);
    let input = Input::list(&sources, &args.input.options(&args.limits))?;
    let evidence = args.site_evidence.as_deref().map(EvidenceReader::open).transpose()?.map(Arc::new);
    let options = options(args, given, evidence.clone())?;
    let interrupt = Interrupt::new().context("cannot handle signals")?;
    let display = Progress::new(args.execution.progress, args.execution.quiet);
    display.set_total(input.total_bytes());
    let mut shards = 0;
    let mut watch = |progress: &run::Progress| {
        display.show(&counts(progress));
        shards = progress.shards;
        if interrupt.signal().is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let outcome = run::run(input, &args.out, &options, &mut watch);
    display.finish();
    let outcome = outcome.map_err(|error| with_remedy(error, shards))?;
    if args.timings {
        print_times(&outcome);
    }
    let rows = outcome.rows;
    let mut summary =
        Summary { done: rows.pages, failures: rows.failures, skipped: outcome.skipped, interrupted: None, ..Summary::default() };
    if !outcome.complete {
        let (shards, pages) = (count(outcome.shards, "shard"), count(rows.pages, "page"));
        error(&format!("interrupted: {shards} with {pages} done; run the same command again to resume"));
        summary.interrupted = interrupt.signal();
        return Ok(summary);
    }
    if !args.execution.quiet {
        let before = match (outcome.shards_before, outcome.session.pages) {
            (0, _) => String::new(),
            (_, 0) => " (all already done)".to_owned(),
            (before, _) => format!(" ({before} already done)"),
        };
        let [pages, segments, links] =
            [(rows.pages, "page"), (rows.segments, "segment"), (rows.links, "link")].map(|(number, noun)| count(number, noun));
        writeln!(io::stdout(), "{pages}, {segments}, {links} in {}{before}", count(outcome.shards, "shard"))?;
        if let Some(problems) = summary.problems() {
            let listed =
                if rows.failures.total() > 0 { format!("; see {}", args.out.join("errors").display()) } else { String::new() };
            error(&format!("{problems}{listed}"));
        }
    }
    if let Some(problem) = evidence.and_then(|evidence| evidence.first_error()) {
        error(&format!("the evidence for a site cannot be read, so its pages were extracted without it: {problem}"));
    }
    Ok(summary)
}

pub(super) fn counts(progress: &run::Progress) -> Counts {
    Counts {
        pages: progress.pages,
        failed: progress.failures.total(),
        bytes: progress.bytes,
        read: progress.read,
        read_before: progress.read_before,
        loaded: 0,
    }
}

fn options(args: &RunArgs, given: &GivenOptions, evidence: Option<Arc<EvidenceReader>>) -> Result<RunOptions> {
    let page = args.input.page_options(&args.limits)?.words(args.content.method.words());
    Ok(RunOptions {
        format: args.format,
        tables: args.tables.clone(),
        extraction: extraction(&args.content, given)?,
        method: args.method,
        segment: args.content.method.segment(args.granularity),
        further: further(&args.input, &page),
        page,
        timeout: args.limits.timeout.0,
        shard_pages: args.shard_pages,
        shard_bytes: args.shard_bytes.0 as u64,
        threads: usize::from(args.execution.threads),
        evidence: evidence.map(|evidence| evidence as Arc<dyn Evidence>),
        skip: args.skip.as_deref().map(SkipList::read).transpose()?.map(Arc::new),
        signer: args.signatures.map(|name| Arc::new(name.similarity()) as Arc<dyn Signer>),
    })
}

/// Settings besides those of [`RunOptions`] that determine the output.
pub(super) fn further(input: &InputArgs, page: &PageOptions) -> BTreeMap<String, String> {
    let mut further = BTreeMap::from([
        ("html-column".to_owned(), input.html_column.clone()),
        ("url-column".to_owned(), input.url_column.clone()),
        ("date-column".to_owned(), input.date_column.clone()),
        ("any-status".to_owned(), input.any_status.to_string()),
    ]);
    if let Some(encoding) = page.encoding {
        further.insert("encoding".to_owned(), encoding.name().to_owned());
    }
    further
}

pub(super) fn with_remedy(error: RunError, shards: u64) -> anyhow::Error {
    let resume = match shards {
        1 => "1 finished shard is kept; run the same command again to resume".to_owned(),
        shards => format!("{shards} finished shards are kept; run the same command again to resume"),
    };
    match error {
        RunError::Store(error) if error.is_out_of_space() => anyhow!("{error}; free some space, and then: {resume}"),
        RunError::Store(error) => error.into(),
        RunError::Stopped(stop @ Stop::TooManyStuck(_)) => anyhow!("{stop}; allow more time with --timeout; {resume}"),
        RunError::Stopped(stop @ Stop::NoThread(_)) => anyhow!("{stop}; try fewer --threads; {resume}"),
        error => anyhow!("{error}; {resume}"),
    }
}

/// Prints the time of each stage.
fn print_times(outcome: &run::Summary) {
    let seconds = |stage| outcome.times.get(stage).as_secs_f64();
    let total: f64 = Stage::ALL.into_iter().map(seconds).sum();
    for stage in Stage::ALL {
        let share = 100.0 * seconds(stage) / total.max(1e-9);
        let _ = writeln!(io::stderr(), "webstrata: time {:8} {:9.2} s {share:5.1}%", stage.name(), seconds(stage));
    }
    let session = outcome.session;
    let _ = writeln!(io::stderr(), "webstrata: work {} pages {} bytes", session.pages, session.bytes);
}
