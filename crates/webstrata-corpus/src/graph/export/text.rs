//! Graphs as text: numbers and tabs, as Common Crawl writes its graphs.
//!
//! `vertices.txt` has `id<TAB>name` (the URL of a page, the reversed name of a host), `edges.txt` has `from<TAB>to`, and
//! `strata.txt` has `from<TAB>to<TAB>inside|outside<TAB>role<TAB>links`, with `-` for an unknown role.

use super::super::error::GraphError;
use super::super::vertex;
use super::edges::Edges;
use crate::io::{AtomicFile, IoError};
use std::io::{self, Write};
use std::path::Path;

/// Writes the three files.
pub(super) fn write(edges: &Edges, folder: &Path) -> Result<(), GraphError> {
    vertices(edges, folder)?;
    write_lines(&folder.join("edges.txt"), edges.pairs()?, |out, (from, to)| writeln!(out, "{from}\t{to}"))?;
    strata(edges, folder)
}

/// Writes the names of the vertices.
pub(super) fn vertices(edges: &Edges, folder: &Path) -> Result<(), GraphError> {
    let mut id = 0u64;
    write_lines(&folder.join("vertices.txt"), edges.vertices()?, |out, key| {
        write!(out, "{id}\t")?;
        id += 1;
        out.write_all(vertex::name(&key))?;
        out.write_all(b"\n")
    })
}

/// Writes the strata of the edges.
pub(super) fn strata(edges: &Edges, folder: &Path) -> Result<(), GraphError> {
    write_lines(&folder.join("strata.txt"), edges.strata()?, |out, edge| {
        let side = if edge.inside() { "inside" } else { "outside" };
        writeln!(out, "{}\t{}\t{side}\t{}\t{}", edge.from, edge.to, edge.role().unwrap_or("-"), edge.links)
    })
}

/// Writes one line per item.
fn write_lines<T, E: Into<GraphError>>(
    path: &Path,
    items: impl Iterator<Item = Result<T, E>>,
    mut line: impl FnMut(&mut AtomicFile, T) -> io::Result<()>,
) -> Result<(), GraphError> {
    let mut out = AtomicFile::create(path)?;
    for item in items {
        line(&mut out, item.map_err(Into::into)?).map_err(IoError::on("write", path))?;
    }
    out.commit()?;
    Ok(())
}
