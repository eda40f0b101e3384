//! Parquet files with a column of pages: a page a row.
//!
//! Row groups are read one by one and a few rows at a time. What cannot be read of a row group is named with its first
//! row, and reading goes on with the next one. The reader of the format is not ours, and files can be made that bring it to panic: that is
//! caught and treated as damage.

use super::http::cut;
use super::{Broken, InputError, InputOptions, Item};
use crate::document::{Document, Origin};
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
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

/// Rows that are read at a time: each may be as long as a page.
const ROWS: usize = 8;

/// A file of columns that is being read.
pub(super) struct Columns {
    name: Arc<str>,
    file: File,
    /// Nothing if the file is no Parquet file after all.
    metadata: Option<ArrowReaderMetadata>,
    /// Why there are no metadata, until it has been said.
    trouble: Option<String>,
    /// The row that is next.
    row: u64,
    /// The row group that is read, the row behind it, and its rows.
    group: Option<(u64, ParquetRecordBatchReader)>,
    /// Rows that were read, and how many of them were given out.
    batch: Option<(RecordBatch, usize)>,
    bytes: u64,
}

impl std::fmt::Debug for Columns {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Columns").field("name", &self.name).field("row", &self.row).finish_non_exhaustive()
    }
}

/// Runs what may panic on files that are made for it.
fn guarded<T, E: ToString>(work: impl FnOnce() -> Result<T, E>) -> Result<T, String> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(result) => result.map_err(|error| error.to_string()),
        Err(_) => Err("the reader of Parquet files gave up".into()),
    }
}

fn load(file: &File) -> Result<ArrowReaderMetadata, String> {
    // Types as Parquet has them: text and bytes, and nothing that was put on top of them.
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    guarded(|| ArrowReaderMetadata::load(file, options))
}

/// Is there a column of pages? A file that is broken is not complained about here: it is named when its turn comes.
pub(super) fn check(path: &Path, options: &InputOptions) -> Result<(), InputError> {
    let file = File::open(path).map_err(|error| InputError::read(path, error))?;
    let Ok(metadata) = load(&file) else { return Ok(()) };
    let is_text = |kind: &DataType| matches!(kind, DataType::Utf8 | DataType::Binary);
    let fields = metadata.schema().fields();
    if fields.iter().any(|field| field.name() == &options.html_column && is_text(field.data_type())) {
        return Ok(());
    }
    let there = fields.iter().map(|field| format!("{:?}", field.name())).collect::<Vec<_>>().join(", ");
    Err(InputError::NoColumn { path: path.to_owned(), column: options.html_column.clone(), there })
}

impl Columns {
    pub(super) fn new(name: Arc<str>, file: File, options: &InputOptions) -> Columns {
        let (metadata, trouble) = match load(&file) {
            Ok(metadata) if metadata.schema().column_with_name(&options.html_column).is_some() => (Some(metadata), None),
            Ok(_) => (None, Some(format!("there is no column {:?}", options.html_column))),
            Err(error) => (None, Some(format!("no Parquet file: {error}"))),
        };
        let bytes = file.metadata().map_or(0, |metadata| metadata.len());
        Columns { name, file, metadata, trouble, row: 0, group: None, batch: None, bytes }
    }

    /// The row that is next.
    pub(super) fn row(&self) -> u64 {
        self.row
    }

