//! `webstrata-lab eval latency`: how long searches take.

use super::write;
use crate::Summary;
use crate::args::{EvalLatencyArgs, TableFormat};
use anyhow::{Context, Result, bail};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use webstrata_corpus::io::{Random, write_without_sync};
use webstrata_corpus::progress::Progress;
use webstrata_lab::search::latency::{generate, measure};
use webstrata_lab::table::Table;
use webstrata_search::{Index, SearchError};

pub(super) fn run(args: &EvalLatencyArgs) -> Result<Summary> {
    let form: fn(&Table) -> String = match args.output.format {
        TableFormat::Table => Table::text,
        TableFormat::Markdown => Table::markdown,
        TableFormat::Csv => Table::csv,
        TableFormat::Json => bail!("choose table, markdown or csv"),
    };
    let mut out = String::new();
    if matches!(Index::open(&args.folder), Err(SearchError::NoIndex(_))) {
        let pages = usize::try_from(args.pages)?;
        let progress = Progress::with_total(args.run.progress, "pages", pages, "pages");
        let made = generate(&args.folder, args.pages, &|| progress.tick())?;
        drop(progress);
        let (megabytes, seconds) = (made.bytes as f64 / 1e6, made.time.as_secs_f64());
        let size = size(&args.folder)? as f64 / 1e6;
        writeln!(
            out,
            "built in {seconds:.0} s: {megabytes:.0} MB of text, {:.1} MB/s, {size:.0} MB on disk\n",
            megabytes / seconds
        )?;
    }
    let index = Index::open(&args.folder)?;
    let ranks = args.folder.join(".ranks.tsv");
    let mut random = Random::new(9);
    let mut lines = String::new();
    for page in 0..args.pages {
        writeln!(lines, "https://example.org/{page}\t{:e}", (1.0 - random.unit()).powf(-0.5))?;
    }
    write_without_sync(&ranks, lines.as_bytes())?;
    let table = measure(&index, &ranks, args.queries as usize, args.rounds as usize)?;
    fs::remove_file(&ranks).with_context(|| format!("cannot remove {}", ranks.display()))?;
    write!(out, "{} queries on {} pages\n\n{}", args.queries, index.pages(), form(&table))?;
    write(&args.output, &out)?;
    Ok(Summary { done: u64::from(args.queries), failed: 0 })
}

/// Bytes of the files of the index.
fn size(folder: &Path) -> Result<u64> {
    let files = fs::read_dir(folder.join("tantivy"))?.filter_map(Result::ok);
    Ok(files.filter_map(|file| file.metadata().ok()).map(|metadata| metadata.len()).sum())
}
