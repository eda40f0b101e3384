//! Segments of a page with their bytes, text and counts.

use super::{Cut, Segmentation};
use crate::block::{Block, Blocks, Context, Counter, Counts, WordBoundary};
use crate::html::{Folded, Node, Tag};
use crate::span::Span;
use std::borrow::Cow;

/// A segmentation together with the page it divides.
///
/// ```
/// use webstrata::{Page, segment::Method};
/// let page = Page::parse(b"<h1>Strata</h1><p>Layers <b>of</b> rock");
/// let segments = page.segments(Method::JustRules);
/// let texts: Vec<String> = segments.iter().map(|s| s.text()).collect();
/// assert_eq!(texts, ["Strata", "Layers of rock"]);
/// ```
#[derive(Clone, Debug)]
pub struct Segments<'p> {
    blocks: Blocks<'p>,
    segmentation: Segmentation,
}

impl<'p> Segments<'p> {
    /// Combines a segmentation with the blocks that it divides.
    #[must_use]
    pub fn new(blocks: Blocks<'p>, segmentation: Segmentation) -> Self {
        Segments { blocks, segmentation }
    }

    /// Number of segments.
    #[must_use]
    pub fn len(&self) -> usize {
        self.segmentation.len()
    }

    /// Whether there are no segments: the page has no text.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.segmentation.is_empty()
    }

    /// The segments in document order.
    #[must_use]
    pub fn iter(&self) -> SegmentsIter<'_, 'p> {
        SegmentsIter { segments: Cow::Borrowed(self), next: 0 }
    }

    /// Segment `index`.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<Segment<'p>> {
        let (from, to) = self.segmentation.range(index)?;
        Some(Segment { blocks: self.blocks, from, to })
    }

    /// The segmentation: groups of segments, and the method's reasons.
    #[must_use]
    pub fn segmentation(&self) -> &Segmentation {
        &self.segmentation
    }

    /// The blocks that were divided.
    #[must_use]
    pub fn blocks(&self) -> Blocks<'p> {
        self.blocks
    }
}

impl<'s, 'p> IntoIterator for &'s Segments<'p> {
    type Item = Segment<'p>;
    type IntoIter = SegmentsIter<'s, 'p>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'p> IntoIterator for Segments<'p> {
    type Item = Segment<'p>;
    type IntoIter = SegmentsIter<'p, 'p>;

    fn into_iter(self) -> Self::IntoIter {
        SegmentsIter { segments: Cow::Owned(self), next: 0 }
    }
}

/// Iterator over [`Segments`].
///
/// ```
/// use webstrata::{Page, segment::Method};
/// let page = Page::parse(b"<p>one<hr><p>two");
/// let labelled = page.segments(Method::JustRules);
/// let texts: Vec<String> = labelled.as_segments().into_iter().map(|segment| segment.text()).collect();
/// assert_eq!(texts, ["one", "two"]);
/// ```
#[derive(Clone, Debug)]
pub struct SegmentsIter<'s, 'p> {
    segments: Cow<'s, Segments<'p>>,
    next: usize,
}

impl<'p> Iterator for SegmentsIter<'_, 'p> {
    type Item = Segment<'p>;

    fn next(&mut self) -> Option<Segment<'p>> {
        let segment = self.segments.get(self.next)?;
        self.next += 1;
        Some(segment)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.segments.len().saturating_sub(self.next);
        (left, Some(left))
    }
}

impl ExactSizeIterator for SegmentsIter<'_, '_> {}

impl std::iter::FusedIterator for SegmentsIter<'_, '_> {}

/// Number of elements around a block that are searched for a term: terms have little markup, and pages may be deep.
const TERM_DEPTH: usize = 8;

/// Whether a block is in a heading or a term of a definition list. Linked ones, as in tables of contents, are about other pages.
fn is_heading(block: Block<'_>) -> bool {
    if block.link_density() > 0.5 {
        return false;
    }
    let around = || std::iter::once(block.node()).chain(block.node().ancestors()).take(TERM_DEPTH);
    block.context().intersects(Context::HEADING)
        || (block.context().intersects(Context::LIST) && around().any(|node| node.tag() == Tag::DT))
}

/// One segment of a page.
///
/// ```
/// use webstrata::{Page, segment::Method};
/// let page = Page::parse(b"<ul><li>one<li>two</ul><p>three");
/// let list = page.segments(Method::JustRules).iter().next().unwrap();
/// assert_eq!(list.text(), "one\ntwo");
/// assert_eq!(list.counts().words, 2);
/// assert_eq!(list.node().unwrap().name(), "ul");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Segment<'p> {
    blocks: Blocks<'p>,
    from: Cut,
    to: Cut,
}

impl<'p> Segment<'p> {
    /// Start and end.
    #[must_use]
    pub fn range(self) -> (Cut, Cut) {
        (self.from, self.to)
    }

    /// Indices of the blocks that have words in the segment.
    #[must_use]
    pub fn block_numbers(self) -> std::ops::Range<usize> {
        self.from.block as usize..self.to.block as usize + usize::from(self.to.at > 0)
    }

