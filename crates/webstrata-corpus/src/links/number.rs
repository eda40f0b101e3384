//! Names become numbers: links between addresses as links between vertices, by three sorts and two walks side by side.

use super::names::{host, key};
use super::sort::{Run, RunReader, RunWriter, Scratch, Sorter};
use super::{GraphError, GraphOptions, GraphSummary, Level};
use crate::store::{LinkRow, StoreError};
use std::fs;
use std::path::Path;

/// Behind a name in a string of several: below every byte of a name but the zero in it, so that names sort as they do alone.
const BREAK: u8 = 1;
/// Longest name of a role.
const MAX_ROLE_LEN: usize = 64;

/// A graph whose vertices have numbers.
#[derive(Debug)]
pub(crate) struct Numbered {
    /// Names of the vertices in their order.
    pub(crate) vertices: Run,
    /// Edges with their strata in their order.
    strata: Run,
    summary: GraphSummary,
    level: Level,
    /// Holds what the files above are in.
    _scratch: Scratch,
}

/// All links from one vertex to another that stand in segments of the same role.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Stratum {
    pub(crate) from: u64,
    pub(crate) to: u64,
    /// Do they stay inside their host?
    pub(crate) inside: bool,
    /// The role; empty where it is not known.
    pub(crate) role: String,
    /// How many there are.
    pub(crate) links: u64,
}

impl Numbered {
    /// Numbers the vertices of links. What is put aside goes into a hidden folder in `folder`.
    pub(crate) fn new(
        links: impl IntoIterator<Item = Result<LinkRow, StoreError>>,
        folder: &Path,
        options: &GraphOptions,
    ) -> Result<Numbered, GraphError> {
        Numbered::with_keys(links, folder, options, &|address| key(address, options.level))
    }

    /// Numbers the vertices of links that are called by other keys than addresses: a host, a zero byte, and a name, without
    /// other bytes below the space.
    pub(crate) fn with_keys(
        links: impl IntoIterator<Item = Result<LinkRow, StoreError>>,
        folder: &Path,
        options: &GraphOptions,
        key: &dyn Fn(&str) -> Option<Vec<u8>>,
    ) -> Result<Numbered, GraphError> {
        fs::create_dir_all(folder).map_err(StoreError::io("make the folder", folder))?;
        let scratch = Scratch::new(folder)?;
        let mut summary = GraphSummary::default();
        // Two buffers are full at the same time.
        let half = options.memory / 2;
        let mut names = Sorter::new(&scratch, half, true);
        let mut by_from = Sorter::new(&scratch, half, false);
        let mut string = Vec::new();
        for link in links {
            let link = link?;
            summary.links += 1;
            let (Some(from), Some(to)) = (key(&link.from), key(&link.to)) else {
                summary.left_out += 1;
                continue;
            };
            let inside = host(&from) == host(&to);
            summary.inside += u64::from(inside);
            names.push(&from)?;
            names.push(&to)?;
            string.clear();
            string.extend_from_slice(&from);
            string.push(BREAK);
            string.extend_from_slice(&to);
            string.push(BREAK);
            string.push(u8::from(inside));
            string.extend(link.role.unwrap_or_default().bytes().filter(|&byte| byte > b' ').take(MAX_ROLE_LEN));
            by_from.push(&string)?;
        }
        let vertices = names.finish()?;
        let by_from = by_from.finish()?;
        summary.vertices = vertices.count;

        // From names to numbers, for the page that a link is on …
        let mut by_to = Sorter::new(&scratch, options.memory, false);
        number(&by_from, &vertices, |from, rest| {
            // What is left: the name of `to`, and the stratum.
            let end = rest.iter().position(|&byte| byte == BREAK).unwrap_or(rest.len());
            string.clear();
            string.extend_from_slice(&rest[..end]);
            string.push(BREAK);
            string.extend_from_slice(&from.to_be_bytes());
            string.extend_from_slice(rest.get(end + 1..).unwrap_or_default());
            by_to.push(&string)
        })?;
        // … and for the page that it leads to.
        let mut edges = Sorter::new(&scratch, options.memory, false);
        number(&by_to.finish()?, &vertices, |to, rest| {
            let (from, stratum) = rest.split_at(rest.len().min(8));
            string.clear();
            string.extend_from_slice(from);
            string.extend_from_slice(&to.to_be_bytes());
            string.extend_from_slice(stratum);
            edges.push(&string)
        })?;
        let edges = edges.finish()?;
        let (strata, count) = count(&scratch, &edges, options.level)?;
        summary.edges = count;
        Ok(Numbered { vertices, strata, summary, level: options.level, _scratch: scratch })
    }

