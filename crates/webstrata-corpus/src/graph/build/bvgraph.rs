//! Reads BVGraphs with the crate `webgraph`: `NAME.graph` and `NAME.properties`, as the Rust and Java tools write them.

use super::super::assemble::{Assembler, Finish};
use super::super::error::GraphError;
use super::super::file::NamesToWrite;
use super::super::memory::key;
use super::super::{Graph, MAX_PAGES};
use super::{BuildOptions, Counts, assemble};
use crate::io::external_sort::ExternalSorter;
use crate::io::{IoError, TempDir};
use dsi_bitstream::traits::BE;
use lender::Lender;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use webgraph::graphs::bvgraph::BvGraphSeq;
use webgraph::traits::SequentialLabeling;

/// Properties that must be non-negative numbers. (A negative `maxrefcount` means no limit.)
const COUNTS: [&str; 4] = ["nodes", "arcs", "windowsize", "minintervallength"];

pub(super) fn build<S: Finish>(
    name: &Path,
    sink: impl FnOnce() -> Result<S, GraphError>,
    options: &BuildOptions,
) -> Result<(Graph, Counts), GraphError> {
    let failed = |reason: String| GraphError::BvGraph { action: "read", path: name.to_owned(), reason };
    check_properties(name)?;
    let mut sorter = ExternalSorter::new(&TempDir::new(&options.temp_dir), options.memory).unique();
    let mut counts = Counts::default();
    // The crate trusts its input and panics on damaged files.
    let read = catch_unwind(AssertUnwindSafe(|| -> Result<usize, GraphError> {
        let graph = BvGraphSeq::with_basename(name).endianness::<BE>().load().map_err(|error| failed(format!("{error:#}")))?;
        let pages = graph.num_nodes();
        if pages >= MAX_PAGES {
            return Err(GraphError::TooLarge);
        }
        let mut lists = graph.iter();
        while let Some((from, successors)) = lists.next() {
            for to in successors {
                if to >= pages {
                    return Err(failed(format!("page {from} links to {to}, but there are {pages} pages")));
                }
                sorter.push(key(from as u32, to as u32))?;
                counts.read += 1;
            }
        }
        Ok(pages)
    }));
    let pages = read.map_err(|_| failed("it is damaged".into()))??;
    if counts.read == 0 {
        return Err(GraphError::Empty(name.to_owned()));
    }
    let mut assembler = Assembler::new(pages, sink()?)?;
    assemble(&mut assembler, sorter.finish()?, |page| page)?;
    counts.links = assembler.links;
    Ok((S::finish(assembler, None, NamesToWrite::Dense)?, counts))
}

/// Checks the numbers in the properties file, which the crate takes as they are.
fn check_properties(name: &Path) -> Result<(), GraphError> {
    let mut path = name.as_os_str().to_owned();
    path.push(".properties");
    let text = fs::read(&path).map_err(IoError::on("read", Path::new(&path)))?;
    for (at, line) in String::from_utf8_lossy(&text).lines().enumerate() {
        let Some((property, value)) = line.split_once('=').map(|(property, value)| (property.trim(), value.trim())) else {
            continue;
        };
        if COUNTS.contains(&property) && value.parse::<u64>().is_err() {
            let reason = format!("{property} is {value:?}; it must be a non-negative number");
            return Err(GraphError::Line { path: path.into(), line: at as u64 + 1, reason });
        }
    }
    Ok(())
}
