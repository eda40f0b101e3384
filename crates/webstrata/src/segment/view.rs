//! Segments of a page, with their bytes, text and counts.

use super::{Cut, Segmentation};
use crate::block::{Blocks, Counts, Joint};
use crate::html::{Folded, Node};
use crate::span::Span;

/// A segmentation together with the page it divides.
///
/// ```
/// use webstrata::{Page, segment::Method};
/// let page = Page::parse(b"<h1>Strata</h1><p>Layers <b>of</b> rock", &Default::default());
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
    /// Puts a segmentation and the blocks that it was made from together.
    #[must_use]
    pub fn new(blocks: Blocks<'p>, segmentation: Segmentation) -> Self {
        Segments { blocks, segmentation }
    }

    /// Number of segments.
    #[must_use]
    pub fn len(&self) -> usize {
        self.segmentation.len()
    }

    /// Is there none?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.segmentation.is_empty()
    }

    /// The segments in document order.
    pub fn iter(&self) -> impl Iterator<Item = Segment<'p>> + '_ {
        self.segmentation.ranges().map(|(from, to)| Segment { blocks: self.blocks, from, to })
    }

    /// The blocks that were divided.
    #[must_use]
    pub fn blocks(&self) -> Blocks<'p> {
        self.blocks
    }
}

/// One segment of a page.
///
/// ```
/// use webstrata::{Page, segment::Method};
/// let page = Page::parse(b"<ul><li>one<li>two</ul><p>three", &Default::default());
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
    /// Where it starts and ends.
    #[must_use]
    pub fn range(self) -> (Cut, Cut) {
        (self.from, self.to)
    }

    /// Numbers of the blocks that it has words of.
    #[must_use]
    pub fn block_numbers(self) -> std::ops::Range<usize> {
        self.from.block as usize..self.to.block as usize + usize::from(self.to.word > 0)
    }

    /// Does it start or end inside a block?
    fn is_cut_inside(self) -> bool {
        self.from.word > 0 || self.to.word > 0
    }

    /// Byte ranges of its text in the page's source, in order; they never overlap, neither with each other nor with those
    /// of other segments.
    #[must_use]
    pub fn spans(self) -> Vec<Span> {
        let mut spans = Vec::new();
        for number in self.block_numbers() {
            let Some(block) = self.blocks.get(number) else { continue };
            spans.extend(block.spans());
        }
        if self.is_cut_inside() {
            if let Some(start) = self.offset_of(self.from) {
                spans.retain(|span| span.end > start);
                if let Some(first) = spans.first_mut() {
                    first.start = first.start.max(start);
                }
            }
            if let Some(end) = self.offset_of(self.to) {
                spans.retain(|span| span.start < end);
                if let Some(last) = spans.last_mut() {
                    last.end = last.end.min(end);
                }
            }
        }
        spans
    }

    /// Byte at which the word of a cut starts; none for a cut at a block's start.
    fn offset_of(self, cut: Cut) -> Option<u32> {
        if cut.word == 0 {
            return None;
        }
        let tokens = self.blocks.get(cut.block as usize)?.tokens();
        tokens.get(cut.word as usize)?.spans.first().map(|span| span.start)
    }

    /// Its text: lines as the page breaks them, white space folded.
    #[must_use]
    pub fn text(self) -> String {
        if self.is_cut_inside() {
            return self.words_text();
        }
        let mut text = String::new();
        for number in self.block_numbers() {
            let Some(block) = self.blocks.get(number) else { continue };
            let mut folded = Folded::default();
            self.blocks.fold_into(number, &mut folded);
            if !text.is_empty() {
                match block.joint() {
                    Joint::Word => {}
                    Joint::Space => text.push(' '),
                    Joint::Line => text.push('\n'),
                }
            }
            text.push_str(&folded.text);
        }
        text
    }

    /// Text of a segment that starts or ends inside a block: its words.
    fn words_text(self) -> String {
        let mut text = String::new();
        for number in self.block_numbers() {
            let Some(block) = self.blocks.get(number) else { continue };
            for (k, token) in block.tokens().iter().enumerate() {
                let here = Cut { block: number as u32, word: k as u32 };
                if here < self.from || here >= self.to {
                    continue;
                }
                if !text.is_empty() && (token.spaced || k == 0) {
                    text.push(' ');
                }
                text.push_str(&token.text);
            }
        }
        text
    }

    /// Its words, lines and linked words: the counts of its blocks, fused. For a segment that starts
    /// or ends inside a block, those blocks count whole.
    #[must_use]
    pub fn counts(self) -> Counts {
        self.block_numbers().filter_map(|n| self.blocks.get(n)).map(|b| b.counts()).reduce(Counts::fuse).unwrap_or_default()
    }

    /// The lowest element that holds all of it.
    #[must_use]
    pub fn node(self) -> Option<Node<'p>> {
        let numbers = self.block_numbers();
        let first = self.blocks.get(numbers.start)?.node();
        let last = self.blocks.get(numbers.end.checked_sub(1)?)?;
        let end = last.runs().last()?;
        // Ancestors hold a range of nodes: the first that reaches behind the last run holds all between.
        std::iter::once(first).chain(first.ancestors()).find(|n| n.descendants().next_back().is_some_and(|d| d.id() >= end))
    }

    /// The blocks that were divided.
    #[must_use]
    pub fn blocks(self) -> Blocks<'p> {
        self.blocks
    }
}
