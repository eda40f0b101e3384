//! `webstrata graph`: link graphs, one file per subcommand.

mod add;
mod backlinks;
mod build;
mod export;
mod generate;
pub(super) mod input;

use crate::args::{GraphArgs, GraphCommand};
use anyhow::Result;

pub(crate) fn run(args: &GraphArgs) -> Result<()> {
    match &args.command {
        GraphCommand::Build(args) => build::run(args),
        GraphCommand::Add(args) => add::run(args),
        GraphCommand::Export(args) => export::run(args),
        GraphCommand::Backlinks(args) => backlinks::run(args),
        GraphCommand::Generate(args) => generate::run(args),
    }
}
