//! `webstrata rank backlinks`.

use super::input;
use crate::args::RankBacklinksArgs;
use anyhow::{Result, bail};
use std::io::{self, BufWriter, Write};
use webstrata_corpus::graph::{Graph, Stratum, delta};

/// Writes the pages that link to a page.
pub(crate) fn run(args: &RankBacklinksArgs) -> Result<()> {
    input::graph_file(&args.graph)?;
    let graph =
        if delta::has_layers(&args.graph) { Graph::open_with_layers(&args.graph)? } else { Graph::open_unread(&args.graph)? };
    let Some(page) = graph.find(&args.page) else {
        bail!("{} is not in {}; give the page as the graph has it, with https:// and all", args.page, args.graph.display());
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
