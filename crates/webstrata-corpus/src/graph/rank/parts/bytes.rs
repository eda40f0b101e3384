//! Parts as bytes: tables of little-endian numbers, each after its length, and a checksum at the end.

use super::super::super::names::Names;
use super::super::super::{Graph, GraphError, STEP};
use super::{Border, Inbound, Part};
use xxhash_rust::xxh3::xxh3_64;

const MAGIC: &[u8] = b"webstrata part 1";

/// Appends tables.
struct Writer(Vec<u8>);

impl Writer {
    fn number(&mut self, number: u64) {
        self.0.extend_from_slice(&number.to_le_bytes());
    }

    fn table<T: Copy, const N: usize>(&mut self, numbers: &[T], bytes: fn(T) -> [u8; N]) {
        self.number(numbers.len() as u64);
        self.0.reserve(numbers.len() * N);
        numbers.iter().for_each(|&number| self.0.extend_from_slice(&bytes(number)));
    }
}

/// Takes tables.
struct Reader<'b>(&'b [u8]);

impl<'b> Reader<'b> {
    fn take(&mut self, length: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    fn number(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.take(8)?.try_into().ok()?))
    }

    fn table<T, const N: usize>(&mut self, number: fn([u8; N]) -> T) -> Option<Vec<T>> {
        let length = usize::try_from(self.number()?).ok()?.checked_mul(N)?;
        let (numbers, _) = self.take(length)?.as_chunks::<N>();
        Some(numbers.iter().map(|&bytes| number(bytes)).collect())
    }
}

impl Part {
    /// The part as bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer(MAGIC.to_vec());
        out.number(self.graph.links);
        out.table(&self.graph.starts, u32::to_le_bytes);
        out.table(&self.graph.degrees, u32::to_le_bytes);
        out.table(&self.graph.index, u64::to_le_bytes);
        out.table(&self.graph.adjacency, u16::to_le_bytes);
        out.number(self.borders.len() as u64);
        for border in &self.borders {
            out.number(border.part.into());
            out.table(&border.counts, u32::to_le_bytes);
            out.table(&border.predecessors, u32::to_le_bytes);
        }
        out.number(self.inbound.len() as u64);
        for inbound in &self.inbound {
            out.number(inbound.part.into());
            out.table(&inbound.pages, u32::to_le_bytes);
        }
        let sum = xxh3_64(&out.0);
        out.number(sum);
        out.0
    }

    /// Reads what [`Part::to_bytes`] wrote.
    ///
    /// # Errors
    /// If the bytes are not a part, or are damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Part, GraphError> {
        read(bytes).ok_or_else(|| GraphError::Option("a part of the graph is damaged".into()))
    }
}

fn read(bytes: &[u8]) -> Option<Part> {
    let (content, sum) = bytes.split_last_chunk::<8>()?;
    let mut from = Reader(content.strip_prefix(MAGIC)?);
    if xxh3_64(content) != u64::from_le_bytes(*sum) {
        return None;
    }
    let links = from.number()?;
    let (starts, degrees) = (from.table(u32::from_le_bytes)?, from.table(u32::from_le_bytes)?);
    let (index, adjacency) = (from.table(u64::from_le_bytes)?, from.table(u16::from_le_bytes)?);
    let pages = degrees.len();
    let fits = starts.is_sorted() && starts.last() == Some(&(pages as u32)) && index.len() / 2 > pages / STEP;
    let graph = Graph {
        starts: starts.into(),
        has_hosts: true,
        degrees: degrees.into(),
        index: index.into(),
        adjacency: adjacency.into(),
        strata: None,
        names: Names::Dense,
        links,
    };
    let (mut borders, mut inbound) = (Vec::new(), Vec::new());
    for _ in 0..from.number()? {
        let part = u32::try_from(from.number()?).ok()?;
        borders.push(Border { part, counts: from.table(u32::from_le_bytes)?, predecessors: from.table(u32::from_le_bytes)? });
    }
    for _ in 0..from.number()? {
        let part = u32::try_from(from.number()?).ok()?;
        inbound.push(Inbound { part, pages: from.table(u32::from_le_bytes)? });
    }
    (fits && from.0.is_empty()).then_some(Part { graph, borders, inbound })
}
