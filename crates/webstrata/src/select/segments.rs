//! Verdicts on segments, aggregated from those on blocks.
//!
//! Segmenters cut between atoms and labellers judge lines, so a block may belong to two segments. A segment covers the blocks
//! from the one with its first byte to the one with its last run. Each of them has as many votes as words: the
//! segment is content if more than half of the words are in blocks that are kept, and it has the role with the most words. This
//! is the only place where segments get verdicts, whichever method cut them.

use super::Selection;
use crate::block::{Block, Blocks};
use crate::label::{Explanation, Labels, Role};
use crate::segment::Segments;
use std::ops::Range;

/// Verdict on one segment.
///
/// ```
/// use webstrata::{Page, label::Role, segment::Method};
/// let text = "It has been raining in the valley for three days, and nobody can remember when that last happened. ".repeat(4);
/// let html = format!("<nav><ul><li><a href=/>Home</a><li><a href=/n>News</a></ul></nav><h1>Rain</h1><p>{text}</p>");
/// let page = Page::parse(html.as_bytes());
/// let content = page.extract();
/// let verdicts = content.label_segments(&page.segments(Method::JustRules));
/// assert_eq!((verdicts[0].role, verdicts[0].content), (Role::Navigation, false));
/// let body = verdicts.last().unwrap();
/// assert!(body.content && body.score > verdicts[0].score);
/// assert!(body.why(&content.explain()).contains("strata: content: probability"));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SegmentVerdict {
    /// Whether the segment is content.
    pub content: bool,
    /// The role of the segment.
    pub role: Role,
    /// Mean probability of content over the blocks, weighted by words; for methods without probabilities, the share of the
    /// words in blocks that are kept. Rounded to three decimals.
    pub score: f32,
    /// The blocks that the segment covers. Two segments may share a block.
    pub blocks: Range<usize>,
    /// The block whose reason is given: of those that agree with the verdict, the one with the most words.
    decisive: usize,
    words: f32,
    kept_words: f32,
}

impl SegmentVerdict {
    /// Verdict on a segment without text.
    const NONE: SegmentVerdict = SegmentVerdict {
        content: false,
        role: Role::Boilerplate,
        score: 0.0,
        blocks: 0..0,
        decisive: 0,
        words: 0.0,
        kept_words: 0.0,
    };

    /// Why the segment is content or not: the vote of its words if they are in several blocks, and the reason for the largest
    /// block that agrees with the verdict.
    #[must_use]
    pub fn why(&self, explanation: &Explanation<'_>) -> String {
        if self.blocks.is_empty() {
            return String::new();
        }
        let why = explanation.why(self.decisive);
        if self.blocks.len() == 1 {
            return why;
        }
        let verdict = if self.content { "content" } else { "not content" };
        format!("{verdict}: {} of {} words are content; block {}: {why}", self.kept_words, self.words, self.decisive)
    }
}

/// The verdicts on all segments of a page, in order. `roles` are those of the blocks.
pub(crate) fn label_segments(
    segments: &Segments<'_>,
    blocks: Blocks<'_>,
    labels: &Labels,
    selection: &Selection,
    roles: &[Role],
) -> Vec<SegmentVerdict> {
    let mut finder = BlockFinder::new(blocks);
    let mut votes = Vec::new();
    let verdict = |segment: crate::segment::Segment<'_>| {
        let Some((first, last)) = segment.first_and_last_span() else { return SegmentVerdict::NONE };
        let range = finder.find(first.start)..finder.find(last.start) + 1;
        aggregate(range, blocks, labels, selection, roles, &mut votes)
    };
    segments.iter().map(verdict).collect()
}

/// The verdict on a range of blocks. `votes` is a buffer.
fn aggregate(
    range: Range<usize>,
    blocks: Blocks<'_>,
    labels: &Labels,
    selection: &Selection,
    roles: &[Role],
    votes: &mut Vec<(Role, f32)>,
) -> SegmentVerdict {
    votes.clear();
    let (mut words, mut kept_words, mut probabilities) = (0.0, 0.0, 0.0);
    // The largest block that is not kept and the largest that is, with their words.
    let mut largest = [(0, 0.0); 2];
    for block in range.clone().filter_map(|index| blocks.get(index)) {
        let weight = block.counts().words.max(1) as f32;
        let kept = selection.keeps(block.index());
        let role = roles.get(block.index()).copied().unwrap_or(Role::Boilerplate);
        words += weight;
        kept_words += if kept { weight } else { 0.0 };
        probabilities += weight * labels.probability(block.index()).unwrap_or(if kept { 1.0 } else { 0.0 });
        let best = &mut largest[usize::from(kept)];
        if weight > best.1 {
            *best = (block.index(), weight);
        }
        match votes.iter_mut().find(|(known, _)| *known == role) {
            Some((_, sum)) => *sum += weight,
            None => votes.push((role, weight)),
        }
    }
    if words == 0.0 {
        return SegmentVerdict::NONE;
    }
    // Among roles with equally many words, the first on the page wins.
    let role = votes.iter().copied().reduce(|best, next| if next.1 > best.1 { next } else { best });
    let content = 2.0 * kept_words > words;
    SegmentVerdict {
        content,
        role: role.map_or(Role::Boilerplate, |(role, _)| role),
        score: (probabilities / words * 1000.0).round() / 1000.0,
        blocks: range,
        decisive: largest[usize::from(content)].0,
        words,
        kept_words,
    }
}

/// Finds the block that contains a byte. Bytes must come in ascending order.
struct BlockFinder {
    /// Where each block's text starts.
    starts: Vec<u32>,
    at: usize,
}

impl BlockFinder {
    fn new(blocks: Blocks<'_>) -> Self {
        let dom = blocks.dom();
        let start = |block: Block<'_>| block.runs().next().and_then(|run| dom.node(run)).map_or(0, |run| run.span().start);
        BlockFinder { starts: blocks.iter().map(start).collect(), at: 0 }
    }

    fn find(&mut self, byte: u32) -> usize {
        while self.starts.get(self.at + 1).is_some_and(|start| *start <= byte) {
            self.at += 1;
        }
        self.at
    }
}
