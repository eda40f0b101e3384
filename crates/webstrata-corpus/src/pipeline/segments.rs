//! Rows of segments: what a segmenter cut, with the labeller's opinion of it.
//!
//! Segments and labels do not speak of the same blocks: segmenters cut between atoms, labellers judge lines. A segment has
//! the blocks whose text it has the first byte of to the one that its last run is in.

use crate::store::{Row, SegmentRow};
use webstrata::block::Block;
use webstrata::content::Content;
use webstrata::html::Paths;
use webstrata::label::Role;
use webstrata::segment::{Segment, Segments};

/// Bytes that the segments of a page may take. Paths repeat what the page says once: a page of 1 MB can ask for gigabytes.
const MOST: usize = 32 << 20;

/// The rows of a page's segments, and whether some were left out.
pub(super) fn rows(id: &str, segments: &Segments<'_>, paths: &Paths, content: &Content<'_>) -> (Vec<SegmentRow>, bool) {
    let mut judge = Judge::new(content);
    let mut rows = Vec::with_capacity(segments.len().min(1 << 10));
    let mut room = MOST;
    for (number, segment) in segments.iter().enumerate() {
        let row = row(id, number, segment, paths, &mut judge);
        let Some(left) = room.checked_sub(row.size()) else { return (rows, true) };
        room = left;
        rows.push(row);
    }
    (rows, false)
}

fn row(id: &str, number: usize, segment: Segment<'_>, paths: &Paths, judge: &mut Judge<'_, '_>) -> SegmentRow {
    let spans = segment.spans();
    let counts = segment.counts();
    let range = spans.first().zip(spans.last());
    let opinion = range.map_or_else(Opinion::default, |(first, last)| judge.opinion(first.start, last.start));
    SegmentRow {
        page: id.to_owned(),
        number: u32::try_from(number).unwrap_or(u32::MAX),
        spans: spans.iter().map(|span| [span.start, span.end]).collect(),
        path: segment.node().map_or_else(String::new, |node| paths.path(node)),
        role: opinion.role.unwrap_or(Role::Boilerplate).name().to_owned(),
        content: opinion.content,
        score: thousandths(opinion.score),
        words: counts.words,
        text_density: thousandths(counts.density().value() as f32),
        link_density: thousandths(counts.link_density() as f32),
        class: None,
    }
}

/// Three decimals: more would say more than is known, and compress badly.
pub(super) fn thousandths(value: f32) -> f32 {
    (value * 1000.0).round() / 1000.0
}

/// What the labeller thinks of a segment.
#[derive(Clone, Copy, Debug, Default)]
struct Opinion {
    role: Option<Role>,
    content: bool,
    score: f32,
}

/// Puts the opinions on blocks together to one on a segment. Segments must come in the order of the page.
struct Judge<'c, 'p> {
    content: &'c Content<'p>,
    /// Where each block's text starts.
    starts: Vec<u32>,
    at: usize,
}

impl<'c, 'p> Judge<'c, 'p> {
    fn new(content: &'c Content<'p>) -> Self {
        let dom = content.blocks().dom();
        let start = |block: Block<'_>| block.runs().next().and_then(|run| dom.node(run)).map_or(0, |run| run.span().start);
        Judge { content, starts: content.blocks().iter().map(start).collect(), at: 0 }
    }

    fn block_of(&mut self, byte: u32) -> usize {
        while self.starts.get(self.at + 1).is_some_and(|start| *start <= byte) {
            self.at += 1;
        }
        self.at
    }

    /// The opinion on the blocks between two bytes, each counting for as many words as it has.
    fn opinion(&mut self, first: u32, last: u32) -> Opinion {
        let (first, last) = (self.block_of(first), self.block_of(last));
        let labels = self.content.labels();
        let (mut words, mut kept, mut probabilities) = (0.0, 0.0, 0.0);
        let mut roles: Vec<(Role, f32)> = Vec::new();
        for block in (first..=last).filter_map(|index| self.content.blocks().get(index)) {
            let weight = block.counts().words.max(1) as f32;
            let is_content = labels.verdict(block.index()).content;
            let role = labels.role(block);
            words += weight;
            kept += if is_content { weight } else { 0.0 };
            probabilities += weight * labels.probability(block.index()).unwrap_or(if is_content { 1.0 } else { 0.0 });
            match roles.iter_mut().find(|(known, _)| *known == role) {
                Some((_, sum)) => *sum += weight,
                None => roles.push((role, weight)),
            }
        }
        if words == 0.0 {
            return Opinion::default();
        }
        // Of roles with the same words the first on the page.
        let most = roles.iter().copied().reduce(|best, next| if next.1 > best.1 { next } else { best });
        Opinion { role: most.map(|(role, _)| role), content: 2.0 * kept > words, score: probabilities / words }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use webstrata::Page;
    use webstrata::segment::Method;

    #[test]
    fn segments_have_the_labellers_opinion() {
        let text = "It has been raining in the valley for three days, and nobody can remember when that last happened. ".repeat(4);
        let html =
            format!("<nav class=menu><ul><li><a href=/>Home</a><li><a href=/n>News</a></ul></nav><h1>Rain</h1><p>{text}</p>");
        let page = Page::parse(html.as_bytes());
        let content = page.extract();
        let segments = page.segments(Method::JustRules);
        let (rows, cut) = rows("a@0", &segments, &Paths::new(page.dom()), &content);
        assert!(!cut && rows.len() == segments.len());
        let of = |word: &str| {
            rows.iter().find(|row| row.spans.iter().any(|&[start, end]| html[start as usize..end as usize].contains(word)))
        };
        let (menu, body) = (of("Home").unwrap(), of("raining").unwrap());
        assert!(!menu.content && menu.link_density > 0.9 && menu.score < body.score, "{menu:?} {body:?}");
        assert_eq!((menu.role.as_str(), body.role.as_str(), body.content), ("navigation", "body", true));
        assert!(body.text_density > 10.0 && body.path.starts_with("/html/body"));
    }

    #[test]
    fn paths_of_a_hostile_page_have_an_end() {
        let html = "<div>".repeat(400) + &"<p>a".repeat(120_000);
        let page = Page::parse(html.as_bytes());
        let content = page.extract();
        let (rows, cut) = rows("a@0", &page.segments(Method::TagGap), &Paths::new(page.dom()), &content);
        assert!(cut);
        assert!(rows.iter().map(Row::size).sum::<usize>() <= MOST);
    }
}
