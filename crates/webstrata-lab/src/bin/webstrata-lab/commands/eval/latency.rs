//! `webstrata-lab eval latency`: search latency.

use super::write;
use crate::Summary;
use crate::args::{EvalLatencyArgs, TableFormat};
use anyhow::{Context, Result, bail};
use std::fmt::Write as _;
use std::fs;
use webstrata_corpus::io::{Random, write_without_sync};
use webstrata_corpus::progress::Progress;
use webstrata_lab::search::build::generate;
use webstrata_lab::search::latency::measure;
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
        let plain = args.folder.join(".plain");
        let made = generate(&args.folder, &plain, args.pages, &|| progress.tick())?;
        drop(progress);
        fs::remove_dir_all(&plain).with_context(|| format!("cannot remove {}", plain.display()))?;
        let megabytes = |bytes: u64| bytes as f64 / 1e6;
        let mut table = Table::new(&["index", "text MB", "s", "MB/s", "MB on disk"]);
        for (name, time, size) in [("tantivy", made.plain_time, made.plain_size), ("webstrata", made.time, made.size)] {
            let seconds = time.as_secs_f64();
            let cells = [megabytes(made.bytes), seconds, megabytes(made.bytes) / seconds, megabytes(size)];
            table.row([vec![name.to_owned()], cells.map(|value| format!("{value:.1}")).to_vec()].concat());
        }
        writeln!(out, "{}", form(&table))?;
        if let Some(memory) = made.memory {
            writeln!(out, "peak memory of webstrata: {:.0} MB\n", megabytes(memory))?;
        }
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
