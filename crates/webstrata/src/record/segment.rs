//! Segments as plain data.

use super::{Pair, pairs};
use crate::content::Content;
use crate::html::Paths;
use crate::label::{SegmentLabel, label_segments};
use crate::segment::{Segment, Segments};
use serde::{Deserialize, Serialize};

/// One segment of a page.
///
/// ```
/// use webstrata::{Page, record::{PageRecord, RecordOptions}, segment::{Method, RuleSet}};
/// let page = Page::parse(b"<h1>Rain</h1><ul><li>one<li>two</ul>");
/// let options = RecordOptions { segments: Some((Method::JustRules, RuleSet::html5())), ..RecordOptions::default() };
/// let record = PageRecord::new(&page, &page.extract(), &options);
/// let list = &record.segments.as_ref().unwrap()[1];
/// assert_eq!((list.text.as_str(), list.path.as_str(), list.blocks), ("one\ntwo", "/html/body/ul", Some([1, 3])));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SegmentRecord {
    /// Byte ranges of its text.
    pub spans: Vec<Pair>,
    /// DOM path of the lowest element that holds all of it.
    pub path: String,
    /// Its text.
    pub text: String,
    /// Is it content?
    pub content: bool,
    /// What it is.
    pub role: String,
    /// How sure of content.
    pub score: f32,
    /// Why it is content or not.
    pub why: String,
    /// Its words.
    pub words: u32,
    /// Those of them that stand in links.
    pub link_words: u32,
    /// Words per line.
    pub text_density: f64,
    /// Numbers of the first block that it has words of, and of the one behind the last. Two segments may share a block.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blocks: Option<[usize; 2]>,
}

pub(super) fn records(segments: &Segments<'_>, paths: &Paths, content: Option<&Content<'_>>) -> Vec<SegmentRecord> {
    let mut blocks = content.map(BlockFinder::new);
    let record = |(segment, label): (Segment<'_>, SegmentLabel)| {
        let spans = segment.spans();
        let range = spans.first().zip(spans.last());
        SegmentRecord {
            blocks: blocks.as_mut().zip(range).and_then(|(blocks, (first, last))| blocks.range(first.start, last.start)),
            spans: pairs(&spans),
            path: segment.node().map_or_else(String::new, |node| paths.path(node)),
            text: segment.text(),
            content: label.content,
            role: label.role.name().to_owned(),
            score: label.score,
            why: label.why,
            words: segment.counts().words,
            link_words: segment.counts().link_words,
            text_density: segment.counts().density().value(),
        }
    };
    segments.iter().zip(label_segments(segments)).map(record).collect()
}

/// Finds the block that a byte of text belongs to. Bytes must come in ascending order.
struct BlockFinder {
    /// Where each block's text starts.
    starts: Vec<u32>,
    at: usize,
}

impl BlockFinder {
    fn new(content: &Content<'_>) -> Self {
        let blocks = content.blocks();
        let dom = blocks.dom();
        let start =
            |block: crate::block::Block<'_>| block.runs().next().and_then(|run| dom.node(run)).map_or(0, |run| run.span().start);
        BlockFinder { starts: blocks.iter().map(start).collect(), at: 0 }
    }

    fn of(&mut self, byte: u32) -> Option<usize> {
        while self.starts.get(self.at + 1).is_some_and(|start| *start <= byte) {
            self.at += 1;
        }
        (!self.starts.is_empty()).then_some(self.at)
    }

    fn range(&mut self, first: u32, last: u32) -> Option<[usize; 2]> {
        Some([self.of(first)?, self.of(last)? + 1])
    }
}
