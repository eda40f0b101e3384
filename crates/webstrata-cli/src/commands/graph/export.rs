//! `webstrata graph export`.

use crate::args::GraphExportArgs;
use anyhow::{Context, Result};
use std::io::{self, Write};
use webstrata_corpus::graph::Level;
use webstrata_corpus::graph::export::{ExportOptions, export_links};
use webstrata_corpus::store;

/// Exports the links of a run and prints the size of the graph.
pub(super) fn run(args: &GraphExportArgs) -> Result<()> {
    let links = store::links(&args.run)?;
    let options = ExportOptions {
        level: if args.hosts { Level::Hosts } else { Level::Pages },
        format: args.format.into(),
        memory: args.sorting.memory.0,
        temp_dir: args.sorting.temp_dir.clone(),
    };
    let graph = export_links(links, &args.out, &options)
        .with_context(|| format!("cannot export the links of {} to {}", args.run.display(), args.out.display()))?;
    let vertices = if args.hosts { "hosts" } else { "pages" };
    writeln!(
        io::stdout(),
        "{} {vertices}, {} edges, {} links ({} inside their host, {} left out)",
        graph.vertices,
        graph.edges,
        graph.links,
        graph.inside,
        graph.left_out
    )?;
    Ok(())
}
