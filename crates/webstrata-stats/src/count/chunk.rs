//! Pages on their way from a reader to the counters: properties of their segments and links, with all texts in one buffer.

use std::ops::Range;

/// A segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SegmentFacts {
    start: usize,
    end: usize,
    /// Number of words.
    pub words: u32,
    /// Words per line.
    pub density: f32,
    /// Share of words in links.
    pub link_density: f32,
}

/// A link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LinkFacts {
    /// Index of its segment on the page.
    pub segment: Option<u32>,
    /// Whether it points to the page's own host.
    pub same_host: Option<bool>,
    /// Whether its segment is navigation.
    pub navigation: bool,
}

#[derive(Clone, Debug, Default)]
struct PageEntry {
    id: Range<usize>,
    language: Range<usize>,
    year: Option<u16>,
    segments: Range<usize>,
    links: Range<usize>,
}

/// A batch of pages.
#[derive(Clone, Debug, Default)]
pub struct Chunk {
    text: String,
    pages: Vec<PageEntry>,
    segments: Vec<SegmentFacts>,
    links: Vec<LinkFacts>,
}

/// A page of a chunk.
#[derive(Clone, Copy, Debug)]
pub struct PageFacts<'a> {
    chunk: &'a Chunk,
    entry: &'a PageEntry,
}

impl Chunk {
    /// Removes all pages but keeps the allocated memory.
    pub fn clear(&mut self) {
        self.text.clear();
        self.pages.clear();
        self.segments.clear();
        self.links.clear();
    }

    /// Starts a page. The segments and links added next belong to it.
    pub fn page(&mut self, id: &str, language: Option<&str>, year: Option<u16>) {
        let id = self.keep(id);
        let language = self.keep(language.unwrap_or_default());
        let (segments, links) = (self.segments.len(), self.links.len());
        self.pages.push(PageEntry { id, language, year, segments: segments..segments, links: links..links });
    }

    /// Adds a segment to the last page.
    pub fn segment(&mut self, text: &str, words: u32, density: f32, link_density: f32) {
        let range = self.keep(text);
        self.segments.push(SegmentFacts { start: range.start, end: range.end, words, density, link_density });
        if let Some(page) = self.pages.last_mut() {
            page.segments.end = self.segments.len();
        }
    }

    /// Adds a link to the last page.
    pub fn link(&mut self, link: LinkFacts) {
        self.links.push(link);
        if let Some(page) = self.pages.last_mut() {
            page.links.end = self.links.len();
        }
    }

    fn keep(&mut self, text: &str) -> Range<usize> {
        let start = self.text.len();
        self.text.push_str(text);
        start..self.text.len()
    }

    /// The pages.
    pub fn pages(&self) -> impl Iterator<Item = PageFacts<'_>> {
        self.pages.iter().map(|entry| PageFacts { chunk: self, entry })
    }

    /// Number of pages.
    #[must_use]
    pub fn len(&self) -> usize {
        self.pages.len()
    }

    /// Whether there are no pages.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    /// Bytes of text.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.text.len()
    }
}

impl<'a> PageFacts<'a> {
    /// Its id.
    #[must_use]
    pub fn id(&self) -> &'a str {
        &self.chunk.text[self.entry.id.clone()]
    }

    /// The language of the page, if known.
    #[must_use]
    pub fn language(&self) -> Option<&'a str> {
        Some(&self.chunk.text[self.entry.language.clone()]).filter(|language| !language.is_empty())
    }

    /// The year it was published or, if unknown, fetched.
    #[must_use]
    pub fn year(&self) -> Option<u16> {
        self.entry.year
    }

    /// The segments of the page.
    #[must_use]
    pub fn segments(&self) -> &'a [SegmentFacts] {
        &self.chunk.segments[self.entry.segments.clone()]
    }

    /// The links of the page.
    #[must_use]
    pub fn links(&self) -> &'a [LinkFacts] {
        &self.chunk.links[self.entry.links.clone()]
    }

    /// The text of one of its segments.
    #[must_use]
    pub fn text(&self, segment: &SegmentFacts) -> &'a str {
        &self.chunk.text[segment.start..segment.end]
    }

    /// The buffer of all texts.
    pub(super) fn buffer(&self) -> &'a str {
        &self.chunk.text
    }
}

impl SegmentFacts {
    /// Where its text starts in the buffer.
    pub(super) fn start(&self) -> usize {
        self.start
    }
}
