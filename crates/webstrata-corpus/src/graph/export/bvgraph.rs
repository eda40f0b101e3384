//! Graphs as BVGraph, compressed by the crate `webgraph`: `graph.graph`, `graph.offsets` and `graph.properties`, which
//! WebGraph reads in Rust and Java; `vertices.txt` names the nodes, `strata.txt` has the strata of the links.
//!
//! P. Boldi, S. Vigna: The WebGraph framework I: compression techniques. WWW 2004.

use super::super::error::GraphError;
use super::edges::Edges;
use super::text;
use crate::io::TempDir;
use dsi_bitstream::traits::BE;
use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use webgraph::graphs::arc_list_graph::ArcListGraph;
use webgraph::graphs::bvgraph::BvComp;

/// The files of the graph in the order in which they appear: once the last exists, all do.
const FILES: [&str; 3] = ["graph.graph", "graph.offsets", "graph.properties"];

/// Writes all files.
pub(super) fn write(edges: &Edges, folder: &Path) -> Result<(), GraphError> {
    text::vertices(edges, folder)?;
    text::strata(edges, folder)?;
    // The crate writes files in place, so it is given a temporary folder, and the files are moved when they are complete.
    let temp_dir = TempDir::new(folder);
    let temp_path = temp_dir.path()?;
    let failed = |reason: String| GraphError::BvGraph { action: "write", path: folder.join("graph"), reason };
    let failure = Rc::default();
    let arcs = Arcs { edges, reader: None, failure: Rc::clone(&failure) };
    let nodes = edges.summary.vertices as usize;
    let result = BvComp::with_basename(temp_path.join("graph")).comp_graph::<BE>(&ArcListGraph::new(nodes, arcs));
    if let Some(error) = failure.borrow_mut().take() {
        return Err(error);
    }
    result.map_err(|error| failed(format!("{error:#}")))?;
    for name in FILES {
        crate::io::publish(&temp_path.join(name), &folder.join(name))?;
    }
    Ok(())
}

type Pairs = Box<dyn Iterator<Item = Result<(u32, u32), GraphError>>>;

/// The edges as an iterator for the crate. A clone starts over. An iterator cannot fail, so an error is kept for the caller.
struct Arcs<'e> {
    edges: &'e Edges,
    reader: Option<Pairs>,
    failure: Rc<RefCell<Option<GraphError>>>,
}

impl Clone for Arcs<'_> {
    fn clone(&self) -> Self {
        Arcs { edges: self.edges, reader: None, failure: Rc::clone(&self.failure) }
    }
}

impl Arcs<'_> {
    fn advance(&mut self) -> Result<Option<(u32, u32)>, GraphError> {
        match &mut self.reader {
            Some(reader) => reader.next().transpose(),
            None => self.reader.insert(Box::new(self.edges.pairs()?)).next().transpose(),
        }
    }
}

impl Iterator for Arcs<'_> {
    type Item = (usize, usize);

    fn next(&mut self) -> Option<(usize, usize)> {
        match self.advance() {
            Ok(edge) => edge.map(|(from, to)| (from as usize, to as usize)),
            Err(error) => {
                *self.failure.borrow_mut() = Some(error);
                None
            }
        }
    }
}
