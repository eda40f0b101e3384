//! Rows of three tables joined into pages. All tables have the pages in the same order, so one pass over each is enough. Links are
//! counted only if there is a table of pages: it says which pages have links and no segments.

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

/// A row of the table of segments, as far as it is counted.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Segment {
    pub(super) page: String,
    pub(super) text: String,
    pub(super) words: u32,
    pub(super) density: f32,
    pub(super) link_density: f32,
}

/// A row of the table of links.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Link {
    pub(super) page: String,
    pub(super) facts: LinkFacts,
}

/// A row of the table of pages.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Page {
    pub(super) id: String,
    pub(super) language: Option<String>,
    pub(super) year: Option<u16>,
}

/// Rows of a table, one after the other. The row is filled in place: its memory is used again.
pub(super) trait Rows<R>: Send {
    fn next(&mut self, row: &mut R) -> Result<bool, StatsError>;
}

/// A table that was not written.
struct Missing;

impl<R> Rows<R> for Missing {
    fn next(&mut self, _: &mut R) -> Result<bool, StatsError> {
        Ok(false)
    }
}

/// The pages of a shard.
pub(super) struct Pages {
    segments: Peeked<Segment>,
    links: Peeked<Link>,
    pages: Peeked<Page>,
    skipped: String,
}

/// Rows of which the next can be looked at.
struct Peeked<R> {
    rows: Box<dyn Rows<R>>,
    row: R,
    /// Whether `row` is the next one; otherwise it has to be read.
    ready: bool,
    done: bool,
}

impl<R> Peeked<R> {
    fn peek(&mut self) -> Result<Option<&R>, StatsError> {
        if !self.ready && !self.done {
            self.ready = self.rows.next(&mut self.row)?;
            self.done = !self.ready;
        }
        Ok(self.ready.then_some(&self.row))
    }
}

fn peeked<R>(rows: Box<dyn Rows<R>>, row: R) -> Peeked<R> {
    Peeked { rows, row, ready: false, done: false }
}

impl Pages {
    pub(super) fn open(shard: &Shard, format: Format) -> Result<Pages, StatsError> {
        let lines = format == Format::Jsonl;
        let segments: Box<dyn Rows<Segment>> = match &shard.segments {
            Some(path) if lines => Box::new(jsonl::segments(path)?),
            Some(path) => Box::new(parquet::segments(path)?),
            None => Box::new(Missing),
        };
        let links: Box<dyn Rows<Link>> = match &shard.links {
            _ if shard.pages.is_none() => Box::new(Missing),
            Some(path) if lines => Box::new(jsonl::links(path)?),
            Some(path) => Box::new(parquet::links(path)?),
            None => Box::new(Missing),
        };
        let pages: Box<dyn Rows<Page>> = match &shard.pages {
            Some(path) if lines => Box::new(jsonl::pages(path)?),
            Some(path) => Box::new(parquet::pages(path)?),
            None => Box::new(Missing),
        };
        let link = Link { page: String::new(), facts: LinkFacts { segment: None, same_host: None, navigation: false } };
        let (segments, pages) = (peeked(segments, Segment::default()), peeked(pages, Page::default()));
        Ok(Pages { segments, links: peeked(links, link), pages, skipped: String::new() })
    }

    /// The next pages; none at the end. A page without segments has nothing to count.
    pub(super) fn next(&mut self) -> Result<Option<Chunk>, StatsError> {
        let mut chunk = Chunk::default();
        let mut id = String::new();
        while chunk.bytes() < CHUNK && chunk.len() < CHUNK_PAGES {
            let Some(first) = self.segments.peek()? else { break };
            id.clone_from(&first.page);
            let (mut language, mut year) = (None, None);
            while let Some(page) = self.pages.peek()? {
                self.skipped.clone_from(&page.id);
                let found = page.id == id;
                if found {
                    (language, year) = (page.language.clone(), page.year);
                }
                self.pages.ready = false;
                if found {
                    break;
                }
                // A page without segments can have links, such as those of images.
                while self.links.peek()?.is_some_and(|link| link.page == self.skipped) {
                    self.links.ready = false;
                }
            }
            chunk.page(&id, language.as_deref(), year);
            while let Some(segment) = self.segments.peek()?.filter(|segment| segment.page == id) {
                chunk.segment(&segment.text, segment.words, segment.density, segment.link_density);
                self.segments.ready = false;
            }
            while let Some(link) = self.links.peek()?.filter(|link| link.page == id) {
                chunk.link(link.facts);
                self.links.ready = false;
            }
        }
        Ok((!chunk.is_empty()).then_some(chunk))
    }
}

/// The year of a page from its dates as texts.
pub(super) fn year(published: Option<&str>, fetched: Option<&str>) -> Option<u16> {
    let of = |text: &str| {
        let year: Option<u16> = text.get(..4).and_then(|year| year.parse().ok());
        let year =
            year.or_else(|| Timestamp::parse(text).and_then(|time| time.to_string().get(..4).and_then(|year| year.parse().ok())));
        year.filter(|year| (1990..2100).contains(year))
    };
    published.and_then(of).or_else(|| fetched.and_then(of))
}
