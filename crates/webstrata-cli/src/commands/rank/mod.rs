//! `webstrata rank`: link graphs and PageRank, one file a subcommand.

mod add;
mod backlinks;
mod build;
mod generate;
mod input;
mod pagerank;
mod shown;

use crate::args::{RankArgs, RankCommand};
use anyhow::Result;

/// Carries out a subcommand.
pub(crate) fn run(args: &RankArgs) -> Result<()> {
    match &args.what {
        RankCommand::Pagerank(args) => pagerank::run(args),
        RankCommand::Build(args) => build::run(args),
        RankCommand::Add(args) => add::run(args),
        RankCommand::Backlinks(args) => backlinks::run(args),
        RankCommand::Generate(args) => generate::run(args),
    }
}
