//! `webstrata rank pagerank`.

#[cfg(feature = "distributed")]
use super::distributed;
use super::input::{self, Kind, described};
use super::progress::{progress, say};
use crate::args::{PagerankArgs, RankFormatName};
use anyhow::{Context, Result, bail};
use std::io::{self, BufWriter, Write};
use webstrata_corpus::graph::Graph;
use webstrata_corpus::graph::rank::{self, LinkWeights, Preference, Ranks, SolveOptions};
use webstrata_corpus::store;

/// Ranks pages and writes the ranks.
pub(crate) fn run(args: &PagerankArgs) -> Result<()> {
    input::refuse_same(&args.input.graph, &[args.out.as_ref(), args.residuals.as_ref(), args.page_table.as_ref()])?;
    let is_run = matches!(Kind::detect(&args.input.graph), Kind::Run);
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
        solver: args.solver.into(),
        threads: args.threads.into(),
        partitions: args.partitions as usize,
        max_iterations: args.max_iterations as usize,
        self_links: args.self_links.into(),
        link_weights: link_weights(args),
        ..SolveOptions::default()
    };
    if let Some(start) = &args.start {
        options.start = Some(rank::read_start(start, &graph)?);
    }
    let preference = match &args.preference {
        Some(list) => Preference::Pages(input::preference(list, &graph)?),
        None => Preference::Uniform,
    };
    #[cfg(feature = "distributed")]
    if let Some(hosts) = &args.distributed.hosts {
        return distributed::run(args, hosts, &graph, &preference, &options);
    }
    let shown = progress(&args.saying);
    let mut watch = |iteration: rank::Iteration| {
        shown.update(|| format!("iteration {}, residual {:.1e}", iteration.iterations, iteration.residual));
        true
    };
    let ranks = rank::solve_with_progress(&graph, &[preference], &options, &mut watch)?;
    drop(shown);
    let ranks = ranks.first().context("there are no ranks")?;
    let iterations = ranks.residuals.len();
    let residual = ranks.residuals.last().copied().unwrap_or(f64::INFINITY);
    if !ranks.converged {
        return not_there(iterations, residual);
    }
    write(args, &graph, ranks)?;
    let rate = graph.num_links() as f64 * iterations as f64 / ranks.seconds.max(1e-9) / 1e6;
    say(
        args.saying.quiet,
        &format!(
            "{}: {iterations} iterations in {:.3} s ({rate:.0} million links/s), residual {residual:.1e}, true ranks within {:.1e}",
            described(&graph),
            ranks.seconds,
            ranks.bound
        ),
    );
    Ok(())
}

/// More rounds would be needed.
pub(super) fn not_there(iterations: usize, residual: f64) -> Result<()> {
    bail!(
        "after {iterations} iterations the residual is {residual:.1e}; give more of them with --max-iterations, or a larger --tolerance"
    )
}

/// The surfer, if he tells links apart.
fn link_weights(args: &PagerankArgs) -> Option<LinkWeights> {
    let mut link_weights = LinkWeights { stay: args.stay, leave: args.leave, ..LinkWeights::default() };
    args.weight.iter().for_each(|&(stratum, weight)| link_weights.set(stratum, weight));
    (link_weights != LinkWeights::default()).then_some(link_weights)
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
