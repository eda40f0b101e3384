//! Parquet files with a column of pages: one page per row.
//!
//! Row groups are read one by one and a few rows at a time. If a row group cannot be read, it is reported with its first row, and
//! reading continues with the next one. Crafted files make the `parquet` crate panic; that is caught and treated as damage.

use super::http::head_of;
use super::{Broken, InputError, InputOptions, Item};
use crate::Timestamp;
use crate::document::{Document, Origin};
use crate::executor::panic_guard;
use arrow_array::cast::AsArray;
use arrow_array::types::{TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType};
use arrow_array::{Array, RecordBatch};
use arrow_schema::{DataType, TimeUnit};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder,
};
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// Rows read at a time: each may be a large page.
const ROWS: usize = 8;

/// Reads a Parquet file.
pub(super) struct ParquetReader {
    name: Arc<str>,
    file: File,
    /// `None` if it is not a Parquet file after all.
    metadata: Option<ArrowReaderMetadata>,
    /// A problem that has not been reported yet.
    problem: Option<String>,
    /// The next row.
    row: u64,
    /// The row group being read.
    group: Option<Group>,
    /// Rows that were read, and how many of them were returned.
    batch: Option<(RecordBatch, usize)>,
    bytes: u64,
}

/// A row group being read.
struct Group {
    number: usize,
    /// The row after it.
    end: u64,
    rows: ParquetRecordBatchReader,
}

impl std::fmt::Debug for ParquetReader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ParquetReader").field("name", &self.name).field("row", &self.row).finish_non_exhaustive()
    }
}

/// Runs code of the `parquet` crate, catching panics.
fn guarded<T, E: ToString>(work: impl FnOnce() -> Result<T, E>) -> Result<T, String> {
    match panic_guard::catch(work) {
        Ok(result) => result.map_err(|error| error.to_string()),
        Err(panic) => Err(format!("the file is malformed ({panic})")),
    }
}

fn load(file: &File) -> Result<ArrowReaderMetadata, String> {
    // Physical types only: text and bytes, without the Arrow types on top of them.
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    guarded(|| ArrowReaderMetadata::load(file, options))
}

/// Fails if there is no column of pages. A broken file passes: it is reported when it is read.
pub(super) fn check(path: &Path, options: &InputOptions) -> Result<(), InputError> {
    let file = File::open(path).map_err(|error| InputError::read(path, error))?;
    let Ok(metadata) = load(&file) else { return Ok(()) };
    let is_text = |kind: &DataType| matches!(kind, DataType::Utf8 | DataType::Binary);
    let fields = metadata.schema().fields();
    if fields.iter().any(|field| field.name() == &options.html_column && is_text(field.data_type())) {
        return Ok(());
    }
    let found = fields.iter().map(|field| format!("{:?}", field.name())).collect::<Vec<_>>().join(", ");
    Err(InputError::NoColumn { path: path.to_owned(), column: options.html_column.clone(), found })
}

impl ParquetReader {
    pub(super) fn new(name: Arc<str>, file: File, options: &InputOptions) -> ParquetReader {
        let (metadata, problem) = match load(&file) {
            Ok(metadata) if metadata.schema().column_with_name(&options.html_column).is_some() => (Some(metadata), None),
            Ok(_) => (None, Some(format!("no column {:?}; name the column of pages (--html-column)", options.html_column))),
            Err(error) => (None, Some(format!("not a readable Parquet file: {error}"))),
        };
        let bytes = file.metadata().map_or(0, |metadata| metadata.len());
        ParquetReader { name, file, metadata, problem, row: 0, group: None, batch: None, bytes }
    }

    /// The next row.
    pub(super) fn row(&self) -> u64 {
        self.row
    }

    /// Bytes of the file that were read, estimated from the rows.
    pub(super) fn read_bytes(&self) -> u64 {
        let rows = self.metadata.as_ref().map_or(0, |metadata| metadata.metadata().file_metadata().num_rows());
        let share = self.row as f64 / (rows.max(1) as f64);
        (self.bytes as f64 * share.min(1.0)) as u64
    }

    /// Goes to a row.
    pub(super) fn seek(&mut self, row: u64) {
        self.row = row;
        self.group = None;
        self.batch = None;
        if row > 0 {
            self.problem = None;
        }
    }

    /// The next page or broken row.
    pub(super) fn next(&mut self, options: &InputOptions) -> io::Result<Option<Item>> {
        if let Some(reason) = self.problem.take() {
            return Ok(Some(self.broken(reason)));
        }
        loop {
            if let Some((batch, given)) = &mut self.batch {
                if *given < batch.num_rows() {
                    let (batch, row) = (batch.clone(), *given);
                    *given += 1;
                    let item = self.item(&batch, row, options);
                    self.row += 1;
                    return Ok(Some(item));
                }
                self.batch = None;
            }
            if self.group.is_none() {
                match self.open_group(options)? {
                    None => return Ok(None),
                    Some(Ok(group)) => self.group = Some(group),
                    Some(Err((message, end))) => {
                        let item = self.broken(message);
                        self.row = end;
                        return Ok(Some(item));
                    }
                }
            }
            let Some(group) = &mut self.group else { return Ok(None) };
            let (number, end) = (group.number, group.end);
            match guarded(|| group.rows.next().transpose()) {
                Ok(Some(batch)) => self.batch = Some((batch, 0)),
                Ok(None) => {
                    self.group = None;
                    if self.row < end {
                        let item = self.broken(format!("row group {number}: {} rows are missing", end - self.row));
                        self.row = end;
                        return Ok(Some(item));
                    }
                }
                Err(error) => {
                    let item = self.broken(skipped(number, &error, end - self.row));
                    self.group = None;
                    self.row = end;
                    return Ok(Some(item));
                }
            }
        }
    }

