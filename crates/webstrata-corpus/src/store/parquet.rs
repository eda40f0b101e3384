//! Parquet: chunks become row groups, encoded and compressed by any thread and appended in order.

use super::shard::ShardFile;
use super::table::{Row, batch};
use super::{Chunk, LAYOUT, LinkRow, PageRow, SegmentRow, StoreError, Table};
use crate::io::{AtomicFile, Checksum};
use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::{ArrowColumnChunk, ArrowRowGroupWriterFactory, compute_leaves};
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::SerializedFileWriter;
use std::fmt;
use std::io;
use std::path::Path;

/// Zstandard level: the bytes that higher levels save are not worth the time.
const COMPRESSION_LEVEL: i32 = 3;

/// Columns whose values rarely repeat and are useless as statistics.
const UNIQUE_COLUMNS: [&str; 6] = ["text", "markdown", "hash", "description", "warc_record_id", "payload_digest"];

/// An encoded chunk of a table.
pub(super) struct RowGroup(Vec<ArrowColumnChunk>);

impl RowGroup {
    pub(super) fn size(&self) -> usize {
        self.0.iter().map(|column| usize::try_from(column.close().bytes_written).unwrap_or(0)).sum()
    }
}

impl fmt::Debug for RowGroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RowGroup({} columns)", self.0.len())
    }
}

/// The encoder of a table.
#[derive(Debug)]
pub(super) struct Columnar {
    table: Table,
    schema: SchemaRef,
    factory: ArrowRowGroupWriterFactory,
}

fn failed(table: Table) -> impl Fn(ParquetError) -> StoreError {
    move |error| StoreError::Encode { table: table.name(), reason: error.to_string() }
}

fn properties(table: Table) -> Result<WriterProperties, ParquetError> {
    let about = [("webstrata.schema", LAYOUT), ("webstrata.table", table.name())];
    let mut builder = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(COMPRESSION_LEVEL)?))
        .set_created_by(concat!("webstrata ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_key_value_metadata(Some(about.map(|(key, value)| KeyValue::new(key.to_owned(), value.to_owned())).into()))
        .set_statistics_enabled(EnabledStatistics::Chunk);
    for name in UNIQUE_COLUMNS {
        builder = builder
            .set_column_dictionary_enabled(name.into(), false)
            .set_column_statistics_enabled(name.into(), EnabledStatistics::None);
    }
    Ok(builder.build())
}

impl Columnar {
    pub(super) fn new(table: Table) -> Result<Self, StoreError> {
        let schema = match table {
            Table::Pages => PageRow::schema(),
            Table::Segments => SegmentRow::schema(),
            Table::Links => LinkRow::schema(),
        };
        let made = properties(table)
            .and_then(|properties| ArrowWriter::try_new(io::sink(), schema.clone(), Some(properties)))
            .and_then(ArrowWriter::into_serialized_writer);
        let (_, factory) = made.map_err(failed(table))?;
        Ok(Columnar { table, schema, factory })
    }

    /// Encodes the rows of a chunk that belong to this table; empty if there are none.
    pub(super) fn encode(&self, chunk: &Chunk) -> Result<RowGroup, StoreError> {
        let rows = match self.table {
            Table::Pages => self.batch(&chunk.pages.iter().map(|rows| &rows.page).collect::<Vec<_>>()),
            Table::Segments => self.batch(&chunk.pages.iter().flat_map(|rows| &rows.segments).collect::<Vec<_>>()),
            Table::Links => self.batch(&chunk.pages.iter().flat_map(|rows| &rows.links).collect::<Vec<_>>()),
        }?;
        if rows.num_rows() == 0 {
            return Ok(RowGroup(Vec::new()));
        }
        self.columns(&rows).map(RowGroup).map_err(failed(self.table))
    }

    fn batch<R: Row>(&self, rows: &[&R]) -> Result<RecordBatch, StoreError> {
        batch(rows).map_err(|error| StoreError::Encode { table: self.table.name(), reason: error.to_string() })
    }

    fn columns(&self, rows: &RecordBatch) -> Result<Vec<ArrowColumnChunk>, ParquetError> {
        let mut writers = self.factory.create_column_writers(0)?.into_iter();
        let mut chunks = Vec::with_capacity(writers.len());
        for (field, column) in self.schema.fields().iter().zip(rows.columns()) {
            for leaf in compute_leaves(field, column)? {
                let Some(mut writer) = writers.next() else { continue };
                writer.write(&leaf)?;
                chunks.push(writer.close()?);
            }
        }
        Ok(chunks)
    }
}

/// A Parquet file in progress.
pub(super) struct ParquetFile {
    out: SerializedFileWriter<ShardFile>,
}

impl fmt::Debug for ParquetFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ParquetFile({})", self.out.inner().inner.path().display())
    }
}

/// Extracts the system's error from the Parquet library's.
fn failed_write(path: &Path) -> impl Fn(ParquetError) -> StoreError {
    let path = path.to_owned();
    move |error| {
        let error = match error {
            ParquetError::External(inner) => match inner.downcast::<io::Error>() {
                Ok(error) => *error,
                Err(other) => io::Error::other(other),
            },
            other => io::Error::other(other),
        };
        StoreError::io("write", &path)(error)
    }
}

impl ParquetFile {
    pub(super) fn create(path: &Path, table: &Columnar) -> Result<Self, StoreError> {
        let file = Checksum::new(AtomicFile::create(path)?);
        let made = properties(table.table)
            .and_then(|properties| ArrowWriter::try_new(file, table.schema.clone(), Some(properties)))
            .and_then(ArrowWriter::into_serialized_writer);
        let (out, _) = made.map_err(failed_write(path))?;
        Ok(ParquetFile { out })
    }

    pub(super) fn append(&mut self, rows: RowGroup) -> Result<(), StoreError> {
        if rows.0.is_empty() {
            return Ok(());
        }
        let path = self.out.inner().inner.path().to_owned();
        let append = || {
            let mut group = self.out.next_row_group()?;
            for column in rows.0 {
                column.append_to_row_group(&mut group)?;
            }
            group.close().map(drop)
        };
        append().map_err(failed_write(&path))
    }

    /// Writes the footer and returns the file, which is still to be committed.
    pub(super) fn finish(self) -> Result<ShardFile, StoreError> {
        let path = self.out.inner().inner.path().to_owned();
        self.out.into_inner().map_err(failed_write(&path))
    }
}
