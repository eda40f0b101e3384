//! Rows of some pages, and the same rows encoded: workers make them and the writer appends them.

use super::format::Format;
use super::parquet::{Columnar, RowGroup};
use super::table::Row;
use super::{ErrorRow, LinkRow, PageRow, SegmentRow, StoreError, Table, warc};
use crate::input::Failures;
use serde::{Deserialize, Serialize};

/// All rows of a page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PageRows {
    /// The page.
    pub page: PageRow,
    /// Its segments.
    pub segments: Vec<SegmentRow>,
    /// Its links.
    pub links: Vec<LinkRow>,
}

impl PageRows {
    /// Approximate size in bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        let segments: usize = self.segments.iter().map(Row::size).sum();
        let links: usize = self.links.iter().map(Row::size).sum();
        self.page.size() + segments + links
    }
}

/// Rows of consecutive pages.
#[derive(Clone, Debug, Default)]
pub struct Chunk {
    /// The pages.
    pub pages: Vec<PageRows>,
    /// Inputs that produced no row.
    pub errors: Vec<ErrorRow>,
}

/// Row counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Pages.
    pub pages: u64,
    /// Segments.
    pub segments: u64,
    /// Links.
    pub links: u64,
    /// Records and pages that failed, by reason.
    #[serde(default)]
    pub failures: Failures,
}

impl Counts {
    /// Adds the counts of another part.
    pub fn add(&mut self, other: Counts) {
        self.pages += other.pages;
        self.segments += other.segments;
        self.links += other.links;
        self.failures.add(other.failures);
    }

    fn new(chunk: &Chunk) -> Self {
        let mut failures = Failures::default();
        chunk.errors.iter().for_each(|row| failures.count(row.reason));
        Counts {
            pages: chunk.pages.len() as u64,
            segments: chunk.pages.iter().map(|page| page.segments.len() as u64).sum(),
            links: chunk.pages.iter().map(|page| page.links.len() as u64).sum(),
            failures,
        }
    }
}

/// A part of a file.
#[derive(Debug)]
pub(super) enum Part {
    Bytes(Vec<u8>),
    Rows(RowGroup),
}

/// A chunk encoded in the format of the run.
#[derive(Debug)]
pub struct EncodedChunk {
    /// One for each place of the format.
    pub(super) parts: Vec<Part>,
    pub(super) errors: Vec<u8>,
    pub(super) counts: Counts,
}

impl EncodedChunk {
    /// Size in bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        let part = |part: &Part| match part {
            Part::Bytes(bytes) => bytes.len(),
            Part::Rows(rows) => rows.size(),
        };
        self.errors.len() + self.parts.iter().map(part).sum::<usize>()
    }
}

/// Encodes chunks. Any number of threads can share it.
#[derive(Debug)]
pub struct Encoder {
    format: Format,
    tables: Vec<Table>,
    /// By table.
    columnar: Vec<Columnar>,
}

impl Encoder {
    /// An encoder for these tables, deduplicated and in their canonical order; formats without tables ignore them.
    ///
    /// # Errors
    /// If the encoder cannot be created, which would be a bug.
    pub fn new(format: Format, tables: &[Table]) -> Result<Self, StoreError> {
        let mut tables: Vec<Table> = if format.has_tables() { tables.to_vec() } else { Vec::new() };
        tables.sort();
        tables.dedup();
        let columnar = match format {
            Format::Parquet => tables.iter().map(|&table| Columnar::new(table)).collect::<Result<_, _>>()?,
            _ => Vec::new(),
        };
        Ok(Encoder { format, tables, columnar })
    }

    /// The format.
    #[must_use]
    pub fn format(&self) -> Format {
        self.format
    }

    /// The tables.
    #[must_use]
    pub fn tables(&self) -> &[Table] {
        &self.tables
    }

    pub(super) fn columnar(&self) -> &[Columnar] {
        &self.columnar
    }

    /// Whether this table is needed. The record formats are made from pages and links.
    #[must_use]
    pub fn wants(&self, table: Table) -> bool {
        match self.format {
            Format::Parquet | Format::Jsonl => self.tables.contains(&table),
            Format::Wet => table == Table::Pages,
            Format::Wat => table != Table::Segments,
        }
    }

    /// Encodes a chunk.
    ///
    /// # Errors
    /// If the encoder fails.
    pub fn encode(&self, chunk: &Chunk) -> Result<EncodedChunk, StoreError> {
        let parts = match self.format {
            Format::Parquet => self.columnar.iter().map(|table| table.encode(chunk).map(Part::Rows)).collect::<Result<_, _>>()?,
            Format::Jsonl => {
                self.tables.iter().map(|&table| table_lines(table, chunk).map(Part::Bytes)).collect::<Result<_, _>>()?
            }
            Format::Wet => vec![Part::Bytes(warc::texts(chunk)?)],
            Format::Wat => vec![Part::Bytes(warc::links(chunk)?)],
        };
        let errors = json_lines("errors", chunk.errors.iter())?;
        Ok(EncodedChunk { parts, errors, counts: Counts::new(chunk) })
    }
}

fn table_lines(table: Table, chunk: &Chunk) -> Result<Vec<u8>, StoreError> {
    match table {
        Table::Pages => json_lines(table.name(), chunk.pages.iter().map(|rows| &rows.page)),
        Table::Segments => json_lines(table.name(), chunk.pages.iter().flat_map(|rows| &rows.segments)),
        Table::Links => json_lines(table.name(), chunk.pages.iter().flat_map(|rows| &rows.links)),
    }
}

/// One JSON object per line.
fn json_lines<'r, R: Serialize + 'r>(table: &'static str, rows: impl Iterator<Item = &'r R>) -> Result<Vec<u8>, StoreError> {
    let mut out = Vec::new();
    for row in rows {
        serde_json::to_writer(&mut out, row).map_err(|error| StoreError::Encode { table, reason: error.to_string() })?;
        out.push(b'\n');
    }
    Ok(out)
}
