//! Reads rows from Parquet, but decodes only the columns that are counted.

use super::tables::{Link, Links, Page, PageTable, Rows, Segment, Segments, Table};
use crate::count::LinkFacts;
use crate::error::StatsError;
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, BooleanArray, Float32Array, RecordBatch, StringArray, UInt32Array};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

/// Rows per decoded batch.
const BATCH: usize = 1024;

/// The columns of a table.
pub(super) trait Columns: Table {
    /// Their names.
    const NAMES: &'static [&'static str];
    /// The columns of a batch of rows.
    type Columns: Send;

    /// Downcasts columns, in the order of their names; none if one has another type.
    fn columns(columns: &[&ArrayRef]) -> Option<Self::Columns>;

    /// One row of the batch.
    fn row(columns: &Self::Columns, at: usize) -> Self::Row<'_>;
}

/// The rows of a file.
pub(super) struct Reader<T: Columns> {
    path: PathBuf,
    reader: ParquetRecordBatchReader,
    columns: Option<T::Columns>,
    rows: usize,
    at: usize,
}

pub(super) fn segments(path: &Path) -> Result<Reader<Segments>, StatsError> {
    Reader::open(path)
}

pub(super) fn links(path: &Path) -> Result<Reader<Links>, StatsError> {
    Reader::open(path)
}

pub(super) fn pages(path: &Path) -> Result<Reader<PageTable>, StatsError> {
    Reader::open(path)
}

impl<T: Columns> Reader<T> {
    fn open(path: &Path) -> Result<Self, StatsError> {
        let file = File::open(path).map_err(StatsError::io("read it", path))?;
        let reader = guarded(path, || {
            let builder = ParquetRecordBatchReaderBuilder::try_new(file)?;
            let mask = ProjectionMask::columns(builder.parquet_schema(), T::NAMES.iter().copied());
            builder.with_projection(mask).with_batch_size(BATCH).build()
        })?;
        let reader = reader.map_err(|error| StatsError::damaged(path, error))?;
        Ok(Reader { path: path.to_owned(), reader, columns: None, rows: 0, at: 0 })
    }

    fn batch(&mut self) -> Result<Option<RecordBatch>, StatsError> {
        let Reader { path, reader, .. } = self;
        guarded(path, || reader.next())?.transpose().map_err(|error| StatsError::damaged(path, error))
    }
}

/// Turns a panic in the Parquet reader, which trusts its files, into an error.
fn guarded<T>(path: &Path, read: impl FnOnce() -> T) -> Result<T, StatsError> {
    catch_unwind(AssertUnwindSafe(read)).map_err(|_| StatsError::damaged(path, "its reader panicked"))
}

impl<T: Columns> Rows<T> for Reader<T> {
    #[inline]
    fn advance(&mut self) -> Result<(), StatsError> {
        self.at += 1;
        while self.at >= self.rows {
            let Some(batch) = self.batch()? else {
                self.columns = None;
                return Ok(());
            };
            let columns: Option<Vec<&ArrayRef>> = T::NAMES.iter().map(|name| batch.column_by_name(name)).collect();
            let columns = columns.ok_or_else(|| StatsError::damaged(&self.path, "a column is missing"))?;
            self.columns = Some(T::columns(&columns).ok_or_else(|| StatsError::damaged(&self.path, "a column has another type"))?);
            (self.rows, self.at) = (batch.num_rows(), 0);
        }
        Ok(())
    }

    #[inline]
    fn row(&self) -> Option<T::Row<'_>> {
        self.columns.as_ref().map(|columns| T::row(columns, self.at))
    }
}

/// A value; none if it is null.
fn text(column: &StringArray, at: usize) -> Option<&str> {
    (!column.is_null(at)).then(|| column.value(at))
}

impl Columns for Segments {
    const NAMES: &'static [&'static str] = &["page", "text", "words", "text_density", "link_density"];
    type Columns = (StringArray, StringArray, UInt32Array, [Float32Array; 2]);

    fn columns(columns: &[&ArrayRef]) -> Option<Self::Columns> {
        let [page, text, words, density, links] = columns else { return None };
        let densities = [density.as_primitive_opt()?.clone(), links.as_primitive_opt()?.clone()];
        Some((page.as_string_opt()?.clone(), text.as_string_opt()?.clone(), words.as_primitive_opt()?.clone(), densities))
    }

    fn row((page, texts, words, [density, links]): &Self::Columns, at: usize) -> Segment<'_> {
        Segment {
            page: text(page, at).unwrap_or_default(),
            text: text(texts, at).unwrap_or_default(),
            words: words.value(at),
            density: density.value(at),
            link_density: links.value(at),
        }
    }
}

impl Columns for Links {
    const NAMES: &'static [&'static str] = &["page", "segment", "role", "same_host"];
    type Columns = (StringArray, UInt32Array, StringArray, BooleanArray);

    fn columns(columns: &[&ArrayRef]) -> Option<Self::Columns> {
        let [page, segment, role, same_host] = columns else { return None };
        let (segment, same_host) = (segment.as_primitive_opt()?.clone(), same_host.as_boolean_opt()?.clone());
        Some((page.as_string_opt()?.clone(), segment, role.as_string_opt()?.clone(), same_host))
    }

    fn row((page, segment, role, same_host): &Self::Columns, at: usize) -> Link<'_> {
        let facts = LinkFacts {
            segment: (!segment.is_null(at)).then(|| segment.value(at)),
            same_host: (!same_host.is_null(at)).then(|| same_host.value(at)),
            navigation: text(role, at) == Some("navigation"),
        };
        Link { page: text(page, at).unwrap_or_default(), facts }
    }
}

impl Columns for PageTable {
    const NAMES: &'static [&'static str] = &["id", "language", "published_text", "fetched_text"];
    type Columns = [StringArray; 4];

    fn columns(columns: &[&ArrayRef]) -> Option<Self::Columns> {
        let [id, language, published, fetched] = columns else { return None };
        let text = |column: &ArrayRef| column.as_string_opt().cloned();
        Some([text(id)?, text(language)?, text(published)?, text(fetched)?])
    }

    fn row([id, language, published, fetched]: &Self::Columns, at: usize) -> Page<'_> {
        let id = text(id, at).unwrap_or_default();
        Page { id, language: text(language, at), published: text(published, at), fetched: text(fetched, at) }
    }
}
