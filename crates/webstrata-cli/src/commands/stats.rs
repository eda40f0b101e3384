//! `webstrata stats`: the statistics of a corpus, and simulators.

use crate::args::{CountingArgs, StatsArgs, StatsCommand, StatsCountArgs, StatsPagesArgs, StatsReportArgs, StatsWalksArgs};
use crate::interrupt::Interrupt;
use crate::summary::{Summary, count as number};
use anyhow::{Context, Result, bail};
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::Path;
use webstrata_corpus::io::write_without_sync;
use webstrata_corpus::progress::{Counts, Progress, error};
use webstrata_corpus::store;
use webstrata_stats::count;
use webstrata_stats::read::{self, Input, Options};
use webstrata_stats::report;
use webstrata_stats::simulate::{Behaviour, Graph, Surfer, WriterModel};

/// Runs a subcommand.
pub(crate) fn run(args: &StatsArgs) -> Result<Summary> {
    match &args.command {
        StatsCommand::Report(args) => report(args),
        StatsCommand::Count(args) => write_counts(args),
        StatsCommand::Pages(args) => pages(args),
        StatsCommand::Walks(args) => walks(args),
    }
}

/// Counts the inputs, or returns the signal that interrupted it. Temporary files go to `temporary`.
fn counted(args: &CountingArgs, temporary: &Path) -> Result<Result<count::Counts, Option<i32>>> {
    for input in &args.inputs {
        if !input.exists() {
            bail!(
                "{} does not exist; name a folder written by `webstrata run --out`, a file written by `webstrata stats count`, or a folder of .txt files",
                input.display()
            );
        }
    }
    let inputs: Vec<Input> = args.inputs.iter().map(|path| Input::detect(path)).collect();
    std::fs::create_dir_all(temporary).with_context(|| format!("cannot create {}", temporary.display()))?;
    let options = Options {
        threads: usize::from(args.execution.threads),
        memory: count::Memory::bytes(args.memory.0 as u64),
        temporary: temporary.to_owned(),
    };
    let interrupt = Interrupt::new().context("cannot handle signals")?;
    let display = Progress::new(args.execution.progress, args.execution.quiet);
    let mut watch = |progress: read::Progress| {
        display.show(&Counts { pages: progress.pages, bytes: progress.text, ..Counts::default() });
        if interrupt.signal().is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let counts = read::count(&inputs, &options, &mut watch);
    display.finish();
    Ok(counts?.ok_or_else(|| interrupt.signal()))
}

fn report(args: &StatsReportArgs) -> Result<Summary> {
    let counts = match counted(&args.counting, &args.out)? {
        Ok(counts) => counts,
        Err(interrupted) => {
            error("interrupted: no report was written");
            return Ok(Summary { done: 1, interrupted, ..Summary::default() });
        }
    };
    let found = counts.finish()?;
    let sections = report::write(&found, &args.title, &args.out)?;
    let pages = found.tallies.all.pages;
    if !args.counting.execution.quiet {
        let figures: usize = sections.iter().map(|section| section.figures.len()).sum();
        let figures = number(figures as u64, "figure");
        writeln!(io::stdout(), "{}: {figures} in {}", number(pages, "page"), args.out.join("index.html").display())?;
    }
    Ok(Summary { done: pages, ..Summary::default() })
}

fn write_counts(args: &StatsCountArgs) -> Result<Summary> {
    let folder = args.out.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let counts = match counted(&args.counting, folder)? {
        Ok(counts) => counts,
        Err(interrupted) => {
            error("interrupted: no counts were written");
            return Ok(Summary { done: 1, interrupted, ..Summary::default() });
        }
    };
    let pages = counts.tallies.all.pages;
    counts.write(&args.out)?;
    if !args.counting.execution.quiet {
        writeln!(io::stdout(), "{} in {}", number(pages, "page"), args.out.display())?;
    }
    Ok(Summary { done: pages, ..Summary::default() })
}

fn pages(args: &StatsPagesArgs) -> Result<Summary> {
    let mut model = args.law.as_deref().map(law).transpose()?.unwrap_or(WriterModel::thesis());
    model.short = args.short.unwrap_or(model.short);
    model.short_end = args.short_end.unwrap_or(model.short_end);
    model.long_end = args.long_end.unwrap_or(model.long_end);
    std::fs::create_dir_all(&args.out).with_context(|| format!("cannot create {}", args.out.display()))?;
    for number in 0..args.number {
        let page = model.page(u64::from(number), args.blocks);
        write_without_sync(&args.out.join(format!("{number:06}.html")), page.as_bytes())?;
    }
    writeln!(io::stdout(), "{} in {}", number(u64::from(args.number), "page"), args.out.display())?;
    Ok(Summary { done: u64::from(args.number), ..Summary::default() })
}

/// Reads the writer model of a report.
fn law(path: &Path) -> Result<WriterModel> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let laws: serde_json::Value =
        serde_json::from_slice(&bytes).with_context(|| format!("{} is not a laws.json file", path.display()))?;
    if laws["schema"] != report::SCHEMA {
        bail!("{} is not a laws.json file of this version; write the report again with `webstrata stats report`", path.display());
    }
    let fits = laws["fits"]["writer"].as_array().into_iter().flatten();
    let parameters = fits.flat_map(|fit| fit["parameters"].as_array().into_iter().flatten());
    let value = |name: &str| parameters.clone().find(|found| found["name"] == name).and_then(|found| found["value"].as_f64());
    match (value("P_N(S)"), value("P_S(N)"), value("P_L(N)")) {
        (Some(short), Some(short_end), Some(long_end)) => Ok(WriterModel { short, short_end, long_end }),
        _ => bail!("{} has no stratified random writer: the corpus was too small", path.display()),
    }
}

fn walks(args: &StatsWalksArgs) -> Result<Summary> {
    let mut graph = Graph::default();
    for link in store::links(&args.tables)? {
        let link = link?;
        graph.link(&link.source, &link.target, link.same_host.unwrap_or(false));
    }
    let surfer = Surfer { browse: args.alpha, stay: args.stay, roam: args.roam };
    let mut out = io::BufWriter::new(io::stdout().lock());
    for walk in 0..args.walks {
        for step in surfer.walk(&graph, u64::from(walk)).take(args.steps as usize) {
            let behaviour = match step.behaviour {
                Behaviour::Jump => "jump",
                Behaviour::Inside => "inside",
                Behaviour::Outside => "outside",
            };
            // Addresses come from pages, so they must not break the lines.
            writeln!(out, "{walk}\t{behaviour}\t{}", step.page.replace(['\t', '\n', '\r'], " "))?;
        }
    }
    out.flush()?;
    Ok(Summary { done: graph.len() as u64, ..Summary::default() })
}
