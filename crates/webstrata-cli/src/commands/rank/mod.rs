//! `webstrata rank`: rankings of pages, one file per subcommand.

mod compare;
#[cfg(feature = "distributed")]
mod distributed;
mod facets;
mod pagerank;
mod surfer;
mod topics;

use super::graph::input;
use crate::args::{RankArgs, RankCommand};
use anyhow::{Result, bail};
use webstrata_corpus::graph::rank::Ranks;

pub(crate) fn run(args: &RankArgs) -> Result<()> {
    match &args.command {
        RankCommand::Pagerank(args) => pagerank::run(args),
        RankCommand::Topics(args) => topics::run(args),
        RankCommand::Compare(args) => compare::run(args),
        RankCommand::Facets(args) => facets::run(args),
    }
}

/// Fails if a ranking has not converged.
fn require_convergence(ranks: &Ranks) -> Result<()> {
    if ranks.converged {
        return Ok(());
    }
    not_converged(ranks.residuals.len(), ranks.residuals.last().copied().unwrap_or(f64::INFINITY))
}

fn not_converged(iterations: usize, residual: f64) -> Result<()> {
    bail!("the residual is {residual:.1e} after {iterations} iterations; raise --max-iterations or --tolerance")
}
