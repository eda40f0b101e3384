//! Reads rows from JSON Lines, but only the fields that are counted.

use super::tables::{Link, Links, Page, PageTable, Rows, Segment, Segments, Table};
use crate::count::LinkFacts;
use crate::error::StatsError;
use serde::Deserialize;
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use webstrata_corpus::io::LineReader;

/// The lines of a file.
pub(super) struct Lines {
    path: PathBuf,
    reader: LineReader,
    line: Vec<u8>,
}

impl Lines {
    fn open(path: &Path) -> Result<Lines, StatsError> {
        // A row can be as long as its page.
        let reader = LineReader::open(path, u64::MAX).map_err(StatsError::io("read it", path))?;
        Ok(Lines { path: path.to_owned(), reader, line: Vec::new() })
    }

    /// Parses the next line.
    fn next<'a, T: Deserialize<'a>>(&'a mut self) -> Result<Option<T>, StatsError> {
        match self.reader.read(&mut self.line).map_err(StatsError::io("read it", &self.path))? {
            None => Ok(None),
            Some(_) => serde_json::from_slice(&self.line).map(Some).map_err(|error| StatsError::damaged(&self.path, error)),
        }
    }
}

/// A row that owns its memory, which is reused for the next one.
pub(super) trait OwnedRow: Table {
    /// The owned row.
    type Owned: Default + Send;

    /// Reads the next line; returns false at the end.
    fn read(lines: &mut Lines, row: &mut Self::Owned) -> Result<bool, StatsError>;

    /// Borrows the row.
    fn row(row: &Self::Owned) -> Self::Row<'_>;
}

/// The rows of a file.
pub(super) struct Reader<T: OwnedRow> {
    lines: Lines,
    row: T::Owned,
    ready: bool,
}

impl<T: OwnedRow> Reader<T> {
    fn open(path: &Path) -> Result<Self, StatsError> {
        Ok(Reader { lines: Lines::open(path)?, row: T::Owned::default(), ready: false })
    }
}

impl<T: OwnedRow> Rows<T> for Reader<T> {
    fn advance(&mut self) -> Result<(), StatsError> {
        self.ready = T::read(&mut self.lines, &mut self.row)?;
        Ok(())
    }

    fn row(&self) -> Option<T::Row<'_>> {
        self.ready.then(|| T::row(&self.row))
    }
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

#[derive(Deserialize)]
struct SegmentLine<'a> {
    #[serde(borrow)]
    page: Cow<'a, str>,
    #[serde(borrow)]
    text: Cow<'a, str>,
    words: u32,
    text_density: f32,
    link_density: f32,
}

#[derive(Default)]
pub(super) struct OwnedSegment {
    page: String,
    text: String,
    words: u32,
    density: f32,
    link_density: f32,
}

impl OwnedRow for Segments {
    type Owned = OwnedSegment;

    fn read(lines: &mut Lines, row: &mut OwnedSegment) -> Result<bool, StatsError> {
        let Some(line) = lines.next::<SegmentLine<'_>>()? else { return Ok(false) };
        replace(&mut row.page, &line.page);
        replace(&mut row.text, &line.text);
        (row.words, row.density, row.link_density) = (line.words, line.text_density, line.link_density);
        Ok(true)
    }

    fn row(row: &OwnedSegment) -> Segment<'_> {
        let OwnedSegment { page, text, words, density, link_density } = row;
        Segment { page, text, words: *words, density: *density, link_density: *link_density }
    }
}

#[derive(Deserialize)]
struct LinkLine<'a> {
    #[serde(borrow)]
    page: Cow<'a, str>,
    segment: Option<u32>,
    role: Option<String>,
    same_host: Option<bool>,
}

impl OwnedRow for Links {
    type Owned = (String, LinkFacts);

    fn read(lines: &mut Lines, (page, facts): &mut Self::Owned) -> Result<bool, StatsError> {
        let Some(line) = lines.next::<LinkLine<'_>>()? else { return Ok(false) };
        replace(page, &line.page);
        let navigation = line.role.as_deref() == Some("navigation");
        *facts = LinkFacts { segment: line.segment, same_host: line.same_host, navigation };
        Ok(true)
    }

    fn row((page, facts): &Self::Owned) -> Link<'_> {
        Link { page, facts: *facts }
    }
}

#[derive(Default, Deserialize)]
pub(super) struct PageLine {
    id: String,
    language: Option<String>,
    published_text: Option<String>,
    fetched_text: Option<String>,
}

impl OwnedRow for PageTable {
    type Owned = PageLine;

    fn read(lines: &mut Lines, row: &mut PageLine) -> Result<bool, StatsError> {
        let Some(line) = lines.next::<PageLine>()? else { return Ok(false) };
        *row = line;
        Ok(true)
    }

    fn row(row: &PageLine) -> Page<'_> {
        let PageLine { id, language, published_text, fetched_text } = row;
        Page { id, language: language.as_deref(), published: published_text.as_deref(), fetched: fetched_text.as_deref() }
    }
}

/// Replaces a text, reusing its memory.
fn replace(text: &mut String, by: &str) {
    text.clear();
    text.push_str(by);
}
