//! `webstrata graph backlinks`.

use super::input;
use crate::args::GraphBacklinksArgs;
use anyhow::{Result, bail};
use std::io::{self, BufWriter, Write};
use webstrata_corpus::graph::{Graph, Stratum, delta};

/// Prints the pages that link to a page.
pub(super) fn run(args: &GraphBacklinksArgs) -> Result<()> {
    input::require_graph_file(&args.graph)?;
    let graph =
        if delta::has_layers(&args.graph) { Graph::open_with_layers(&args.graph)? } else { Graph::open_unchecked(&args.graph)? };
    let Some(page) = graph.find(&args.page) else {
        bail!("{} is not in {}; write the page as the graph names it, including https://", args.page, args.graph.display());
    };
    let mut out = BufWriter::new(io::stdout().lock());
    for (source, stratum) in graph.predecessors_with_strata(page) {
        write!(out, "{}", graph.name(source as usize))?;
        if args.strata {
            write!(out, "\t{}", Stratum::from_number(stratum))?;
        }
        writeln!(out)?;
    }
    out.flush()?;
    Ok(())
}
