//! Joins the rows of three tables into pages. All tables list the pages in the same order, so one pass over each is enough. Links are
//! counted only if there is a table of pages, because only that table tells which pages have links but no segments.

use super::files::Shard;
use super::{jsonl, parquet};
use crate::count::{Chunk, LinkFacts};
use crate::error::StatsError;
use webstrata_corpus::Timestamp;
use webstrata_corpus::store::Format;

/// Bytes of text after which a chunk is complete: small enough to be still in the cache when it is counted.
const CHUNK: usize = 1 << 18;
/// Pages after which a chunk is complete.
const CHUNK_PAGES: usize = 1000;

/// A table, reduced to the columns that are counted.
pub(super) trait Table {
    /// A row. It borrows from the reader, so that no text is copied on its way to a chunk.
    type Row<'a>;
}

/// The table of segments.
pub(super) enum Segments {}

/// A row of segments.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment<'a> {
    pub(super) page: &'a str,
    pub(super) text: &'a str,
    pub(super) words: u32,
    pub(super) density: f32,
    pub(super) link_density: f32,
}

impl Table for Segments {
    type Row<'a> = Segment<'a>;
}

/// The table of links.
pub(super) enum Links {}

/// A row of links.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link<'a> {
    pub(super) page: &'a str,
    pub(super) facts: LinkFacts,
}

impl Table for Links {
    type Row<'a> = Link<'a>;
}

/// The table of pages.
pub(super) enum PageTable {}

/// A row of pages.
#[derive(Clone, Copy, Debug)]
pub(super) struct Page<'a> {
    pub(super) id: &'a str,
    pub(super) language: Option<&'a str>,
    pub(super) published: Option<&'a str>,
    pub(super) fetched: Option<&'a str>,
}

impl Table for PageTable {
    type Row<'a> = Page<'a>;
}

/// A cursor over the rows of a table.
pub(super) trait Rows<T: Table>: Send {
    /// Advances to the next row; the first call advances to the first row.
    fn advance(&mut self) -> Result<(), StatsError>;

    /// The current row; none before the first and after the last one.
    fn row(&self) -> Option<T::Row<'_>>;
}

/// A table that was not written.
struct Missing;

impl<T: Table> Rows<T> for Missing {
    fn advance(&mut self) -> Result<(), StatsError> {
        Ok(())
    }

    fn row(&self) -> Option<T::Row<'_>> {
        None
    }
}

/// The pages of a shard.
pub(super) struct Pages {
    segments: Box<dyn Rows<Segments>>,
    links: Box<dyn Rows<Links>>,
    pages: Box<dyn Rows<PageTable>>,
    id: String,
}

impl Pages {
    pub(super) fn open(shard: &Shard, format: Format) -> Result<Pages, StatsError> {
        let lines = format == Format::Jsonl;
        let mut segments: Box<dyn Rows<Segments>> = match &shard.segments {
            Some(path) if lines => Box::new(jsonl::segments(path)?),
            Some(path) => Box::new(parquet::segments(path)?),
            None => Box::new(Missing),
        };
        let mut links: Box<dyn Rows<Links>> = match &shard.links {
            _ if shard.pages.is_none() => Box::new(Missing),
            Some(path) if lines => Box::new(jsonl::links(path)?),
            Some(path) => Box::new(parquet::links(path)?),
            None => Box::new(Missing),
        };
        let mut pages: Box<dyn Rows<PageTable>> = match &shard.pages {
            Some(path) if lines => Box::new(jsonl::pages(path)?),
            Some(path) => Box::new(parquet::pages(path)?),
            None => Box::new(Missing),
        };
        segments.advance()?;
        links.advance()?;
        pages.advance()?;
        Ok(Pages { segments, links, pages, id: String::new() })
    }

    /// Fills a chunk with the next pages; leaves it empty at the end. Pages without segments are skipped.
    pub(super) fn next(&mut self, chunk: &mut Chunk) -> Result<(), StatsError> {
        let Pages { segments, links, pages, id } = self;
        chunk.clear();
        while chunk.bytes() < CHUNK && chunk.len() < CHUNK_PAGES {
            let Some(first) = segments.row() else { break };
            id.clear();
            id.push_str(first.page);
            while let Some(page) = pages.row().filter(|page| page.id != *id) {
                // A page without segments can have links, such as those of images; skip them.
                while links.row().is_some_and(|link| link.page == page.id) {
                    links.advance()?;
                }
                pages.advance()?;
            }
            match pages.row() {
                Some(page) => {
                    chunk.page(id, page.language, year(page.published, page.fetched));
                    pages.advance()?;
                }
                None => chunk.page(id, None, None),
            }
            while let Some(segment) = segments.row().filter(|segment| segment.page == *id) {
                chunk.segment(segment.text, segment.words, segment.density, segment.link_density);
                segments.advance()?;
            }
            while let Some(link) = links.row().filter(|link| link.page == *id) {
                chunk.link(link.facts);
                links.advance()?;
            }
        }
        Ok(())
    }
}

/// The year of a page, from its dates as text.
fn year(published: Option<&str>, fetched: Option<&str>) -> Option<u16> {
    let of = |text: &str| {
        let year: Option<u16> = text.get(..4).and_then(|year| year.parse().ok());
        let year =
            year.or_else(|| Timestamp::parse(text).and_then(|time| time.to_string().get(..4).and_then(|year| year.parse().ok())));
        year.filter(|year| (1990..2100).contains(year))
    };
    published.and_then(of).or_else(|| fetched.and_then(of))
}