    /// Bytes of the file that were read, guessed from the rows.
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
            self.trouble = None;
        }
    }

    /// The next page or broken row.
    pub(super) fn next(&mut self, options: &InputOptions) -> io::Result<Option<Item>> {
        if let Some(reason) = self.trouble.take() {
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
            if self.group.is_none() && !self.open_group(options)? {
                return Ok(None);
            }
            let Some((end, reader)) = &mut self.group else { return Ok(None) };
            let end = *end;
            match guarded(|| reader.next().transpose()) {
                Ok(Some(batch)) => self.batch = Some((batch, 0)),
                Ok(None) => {
                    self.group = None;
                    if self.row < end {
                        let item = self.broken(format!("{} rows are missing", end - self.row));
                        self.row = end;
                        return Ok(Some(item));
                    }
                }
                Err(error) => {
                    let item = self.broken(format!("{error}; {} rows are skipped", end - self.row));
                    self.group = None;
                    self.row = end;
                    return Ok(Some(item));
                }
            }
        }
    }

    /// Opens the row group that the next row is in. False if there is none.
    fn open_group(&mut self, options: &InputOptions) -> io::Result<bool> {
        let Some(metadata) = &self.metadata else { return Ok(false) };
        let mut begin = 0u64;
        for group in 0..metadata.metadata().num_row_groups() {
            let rows = u64::try_from(metadata.metadata().row_group(group).num_rows()).unwrap_or(0);
            let end = begin.saturating_add(rows);
            if self.row < end {
                let skip = usize::try_from(self.row - begin).unwrap_or(usize::MAX);
                let file = self.file.try_clone()?;
                let metadata = metadata.clone();
                let reader = guarded(|| {
                    let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(file, metadata);
                    let wanted = [&options.html_column, &options.url_column, &options.date_column];
                    let names =
                        wanted.into_iter().map(String::as_str).filter(|name| builder.schema().column_with_name(name).is_some());
                    let mask = ProjectionMask::columns(builder.parquet_schema(), names);
                    builder.with_projection(mask).with_row_groups(vec![group]).with_batch_size(ROWS).with_offset(skip).build()
                });
                match reader {
                    Ok(reader) => self.group = Some((end, reader)),
                    Err(error) => {
                        self.trouble = Some(format!("{error}; {} rows are skipped", end - self.row));
                        self.row = end;
                        self.batch = None;
                    }
                }
                return Ok(true);
            }
            begin = end;
        }
        Ok(false)
    }

    fn origin(&self) -> Origin {
        Origin { file: Arc::clone(&self.name), offset: self.row, inside: 0 }
    }

    fn broken(&self, reason: String) -> Item {
        Item::Broken(Broken { origin: self.origin(), reason })
    }

    fn item(&self, batch: &RecordBatch, row: usize, options: &InputOptions) -> Item {
        let limit = usize::try_from(options.max_record).unwrap_or(usize::MAX);
        let Some(column) = batch.column_by_name(&options.html_column) else {
            return self.broken("there is no column of pages".into());
        };
        let is_text = matches!(column.data_type(), DataType::Utf8);
        let Some(bytes) = bytes(column.as_ref(), row) else { return self.broken("the page of the row is null".into()) };
        let text = |name: &String| batch.column_by_name(name).and_then(|column| text(column.as_ref(), row));
        let mut problems = Vec::new();
        let bytes = cut(bytes[..bytes.len().min(limit.saturating_add(1))].to_vec(), limit, &mut problems);
        Item::Document(Document {
            origin: self.origin(),
            url: text(&options.url_column),
            date: text(&options.date_column),
            charset: is_text.then(|| "utf-8".to_owned()),
            bytes,
            problems,
        })
    }
}

/// What a cell of text or bytes holds.
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

/// What a cell of text or time holds, as text.
fn text(column: &dyn Array, row: usize) -> Option<String> {
    if column.is_null(row) {
        return None;
    }
    let (seconds, fraction) = match column.data_type() {
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
    Some(date(seconds.div_euclid(fraction)))
}

/// Seconds since 1970 as `2024-05-01T12:00:00Z`.
fn date(seconds: i64) -> String {
    let (days, time) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    // Years that begin in March end with the leap day; 400 of them have 146,097 days, from 0000-03-01 on.
    let day = days + 719_468;
    let (era, day) = (day.div_euclid(146_097), day.rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (year, month) = if month < 10 { (era * 400 + year, month + 3) } else { (era * 400 + year + 1, month - 9) };
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", time / 3600, time / 60 % 60, time % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_written_as_archives_do() {
        for (seconds, want) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_714_564_800, "2024-05-01T12:00:00Z"),
            (-1, "1969-12-31T23:59:59Z"),
            (4_107_542_399, "2100-02-28T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(date(seconds), want);
        }
    }
}