    /// Opens the row group of the next row. If that fails, returns why and the row after it; `None` after the last row.
    fn open_group(&self, options: &InputOptions) -> io::Result<Option<Result<Group, (String, u64)>>> {
        let Some(metadata) = &self.metadata else { return Ok(None) };
        let mut begin = 0u64;
        for number in 0..metadata.metadata().num_row_groups() {
            let rows = u64::try_from(metadata.metadata().row_group(number).num_rows()).unwrap_or(0);
            let end = begin.saturating_add(rows);
            if self.row < end {
                let skip = usize::try_from(self.row - begin).unwrap_or(usize::MAX);
                let file = self.file.try_clone()?;
                let metadata = metadata.clone();
                let rows = guarded(|| {
                    let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(file, metadata);
                    let wanted = [&options.html_column, &options.url_column, &options.date_column];
                    let names =
                        wanted.into_iter().map(String::as_str).filter(|name| builder.schema().column_with_name(name).is_some());
                    let mask = ProjectionMask::columns(builder.parquet_schema(), names);
                    builder.with_projection(mask).with_row_groups(vec![number]).with_batch_size(ROWS).with_offset(skip).build()
                });
                return Ok(Some(match rows {
                    Ok(rows) => Ok(Group { number, end, rows }),
                    Err(error) => Err((skipped(number, &error, end - self.row), end)),
                }));
            }
            begin = end;
        }
        Ok(None)
    }

    fn origin(&self) -> Origin {
        Origin { file: Arc::clone(&self.name), offset: self.row, inside: 0 }
    }

    fn broken(&self, message: String) -> Item {
        Item::Broken(Broken::damaged(self.origin(), message))
    }

    fn item(&self, batch: &RecordBatch, row: usize, options: &InputOptions) -> Item {
        let limit = usize::try_from(options.max_bytes).unwrap_or(usize::MAX);
        let Some(column) = batch.column_by_name(&options.html_column) else {
            return self.broken("no column of pages".into());
        };
        let is_text = matches!(column.data_type(), DataType::Utf8);
        let Some(bytes) = bytes(column.as_ref(), row) else { return self.broken("the page is null".into()) };
        let text = |name: &String| batch.column_by_name(name).and_then(|column| text(column.as_ref(), row));
        Item::Document(Document {
            url: text(&options.url_column),
            date: text(&options.date_column),
            charset: is_text.then(|| "utf-8".to_owned()),
            ..Document::new(self.origin(), head_of(bytes, limit))
        })
    }
}

fn skipped(group: usize, error: &str, rows: u64) -> String {
    let plural = if rows == 1 { "row is" } else { "rows are" };
    format!("row group {group}: {error}; {rows} {plural} skipped")
}

/// The value of a cell of text or bytes.
fn bytes(column: &dyn Array, row: usize) -> Option<&[u8]> {
    if column.is_null(row) {
        return None;
    }
    match column.data_type() {
        DataType::Utf8 => column.as_string_opt::<i32>().map(|texts| texts.value(row).as_bytes()),
        DataType::Binary => column.as_binary_opt::<i32>().map(|bytes| bytes.value(row)),
        _ => None,
    }
}

/// The value of a cell of text or time, as text.
fn text(column: &dyn Array, row: usize) -> Option<String> {
    if column.is_null(row) {
        return None;
    }
    let (number, fraction) = match column.data_type() {
        DataType::Timestamp(TimeUnit::Second, _) => (column.as_primitive_opt::<TimestampSecondType>()?.value(row), 1),
        DataType::Timestamp(TimeUnit::Millisecond, _) => (column.as_primitive_opt::<TimestampMillisecondType>()?.value(row), 1000),
        DataType::Timestamp(TimeUnit::Microsecond, _) => {
            (column.as_primitive_opt::<TimestampMicrosecondType>()?.value(row), 1_000_000)
        }
        DataType::Timestamp(TimeUnit::Nanosecond, _) => {
            (column.as_primitive_opt::<TimestampNanosecondType>()?.value(row), 1_000_000_000)
        }
        _ => return bytes(column, row).map(|bytes| String::from_utf8_lossy(bytes).into_owned()),
    };
    let micros = (i128::from(number) * 1_000_000).div_euclid(fraction);
    Timestamp::from_micros(i64::try_from(micros).ok()?).map(|time| time.to_string())
}
