//! Rows from JSON Lines: only the fields that are counted are read.

use super::tables::{Link, Page, Rows, Segment, year};
use crate::count::LinkFacts;
use crate::error::StatsError;
use serde::Deserialize;
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use webstrata_corpus::io::LineReader;

/// Lines of a file.
pub(super) struct Lines {
    path: PathBuf,
    reader: LineReader,
    line: Vec<u8>,
}

impl Lines {
    fn open(path: &Path) -> Result<Lines, StatsError> {
        // Rows are as long as their pages.
        let reader = LineReader::open(path, u64::MAX).map_err(StatsError::io("read it", path))?;
        Ok(Lines { path: path.to_owned(), reader, line: Vec::new() })
    }

    /// The next line, parsed.
    fn next<'a, T: Deserialize<'a>>(&'a mut self) -> Result<Option<T>, StatsError> {
        match self.reader.read(&mut self.line).map_err(StatsError::io("read it", &self.path))? {
            None => Ok(None),
            Some(_) => serde_json::from_slice(&self.line).map(Some).map_err(|error| StatsError::damaged(&self.path, error)),
        }
    }
}

pub(super) struct SegmentLines(Lines);
pub(super) struct LinkLines(Lines);
pub(super) struct PageLines(Lines);

pub(super) fn segments(path: &Path) -> Result<SegmentLines, StatsError> {
    Lines::open(path).map(SegmentLines)
}

pub(super) fn links(path: &Path) -> Result<LinkLines, StatsError> {
    Lines::open(path).map(LinkLines)
}

pub(super) fn pages(path: &Path) -> Result<PageLines, StatsError> {
    Lines::open(path).map(PageLines)
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

impl Rows<Segment> for SegmentLines {
    fn next(&mut self, row: &mut Segment) -> Result<bool, StatsError> {
        let Some(line) = self.0.next::<SegmentLine<'_>>()? else { return Ok(false) };
        replace(&mut row.page, &line.page);
        replace(&mut row.text, &line.text);
        (row.words, row.density, row.link_density) = (line.words, line.text_density, line.link_density);
        Ok(true)
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

impl Rows<Link> for LinkLines {
    fn next(&mut self, row: &mut Link) -> Result<bool, StatsError> {
        let Some(line) = self.0.next::<LinkLine<'_>>()? else { return Ok(false) };
        replace(&mut row.page, &line.page);
        let navigation = line.role.as_deref() == Some("navigation");
        row.facts = LinkFacts { segment: line.segment, same_host: line.same_host, navigation };
        Ok(true)
    }
}

#[derive(Deserialize)]
struct PageLine<'a> {
    #[serde(borrow)]
    id: Cow<'a, str>,
    language: Option<String>,
    published_text: Option<String>,
    fetched_text: Option<String>,
}

impl Rows<Page> for PageLines {
    fn next(&mut self, row: &mut Page) -> Result<bool, StatsError> {
        let Some(line) = self.0.next::<PageLine<'_>>()? else { return Ok(false) };
        replace(&mut row.id, &line.id);
        row.year = year(line.published_text.as_deref(), line.fetched_text.as_deref());
        row.language = line.language;
        Ok(true)
    }
}

/// Keeps the memory of a text.
fn replace(text: &mut String, by: &str) {
    text.clear();
    text.push_str(by);
}
