//! `webstrata rank pagerank`.

use super::input::{self, Kind, note, start_progress, summary};
use super::{require_convergence, surfer};
use crate::args::{PagerankArgs, RankFormatName};
use anyhow::{Context, Result, bail};
use std::io::{self, BufWriter, Write};
use webstrata_corpus::graph::Graph;
use webstrata_corpus::graph::rank::{self, Preference, Ranks, SolveOptions};
use webstrata_corpus::store;

/// Ranks pages and writes the ranks.
pub(super) fn run(args: &PagerankArgs) -> Result<()> {
    let output = &args.output;
    input::refuse_overwrite(
        &args.input.graph,
        &[output.out.as_ref(), args.residuals.as_ref(), args.arrivals.as_ref(), args.page_table.as_ref()],
    )?;
    if args.page_table.is_some() && !matches!(Kind::detect(&args.input.graph), Kind::Run) {
        bail!("--page-table needs the folder of a run as GRAPH; {} is not one", args.input.graph.display());
    }
    if input::output_file(output.out.as_ref()).is_none() && output.format == RankFormatName::Parquet {
        bail!("Parquet cannot be written to standard output; name a file with --out");
    }
    let graph = input::open(&args.input, None, &args.progress)?;
    let mut options = SolveOptions {
        solver: args.solver.into(),
        partitions: args.partitions as usize,
        self_links: args.self_links.into(),
        arrivals: args.arrivals.is_some(),
        ..SolveOptions::from(&args.solve)
    };
    surfer::set(args, &mut options)?;
    if let Some(start) = &args.start {
        options.start = Some(rank::read_start(start, &graph)?);
    }
    let preference = match &args.preference {
        Some(list) => {
            let (pages, _) = input::weighted_pages(list, &|name| graph.find(name))?;
            Preference::Pages(pages.into_iter().map(|(page, weight)| (page as u32, weight)).collect())
        }
        None => Preference::Uniform,
    };
    let display = start_progress(&args.progress);
    let mut progress = |iteration: rank::Iteration| {
        display.update(|| format!("iteration {}, residual {:.1e}", iteration.number, iteration.residual));
        true
    };
    let ranks = rank::solve_with_progress(&graph, &[preference], &options, &mut progress)?;
    drop(display);
    let ranks = ranks.first().context("there are no ranks")?;
    require_convergence(ranks)?;
    write(args, &graph, ranks)?;
    let iterations = ranks.residuals.len();
    let residual = ranks.residuals.last().copied().unwrap_or(f64::INFINITY);
    let rate = graph.num_links() as f64 * iterations as f64 / ranks.seconds.max(1e-9) / 1e6;
    note(
        args.progress.quiet,
        &format!(
            "{}: {iterations} iterations in {:.3} s ({rate:.0} million links/s), residual {residual:.1e}, exact ranks within {:.1e}",
            summary(&graph),
            ranks.seconds,
            ranks.bound
        ),
    );
    Ok(())
}

/// Writes ranks, residuals, arrivals and the table of pages.
fn write(args: &PagerankArgs, graph: &Graph, ranks: &Ranks) -> Result<()> {
    if let Some(residuals) = &args.residuals {
        rank::write_residuals(residuals, ranks)?;
    }
    if let (Some(path), Some(arrivals)) = (&args.arrivals, &ranks.arrivals) {
        rank::write_arrivals(path, graph, arrivals)?;
    }
    if let Some(table) = &args.page_table {
        rank::write_page_table(table, store::pages(&args.input.graph)?, graph, ranks)?;
    }
    let output = &args.output;
    match input::output_file(output.out.as_ref()) {
        Some(out) => rank::write(out, graph, ranks, output.format.into(), output.top)?,
        // With a table of pages, nothing goes to standard output.
        None if args.page_table.is_some() => {}
        None => {
            let mut out = BufWriter::new(io::stdout().lock());
            rank::write_lines(&mut out, graph, ranks, output.top)?;
            out.flush()?;
        }
    }
    Ok(())
}
