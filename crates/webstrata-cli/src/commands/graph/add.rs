//! `webstrata graph add`.

use super::input::{self, Kind, note};
use crate::args::GraphAddArgs;
use anyhow::{Result, bail};
use webstrata_corpus::graph::delta;
use webstrata_corpus::store;

/// Adds links to a graph.
pub(super) fn run(args: &GraphAddArgs) -> Result<()> {
    input::require_graph_file(&args.graph)?;
    let added = match Kind::detect(&args.links) {
        Kind::Run => delta::add_links_of_run(&args.graph, store::links(&args.links)?)?,
        Kind::Edges => delta::add_edge_list(&args.graph, &args.links)?,
        Kind::Graph | Kind::BvGraph(_) => bail!("{} is a graph; give an edge list or the folder of a run", args.links.display()),
    };
    note(args.quiet, &format!("{} links read, {} new pages, {} new hosts", added.links, added.pages, added.hosts));
    Ok(())
}
