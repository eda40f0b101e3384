//! `webstrata site`: what many pages of a site tell, for each site of a crawl.

mod html;

use crate::args::SiteArgs;
use crate::run::Summary;
use anyhow::{Context, Result};
use rayon::ThreadPool;
use rayon::prelude::*;
use std::path::Path;
use std::time::{Duration, Instant};
use webstrata::{Page, PageOptions};
use webstrata_corpus::Document;
use webstrata_corpus::input::{Input, InputOptions, Item};
use webstrata_corpus::io::write_atomically;
use webstrata_corpus::progress::Progress;
use webstrata_corpus::site::digest::{Digest, site_of};
use webstrata_corpus::site::report::SiteReport;
use webstrata_corpus::site::som::SomOptions;
use webstrata_corpus::site::work::{SiteWork, WorkOptions};

/// Pages that are worked on at once, and their bytes.
const BATCH_PAGES: usize = 256;
const BATCH_BYTES: usize = 64 << 20;

/// How often it is written down how far the work has come.
const CHECKPOINT: Duration = Duration::from_secs(3);

/// Works out the sites of all pages.
pub(crate) fn run(args: &SiteArgs) -> Result<Summary> {
    let mut som = if args.paper { SomOptions::paper() } else { SomOptions::default() };
    som.alpha = args.alpha;
    if let Some(beta) = args.beta {
        (som.beta, som.beta_share) = (beta, None);
    }
    let options = WorkOptions { som, by_design: args.by_design, cache_savings: args.cache_savings };
    let input_options =
        InputOptions { html_column: args.html_column.clone(), url_column: args.url_column.clone(), ..InputOptions::default() };
    let mut input = Input::open(&args.inputs, &input_options)?;
    let settings = serde_json::json!({
        "version": env!("CARGO_PKG_VERSION"),
        "input": input.fingerprint(),
        "options": format!("{options:?} {input_options:?}"),
        "name": args.name,
        "report": args.report,
    });
    let mut work = SiteWork::open(&args.out.join("work"), &settings.to_string())?;
    let progress = Progress::new(args.progress, args.quiet);
    let mut summary = Summary { done: u64::from(work.pages()), ..Summary::default() };
    if work.is_finished() {
        progress.error(&format!("{} is complete: nothing to do", args.out.display()));
        return Ok(summary);
    }
    if !work.is_gathered() {
        gather(args, &mut input, &mut work, &progress, &mut summary)?;
    }
    let mut lines = String::new();
    let site = |report: SiteReport| -> Result<()> {
        lines.push_str(&line(&report));
        write_site(&args.out, &report, args.report)
    };
    work.finish(&options, &args.out.join("evidence"), |_| (), site)?;
    write(&args.out.join("sites.jsonl"), lines.as_bytes())?;
    work.close()?;
    progress.finish();
    Ok(summary)
}

/// Reads pages from where the work stands to the end of the input.
fn gather(args: &SiteArgs, input: &mut Input, work: &mut SiteWork, progress: &Progress, summary: &mut Summary) -> Result<()> {
    if !work.position().is_null() {
        let position = serde_json::from_value(work.position().clone()).context("the place in the input cannot be read")?;
        input.seek(&position)?;
    }
    let pool =
        rayon::ThreadPoolBuilder::new().num_threads(usize::from(args.threads)).build().context("cannot start the threads")?;
    let mut saved = Instant::now();
    loop {
        let mut batch: Vec<Document> = Vec::new();
        let mut bytes = 0;
        let mut ended = true;
        for item in input.by_ref() {
            match item? {
                Item::Document(document) => {
                    bytes += document.bytes.len();
                    batch.push(document);
                }
                Item::Broken(broken) => {
                    summary.failed += 1;
                    if !args.quiet {
                        progress.error(&format!("{}: {}", broken.origin, broken.reason));
                    }
                }
            }
            if batch.len() >= BATCH_PAGES || bytes >= BATCH_BYTES {
                ended = false;
                break;
            }
        }
        for (digest, document) in digests(args, &pool, work.pages(), &batch).iter().zip(&batch) {
            work.push(digest)?;
            summary.done += 1;
            progress.advance(1, document.bytes.len() as u64);
        }
        let position = || serde_json::to_value(Input::position(input));
        if ended {
            work.gathered(position()?)?;
            return Ok(());
        }
        if saved.elapsed() >= CHECKPOINT {
            work.checkpoint(position()?)?;
            saved = Instant::now();
        }
    }
}

/// The digests of some pages, numbered from `first` on.
fn digests(args: &SiteArgs, pool: &ThreadPool, first: u32, batch: &[Document]) -> Vec<Digest> {
    pool.install(|| batch.par_iter().enumerate().map(|(at, document)| digest(args, first + at as u32, document)).collect())
}

fn digest(args: &SiteArgs, number: u32, document: &Document) -> Digest {
    let page = Page::parse_with(&document.bytes, &PageOptions::default().transport(document.charset.clone()));
    let name = document.url.clone().unwrap_or_else(|| document.origin.to_string());
    Digest::new(&page, &site_of(document.url.as_deref(), &args.name), number, &name)
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

fn write_site(folder: &Path, report: &SiteReport, picture: bool) -> Result<()> {
    let name = file_name(&report.site);
    let mut json = serde_json::to_vec_pretty(report)?;
    json.push(b'\n');
    write(&folder.join(format!("{name}.json")), &json)?;
    if picture {
        write(&folder.join(format!("{name}.html")), html::page(report).as_bytes())?;
    }
    Ok(())
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    Ok(write_atomically(path, bytes)?)
}

/// A site's name as that of a file: hosts come from addresses, and what they may hold is not what file systems take.
fn file_name(site: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-');
    let clean: String = site.chars().take(120).map(|c| if plain(c) { c } else { '_' }).collect();
    let clean = clean.trim_start_matches('.');
    if clean == site && !matches!(clean, "" | "evidence" | "sites" | "work") {
        clean.to_owned()
    } else {
        format!("{clean}_{:016x}", hash(site))
    }
}

/// Tells names apart that are one when cleaned (FNV-1a).
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_stay_in_the_folder() {
        assert_eq!(file_name("example.co.uk"), "example.co.uk");
        for site in ["../x", "[::1]", "a/b", "", ".", "..", "sites", "bücher.de"] {
            let name = file_name(site);
            assert!(!name.contains(['/', '\\', ':']) && !name.starts_with('.') && name.contains('_'), "{name}");
        }
    }
}
