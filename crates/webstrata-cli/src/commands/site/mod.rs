//! `webstrata site`: learns templates and segment classes from the pages of each site of a crawl.

mod html;

use crate::args::SiteArgs;
use crate::summary::{Summary, count};
use anyhow::{Context, Result, anyhow, bail};
use std::path::Path;
use std::time::{Duration, Instant};
use webstrata::PageOptions;
use webstrata::segment::RuleSet;
use webstrata_corpus::executor::{Event, Executor, ItemReader, Job, Phase, Stop};
use webstrata_corpus::input::{Entry, Failure, Input, InputError, Position};
use webstrata_corpus::io::write_atomically;
use webstrata_corpus::progress::{Counts, Progress, error};
use webstrata_corpus::site::blocks::BlockTags;
use webstrata_corpus::site::digest::{Digest, DigestOptions, site_of};
use webstrata_corpus::site::report::{MIN_REPORT_PAGES, SiteReport, report_path};
use webstrata_corpus::site::som::SomOptions;
use webstrata_corpus::site::work::{SiteWork, WorkOptions};

/// Polling interval while waiting for pages.
const WAIT: Duration = Duration::from_secs(1);
/// Interval between checkpoints.
const CHECKPOINT: Duration = Duration::from_secs(3);

/// Learns the sites of all pages.
pub(crate) fn run(args: &SiteArgs) -> Result<Summary> {
    let tags = if args.rules == RuleSet::paper() { BlockTags::Paper } else { BlockTags::Html5 };
    let options = WorkOptions {
        digest: DigestOptions { tags, shingles: args.shingles },
        add_to: args.add_to.clone(),
        som: som_options(args.paper, args.alpha, args.beta),
        by_design: args.by_design,
        cache_savings: args.cache_savings,
    };
    if args.add_to.as_ref().is_some_and(|before| is_same(before, &args.out)) {
        bail!("--add-to and --out must be different folders; choose another --out");
    }
    let input_options = args.input.options(&args.limits);
    let page = args.input.page_options(&args.limits)?;
    let input = Input::list(&args.input.sources()?.excluding(&args.out), &input_options)?;
    let settings = serde_json::json!({
        "version": env!("CARGO_PKG_VERSION"),
        "input": input.fingerprint(),
        "options": format!("{options:?} {input_options:?} {page:?}"),
        "name": args.name,
        "report": args.report,
    });
    let mut work = SiteWork::open(&args.out.join("work"), &settings.to_string(), &options)?;
    let mut summary = Summary { done: u64::from(work.pages()), ..Summary::default() };
    if work.is_finished() {
        if !args.execution.quiet {
            error(&format!("{} is complete: nothing to do", args.out.display()));
        }
        return Ok(summary);
    }
    if !work.is_gathered() {
        let job = DigestJob { site: args.name.clone(), page, options: options.digest };
        gather(args, input, job, &mut work, &mut summary)?;
    }
    let mut lines = String::new();
    let (mut sites, mut reports) = (0, 0);
    let site = |report: SiteReport| -> Result<()> {
        sites += 1;
        lines.push_str(&line(&report));
        if report.pages < MIN_REPORT_PAGES {
            return Ok(());
        }
        reports += 1;
        write_site(&args.out, &report, args.report)
    };
    work.finish(&options, &args.out, |_| (), site)?;
    write_atomically(&args.out.join("sites.jsonl"), lines.as_bytes())?;
    work.close()?;
    if !args.execution.quiet {
        let (pages, reports, single) = (count(summary.done, "page"), count(reports, "report"), sites - reports);
        let single = if single == 0 { String::new() } else { format!("; {} with one page", count(single, "site")) };
        error(&format!("{pages} of {}: {reports} in {}{single}", count(sites, "site"), args.out.join("sites").display()));
        summary.problems().iter().for_each(|problems| error(problems));
    }
    Ok(summary)
}

/// How trees are pruned: by default or as in the paper, with these parameters.
pub(super) fn som_options(paper: bool, alpha: Option<u32>, beta: Option<u32>) -> SomOptions {
    let mut som = if paper { SomOptions::paper() } else { SomOptions::default() };
    som.alpha = alpha.unwrap_or(som.alpha);
    if let Some(beta) = beta {
        (som.beta, som.beta_share) = (beta, None);
    }
    som
}

fn is_same(one: &Path, other: &Path) -> bool {
    one == other || one.canonicalize().ok().zip(other.canonicalize().ok()).is_some_and(|(one, other)| one == other)
}

