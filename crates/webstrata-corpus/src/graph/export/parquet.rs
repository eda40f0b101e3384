//! Graphs as Parquet: `vertices.parquet` (id, name, host) and `strata.parquet` (source, target, inside, role, links).

use super::super::error::GraphError;
use super::super::vertex;
use super::edges::Edges;
use crate::io::{AtomicFile, IoError};
use arrow_array::{ArrayRef, BooleanArray, RecordBatch, StringArray, UInt64Array};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Rows per batch.
const BATCH: usize = 1 << 13;
/// Rows per row group: the writer keeps one in memory.
const GROUP: usize = 1 << 18;

/// Writes both files.
pub(super) fn write(edges: &Edges, folder: &Path) -> Result<(), GraphError> {
    vertices(edges, folder)?;
    strata(edges, folder)
}

fn vertices(edges: &Edges, folder: &Path) -> Result<(), GraphError> {
    let fields = [("id", DataType::UInt64), ("name", DataType::Utf8), ("host", DataType::Utf8)];
    let mut table = Table::create(folder.join("vertices.parquet"), &fields)?;
    let mut keys = edges.vertices()?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let mut id = 0u64;
    loop {
        let batch: Vec<Vec<u8>> = keys.by_ref().take(BATCH).collect::<Result<_, _>>()?;
        if batch.is_empty() {
            return table.finish();
        }
        let end = id + batch.len() as u64;
        let columns: Vec<ArrayRef> = vec![
            Arc::new((id..end).map(Some).collect::<UInt64Array>()),
            Arc::new(batch.iter().map(|key| Some(text(vertex::name(key)))).collect::<StringArray>()),
            Arc::new(batch.iter().map(|key| Some(text(vertex::host(key)))).collect::<StringArray>()),
        ];
        table.write(columns)?;
        id = end;
    }
}

fn strata(edges: &Edges, folder: &Path) -> Result<(), GraphError> {
    let fields = [
        ("source", DataType::UInt64),
        ("target", DataType::UInt64),
        ("inside", DataType::Boolean),
        ("role", DataType::Utf8),
        ("links", DataType::UInt64),
    ];
    let mut table = Table::create(folder.join("strata.parquet"), &fields)?;
    let mut rows = edges.strata()?;
    loop {
        let batch: Vec<_> = rows.by_ref().take(BATCH).collect::<Result<_, _>>()?;
        if batch.is_empty() {
            return table.finish();
        }
        let columns: Vec<ArrayRef> = vec![
            Arc::new(batch.iter().map(|row| Some(row.from.into())).collect::<UInt64Array>()),
            Arc::new(batch.iter().map(|row| Some(row.to.into())).collect::<UInt64Array>()),
            Arc::new(batch.iter().map(|row| Some(row.inside())).collect::<BooleanArray>()),
            Arc::new(batch.iter().map(|row| row.role()).collect::<StringArray>()),
            Arc::new(batch.iter().map(|row| Some(row.links)).collect::<UInt64Array>()),
        ];
        table.write(columns)?;
    }
}

/// A Parquet file being written.
struct Table {
    path: PathBuf,
    schema: SchemaRef,
    out: ArrowWriter<AtomicFile>,
}

impl Table {
    fn create(path: PathBuf, fields: &[(&str, DataType)]) -> Result<Table, GraphError> {
        // Only roles may be null.
        let fields: Vec<Field> = fields.iter().map(|(name, kind)| Field::new(*name, kind.clone(), *name == "role")).collect();
        let schema: SchemaRef = Arc::new(Schema::new(fields));
        let level = ZstdLevel::try_new(3).unwrap_or_default();
        let properties =
            WriterProperties::builder().set_compression(Compression::ZSTD(level)).set_max_row_group_row_count(Some(GROUP)).build();
        let file = AtomicFile::create(&path)?;
        let out = ArrowWriter::try_new(file, Arc::clone(&schema), Some(properties)).map_err(|error| failed(&path, error))?;
        Ok(Table { path, schema, out })
    }

    fn write(&mut self, columns: Vec<ArrayRef>) -> Result<(), GraphError> {
        let batch = RecordBatch::try_new(Arc::clone(&self.schema), columns).map_err(|error| failed(&self.path, error.into()))?;
        self.out.write(&batch).map_err(|error| failed(&self.path, error))
    }

    fn finish(self) -> Result<(), GraphError> {
        let path = self.path;
        self.out.into_inner().map_err(|error| failed(&path, error))?.commit()?;
        Ok(())
    }
}

fn failed(path: &Path, error: ParquetError) -> GraphError {
    let error = match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(other) => io::Error::other(other.to_string()),
        },
        other => io::Error::other(other),
    };
    IoError::on("write", path)(error).into()
}
