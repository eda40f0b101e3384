//! Reads BVGraphs by the crate `webgraph`: `NAME.graph` and `NAME.properties`, as its tools in Rust and Java write them.

use super::super::assemble::{Assembler, Finish};
use super::super::error::GraphError;
use super::super::file::NamesToWrite;
use super::super::memory::key;
use super::super::{Graph, MAX_PAGES};
use super::{BuildOptions, Counts, assemble};
use crate::io::TempDir;
use crate::io::external_sort::ExternalSorter;
use dsi_bitstream::traits::BE;
use lender::Lender;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use webgraph::graphs::bvgraph::BvGraphSeq;
use webgraph::traits::SequentialLabeling;

pub(super) fn build<S: Finish>(
    name: &Path,
    sink: impl FnOnce() -> Result<S, GraphError>,
    options: &BuildOptions,
) -> Result<(Graph, Counts), GraphError> {
    let wrong = |reason: String| GraphError::BvGraph { path: name.to_owned(), reason };
    let mut sorter = ExternalSorter::new(&TempDir::new(&options.temp_dir), options.memory).unique();
    let mut counts = Counts::default();
    // The crate trusts its files; a damaged one must not bring the program down.
    let read = catch_unwind(AssertUnwindSafe(|| -> Result<usize, GraphError> {
        let graph = BvGraphSeq::with_basename(name).endianness::<BE>().load().map_err(|error| wrong(format!("{error:#}")))?;
        let pages = graph.num_nodes();
        if pages >= MAX_PAGES {
            return Err(GraphError::TooLarge);
        }
        let mut lists = graph.iter();
        while let Some((from, successors)) = lists.next() {
            for to in successors {
                if to >= pages {
                    return Err(wrong(format!("page {from} links to {to}, but there are {pages} pages")));
                }
                sorter.push(key(from as u32, to as u32))?;
                counts.read += 1;
            }
        }
        Ok(pages)
    }));
    let pages = read.map_err(|_| wrong("it is damaged".into()))??;
    if counts.read == 0 {
        return Err(GraphError::Empty(name.to_owned()));
    }
    let mut assembler = Assembler::new(pages, sink()?)?;
    assemble(&mut assembler, sorter.finish()?, |page| page)?;
    counts.links = assembler.links;
    Ok((S::finish(assembler, None, NamesToWrite::Dense)?, counts))
}
