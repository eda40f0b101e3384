//! The graph as Parquet: `vertices.parquet` (id, name, host) and `strata.parquet` (from, to, inside, role, links).

use super::GraphError;
use super::names::{host, shown};
use super::number::Numbered;
use crate::io::AtomicFile;
use crate::store::StoreError;
use arrow_array::{ArrayRef, BooleanArray, RecordBatch, StringArray, UInt64Array};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Rows that are put into columns at once.
const BATCH: usize = 1 << 13;
/// Rows of a group: the writer holds one in memory.
const GROUP: usize = 1 << 18;

/// Writes the two files.
pub(super) fn write(graph: &Numbered, folder: &Path) -> Result<(), GraphError> {
    vertices(graph, folder)?;
    strata(graph, folder)
}

fn vertices(graph: &Numbered, folder: &Path) -> Result<(), GraphError> {
    let fields = [("id", DataType::UInt64), ("name", DataType::Utf8), ("host", DataType::Utf8)];
    let mut table = Table::create(folder.join("vertices.parquet"), &fields)?;
    let (mut reader, mut id) = (graph.vertices.read()?, 0u64);
    loop {
        let (mut ids, mut names, mut hosts) = (Vec::new(), Vec::new(), Vec::new());
        while ids.len() < BATCH
            && let Some(key) = reader.next().transpose()?
        {
            ids.push(id);
            names.push(String::from_utf8_lossy(shown(&key)).into_owned());
            hosts.push(String::from_utf8_lossy(host(&key)).into_owned());
            id += 1;
        }
        if ids.is_empty() {
            return table.finish();
        }
        let columns: Vec<ArrayRef> =
            vec![Arc::new(UInt64Array::from(ids)), Arc::new(StringArray::from(names)), Arc::new(StringArray::from(hosts))];
        table.write(columns)?;
    }
}

fn strata(graph: &Numbered, folder: &Path) -> Result<(), GraphError> {
    let fields = [
        ("from", DataType::UInt64),
        ("to", DataType::UInt64),
        ("inside", DataType::Boolean),
        ("role", DataType::Utf8),
        ("links", DataType::UInt64),
    ];
    let mut table = Table::create(folder.join("strata.parquet"), &fields)?;
    let mut reader = graph.strata()?;
    loop {
        let mut rows = Vec::new();
        while rows.len() < BATCH
            && let Some(stratum) = reader.next()?
        {
            rows.push(stratum);
        }
        if rows.is_empty() {
            return table.finish();
        }
        let columns: Vec<ArrayRef> = vec![
            Arc::new(rows.iter().map(|row| Some(row.from)).collect::<UInt64Array>()),
            Arc::new(rows.iter().map(|row| Some(row.to)).collect::<UInt64Array>()),
            Arc::new(rows.iter().map(|row| Some(row.inside)).collect::<BooleanArray>()),
            Arc::new(rows.iter().map(|row| (!row.role.is_empty()).then_some(row.role.as_str())).collect::<StringArray>()),
            Arc::new(rows.iter().map(|row| Some(row.links)).collect::<UInt64Array>()),
        ];
        table.write(columns)?;
    }
}

/// A Parquet file that is being written.
struct Table {
    path: PathBuf,
    schema: SchemaRef,
    out: ArrowWriter<AtomicFile>,
}

impl Table {
    fn create(path: PathBuf, fields: &[(&str, DataType)]) -> Result<Table, GraphError> {
        // Roles may be missing.
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
    let source = match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(other) => io::Error::other(other.to_string()),
        },
        other => io::Error::other(other),
    };
    StoreError::io("write", path)(source).into()
}
