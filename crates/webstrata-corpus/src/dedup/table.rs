//! Writes a Parquet file row by row.

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

/// Rows encoded together, and bytes after which a row group, which is buffered in memory, ends.
const BATCH: usize = 1024;
const GROUP: usize = 32 << 20;

/// A table in progress; the file appears when it is complete.
pub(super) struct Table<R> {
    path: PathBuf,
    schema: SchemaRef,
    columns: fn(&[R]) -> Vec<ArrayRef>,
    writer: ArrowWriter<AtomicFile>,
    buffered: Vec<R>,
}

impl<R> Table<R> {
    pub(super) fn create(path: &Path, schema: SchemaRef, columns: fn(&[R]) -> Vec<ArrayRef>) -> Result<Self, DedupError> {
        let file = AtomicFile::create(path)?;
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_created_by("webstrata".to_owned())
            .build();
        let writer = ArrowWriter::try_new(file, schema.clone(), Some(properties)).map_err(failed(path))?;
        Ok(Table { path: path.to_owned(), schema, columns, writer, buffered: Vec::with_capacity(BATCH) })
    }

    pub(super) fn push(&mut self, row: R) -> Result<(), DedupError> {
        self.buffered.push(row);
        if self.buffered.len() < BATCH { Ok(()) } else { self.flush() }
    }

    fn flush(&mut self) -> Result<(), DedupError> {
        let columns = (self.columns)(&self.buffered);
        self.buffered.clear();
        let batch = RecordBatch::try_new(self.schema.clone(), columns).map_err(|error| at(&self.path)(io::Error::other(error)))?;
        self.writer.write(&batch).map_err(failed(&self.path))?;
        if self.writer.in_progress_size() >= GROUP { self.writer.flush().map_err(failed(&self.path)) } else { Ok(()) }
    }

    pub(super) fn finish(mut self) -> Result<(), DedupError> {
        if !self.buffered.is_empty() {
            self.flush()?;
        }
        Ok(self.writer.into_inner().map_err(failed(&self.path))?.commit()?)
    }
}

fn failed(path: &Path) -> impl Fn(ParquetError) -> DedupError + '_ {
    move |error| at(path)(io::Error::other(error))
}
