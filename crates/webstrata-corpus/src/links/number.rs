//! Names become numbers: links between addresses as links between vertices, by three sorts and two walks side by side.

use super::names::{host, key};
use super::{GraphError, GraphOptions, GraphSummary, Level};
use crate::io::TempDir;
use crate::io::external_sort::{ExternalSorter, SortedFile};
use crate::io::record_file::{RecordError, RecordReader};
use crate::store::{LinkRow, StoreError};
use std::path::Path;

/// Behind a name in a string of several: below every byte of a name but the zero in it, so that names sort as they do alone.
const BREAK: u8 = 1;
/// Longest name of a role.
const MAX_ROLE_LEN: usize = 64;

/// A graph whose vertices have numbers.
#[derive(Debug)]
pub(crate) struct Numbered {
    /// Names of the vertices in their order.
    pub(crate) vertices: SortedFile<Vec<u8>>,
    /// Edges with their strata in their order.
    strata: SortedFile<Vec<u8>>,
    summary: GraphSummary,
    level: Level,
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
        let temp = TempDir::new(folder);
        let mut summary = GraphSummary::default();
        // Two buffers are full at the same time.
        let half = options.memory / 2;
        let mut names = ExternalSorter::new(&temp, half).unique();
        let mut by_from = ExternalSorter::new(&temp, half);
        for link in links {
            let link = link?;
            summary.links += 1;
            let (Some(from), Some(to)) = (key(&link.from), key(&link.to)) else {
                summary.left_out += 1;
                continue;
            };
            let inside = host(&from) == host(&to);
            summary.inside += u64::from(inside);
            let mut string = Vec::with_capacity(from.len() + to.len() + 16);
            string.extend_from_slice(&from);
            string.push(BREAK);
            string.extend_from_slice(&to);
            string.push(BREAK);
            string.push(u8::from(inside));
            string.extend(link.role.unwrap_or_default().bytes().filter(|&byte| byte > b' ').take(MAX_ROLE_LEN));
            by_from.push(string)?;
            names.push(from)?;
            names.push(to)?;
        }
        let vertices = names.finish_to_file()?;
        summary.vertices = vertices.len();

        // From names to numbers, for the page that a link is on …
        let mut by_to = ExternalSorter::new(&temp, options.memory);
        number(by_from.finish()?, &vertices, |from, rest| {
            // What is left: the name of `to`, and the stratum.
            let end = rest.iter().position(|&byte| byte == BREAK).unwrap_or(rest.len());
            let mut string = Vec::with_capacity(rest.len() + 8);
            string.extend_from_slice(&rest[..end]);
            string.push(BREAK);
            string.extend_from_slice(&from.to_be_bytes());
            string.extend_from_slice(rest.get(end + 1..).unwrap_or_default());
            Ok(by_to.push(string)?)
        })?;
        // … and for the page that it leads to.
        let mut edges = ExternalSorter::new(&temp, options.memory);
        number(by_to.finish()?, &vertices, |to, rest| {
            let (from, stratum) = rest.split_at(rest.len().min(8));
            let mut string = Vec::with_capacity(rest.len() + 8);
            string.extend_from_slice(from);
            string.extend_from_slice(&to.to_be_bytes());
            string.extend_from_slice(stratum);
            Ok(edges.push(string)?)
        })?;
        let (strata, count) = count(&temp, edges.finish()?, options.level)?;
        summary.edges = count;
        Ok(Numbered { vertices, strata, summary, level: options.level })
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
        Ok(Strata(self.strata.read()?))
    }
}

/// Reads strata.
pub(crate) struct Strata(RecordReader<Vec<u8>>);

impl Strata {
    pub(crate) fn next(&mut self) -> Result<Option<Stratum>, GraphError> {
        let Some(string) = self.0.next().transpose()? else { return Ok(None) };
        let number = |at: usize| {
            let bytes = string.get(at..at + 8).and_then(|bytes| bytes.try_into().ok());
            bytes.map_or(0, u64::from_be_bytes)
        };
        let (from, to) = (number(0), number(8));
        let end = string.len().saturating_sub(8).max(17);
        let role = String::from_utf8_lossy(string.get(17..end).unwrap_or_default()).into_owned();
        Ok(Some(Stratum { from, to, inside: string.get(16) == Some(&1), role, links: number(end) }))
    }
}

/// Goes through strings that begin with a name, and through the names: gives out the number of the name and what stands behind it.
fn number(
    strings: impl Iterator<Item = Result<Vec<u8>, RecordError>>,
    vertices: &SortedFile<Vec<u8>>,
    mut give: impl FnMut(u64, &[u8]) -> Result<(), GraphError>,
) -> Result<(), GraphError> {
    let mut names = vertices.read()?;
    let (mut name, mut number) = (names.next().transpose()?, 0);
    for string in strings {
        let string = string?;
        let end = string.iter().position(|&byte| byte == BREAK).unwrap_or(string.len());
        while name.as_deref().is_some_and(|name| name < &string[..end]) {
            name = names.next().transpose()?;
            number += 1;
        }
        give(number, string.get(end + 1..).unwrap_or_default())?;
    }
    Ok(())
}

/// Merges equal links into one record that ends with their number. Also returns the number of pairs of vertices.
fn count(
    temp: &TempDir,
    edges: impl Iterator<Item = Result<Vec<u8>, RecordError>>,
    level: Level,
) -> Result<(SortedFile<Vec<u8>>, u64), GraphError> {
    let mut pairs = 0;
    let mut last_pair = None;
    let mut edges = edges.peekable();
    let counted = std::iter::from_fn(|| {
        let mut string = match edges.next()? {
            Ok(string) => string,
            Err(error) => return Some(Err(error)),
        };
        let mut links = 1u64;
        while edges.next_if(|next| next.as_ref().is_ok_and(|next| *next == string)).is_some() {
            links += 1;
        }
        let pair = string.get(..16).map(<[u8]>::to_vec);
        if pair != last_pair {
            pairs += u64::from(is_edge(&string, level));
            last_pair = pair;
        }
        string.extend_from_slice(&links.to_be_bytes());
        Some(Ok(string))
    });
    Ok((SortedFile::write(temp, counted)?, pairs))
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
