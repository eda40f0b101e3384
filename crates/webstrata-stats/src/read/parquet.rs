//! Rows from Parquet: only the columns that are counted are decoded.

use super::tables::{Link, Page, Rows, Segment, year};
use crate::count::LinkFacts;
use crate::error::StatsError;
use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, UInt32Type};
use arrow_array::{Array, ArrayRef, RecordBatch};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use std::fs::File;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

/// Rows decoded together.
const BATCH: usize = 1024;

/// A row that can be read from columns.
pub(super) trait Row: Sized + Send {
    /// The columns, in the order of the table.
    const COLUMNS: &'static [&'static str];

    /// Fills the row from the columns.
    fn fill(&mut self, columns: &[ArrayRef], at: usize) -> Option<()>;
}

/// A table.
pub(super) struct Table<R> {
    path: PathBuf,
    reader: ParquetRecordBatchReader,
    columns: Vec<ArrayRef>,
    at: usize,
    rows: PhantomData<fn() -> R>,
}

pub(super) fn segments(path: &Path) -> Result<Table<Segment>, StatsError> {
    Table::open(path)
}

pub(super) fn links(path: &Path) -> Result<Table<Link>, StatsError> {
    Table::open(path)
}

pub(super) fn pages(path: &Path) -> Result<Table<Page>, StatsError> {
    Table::open(path)
}

impl<R: Row> Table<R> {
    fn open(path: &Path) -> Result<Self, StatsError> {
        let file = File::open(path).map_err(StatsError::io("read it", path))?;
        let reader = guarded(path, || {
            let builder = ParquetRecordBatchReaderBuilder::try_new(file)?;
            let mask = ProjectionMask::columns(builder.parquet_schema(), R::COLUMNS.iter().copied());
            builder.with_projection(mask).with_batch_size(BATCH).build()
        })?;
        let reader = reader.map_err(|error| StatsError::damaged(path, error))?;
        Ok(Table { path: path.to_owned(), reader, columns: Vec::new(), at: 0, rows: PhantomData })
    }

    fn batch(&mut self) -> Result<Option<RecordBatch>, StatsError> {
        let Table { path, reader, .. } = self;
        guarded(path, || reader.next())?.transpose().map_err(|error| StatsError::damaged(path, error))
    }
}

/// Turns a panic of the Parquet reader, which trusts its files, into an error.
fn guarded<T>(path: &Path, read: impl FnOnce() -> T) -> Result<T, StatsError> {
    catch_unwind(AssertUnwindSafe(read)).map_err(|_| StatsError::damaged(path, "its reader panicked"))
}

impl<R: Row> Rows<R> for Table<R> {
    fn next(&mut self, row: &mut R) -> Result<bool, StatsError> {
        while self.columns.first().is_none_or(|column| self.at >= column.len()) {
            let Some(batch) = self.batch()? else { return Ok(false) };
            let column = |name: &&str| batch.column_by_name(name).cloned();
            let columns: Option<Vec<ArrayRef>> = R::COLUMNS.iter().map(column).collect();
            self.columns = columns.ok_or_else(|| StatsError::damaged(&self.path, "a column is missing"))?;
            self.at = 0;
        }
        row.fill(&self.columns, self.at).ok_or_else(|| StatsError::damaged(&self.path, "a column has another type"))?;
        self.at += 1;
        Ok(true)
    }
}

fn text(column: &ArrayRef, at: usize) -> Option<Option<&str>> {
    let texts = column.as_string_opt::<i32>()?;
    Some((!texts.is_null(at)).then(|| texts.value(at)))
}

fn replace(text: &mut String, by: Option<&str>) {
    text.clear();
    text.push_str(by.unwrap_or_default());
}

impl Row for Segment {
    const COLUMNS: &'static [&'static str] = &["page", "text", "words", "text_density", "link_density"];

    fn fill(&mut self, columns: &[ArrayRef], at: usize) -> Option<()> {
        replace(&mut self.page, text(&columns[0], at)?);
        replace(&mut self.text, text(&columns[1], at)?);
        self.words = columns[2].as_primitive_opt::<UInt32Type>()?.value(at);
        self.density = columns[3].as_primitive_opt::<Float32Type>()?.value(at);
        self.link_density = columns[4].as_primitive_opt::<Float32Type>()?.value(at);
        Some(())
    }
}

impl Row for Link {
    const COLUMNS: &'static [&'static str] = &["page", "segment", "role", "same_host"];

    fn fill(&mut self, columns: &[ArrayRef], at: usize) -> Option<()> {
        replace(&mut self.page, text(&columns[0], at)?);
        let segments = columns[1].as_primitive_opt::<UInt32Type>()?;
        let same_host = columns[3].as_boolean_opt()?;
        self.facts = LinkFacts {
            segment: (!segments.is_null(at)).then(|| segments.value(at)),
            same_host: (!same_host.is_null(at)).then(|| same_host.value(at)),
            navigation: text(&columns[2], at)? == Some("navigation"),
        };
        Some(())
    }
}

impl Row for Page {
    const COLUMNS: &'static [&'static str] = &["id", "language", "published_text", "fetched_text"];

    fn fill(&mut self, columns: &[ArrayRef], at: usize) -> Option<()> {
        replace(&mut self.id, text(&columns[0], at)?);
        self.language = text(&columns[1], at)?.map(str::to_owned);
        self.year = year(text(&columns[2], at)?, text(&columns[3], at)?);
        Some(())
    }
}
