//! `webstrata graph build`.

use super::input::{self, Kind, note, summary};
use crate::args::GraphBuildArgs;
use anyhow::Result;
use webstrata_corpus::graph::delta;

/// Builds a graph file.
pub(super) fn run(args: &GraphBuildArgs) -> Result<()> {
    let is_graph = matches!(Kind::detect(&args.input.graph), Kind::Graph);
    if !is_graph {
        input::refuse_overwrite(&args.input.graph, &[Some(&args.out)])?;
    }
    let graph = input::open(&args.input, Some(&args.out), &args.progress)?;
    if is_graph {
        let in_place = input::refuse_overwrite(&args.input.graph, &[Some(&args.out)]).is_err();
        graph.save(&args.out)?;
        if in_place {
            delta::remove_layers(&args.out)?;
        }
    }
    note(args.progress.quiet, &format!("{}: {}", args.out.display(), summary(&graph)));
    Ok(())
}
