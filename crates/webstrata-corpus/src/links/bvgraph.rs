//! The graph as a BVGraph, packed by the crate `webgraph`: `graph.graph`, `graph.offsets` and `graph.properties`, which
//! WebGraph reads in Rust and in Java; `vertices.txt` has the names of its nodes, `strata.txt` where the links stand.
//!
//! P. Boldi, S. Vigna: The WebGraph framework I: compression techniques. WWW 2004.

use super::number::{Edges, Numbered};
use super::{GraphError, text};
use crate::store::StoreError;
use dsi_bitstream::traits::BE;
use std::cell::RefCell;
use std::fs;
use std::path::Path;
use std::rc::Rc;
use webgraph::graphs::arc_list_graph::ArcListGraph;
use webgraph::graphs::bvgraph::BvComp;

/// The files of the graph, in the order that they get their names in: whoever sees the last sees them all.
const FILES: [&str; 3] = ["graph.graph", "graph.offsets", "graph.properties"];

/// Writes all files.
pub(super) fn write(graph: &Numbered, folder: &Path) -> Result<(), GraphError> {
    text::vertices(graph, folder)?;
    text::strata(graph, folder)?;
    // The crate writes where it is told to; what it has written is put in place when it is whole.
    let temp_dir = folder.join(".bvgraph.tmp");
    if temp_dir.exists() {
        fs::remove_dir_all(&temp_dir).map_err(StoreError::io("remove", &temp_dir))?;
    }
    fs::create_dir_all(&temp_dir).map_err(StoreError::io("make the folder", &temp_dir))?;
    let failure = Rc::default();
    let arcs = Arcs { graph, reader: None, failure: Rc::clone(&failure) };
    let nodes = usize::try_from(graph.summary().vertices).map_err(|error| GraphError::BvGraph(error.to_string()))?;
    let result = BvComp::with_basename(temp_dir.join("graph")).comp_graph::<BE>(&ArcListGraph::new(nodes, arcs));
    if let Some(error) = failure.borrow_mut().take() {
        return Err(error);
    }
    result.map_err(|error| GraphError::BvGraph(format!("{error:#}")))?;
    for name in FILES {
        let (from, to) = (temp_dir.join(name), folder.join(name));
        crate::io::publish(&from, &to)?;
    }
    fs::remove_dir_all(&temp_dir).map_err(StoreError::io("remove", &temp_dir))?;
    Ok(())
}

/// The edges as the crate wants them. A copy begins anew; what goes wrong is kept for the caller, as an iterator cannot fail.
struct Arcs<'g> {
    graph: &'g Numbered,
    reader: Option<Edges>,
    failure: Rc<RefCell<Option<GraphError>>>,
}

impl Clone for Arcs<'_> {
    fn clone(&self) -> Self {
        Arcs { graph: self.graph, reader: None, failure: Rc::clone(&self.failure) }
    }
}

impl Arcs<'_> {
    fn advance(&mut self) -> Result<Option<(u64, u64)>, GraphError> {
        match &mut self.reader {
            Some(reader) => reader.next(),
            None => self.reader.insert(self.graph.edges()?).next(),
        }
    }
}

impl Iterator for Arcs<'_> {
    type Item = (usize, usize);

    fn next(&mut self) -> Option<(usize, usize)> {
        match self.advance() {
            // Nodes are counted in `usize`, which was seen to be enough for all of them.
            Ok(edge) => edge.map(|(from, to)| (from as usize, to as usize)),
            Err(error) => {
                *self.failure.borrow_mut() = Some(error);
                None
            }
        }
    }
}
