//! Graphs of named links: vertices are numbered in the order of their hosts, links sorted by target.

use super::super::assemble::{Assembler, Finish};
use super::super::error::GraphError;
use super::super::file::NamesToWrite;
use super::super::memory::key;
use super::super::numbering::{NamedLink, Numbering};
use super::super::{Graph, vertex};
use super::BuildOptions;
use crate::io::TempDir;
use crate::io::external_sort::ExternalSorter;
use std::path::Path;

/// Builds a graph of links that come from `source`; `with_strata` says whether their tags are strata.
pub(super) fn build<S: Finish>(
    links: impl IntoIterator<Item = Result<NamedLink, GraphError>>,
    source: &Path,
    sink: impl FnOnce() -> Result<S, GraphError>,
    options: &BuildOptions,
    with_strata: bool,
) -> Result<Graph, GraphError> {
    let temp_dir = TempDir::new(&options.temp_dir);
    let numbering = Numbering::new(links, &temp_dir, options.memory)?;
    if numbering.num_vertices() == 0 {
        return Err(GraphError::Empty(source.to_owned()));
    }
    let mut sorter = ExternalSorter::new(&temp_dir, options.memory).unique();
    numbering.for_each_link(|from, to, stratum| Ok(sorter.push((key(from, to), stratum))?))?;
    let mut assembler = Assembler::new(numbering.num_vertices(), sink()?)?;
    let (mut page, mut predecessors, mut strata) = (0u64, Vec::new(), Vec::new());
    let push = |assembler: &mut Assembler<S>, predecessors: &mut Vec<u32>, strata: &mut Vec<u8>| {
        let done = assembler.push_with_strata(predecessors, if with_strata { strata } else { &[] });
        predecessors.clear();
        strata.clear();
        done
    };
    for link in sorter.finish()? {
        let (link, stratum) = link?;
        while page < link >> 32 {
            push(&mut assembler, &mut predecessors, &mut strata)?;
            page += 1;
        }
        // A link in several strata counts for the first of them.
        if predecessors.last() != Some(&(link as u32)) {
            predecessors.push(link as u32);
            strata.push(stratum);
        }
    }
    push(&mut assembler, &mut predecessors, &mut strata)?;

    let (mut starts, mut last, mut page) = (Vec::new(), Vec::new(), 0u32);
    for key in numbering.keys()? {
        let key = key?;
        if page == 0 || vertex::host(&key) != last.as_slice() {
            starts.push(page);
            last = vertex::host(&key).to_vec();
        }
        page += 1;
    }
    starts.push(page);
    let mut keys = numbering.keys()?;
    let mut next = |name: &mut Vec<u8>| {
        name.clear();
        let key = keys.next().transpose()?;
        name.extend_from_slice(key.as_deref().map_or(&[], vertex::name));
        Ok(key.is_some())
    };
    S::finish(assembler, Some(starts), NamesToWrite::Texts(&mut next))
}