    pub(crate) fn summary(&self) -> GraphSummary {
        self.summary
    }

    /// The edges: pairs of vertices, each once, without hosts that link to themselves.
    pub(crate) fn edges(&self) -> Result<Edges, GraphError> {
        Ok(Edges { strata: self.strata()?, level: self.level, last: None })
    }

    /// The strata of all edges, in the order of their vertices.
    pub(crate) fn strata(&self) -> Result<Strata, GraphError> {
        Ok(Strata { reader: self.strata.read()?, string: Vec::new() })
    }
}

/// Reads strata.
pub(crate) struct Strata {
    reader: RunReader,
    string: Vec<u8>,
}

impl Strata {
    pub(crate) fn next(&mut self) -> Result<Option<Stratum>, GraphError> {
        if !self.reader.next(&mut self.string)? {
            return Ok(None);
        }
        let number = |at: usize| {
            let bytes = self.string.get(at..at + 8).and_then(|bytes| bytes.try_into().ok());
            bytes.map_or(0, u64::from_be_bytes)
        };
        let (from, to) = (number(0), number(8));
        let end = self.string.len().saturating_sub(8).max(17);
        let role = String::from_utf8_lossy(self.string.get(17..end).unwrap_or_default()).into_owned();
        Ok(Some(Stratum { from, to, inside: self.string.get(16) == Some(&1), role, links: number(end) }))
    }
}

/// Goes through strings that begin with a name, and through the names: gives out the number of the name and what stands behind it.
fn number(strings: &Run, vertices: &Run, mut give: impl FnMut(u64, &[u8]) -> Result<(), GraphError>) -> Result<(), GraphError> {
    let (mut strings, mut names) = (strings.read()?, vertices.read()?);
    let (mut string, mut name, mut number) = (Vec::new(), Vec::new(), 0);
    let mut there = names.next(&mut name)?;
    while strings.next(&mut string)? {
        let end = string.iter().position(|&byte| byte == BREAK).unwrap_or(string.len());
        while there && name.as_slice() < &string[..end] {
            there = names.next(&mut name)?;
            number += 1;
        }
        give(number, string.get(end + 1..).unwrap_or_default())?;
    }
    Ok(())
}

/// Makes one of links that are alike, with their number behind them. Also the number of pairs of vertices.
fn count(scratch: &Scratch, edges: &Run, level: Level) -> Result<(Run, u64), GraphError> {
    let mut reader = edges.read()?;
    let mut out = RunWriter::new(scratch)?;
    let (mut last, mut string) = (Vec::new(), Vec::new());
    let (mut links, mut pairs) = (0u64, 0u64);
    loop {
        let more = reader.next(&mut string)?;
        if links > 0 && (!more || string != last) {
            let pair = |string: &[u8]| string.get(..16).map(<[u8]>::to_vec);
            if !(more && pair(&string) == pair(&last)) {
                pairs += u64::from(is_edge(&last, level));
            }
            last.extend_from_slice(&links.to_be_bytes());
            out.push(&last)?;
            links = 0;
        }
        if !more {
            break;
        }
        links += 1;
        last.clone_from(&string);
    }
    Ok((out.finish()?, pairs))
}

/// Is a pair of vertices an edge? A host that links to itself is none: nearly all do.
fn is_edge(string: &[u8], level: Level) -> bool {
    level == Level::Pages || string.get(..8) != string.get(8..16)
}

/// Reads edges.
pub(crate) struct Edges {
    strata: Strata,
    level: Level,
    last: Option<(u64, u64)>,
}

impl Edges {
    /// The next edge.
    pub(crate) fn next(&mut self) -> Result<Option<(u64, u64)>, GraphError> {
        while let Some(stratum) = self.strata.next()? {
            let pair = (stratum.from, stratum.to);
            if self.last != Some(pair) && (self.level == Level::Pages || pair.0 != pair.1) {
                self.last = Some(pair);
                return Ok(Some(pair));
            }
        }
        Ok(None)
    }
}
