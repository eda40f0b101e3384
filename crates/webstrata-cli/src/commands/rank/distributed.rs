//! `webstrata rank pagerank --host-file`: one of several processes.

use super::input::{self, note, start_progress, summary};
use super::not_converged;
use super::pagerank::write;
use crate::args::PagerankArgs;
use anyhow::Result;
use std::path::Path;
use std::time::Duration;
use webstrata_corpus::graph::Graph;
use webstrata_corpus::graph::rank::{Preference, SolveOptions};
use webstrata_distributed::{Checkpoints, Event, Hosts, Plan, Report, Topology, solve_distributed};

/// Ranks pages together with the other processes; process 0 writes the ranks.
pub(super) fn run(args: &PagerankArgs, hosts: &Path, graph: &Graph, preference: &Preference, options: &SolveOptions) -> Result<()> {
    input::refuse_overwrite(hosts, &[args.output.out.as_ref(), args.residuals.as_ref(), args.page_table.as_ref()])?;
    let quiet = args.progress.quiet;
    let process = args.distributed.process.unwrap_or_default() as usize;
    let timeout = Duration::from_secs(args.distributed.connect_timeout.into());
    let every = Duration::from_secs(args.distributed.checkpoint_every.into());
    let plan = Plan {
        topology: Topology::Processes { hosts: Hosts::read(hosts)?, process, timeout },
        checkpoints: args.distributed.checkpoint_dir.clone().map(|folder| Checkpoints { folder, every }),
    };
    let display = start_progress(&args.progress);
    let mut progress = |event: Event| {
        match event {
            Event::Waiting { process, address } => display.update(|| format!("waiting for process {process} at {address}")),
            Event::Iteration(iteration) => {
                display.update(|| format!("iteration {}, residual {:.1e}", iteration.number, iteration.residual));
            }
            Event::Note(text) => note(quiet, &text),
            Event::Resumed(iteration) => note(quiet, &format!("resuming from the checkpoint of iteration {iteration}")),
        }
        true
    };
    let mut solved = solve_distributed(graph, preference, options, &plan, &mut progress)?;
    drop(display);
    if !solved.report.converged {
        let report = solved.finish()?;
        return not_converged(report.iterations, report.residual);
    }
    // Written before saying goodbye: if writing fails, all processes fail and keep their checkpoints.
    let ranks = solved.ranks.take();
    if let Some(ranks) = &ranks {
        write(args, graph, ranks)?;
    }
    let report = solved.finish()?;
    let Report { workers, iterations, residual, .. } = report;
    let Some(ranks) = ranks else {
        note(
            quiet,
            &format!("process {process} of {workers}: {iterations} iterations, residual {residual:.1e}; process 0 has the ranks"),
        );
        return Ok(());
    };
    note(
        quiet,
        &format!(
            "{}: {iterations} iterations, {:.3} s by {workers} processes, residual {residual:.1e}, exact ranks within {:.1e}",
            summary(graph),
            ranks.seconds,
            ranks.bound
        ),
    );
    note(
        quiet,
        &format!(
            "{:.2}% of links lead to another process; an iteration sends {} votes, {:.2}% of links, in {:.0} bytes; setup took {} bytes",
            100.0 * report.share_between(),
            report.votes,
            100.0 * report.votes_per_link(),
            report.bytes_per_iteration(),
            report.bytes_before
        ),
    );
    Ok(())
}