/// Reads pages from where the previous run stopped to the end of the input.
fn gather(args: &SiteArgs, mut input: Input, job: DigestJob, work: &mut SiteWork, summary: &mut Summary) -> Result<()> {
    if !work.position().is_null() {
        let position = serde_json::from_value(work.position().clone()).context("the saved position cannot be read")?;
        input.seek(&position)?;
    }
    let progress = Progress::new(args.execution.progress, args.execution.quiet);
    progress.set_total(input.total_bytes());
    let (skipped, read_before) = (input.skip_counter(), input.read_bytes());
    let mut position = Input::position(&input);
    let mut counts = Counts { read_before, ..Counts::default() };
    let mut saved = Instant::now();
    let executor = Executor::start(input, job, &args.execution.executor(&args.limits)).map_err(stopped)?;
    loop {
        match executor.next(WAIT).map_err(stopped)? {
            Event::Outputs(outputs) => outputs.try_for_each(|entry, output| -> Result<()> {
                counts.bytes += output.bytes;
                counts.read = entry.read;
                match output.digest {
                    Ok(mut digest) => {
                        // Numbers count the pages that did not fail, in the order of the input.
                        digest.number = work.next_number();
                        work.push(&digest)?;
                        summary.done += 1;
                    }
                    Err(failure) => {
                        summary.failures.count(failure.reason);
                        if !args.execution.quiet {
                            progress.error(&format!("{}: {}", entry.item.name(), failure.message));
                        }
                    }
                }
                (counts.pages, counts.failed) = (summary.done, summary.failures.total());
                progress.show(&counts);
                position = entry.position;
                Ok(())
            })?,
            Event::Background(()) | Event::Idle => {}
            Event::End => break,
        }
        if saved.elapsed() >= CHECKPOINT {
            work.checkpoint(to_json(position)?)?;
            saved = Instant::now();
        }
    }
    summary.skipped = skipped.get();
    work.gathered(to_json(position)?)?;
    Ok(())
}

fn to_json(position: Position) -> Result<serde_json::Value> {
    serde_json::to_value(position).context("the position cannot be saved")
}

fn stopped(stop: Stop<InputError>) -> anyhow::Error {
    match stop {
        Stop::Source(error) => error.into(),
        Stop::TooManyStuck(_) => anyhow!("{stop}; allow more time with --timeout, and run the same command again to resume"),
        Stop::NoThread(_) => anyhow!("{stop}; try fewer --threads"),
        stop => anyhow!("{stop}"),
    }
}

/// Reduces pages to digests.
struct DigestJob {
    /// The site of pages without an address.
    site: String,
    page: PageOptions,
    options: DigestOptions,
}

struct Output {
    digest: Result<Box<Digest>, Failure>,
    bytes: u64,
}

impl Job for DigestJob {
    type Source = Input;
    type Tools = ItemReader;
    type Output = Output;
    type Background = ();

    fn tools(&self) -> ItemReader {
        ItemReader::new(self.page.clone())
    }

    fn run(&self, reader: &mut ItemReader, entry: &Entry, phase: &dyn Fn(Phase)) -> Output {
        let digest = reader.read(&entry.item, phase, |document, page| {
            let name = document.url.clone().unwrap_or_else(|| document.origin.to_string());
            Box::new(Digest::with(page, &site_of(document.url.as_deref(), &self.site), 0, &name, &self.options))
        });
        Output { digest, bytes: reader.page_bytes() }
    }

    fn failed(&self, _: &Entry, failure: Failure) -> Output {
        Output { digest: Err(failure), bytes: 0 }
    }

    fn item_size(&self, entry: &Entry) -> usize {
        entry.item.size()
    }

    /// A digest is smaller than its page.
    fn output_size(&self, output: &Output) -> usize {
        usize::try_from(output.bytes).unwrap_or(usize::MAX)
    }
}

/// A line of `sites.jsonl`.
fn line(report: &SiteReport) -> String {
    let classes = report.designs.iter().flat_map(|design| &design.classes);
    let json = serde_json::json!({
        "site": report.site,
        "pages": report.pages,
        "designs": report.designs.len(),
        "classes": classes.clone().count(),
        "template_classes": classes.filter(|class| class.template).count(),
        "template_blocks": report.template_blocks,
    });
    format!("{json}\n")
}

/// Writes the report of a site, and its HTML form.
fn write_site(folder: &Path, report: &SiteReport, html_too: bool) -> Result<()> {
    let mut json = serde_json::to_vec_pretty(report)?;
    json.push(b'\n');
    write_atomically(&folder.join(report_path(&report.site, "json")), &json)?;
    if html_too {
        write_atomically(&folder.join(report_path(&report.site, "html")), html::page(report).as_bytes())?;
    }
    Ok(())
}
