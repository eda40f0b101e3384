//! `webstrata rank build`.

use super::input::{self, Kind, described};
use super::progress::say;
use crate::args::RankBuildArgs;
use anyhow::Result;
use webstrata_corpus::graph::delta;

/// Makes a file of a graph.
pub(crate) fn run(args: &RankBuildArgs) -> Result<()> {
    let is_graph = matches!(Kind::detect(&args.input.graph), Kind::Graph);
    if !is_graph {
        input::refuse_same(&args.input.graph, &[Some(&args.out)])?;
    }
    let graph = input::open(&args.input, Some(&args.out), &args.saying)?;
    if is_graph {
        let same = input::refuse_same(&args.input.graph, &[Some(&args.out)]).is_err();
        graph.save(&args.out)?;
        if same {
            delta::remove_layers(&args.out)?;
        }
    }
    say(args.saying.quiet, &format!("{}: {}", args.out.display(), described(&graph)));
    Ok(())
}
