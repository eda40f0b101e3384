//! `webstrata rank pagerank`.

use super::input::{self, Kind, described};
use super::shown::{Shown, say};
use super::spread;
use crate::args::{PagerankArgs, RankFormatName};
use anyhow::{Context, Result, bail};
use std::io::{self, BufWriter, Write};
use webstrata_corpus::graph::Graph;
use webstrata_corpus::graph::rank::{self, Jump, Ranks, SolveOptions, Surfer};
use webstrata_corpus::store;

/// Ranks pages and writes the ranks.
pub(crate) fn run(args: &PagerankArgs) -> Result<()> {
    input::refuse_same(&args.input.graph, &[args.out.as_ref(), args.residuals.as_ref(), args.page_table.as_ref()])?;
    let is_run = matches!(Kind::of(&args.input.graph), Kind::Run);
    if args.page_table.is_some() && !is_run {
        bail!("--page-table needs the folder of a run as GRAPH; {} is none", args.input.graph.display());
    }
    if input::file(args.out.as_ref()).is_none() && args.format == RankFormatName::Parquet {
        bail!("Parquet is not written to standard output; name a file with --out");
    }
    let graph = input::open(&args.input, None, &args.saying)?;
    let mut options = SolveOptions {
        damping: args.damping,
        tolerance: args.tolerance,
        order: args.order.into(),
        threads: args.threads.into(),
        partitions: args.partitions as usize,
        max_rounds: args.max_rounds as usize,
        self_links: args.self_links.into(),
        surfer: surfer(args),
        ..SolveOptions::default()
    };
    if let Some(start) = &args.start {
        options.start = Some(rank::read_start(start, &graph)?);
    }
    let jump = match &args.jump {
        Some(list) => Jump::Over(input::jump(list, &graph)?),
        None => Jump::Uniform,
    };
    if let Some(hosts) = &args.spread.hosts {
        return spread::run(args, hosts, &graph, &jump, &options);
    }
    let mut shown = Shown::new(&args.saying);
    let mut watch = |round: rank::Round| {
        shown.at(|| format!("round {}, residual {:.1e}", round.rounds, round.residual));
        true
    };
    let ranks = rank::solve_watched(&graph, &[jump], &options, &mut watch)?;
    drop(shown);
    let ranks = ranks.first().context("there are no ranks")?;
    let rounds = ranks.residuals.len();
    let residual = ranks.residuals.last().copied().unwrap_or(f64::INFINITY);
    if !ranks.converged {
        return not_there(rounds, residual);
    }
    write(args, &graph, ranks)?;
    let rate = graph.links() as f64 * rounds as f64 / ranks.seconds.max(1e-9) / 1e6;
    say(
        args.saying.quiet,
        &format!(
            "{}: {rounds} rounds in {:.3} s ({rate:.0} million links/s), residual {residual:.1e}, true ranks within {:.1e}",
            described(&graph),
            ranks.seconds,
            ranks.bound
        ),
    );
    Ok(())
}

/// More rounds would be needed.
pub(super) fn not_there(rounds: usize, residual: f64) -> Result<()> {
    bail!("after {rounds} rounds the residual is {residual:.1e}; give more of them with --max-rounds, or a larger --tolerance")
}

/// The surfer, if he tells links apart.
fn surfer(args: &PagerankArgs) -> Option<Surfer> {
    let mut surfer = Surfer { stay: args.stay, leave: args.leave, ..Surfer::default() };
    args.weight.iter().for_each(|&(stratum, weight)| surfer.set(stratum, weight));
    (surfer != Surfer::default()).then_some(surfer)
}

pub(super) fn write(args: &PagerankArgs, graph: &Graph, ranks: &Ranks) -> Result<()> {
    if let Some(residuals) = &args.residuals {
        rank::write_residuals(residuals, ranks)?;
    }
    if let Some(table) = &args.page_table {
        rank::write_page_table(table, store::pages(&args.input.graph)?, graph, ranks)?;
    }
    match input::file(args.out.as_ref()) {
        Some(out) => rank::write(out, graph, ranks, args.format.into(), args.top)?,
        // A table was asked for, and it is there.
        None if args.page_table.is_some() => {}
        None => {
            let mut out = BufWriter::new(io::stdout().lock());
            rank::write_lines(&mut out, graph, ranks, args.top)?;
            out.flush()?;
        }
    }
    Ok(())
}
