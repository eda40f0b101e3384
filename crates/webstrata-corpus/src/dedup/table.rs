//! A Parquet file of rows, written as they come.

use super::error::{DedupError, at};
use crate::io::AtomicFile;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::SchemaRef;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use std::io;
use std::path::{Path, PathBuf};

/// Rows that are encoded at once, and bytes after which a row group ends: it is held in memory until then.
const BATCH: usize = 1024;
const GROUP: usize = 32 << 20;

/// A table that is being written; the file appears when it is whole.
pub(super) struct Table<R> {
    path: PathBuf,
    schema: SchemaRef,
    columns: fn(&[R]) -> Vec<ArrayRef>,
    writer: ArrowWriter<AtomicFile>,
    held: Vec<R>,
}

impl<R> Table<R> {
    pub(super) fn create(path: &Path, schema: SchemaRef, columns: fn(&[R]) -> Vec<ArrayRef>) -> Result<Self, DedupError> {
        let file = AtomicFile::create(path)?;
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_created_by("webstrata".to_owned())
            .build();
        let writer = ArrowWriter::try_new(file, schema.clone(), Some(properties)).map_err(said(path))?;
        Ok(Table { path: path.to_owned(), schema, columns, writer, held: Vec::with_capacity(BATCH) })
    }

    pub(super) fn push(&mut self, row: R) -> Result<(), DedupError> {
        self.held.push(row);
        if self.held.len() < BATCH { Ok(()) } else { self.flush() }
    }

    fn flush(&mut self) -> Result<(), DedupError> {
        let columns = (self.columns)(&self.held);
        self.held.clear();
        let batch = RecordBatch::try_new(self.schema.clone(), columns).map_err(|error| at(&self.path)(io::Error::other(error)))?;
        self.writer.write(&batch).map_err(said(&self.path))?;
        if self.writer.in_progress_size() >= GROUP { self.writer.flush().map_err(said(&self.path)) } else { Ok(()) }
    }

    pub(super) fn finish(mut self) -> Result<(), DedupError> {
        if !self.held.is_empty() {
            self.flush()?;
        }
        Ok(self.writer.into_inner().map_err(said(&self.path))?.commit()?)
    }
}

fn said(path: &Path) -> impl Fn(ParquetError) -> DedupError + '_ {
    move |error| at(path)(io::Error::other(error))
}
