//! The edges of a graph with their strata, sorted by source.

use super::super::error::GraphError;
use super::super::numbering::{NamedLink, Numbering};
use super::super::vertex::{self, Level};
use super::{ExportOptions, ExportSummary};
use crate::io::TempDir;
use crate::io::external_sort::{ExternalSorter, Sorted, SortedFile};
use crate::io::record_file::{Record, RecordError, RecordReader, RecordSource};
use crate::store::{LinkRow, StoreError};
use std::io::{self, Write};
use std::iter::Peekable;
use std::path::Path;
use webstrata::label::Role;

/// The bit of a tag that marks a link within a host. The other bits are 0 for no role, else one more than the position of the
/// role among the names of roles in alphabetical order, which is the order of the rows of an edge.
const INSIDE: u8 = 1 << 7;

/// All links from one vertex to another that have the same role.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct EdgeStratum {
    pub(super) from: u32,
    pub(super) to: u32,
    tag: u8,
    /// Number of links.
    pub(super) links: u64,
}

impl EdgeStratum {
    /// Whether the links stay on their host.
    pub(super) fn inside(&self) -> bool {
        self.tag & INSIDE != 0
    }

    /// The name of the role, if known.
    pub(super) fn role(&self) -> Option<&'static str> {
        role_names().get(usize::from(self.tag & !INSIDE).checked_sub(1)?).copied()
    }
}

/// The names of all roles in alphabetical order.
fn role_names() -> [&'static str; Role::ALL.len()] {
    let mut names = Role::ALL.map(Role::name);
    names.sort_unstable();
    names
}

impl Record for EdgeStratum {
    const KIND: [u8; 4] = *b"edge";

    fn memory(&self) -> usize {
        size_of::<Self>()
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(&self.from.to_le_bytes())?;
        out.write_all(&self.to.to_le_bytes())?;
        out.write_all(&[self.tag])?;
        out.write_all(&self.links.to_le_bytes())
    }

    fn read(from: &mut impl RecordSource) -> io::Result<Self> {
        Ok(EdgeStratum { from: from.u32()?, to: from.u32()?, tag: from.array::<1>()?[0], links: from.u64()? })
    }
}

/// The graph of links: its vertices, and its edges in files that can be read several times.
#[derive(Debug)]
pub(super) struct Edges {
    vertices: Numbering,
    strata: SortedFile<EdgeStratum>,
    level: Level,
    pub(super) summary: ExportSummary,
}

impl Edges {
    /// Reads links to be exported to `folder`.
    pub(super) fn new(
        links: impl IntoIterator<Item = Result<LinkRow, StoreError>>,
        folder: &Path,
        options: &ExportOptions,
    ) -> Result<Edges, GraphError> {
        let temp_dir = TempDir::new(options.temp_dir.as_deref().unwrap_or(folder));
        let names = role_names();
        let code = |role: Role| names.iter().position(|&name| name == role.name()).map_or(0, |at| at as u8 + 1);
        let mut summary = ExportSummary::default();
        let named = links.into_iter().filter_map(|link| {
            let link = match link {
                Ok(link) => link,
                Err(error) => return Some(Err(error.into())),
            };
            summary.links += 1;
            let (Some(from), Some(to)) = (vertex::key(&link.source, options.level), vertex::key(&link.target, options.level))
            else {
                summary.left_out += 1;
                return None;
            };
            let inside = vertex::host(&from) == vertex::host(&to);
            summary.inside += u64::from(inside);
            let tag = link.role.map_or(0, code) | if inside { INSIDE } else { 0 };
            Some(Ok(NamedLink { from, to, tag }))
        });
        let vertices = Numbering::new(named, &temp_dir, options.memory)?;
        let mut sorter = ExternalSorter::new(&temp_dir, options.memory);
        vertices.for_each_link(|from, to, tag| Ok(sorter.push((u64::from(from) << 32 | u64::from(to), tag))?))?;
        let counted = Counted { links: sorter.finish()?.peekable() };
        let strata = SortedFile::write(&temp_dir, counted)?;
        summary.vertices = vertices.num_vertices() as u64;
        let mut edges = Edges { vertices, strata, level: options.level, summary };
        edges.summary.edges = edges.pairs()?.try_fold(0, |count, pair| pair.map(|_| count + 1))?;
        Ok(edges)
    }

    /// The keys of the vertices in the order of their numbers.
    pub(super) fn vertices(&self) -> Result<RecordReader<Vec<u8>>, GraphError> {
        self.vertices.keys()
    }

    /// The edges with their strata, sorted by source, target and name of the role.
    pub(super) fn strata(&self) -> Result<RecordReader<EdgeStratum>, GraphError> {
        Ok(self.strata.read()?)
    }

    /// The edges: each pair of vertices once. Hosts that link to themselves are left out, as nearly all do.
    pub(super) fn pairs(&self) -> Result<impl Iterator<Item = Result<(u32, u32), GraphError>> + use<>, GraphError> {
        let (level, mut last) = (self.level, None);
        let pair = move |stratum: Result<EdgeStratum, RecordError>| match stratum {
            Err(error) => Some(Err(error.into())),
            Ok(EdgeStratum { from, to, .. }) => {
                let new = last.replace((from, to)) != Some((from, to));
                (new && (level == Level::Pages || from != to)).then_some(Ok((from, to)))
            }
        };
        Ok(self.strata()?.filter_map(pair))
    }
}

/// Counts equal links.
struct Counted {
    links: Peekable<Sorted<(u64, u8)>>,
}

impl Iterator for Counted {
    type Item = Result<EdgeStratum, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        let (pair, tag) = match self.links.next()? {
            Ok(link) => link,
            Err(error) => return Some(Err(error)),
        };
        let mut links = 1;
        while self.links.next_if(|next| matches!(next, Ok(next) if *next == (pair, tag))).is_some() {
            links += 1;
        }
        Some(Ok(EdgeStratum { from: (pair >> 32) as u32, to: pair as u32, tag, links }))
    }
}
