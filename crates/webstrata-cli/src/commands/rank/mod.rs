//! `webstrata rank`: rankings of pages, one file per subcommand.

mod compare;
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
    let (iterations, residual) = (ranks.residuals.len(), ranks.residuals.last().copied().unwrap_or(f64::INFINITY));
    bail!("the residual is {residual:.1e} after {iterations} iterations; raise --max-iterations or --tolerance")
}
