//! `webstrata graph`: the link graph of a run.

use crate::args::GraphArgs;
use anyhow::{Context, Result};
use std::io::{self, Write};
use webstrata_corpus::links::{GraphOptions, Level, write_graph};
use webstrata_corpus::store;

/// Writes the graph and says how large it is.
pub(crate) fn run(args: &GraphArgs) -> Result<()> {
    let links = store::links(&args.run)?;
    let options = GraphOptions {
        level: if args.hosts { Level::Hosts } else { Level::Pages },
        format: args.format.into(),
        memory: (args.memory as usize) << 20,
    };
    let graph = write_graph(links, &args.out, &options)
        .with_context(|| format!("no graph of {} in {}", args.run.display(), args.out.display()))?;
    let what = if args.hosts { "hosts" } else { "pages" };
    writeln!(
        io::stdout(),
        "{} {what}, {} edges, {} links ({} inside their host, {} left out)",
        graph.vertices,
        graph.edges,
        graph.links,
        graph.inside,
        graph.left_out
    )?;
    Ok(())
}
