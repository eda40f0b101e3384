//! `webstrata rank`: link graphs and PageRank, one file a subcommand.

mod add;
mod backlinks;
mod build;
mod compare;
#[cfg(feature = "distributed")]
mod distributed;
mod facets;
mod generate;
mod input;
mod pagerank;
mod progress;
mod topics;

use crate::args::{RankArgs, RankCommand};
use anyhow::Result;

/// Carries out a subcommand.
pub(crate) fn run(args: &RankArgs) -> Result<()> {
    match &args.what {
        RankCommand::Pagerank(args) => pagerank::run(args),
        RankCommand::Topics(args) => topics::run(args),
        RankCommand::Compare(args) => compare::run(args),
        RankCommand::Facets(args) => facets::run(args),
        RankCommand::Build(args) => build::run(args),
        RankCommand::Add(args) => add::run(args),
        RankCommand::Backlinks(args) => backlinks::run(args),
        RankCommand::Generate(args) => generate::run(args),
    }
}
