//! `webstrata run`: a crawl into tables.

use crate::args::RunArgs;
use crate::interrupt::Interrupt;
use crate::output::Gate;
use crate::run::Summary;
use anyhow::{Context, Result, anyhow};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::sync::Arc;
use webstrata::Limits;
use webstrata_corpus::input::{Input, InputOptions, Source, read_list};
use webstrata_corpus::pipeline::{self, Evidence, RunError, RunOptions, Signer, Stage};
use webstrata_corpus::progress::{self, Progress, error};
use webstrata_corpus::site::evidence_reader::EvidenceReader;

/// Works on all of the input, or goes on where it was ended.
pub(crate) fn run(args: &RunArgs) -> Result<Summary> {
    let input = open(args)?;
    let known = args.site_evidence.as_deref().map(EvidenceReader::open).transpose()?.map(Arc::new);
    let options = options(args, known.clone());
    let interrupt = Interrupt::new(Arc::new(Gate::default())).context("cannot watch for signals")?;
    let display = Progress::new(args.progress, args.quiet);
    let mut shards = 0;
    let mut watch = |progress: &pipeline::Progress| {
        display.update(|| state(progress, display.elapsed().as_secs_f64()));
        shards = progress.shards;
        if interrupt.came().is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let ended = pipeline::run(input, &args.out, &options, &mut watch);
    display.finish();
    let ended = ended.map_err(|error| with_remedy(error, shards))?;
    if args.timings {
        say_times(&ended);
    }
    let (rows, session) = (ended.rows, ended.session);
    let summary = Summary { done: rows.pages, failed: rows.faults, interrupted: None };
    if !ended.complete {
        error(&format!(
            "interrupted: {} shards with {} pages are done; give the same command again, and it goes on",
            ended.shards, rows.pages
        ));
        return Ok(Summary { interrupted: interrupt.came(), ..summary });
    }
    if !args.quiet {
        let before = match (ended.shards_before, session.pages) {
            (0, _) => String::new(),
            (_, 0) => " (all of it was done before)".to_owned(),
            (before, _) => format!(" ({before} of the shards were done before)"),
        };
        let said =
            format!("{} pages, {} segments, {} links in {} shards{before}", rows.pages, rows.segments, rows.links, ended.shards);
        writeln!(io::stdout(), "{said}")?;
    }
    if let Some(trouble) = known.and_then(|known| known.first_error()) {
        error(&format!("the evidence of a site cannot be read, and its pages were taken one by one: {trouble}"));
    }
    if rows.faults > 0 && !args.quiet {
        error(&format!("{} records or pages failed; they are listed in {}", rows.faults, args.out.join("ledger").display()));
    }
    Ok(summary)
}

fn open(args: &RunArgs) -> Result<Input> {
    let mut sources: Vec<Source> = args.paths.iter().map(Source::from).collect();
    if let Some(list) = &args.files_from {
        sources.extend(read_list(list)?);
    }
    Ok(Input::from_sources(&sources, &input_options(args))?)
}

fn input_options(args: &RunArgs) -> InputOptions {
    InputOptions {
        max_record: args.max_bytes.0 as u64,
        html_column: args.html_column.clone(),
        url_column: args.url_column.clone(),
        date_column: args.date_column.clone(),
        any_status: args.any_status,
    }
}

fn options(args: &RunArgs, known: Option<Arc<EvidenceReader>>) -> RunOptions {
    let further = BTreeMap::from([
        ("html-column".to_owned(), args.html_column.clone()),
        ("url-column".to_owned(), args.url_column.clone()),
        ("date-column".to_owned(), args.date_column.clone()),
        ("any-status".to_owned(), args.any_status.to_string()),
    ]);
    RunOptions {
        format: args.format,
        tables: args.tables.clone(),
        preset: args.preset,
        method: args.method,
        granularity: args.granularity,
        noscript: args.noscript,
        limits: Limits::default().bytes(args.max_bytes.0).nodes(args.max_nodes).depth(args.max_depth),
        timeout: args.timeout.0,
        shard_pages: args.shard_pages,
        shard_bytes: args.shard_bytes.0 as u64,
        threads: usize::from(args.threads),
        further,
        evidence: known.map(|known| known as Arc<dyn Evidence>),
        signer: args.signatures.map(|name| Arc::new(name.similarity()) as Arc<dyn Signer>),
    }
}

fn with_remedy(error: RunError, shards: u64) -> anyhow::Error {
    let goes_on = format!("{shards} shards are done and stay; give the same command again, and it goes on there");
    match error {
        RunError::Store(error) if error.is_out_of_space() => anyhow!("{error}; make room, and then: {goes_on}"),
        RunError::Store(error) => error.into(),
        error @ RunError::TooManyStuck(_) => anyhow!("{error} (--timeout); {goes_on}"),
        error @ RunError::NoThread(_) => anyhow!("{error} --threads; {goes_on}"),
        error => anyhow!("{error}; {goes_on}"),
    }
}

/// As in `34%, 12000 pages, 310 pages/s, 45.2 MB/s, 25 s left`.
fn state(progress: &pipeline::Progress, seconds: f64) -> String {
    let seconds = seconds.max(1e-6);
    let (pages, bytes) = (progress.pages as f64 / seconds, progress.bytes as f64 / 1e6 / seconds);
    let share = 100.0 * progress.read as f64 / progress.total.max(1) as f64;
    let now = progress.read.saturating_sub(progress.read_before) as f64;
    let left = progress.total.saturating_sub(progress.read) as f64;
    let left = if now > 0.0 { format!(", {} left", progress::duration(seconds * left / now)) } else { String::new() };
    let faults = if progress.faults > 0 { format!(" ({} failed)", progress.faults) } else { String::new() };
    format!("{share:.0}%, {} pages{faults}, {pages:.0} pages/s, {bytes:.1} MB/s{left}", progress.pages)
}

/// Where the time went: a line a stage.
fn say_times(ended: &pipeline::Summary) {
    let seconds = |stage| ended.times.of(stage).as_secs_f64();
    let total: f64 = Stage::ALL.into_iter().map(seconds).sum();
    for stage in Stage::ALL {
        let share = 100.0 * seconds(stage) / total.max(1e-9);
        let _ = writeln!(io::stderr(), "webstrata: time {:8} {:9.2} s {share:5.1}%", stage.name(), seconds(stage));
    }
    let session = ended.session;
    let _ = writeln!(io::stderr(), "webstrata: work {} pages {} bytes", session.pages, session.bytes);
}

#[cfg(test)]
mod tests {
    use super::*;
    use webstrata_corpus::pipeline::Progress;

    #[test]
    fn progress_is_readable() {
        let half = Progress { pages: 100, faults: 0, bytes: 20_000_000, read: 600, read_before: 200, total: 1000, shards: 1 };
        assert_eq!(state(&half, 10.0), "60%, 100 pages, 10 pages/s, 2.0 MB/s, 10 s left");
        let failed = Progress { faults: 2, read: 200, ..half };
        assert_eq!(state(&failed, 10.0), "20%, 100 pages (2 failed), 10 pages/s, 2.0 MB/s");
        assert_eq!(state(&Progress::default(), 0.0), "0%, 0 pages, 0 pages/s, 0.0 MB/s");
    }
}
