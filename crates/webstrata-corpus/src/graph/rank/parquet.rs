//! Ranks as Parquet: of all pages of a graph, or as a column added to the pages of a run.

use super::super::vertex;
use super::super::{Graph, GraphError};
use super::solve::Ranks;
use crate::io::{AtomicFile, IoError};
use crate::store::{PageRow, Row, StoreError};
use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// Rows per batch.
const BATCH: usize = 1 << 16;
/// Rows per batch when reading the pages of a run; these rows contain the full text.
const PAGES: usize = 256;

fn writer(path: &Path, schema: SchemaRef) -> Result<ArrowWriter<AtomicFile>, GraphError> {
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_created_by(concat!("webstrata ", env!("CARGO_PKG_VERSION")).to_owned())
        .build();
    ArrowWriter::try_new(AtomicFile::create(path)?, schema, Some(properties)).map_err(failed(path))
}

fn failed<E: std::error::Error + Send + Sync + 'static>(path: &Path) -> impl Fn(E) -> GraphError {
    move |error| IoError::on("write", path)(io::Error::other(error)).into()
}

/// Writes pages and ranks.
pub(super) fn write(path: &Path, graph: &Graph, rows: impl Iterator<Item = (usize, f64)>) -> Result<(), GraphError> {
    let fields = vec![Field::new("page", DataType::Utf8, false), Field::new("rank", DataType::Float64, false)];
    let schema = Arc::new(Schema::new(fields));
    let mut out = writer(path, Arc::clone(&schema))?;
    let mut names = graph.names.reader();
    let mut rows = rows.peekable();
    while rows.peek().is_some() {
        let (pages, ranks): (Vec<usize>, Vec<f64>) = rows.by_ref().take(BATCH).unzip();
        let columns: Vec<ArrayRef> = vec![
            Arc::new(StringArray::from_iter_values(pages.into_iter().map(|page| names.get(page)))),
            Arc::new(Float64Array::from(ranks)),
        ];
        let batch = RecordBatch::try_new(Arc::clone(&schema), columns).map_err(failed(path))?;
        out.write(&batch).map_err(failed(path))?;
    }
    out.into_inner().map_err(failed(path))?.commit()?;
    Ok(())
}

/// Writes the table of pages of a run with an added column `rank`, null for pages without a URL or without links. Returns the
/// number of ranked pages.
///
/// # Errors
/// If pages cannot be read or the file cannot be written.
pub fn write_page_table(
    path: &Path,
    pages: impl IntoIterator<Item = Result<PageRow, StoreError>>,
    graph: &Graph,
    ranks: &Ranks,
) -> Result<u64, GraphError> {
    let mut fields: Vec<Arc<Field>> = PageRow::schema().fields().iter().cloned().collect();
    fields.push(Arc::new(Field::new("rank", DataType::Float64, true)));
    let schema = Arc::new(Schema::new(fields));
    let mut out = writer(path, Arc::clone(&schema))?;
    let rank = |row: &PageRow| {
        let page = graph.find(&vertex::normalized(row.url.as_deref()?)?)?;
        ranks.values.get(page).copied()
    };
    let (mut rows, mut ranked) = (Vec::with_capacity(PAGES), 0);
    let mut flush = |rows: &mut Vec<PageRow>| {
        let mut columns = PageRow::columns(&rows.iter().collect::<Vec<_>>());
        let values: Float64Array = rows.iter().map(rank).collect();
        ranked += (rows.len() - arrow_array::Array::null_count(&values)) as u64;
        columns.push(Arc::new(values));
        rows.clear();
        let batch = RecordBatch::try_new(Arc::clone(&schema), columns).map_err(failed(path))?;
        out.write(&batch).map_err(failed(path))
    };
    for row in pages {
        rows.push(row?);
        if rows.len() == PAGES {
            flush(&mut rows)?;
        }
    }
    if !rows.is_empty() {
        flush(&mut rows)?;
    }
    out.into_inner().map_err(failed(path))?.commit()?;
    Ok(ranked)
}
