//! Addresses as input of `extract`: their pages are fetched into a WARC file, which is then read like any other.

use crate::args::ExtractArgs;
use crate::summary::{Summary, count};
use anyhow::{Context, Result};
use std::fs::File;
use std::io::{BufReader, stdin};
use std::path::Path;
use webstrata_corpus::input::Reason;
use webstrata_corpus::io::TempDir;
use webstrata_corpus::progress::error;
use webstrata_serve::fetch::{FetchOptions, FetchReport, Fetcher, WarcWriter, fetch_all, read_urls};

/// Number of hosts fetched from at the same time.
const HOSTS: usize = 8;

/// The fetched pages; their temporary folder is removed on drop.
pub(crate) struct Fetched {
    report: FetchReport,
    /// Whether there is anything to read: pages that were fetched, or other inputs.
    any_input: bool,
    _folder: Option<TempDir>,
}

/// Fetches the addresses among the inputs and replaces them with the file with their pages. `None` if there are no addresses.
pub(crate) fn addresses(args: &mut ExtractArgs) -> Result<Option<Fetched>> {
    let paths = std::mem::take(&mut args.pages.input.paths);
    let address =
        |path: &Path| path.to_str().filter(|path| path.starts_with("http://") || path.starts_with("https://")).map(str::to_owned);
    let mut urls: Vec<String> = paths.iter().filter_map(|path| address(path)).collect();
    args.pages.input.paths = paths.into_iter().filter(|path| address(path).is_none()).collect();
    match args.fetch.urls_from.as_deref() {
        Some(list) if list == Path::new("-") => urls.extend(read_urls(stdin().lock()).context("cannot read the addresses")?),
        Some(list) => {
            let file = File::open(list).with_context(|| format!("cannot open {}", list.display()))?;
            urls.extend(read_urls(BufReader::new(file)).with_context(|| format!("cannot read {}", list.display()))?);
        }
        None => {}
    }
    if urls.is_empty() {
        return Ok(None);
    }
    let usual = FetchOptions::default();
    let options = FetchOptions {
        user_agent: args.fetch.user_agent.clone().unwrap_or_else(|| usual.user_agent.clone()),
        delay: args.fetch.delay.0.unwrap_or_default(),
        retries: args.fetch.retries,
        max_bytes: args.pages.limits.max_bytes.0,
        ..usual
    };
    let (folder, path) = match &args.fetch.save_warc {
        Some(path) => (None, path.clone()),
        None => {
            let folder = TempDir::new(&std::env::temp_dir());
            let path = folder.path()?.join("pages.warc.gz");
            (Some(folder), path)
        }
    };
    let mut warc = WarcWriter::create(&path, &options.user_agent)?;
    let report = fetch_all(&Fetcher::new(options), &urls, HOSTS, |page| warc.write(page))?;
    warc.finish()?;
    for (url, reason) in &report.failed {
        error(&format!("{url}: {reason}"));
    }
    if report.done > 0 {
        args.pages.input.paths.push(path);
    }
    let any_input = !args.pages.input.paths.is_empty() || args.pages.input.files_from.is_some();
    Ok(Some(Fetched { report, any_input, _folder: folder }))
}

impl Fetched {
    /// The summary of the command, including addresses that could not be fetched.
    pub(crate) fn with(self, summary: impl FnOnce() -> Result<Summary>) -> Result<Summary> {
        let mut summary = if self.any_input { summary()? } else { Summary::default() };
        for _ in &self.report.failed {
            summary.failures.count(Reason::Unreadable);
        }
        if !self.report.failed.is_empty() {
            let all = self.report.done + self.report.failed.len() as u64;
            error(&format!("{} of {} could not be fetched", self.report.failed.len(), count(all, "page")));
        }
        Ok(summary)
    }
}
