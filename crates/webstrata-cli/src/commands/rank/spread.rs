//! `webstrata rank pagerank --hosts`: one of several processes.

use super::input::{self, described};
use super::pagerank::{not_there, write};
use super::shown::{Shown, say};
use crate::args::PagerankArgs;
use anyhow::Result;
use std::path::Path;
use std::time::Duration;
use webstrata_corpus::graph::Graph;
use webstrata_corpus::graph::rank::{Jump, SolveOptions};
use webstrata_corpus::graph::spread::{Checkpoints, Hosts, News, Plan, Report, Team, solve_spread};

/// Ranks pages together with the other processes; the first writes the ranks.
pub(super) fn run(args: &PagerankArgs, hosts: &Path, graph: &Graph, jump: &Jump, options: &SolveOptions) -> Result<()> {
    input::refuse_same(hosts, &[args.out.as_ref(), args.residuals.as_ref(), args.page_table.as_ref()])?;
    let quiet = args.saying.quiet;
    let process = args.spread.process.unwrap_or_default() as usize;
    let patience = Duration::from_secs(args.spread.connect_timeout.into());
    let every = Duration::from_secs(args.spread.checkpoint_every.into());
    let plan = Plan {
        team: Team::Processes { hosts: Hosts::read(hosts)?, process, patience },
        checkpoints: args.spread.checkpoint.clone().map(|folder| Checkpoints { folder, every }),
    };
    let mut shown = Shown::new(&args.saying);
    let mut watch = |news: News| {
        match news {
            News::Waiting { process, address } => shown.at(|| format!("waiting for process {process} at {address}")),
            News::Round(round) => shown.at(|| format!("round {}, residual {:.1e}", round.rounds, round.residual)),
            News::Note(text) => say(quiet, &text),
            News::Resumed(round) => say(quiet, &format!("goes on from the checkpoint of round {round}")),
        }
        true
    };
    let mut spread = solve_spread(graph, jump, options, &plan, &mut watch)?;
    drop(shown);
    if !spread.report.converged {
        let report = spread.finish()?;
        return not_there(report.rounds, report.residual);
    }
    // Written before the good-bye: if that fails, all processes fail, and keep their checkpoints.
    let ranks = spread.ranks.take();
    if let Some(ranks) = &ranks {
        write(args, graph, ranks)?;
    }
    let report = spread.finish()?;
    let Report { workers, rounds, residual, .. } = report;
    let Some(ranks) = ranks else {
        say(quiet, &format!("process {process} of {workers}: {rounds} rounds, residual {residual:.1e}; process 0 has the ranks"));
        return Ok(());
    };
    say(
        quiet,
        &format!(
            "{}: {rounds} rounds, {:.3} s by {workers} processes, residual {residual:.1e}, true ranks within {:.1e}",
            described(graph),
            ranks.seconds,
            ranks.bound
        ),
    );
    say(
        quiet,
        &format!(
            "{:.2}% of links lead to another process; a round sends {} votes, {:.2}% of links, in {:.0} bytes; lists before the first took {} bytes",
            100.0 * report.share_between(),
            report.votes,
            100.0 * report.votes_per_link(),
            report.bytes_per_round(),
            report.bytes_before
        ),
    );
    Ok(())
}