    /// The segment's runs in block `number`, each with the byte range that is inside the segment.
    fn runs(self, number: usize) -> impl Iterator<Item = (u32, Span)> + 'p {
        let dom = self.blocks.dom();
        let runs = self.blocks.runs_of(number);
        let span = move |run: u32| dom.span_of(Blocks::run_node(run));
        let start = if number == self.from.block as usize { self.from.at } else { 0 };
        let end = if number == self.to.block as usize { self.to.at } else { u32::MAX };
        // Runs ascend, so a block of many runs that is cut into many lines need not be traversed for each line.
        let first = runs.partition_point(|&run| span(run).end <= start);
        let inside = move |&run: &u32| {
            let whole = span(run);
            (run, Span::new(whole.start.max(start), whole.end.min(end)))
        };
        runs[first..].iter().map(inside).take_while(move |(_, span)| span.start < end)
    }

    /// The first and the last byte range of the segment, without those in between.
    pub(crate) fn first_and_last_span(self) -> Option<(Span, Span)> {
        let mut spans = self.block_numbers().flat_map(|number| self.runs(number)).map(|(_, span)| span);
        let first = spans.next()?;
        Some((first, spans.last().unwrap_or(first)))
    }

    /// Byte ranges of the text in the page's source, in order. They overlap neither each other nor those of other segments.
    #[must_use]
    pub fn spans(self) -> Vec<Span> {
        self.block_numbers().flat_map(|number| self.runs(number)).map(|(_, span)| span).collect()
    }

    /// The text, with the page's line breaks and white space folded.
    #[must_use]
    pub fn text(self) -> String {
        self.fold_blocks(&mut |_, _| {})
    }

    /// Byte ranges of [`text`](Segment::text) in headings (`h1` … `h6`) and in terms of definition lists (`dt`), one for each run
    /// of adjacent blocks. They name the topic of the text after them. Linked ones are left out.
    ///
    /// ```
    /// use webstrata::{Page, segment::Method};
    /// let page = Page::parse(b"<h2>Rain</h2><dl><dt><b>drizzle</b> <i>(noun)</i><dd>light rain</dl>");
    /// let segments = page.segments(Method::TagGap);
    /// let of = |n: usize| segments.get(n).map(|segment| (segment.text(), segment.headings())).unwrap();
    /// assert_eq!(of(0), ("Rain".to_owned(), vec![[0, 4]]));
    /// assert_eq!(of(1), ("drizzle".to_owned(), vec![[0, 7]]));
    /// assert_eq!(of(3), ("light rain".to_owned(), vec![]));
    /// ```
    #[must_use]
    pub fn headings(self) -> Vec<[u32; 2]> {
        let mut ranges: Vec<[u32; 2]> = Vec::new();
        self.fold_blocks(&mut |block, [start, end]| {
            if start == end || !is_heading(block) {
                return;
            }
            let bytes = [start, end].map(|at| u32::try_from(at).unwrap_or(u32::MAX));
            match ranges.last_mut() {
                // Only a space or line break separates them.
                Some(last) if last[1] + 1 >= bytes[0] => last[1] = bytes[1],
                _ => ranges.push(bytes),
            }
        });
        ranges
    }

    /// The text. `each` is called with its blocks, and where the text of each is in it.
    fn fold_blocks(self, each: &mut dyn FnMut(Block<'p>, [usize; 2])) -> String {
        let mut folded = Folded::default();
        let dom = self.blocks.dom();
        for number in self.block_numbers() {
            let Some(block) = self.blocks.get(number) else { continue };
            let before = folded.text.len();
            for (k, (run, span)) in self.runs(number).enumerate() {
                if k > 0 {
                    if Blocks::run_is_spaced(run) {
                        folded.space();
                    }
                } else if number > self.from.block as usize {
                    match block.boundary() {
                        WordBoundary::None => {}
                        WordBoundary::Space => folded.space(),
                        WordBoundary::Line => folded.line(),
                    }
                }
                folded.push(&dom.part_text(Blocks::run_node(run), span));
            }
            let own = &folded.text[before..];
            each(block, [before + own.len() - own.trim_start().len(), folded.text.len()]);
        }
        folded.text
    }

    /// Words, lines and linked words: the fused counts of its blocks. Of a partial block, only the part inside is counted.
    #[must_use]
    pub fn counts(self) -> Counts {
        let counts = |number: usize| {
            let whole = (number > self.from.block as usize || self.from.at == 0) && number < self.to.block as usize;
            if whole { self.blocks.get(number).map(|b| b.counts()) } else { Some(self.count_part(number)) }
        };
        self.block_numbers().filter_map(counts).reduce(Counts::fuse).unwrap_or_default()
    }

    fn count_part(self, number: usize) -> Counts {
        let mut counter = Counter::new(self.blocks.word_options());
        for (k, (run, span)) in self.runs(number).enumerate() {
            if k > 0 && Blocks::run_is_spaced(run) {
                counter.space();
            }
            counter.run(&self.blocks.dom().part_text(Blocks::run_node(run), span), Blocks::run_is_linked(run));
        }
        counter.finish()
    }

    /// The lowest element that contains the whole segment.
    #[must_use]
    pub fn node(self) -> Option<Node<'p>> {
        let numbers = self.block_numbers();
        let first = self.blocks.get(numbers.start)?.node();
        let last = self.blocks.get(numbers.end.checked_sub(1)?)?;
        let end = last.runs().last()?;
        // An ancestor covers a range of nodes: the first one that extends past the last run contains everything in between.
        std::iter::once(first).chain(first.ancestors()).find(|n| n.descendants().next_back().is_some_and(|d| d.id() >= end))
    }

    /// The blocks that were divided.
    #[must_use]
    pub fn blocks(self) -> Blocks<'p> {
        self.blocks
    }
}
