//! Graphs of names: sorted by their hosts, numbered by going through sorted files, as [`crate::links`] does it.

use super::super::assemble::{Assembler, Finish};
use super::super::error::GraphError;
use super::super::file::NamesToWrite;
use super::super::memory::key;
use super::super::names::host_key;
use super::super::{Graph, MAX_PAGES, Stratum};
use super::{BuildOptions, Counts};
use crate::io::TempDir;
use crate::io::external_sort::ExternalSorter;
use crate::links::names::{host, shown};
use crate::links::number::Numbered;
use crate::links::{GraphOptions, Level};
use crate::store::{LinkRow, StoreError};

/// Links whose pages have numbers, in files that go with it.
pub(super) struct Links(Numbered);

impl Links {
    /// Are there none?
    pub(super) fn is_empty(&self) -> bool {
        self.0.summary().vertices == 0
    }
}

/// A name as it is, behind its host.
pub(super) fn verbatim(name: &str) -> Vec<u8> {
    let mut key = host_key(name).into_owned().into_bytes();
    key.retain(|&byte| byte > b' ');
    key.push(0);
    key.extend_from_slice(name.as_bytes());
    key
}

/// Numbers the names of links.
pub(super) fn number(
    links: impl IntoIterator<Item = Result<LinkRow, StoreError>>,
    options: &BuildOptions,
    key: &dyn Fn(&str) -> Option<Vec<u8>>,
) -> Result<Links, GraphError> {
    let graph_options = GraphOptions { level: Level::Pages, memory: options.memory, ..GraphOptions::default() };
    let numbered = Numbered::with_keys(links, &options.temp_dir, &graph_options, key)?;
    Ok(Links(numbered))
}

/// Makes a graph of links that have numbers.
pub(super) fn build<S: Finish>(
    links: &Links,
    sink: impl FnOnce() -> Result<S, GraphError>,
    options: &BuildOptions,
    with_strata: bool,
) -> Result<(Graph, Counts), GraphError> {
    let summary = links.0.summary();
    let pages = usize::try_from(summary.vertices).ok().filter(|&pages| pages < MAX_PAGES).ok_or(GraphError::TooLarge)?;
    let mut sorter = ExternalSorter::new(&TempDir::new(&options.temp_dir), options.memory).unique();
    let mut strata = links.0.strata()?;
    while let Some(stratum) = strata.next()? {
        let where_it_stands = if with_strata { stratum.role.parse::<Stratum>().unwrap_or_default() as u8 } else { 0 };
        sorter.push((key(stratum.from as u32, stratum.to as u32), where_it_stands))?;
    }
    let mut assembler = Assembler::new(pages, sink()?)?;
    let (mut page, mut predecessors, mut where_they_stand) = (0u64, Vec::new(), Vec::new());
    let push = |assembler: &mut Assembler<S>, predecessors: &mut Vec<u32>, strata: &mut Vec<u8>| {
        let done = assembler.push_with_strata(predecessors, if with_strata { strata } else { &[] });
        predecessors.clear();
        strata.clear();
        done
    };
    for record in sorter.finish()? {
        let (link, stratum) = record?;
        while page < link >> 32 {
            push(&mut assembler, &mut predecessors, &mut where_they_stand)?;
            page += 1;
        }
        // The first stratum of a link comes first.
        if predecessors.last() != Some(&(link as u32)) {
            predecessors.push(link as u32);
            where_they_stand.push(stratum);
        }
    }
    push(&mut assembler, &mut predecessors, &mut where_they_stand)?;
    let counts = Counts { read: summary.links, left_out: summary.left_out, links: assembler.links };

    let (mut starts, mut last, mut page) = (Vec::new(), Vec::new(), 0u32);
    let mut names = links.0.vertices.read()?;
    while let Some(name) = names.next().transpose()? {
        if page == 0 || host(&name) != last.as_slice() {
            starts.push(page);
            last = host(&name).to_vec();
        }
        page += 1;
    }
    starts.push(page);
    let mut names = links.0.vertices.read()?;
    let mut next = |out: &mut Vec<u8>| {
        let name = names.next().transpose()?;
        out.clear();
        out.extend_from_slice(name.as_deref().map_or(&[], shown));
        Ok(name.is_some())
    };
    Ok((S::finish(assembler, Some(starts), NamesToWrite::Texts(&mut next))?, counts))
}
