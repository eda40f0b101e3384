//! Reads the tables of a run, shard by shard, in the order of the input.

use super::folder::read_checkpoint;
use super::shard::ERRORS;
use super::table::{Columns, Row};
use super::{ErrorRow, Format, LinkRow, Manifest, PageRow, SegmentRow, StoreError, Table, manifest};
use crate::io::LineReader;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use serde::de::DeserializeOwned;
use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

/// Rows decoded together.
const BATCH: usize = 256;

/// The pages of a complete run.
///
/// # Errors
/// If there is no run, it is not complete, or it has no such table.
pub fn pages(root: &Path) -> Result<Rows<PageRow>, StoreError> {
    rows(root)
}

/// The segments of a complete run.
///
/// # Errors
/// Same as for [`pages`].
pub fn segments(root: &Path) -> Result<Rows<SegmentRow>, StoreError> {
    rows(root)
}

/// The links of a complete run.
///
/// # Errors
/// Same as for [`pages`].
pub fn links(root: &Path) -> Result<Rows<LinkRow>, StoreError> {
    rows(root)
}

/// The errors of a complete run.
///
/// # Errors
/// Same as for [`pages`].
pub fn errors(root: &Path) -> Result<impl Iterator<Item = Result<ErrorRow, StoreError>> + use<>, StoreError> {
    let manifest = complete(root)?;
    let mut shards = Shards { root: root.to_owned(), next: 0, end: manifest.shards, folder: ERRORS.folder };
    let mut open: Option<Lines> = None;
    Ok(std::iter::from_fn(move || {
        loop {
            if let Some(row) = open.as_mut().and_then(Lines::next) {
                return Some(row);
            }
            match shards.next()?.and_then(|path| Lines::open(&path)) {
                Ok(lines) => open = Some(lines),
                Err(error) => return Some(Err(error)),
            }
        }
    }))
}

fn complete(root: &Path) -> Result<Manifest, StoreError> {
    let manifest = Manifest::read(root)?;
    if manifest.complete { Ok(manifest) } else { Err(StoreError::Incomplete(root.to_owned())) }
}

fn rows<R: Row>(root: &Path) -> Result<Rows<R>, StoreError> {
    let manifest = complete(root)?;
    let table: Table = R::TABLE;
    if !manifest.tables.contains(&table) || !manifest.format.has_tables() {
        let (format, tables) = (manifest.format.name(), manifest::listed(&manifest.tables));
        return Err(StoreError::NoTable { path: root.to_owned(), table: table.name(), format, tables });
    }
    let shards = Shards { root: root.to_owned(), next: 0, end: manifest.shards, folder: table.name() };
    Ok(Rows { shards, format: manifest.format, open: None, rows: Vec::new().into_iter() })
}

/// The files of a folder, by shard.
#[derive(Debug)]
struct Shards {
    root: PathBuf,
    next: u64,
    end: u64,
    folder: &'static str,
}

impl Shards {
    fn next(&mut self) -> Option<Result<PathBuf, StoreError>> {
        while self.next < self.end {
            let shard = self.next;
            self.next += 1;
            let checkpoint = match read_checkpoint(&self.root, shard) {
                Ok(Some(checkpoint)) => checkpoint,
                Ok(None) => {
                    return Some(Err(StoreError::damaged(&self.root, format!("the checkpoint of shard {shard} is missing"))));
                }
                Err(error) => return Some(Err(error)),
            };
            let mine = |name: &str| name.strip_prefix(self.folder).is_some_and(|rest| rest.starts_with("/part-"));
            if let Some(file) = checkpoint.files.iter().find(|file| mine(&file.name) && !file.name.contains("..")) {
                return Some(Ok(self.root.join(&file.name)));
            }
        }
        None
    }
}

/// The rows of a table, read on demand.
#[derive(Debug)]
pub struct Rows<R> {
    shards: Shards,
    format: Format,
    open: Option<Open>,
    rows: std::vec::IntoIter<R>,
}

#[derive(Debug)]
enum Open {
    Lines(Lines),
    Parquet(PathBuf, Box<ParquetRecordBatchReader>),
}

impl<R: Row> Rows<R> {
    fn open(&self, path: &Path) -> Result<Open, StoreError> {
        if self.format == Format::Jsonl {
            return Lines::open(path).map(Open::Lines);
        }
        let file = File::open(path).map_err(StoreError::io("read", path))?;
        let reader = guarded(path, || ParquetRecordBatchReaderBuilder::try_new(file)?.with_batch_size(BATCH).build())?;
        Ok(Open::Parquet(path.to_owned(), Box::new(reader.map_err(|error| StoreError::damaged(path, error))?)))
    }

    /// The next rows; `None` at the end of the file.
    fn more(open: &mut Open) -> Option<Result<Vec<R>, StoreError>> {
        match open {
            Open::Lines(lines) => lines.next().map(|row| row.map(|row| vec![row])),
            Open::Parquet(path, reader) => {
                let batch = match guarded(path, || reader.next()) {
                    Ok(batch) => batch?,
                    Err(error) => return Some(Err(error)),
                };
                let rows = batch.map_err(|error| error.to_string()).and_then(|batch| R::rows(&Columns::new(&batch)));
                Some(rows.map_err(|reason| StoreError::damaged(path, reason)))
            }
        }
    }
}

/// Turns a panic of the Parquet reader, which trusts its files, into an error.
fn guarded<T>(path: &Path, read: impl FnOnce() -> T) -> Result<T, StoreError> {
    catch_unwind(AssertUnwindSafe(read)).map_err(|_| StoreError::damaged(path, "its reader panicked"))
}

impl<R: Row> Iterator for Rows<R> {
    type Item = Result<R, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(row) = self.rows.next() {
                return Some(Ok(row));
            }
            if let Some(open) = &mut self.open {
                match Self::more(open) {
                    Some(Ok(rows)) => self.rows = rows.into_iter(),
                    Some(Err(error)) => {
                        self.open = None;
                        self.shards.next = self.shards.end; // the rest cannot be trusted
                        return Some(Err(error));
                    }
                    None => self.open = None,
                }
                continue;
            }
            match self.shards.next()?.and_then(|path| self.open(&path)) {
                Ok(open) => self.open = Some(open),
                Err(error) => {
                    self.shards.next = self.shards.end;
                    return Some(Err(error));
                }
            }
        }
    }
}

/// Lines of JSON.
#[derive(Debug)]
struct Lines {
    path: PathBuf,
    reader: LineReader,
    line: Vec<u8>,
}

impl Lines {
    fn open(path: &Path) -> Result<Self, StoreError> {
        // Rows have no limit, because they contain whole pages.
        let reader = LineReader::open(path, u64::MAX).map_err(StoreError::io("read", path))?;
        Ok(Lines { path: path.to_owned(), reader, line: Vec::new() })
    }

    fn next<T: DeserializeOwned>(&mut self) -> Option<Result<T, StoreError>> {
        match self.reader.read(&mut self.line) {
            Ok(None) => None,
            Ok(Some(_)) => Some(serde_json::from_slice(&self.line).map_err(|error| StoreError::damaged(&self.path, error))),
            Err(error) => Some(Err(StoreError::io("read", &self.path)(error))),
        }
    }
}
