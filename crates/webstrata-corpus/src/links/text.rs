//! The graph as text: numbers and tabs, as Common Crawl writes its graphs.
//!
//! `vertices.txt` has `id<TAB>name` (the address of a page, the reversed name of a host), `edges.txt` has `from<TAB>to`,
//! and `strata.txt` has `from<TAB>to<TAB>inside|outside<TAB>role<TAB>links`, with `-` for a role that is not known.

use super::GraphError;
use super::names::shown;
use super::number::Numbered;
use crate::io::AtomicFile;
use crate::store::StoreError;
use std::io::{self, Write};
use std::path::Path;

/// Writes the three files.
pub(super) fn write(graph: &Numbered, folder: &Path) -> Result<(), GraphError> {
    vertices(graph, folder)?;
    let mut edges = graph.edges()?;
    lines(&folder.join("edges.txt"), |out| match edges.next()? {
        Some((from, to)) => Ok(Some(writeln!(out, "{from}\t{to}"))),
        None => Ok(None),
    })?;
    strata(graph, folder)
}

/// Writes the names of the vertices.
pub(super) fn vertices(graph: &Numbered, folder: &Path) -> Result<(), GraphError> {
    let (mut names, mut id) = (graph.vertices.read()?, 0u64);
    lines(&folder.join("vertices.txt"), |out| {
        let Some(name) = names.next().transpose()? else { return Ok(None) };
        id += 1;
        let line = write!(out, "{}\t", id - 1).and_then(|()| out.write_all(shown(&name))).and_then(|()| out.write_all(b"\n"));
        Ok(Some(line))
    })
}

/// Writes where the links stand.
pub(super) fn strata(graph: &Numbered, folder: &Path) -> Result<(), GraphError> {
    let mut strata = graph.strata()?;
    lines(&folder.join("strata.txt"), |out| {
        let Some(stratum) = strata.next()? else { return Ok(None) };
        let side = if stratum.inside { "inside" } else { "outside" };
        let role = if stratum.role.is_empty() { "-" } else { &stratum.role };
        Ok(Some(writeln!(out, "{}\t{}\t{side}\t{role}\t{}", stratum.from, stratum.to, stratum.links)))
    })
}

/// Writes a file line by line, until there is none.
fn lines(
    path: &Path,
    mut line: impl FnMut(&mut AtomicFile) -> Result<Option<io::Result<()>>, GraphError>,
) -> Result<(), GraphError> {
    let mut out = AtomicFile::create(path)?;
    while let Some(written) = line(&mut out)? {
        written.map_err(StoreError::io("write", path))?;
    }
    out.commit()?;
    Ok(())
}
