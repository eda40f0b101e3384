//! Output: one row per page, or a copy of the input without the duplicates.

use super::clusters::{MatchKind, Row};
use super::error::{DedupError, at};
use super::source::{Kind, Lines, Source};
use super::table::Table;
use crate::input::is_page_file;
use crate::io::AtomicFile;
use crate::store::{self, PageRow, StoreError};
use arrow_array::{ArrayRef, BooleanArray, StringArray, UInt32Array};
use arrow_schema::{DataType, Field, Schema};
use serde::Serialize;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

/// Page counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Pages that are kept.
    pub kept: u64,
    /// Pages with the same text as one that is kept.
    pub exact: u64,
    /// Pages with nearly the same text.
    pub near: u64,
    /// Clusters of more than one page.
    pub clusters: u64,
}

impl Tally {
    /// Counts a page.
    pub fn count(&mut self, row: &Row) {
        match row.same {
            None => self.kept += 1,
            Some(MatchKind::Exact) => self.exact += 1,
            Some(MatchKind::Near) => self.near += 1,
        }
        self.clusters += u64::from(row.keep && row.size > 1);
    }

    /// All pages.
    #[must_use]
    pub fn pages(self) -> u64 {
        self.kept + self.exact + self.near
    }
}

/// Writes one row per page: Parquet if the name ends with `.parquet`, otherwise JSON Lines. The file appears when it is complete.
pub fn write_rows(path: &Path, rows: impl Iterator<Item = Result<Row, DedupError>>) -> Result<Tally, DedupError> {
    let mut tally = Tally::default();
    let text = |name: &str, optional: bool| Field::new(name, DataType::Utf8, optional);
    let schema = || {
        Arc::new(Schema::new(vec![
            text("id", false),
            text("cluster", false),
            Field::new("keep", DataType::Boolean, false),
            Field::new("size", DataType::UInt32, false),
            text("match", true),
        ]))
    };
    let mut out = if is_parquet(path) { Out::Table(Box::new(Table::create(path, schema(), columns)?)) } else { Out::lines(path)? };
    for row in rows {
        let row = row?;
        tally.count(&row);
        out.push(path, row)?;
    }
    out.finish()?;
    Ok(tally)
}

fn columns(rows: &[Row]) -> Vec<ArrayRef> {
    let same = |row: &Row| row.same.map(MatchKind::name);
    vec![
        Arc::new(StringArray::from_iter_values(rows.iter().map(|row| &row.id))),
        Arc::new(StringArray::from_iter_values(rows.iter().map(|row| &row.cluster))),
        Arc::new(rows.iter().map(|row| Some(row.keep)).collect::<BooleanArray>()),
        Arc::new(UInt32Array::from_iter_values(rows.iter().map(|row| row.size))),
        Arc::new(rows.iter().map(same).collect::<StringArray>()),
    ]
}

/// Fails if a filtered copy of this input cannot be written to a file of that name.
pub fn check_filter(source: &Source, path: &Path) -> Result<(), DedupError> {
    let is_pages = |kind: &Kind| matches!(kind, Kind::Pages(_));
    let is_run = |kind: &Kind| matches!(kind, Kind::Run(_));
    let kinds = source.kinds();
    let what = if is_parquet(path) && !kinds.iter().all(is_run) {
        "only the pages of a run can be written as Parquet; name the file .jsonl for texts and .txt for the names of pages"
    } else if kinds.iter().any(is_pages) && !kinds.iter().all(is_pages) {
        "pages and texts cannot be filtered into one file; filter them separately"
    } else {
        return Ok(());
    };
    Err(DedupError::Input(what.into()))
}

/// Writes a copy of the input with only the pages that are kept. `rows` are those of the input's pages, in order. Lines
/// are copied unchanged; pages of a run are written as Parquet if the name ends with `.parquet`, otherwise as JSON Lines. For other
/// pages, a list of file names is written, one per line.
pub fn write_kept(path: &Path, source: &Source, rows: impl Iterator<Item = Result<Row, DedupError>>) -> Result<Tally, DedupError> {
    check_filter(source, path)?;
    let mut verdicts = Verdicts { rows, tally: Tally::default() };
    let pages = |rows: &[PageRow]| <PageRow as store::Row>::columns(&rows.iter().collect::<Vec<_>>());
    let schema = <PageRow as store::Row>::schema();
    let mut out = if is_parquet(path) { Out::Table(Box::new(Table::create(path, schema, pages)?)) } else { Out::lines(path)? };
    for kind in source.kinds() {
        match kind {
            Kind::Texts(from) => {
                let mut lines = Lines::open(from, source.options())?;
                while let Some(line) = lines.next()? {
                    if line.text.is_ok() && verdicts.keep()? {
                        out.push_line(path, &line.bytes)?;
                    }
                }
            }
            Kind::Run(from) => {
                for row in store::pages(from).map_err(stored)? {
                    let row = row.map_err(stored)?;
                    if verdicts.keep()? {
                        out.push(path, row)?;
                    }
                }
            }
            Kind::Pages(_) => {
                while let Some(row) = verdicts.next()? {
                    if row.keep {
                        out.push_line(path, &[listed(&row.id).as_bytes(), b"\n"].concat())?;
                    }
                }
            }
        }
    }
    out.finish()?;
    Ok(verdicts.tally)
}

/// A page in a list of files: the name of a file that is one page, otherwise the id of the record.
fn listed(id: &str) -> &str {
    match id.strip_suffix("@0") {
        Some(file) if is_page_file(Path::new(file)) => file,
        _ => id,
    }
}

/// Verdicts on the pages of an input, one after another.
struct Verdicts<I> {
    rows: I,
    tally: Tally,
}

impl<I: Iterator<Item = Result<Row, DedupError>>> Verdicts<I> {
    fn keep(&mut self) -> Result<bool, DedupError> {
        let row = self.next()?.ok_or_else(|| DedupError::Input("the input has changed since it was indexed".into()))?;
        Ok(row.keep)
    }

    fn next(&mut self) -> Result<Option<Row>, DedupError> {
        let row = self.rows.next().transpose()?;
        row.iter().for_each(|row| self.tally.count(row));
        Ok(row)
    }
}

/// A file in progress, in either format.
pub(super) enum Out<R> {
    Lines(Box<AtomicFile>),
    Table(Box<Table<R>>),
}

impl<R: Serialize> Out<R> {
    pub(super) fn lines(path: &Path) -> Result<Self, DedupError> {
        Ok(Out::Lines(Box::new(AtomicFile::create(path)?)))
    }

    pub(super) fn push(&mut self, path: &Path, row: R) -> Result<(), DedupError> {
        match self {
            Out::Lines(_) => {
                let line = serde_json::to_vec(&row).map_err(|error| at(path)(error.into()))?;
                self.push_line(path, &line)
            }
            Out::Table(table) => table.push(row),
        }
    }

    /// Writes a line, adding a newline if it has none.
    fn push_line(&mut self, path: &Path, line: &[u8]) -> Result<(), DedupError> {
        let Out::Lines(file) = self else { return Ok(()) };
        file.write_all(line).map_err(at(path))?;
        if line.ends_with(b"\n") { Ok(()) } else { file.write_all(b"\n").map_err(at(path)) }
    }

    pub(super) fn finish(self) -> Result<(), DedupError> {
        match self {
            Out::Lines(file) => Ok(file.commit()?),
            Out::Table(table) => table.finish(),
        }
    }
}

pub(super) fn is_parquet(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("parquet"))
}

pub(super) fn stored(error: StoreError) -> DedupError {
    DedupError::Input(error.to_string())
}
