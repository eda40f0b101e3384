//! `webstrata rank pagerank --hosts`: one of several processes.

use super::input::{self, described};
use super::pagerank::{not_there, write};
use super::progress::{progress, say};
use crate::args::PagerankArgs;
use anyhow::Result;
use std::path::Path;
use std::time::Duration;
use webstrata_corpus::graph::Graph;
use webstrata_corpus::graph::rank::{Preference, SolveOptions};
use webstrata_distributed::{Checkpoints, Event, Hosts, Plan, Report, Topology, solve_distributed};

/// Ranks pages together with the other processes; the first writes the ranks.
pub(super) fn run(args: &PagerankArgs, hosts: &Path, graph: &Graph, preference: &Preference, options: &SolveOptions) -> Result<()> {
    input::refuse_same(hosts, &[args.out.as_ref(), args.residuals.as_ref(), args.page_table.as_ref()])?;
    let quiet = args.saying.quiet;
    let process = args.distributed.process.unwrap_or_default() as usize;
    let timeout = Duration::from_secs(args.distributed.connect_timeout.into());
    let every = Duration::from_secs(args.distributed.checkpoint_every.into());
    let plan = Plan {
        topology: Topology::Processes { hosts: Hosts::read(hosts)?, process, timeout },
        checkpoints: args.distributed.checkpoint_dir.clone().map(|folder| Checkpoints { folder, every }),
    };
    let shown = progress(&args.saying);
    let mut watch = |event: Event| {
        match event {
            Event::Waiting { process, address } => shown.update(|| format!("waiting for process {process} at {address}")),
            Event::Iteration(iteration) => {
                shown.update(|| format!("iteration {}, residual {:.1e}", iteration.iterations, iteration.residual))
            }
            Event::Note(text) => say(quiet, &text),
            Event::Resumed(iteration) => say(quiet, &format!("goes on from the checkpoint of iteration {iteration}")),
        }
        true
    };
    let mut solved = solve_distributed(graph, preference, options, &plan, &mut watch)?;
    drop(shown);
    if !solved.report.converged {
        let report = solved.finish()?;
        return not_there(report.iterations, report.residual);
    }
    // Written before the good-bye: if that fails, all processes fail, and keep their checkpoints.
    let ranks = solved.ranks.take();
    if let Some(ranks) = &ranks {
        write(args, graph, ranks)?;
    }
    let report = solved.finish()?;
    let Report { workers, iterations, residual, .. } = report;
    let Some(ranks) = ranks else {
        say(
            quiet,
            &format!("process {process} of {workers}: {iterations} iterations, residual {residual:.1e}; process 0 has the ranks"),
        );
        return Ok(());
    };
    say(
        quiet,
        &format!(
            "{}: {iterations} iterations, {:.3} s by {workers} processes, residual {residual:.1e}, true ranks within {:.1e}",
            described(graph),
            ranks.seconds,
            ranks.bound
        ),
    );
    say(
        quiet,
        &format!(
            "{:.2}% of links lead to another process; a iteration sends {} votes, {:.2}% of links, in {:.0} bytes; lists before the first took {} bytes",
            100.0 * report.share_between(),
            report.votes,
            100.0 * report.votes_per_link(),
            report.bytes_per_round(),
            report.bytes_before
        ),
    );
    Ok(())
}
