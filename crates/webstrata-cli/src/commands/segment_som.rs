//! The segments of a page by the SOM tree of its site, as records: each with its class.

use webstrata::Page;
use webstrata::block::GapModel;
use webstrata::content::Content;
use webstrata::html::{Node, Paths};
use webstrata::label::Role;
use webstrata::record::{ClassRecord, SegmentRecord};
use webstrata::segment::{Segment, Segments};
use webstrata::select::SegmentVerdict;
use webstrata_corpus::site::method::{SomClass, SomPage, SomRegion, SomTree};

/// The segments of a page.
pub(super) fn records(page: &Page<'_>, content: &Content<'_>, tree: &SomTree) -> Vec<SegmentRecord> {
    let atoms = page.blocks_by(GapModel::Tags);
    let found = SomPage::new(atoms, tree);
    let pieces = found.pieces(atoms);
    let verdicts = content.label_segments(&pieces);
    let (explanation, paths) = (content.explain(), Paths::new(page.dom()));
    let record = |region: &SomRegion| {
        let merged = Merged::new(region, &pieces, &verdicts)?;
        Some(SegmentRecord {
            spans: merged.parts.iter().flat_map(|(segment, _)| segment.spans()).map(|span| [span.start, span.end]).collect(),
            path: merged.node().map_or_else(String::new, |node| paths.path(node)),
            text: merged.parts.iter().map(|(segment, _)| segment.text()).collect::<Vec<_>>().join("\n"),
            content: merged.content,
            role: merged.role.name().to_owned(),
            score: merged.score,
            why: merged.largest.why(&explanation),
            words: merged.counts.words,
            link_words: merged.counts.link_words,
            text_density: merged.counts.density().value(),
            blocks: [merged.blocks.start, merged.blocks.end],
            group: None,
            cohesion: None,
            class: region.class.as_ref().map(class),
        })
    };
    found.regions.iter().filter_map(record).collect()
}

/// The pieces of the segments in the order of the text, each with the class of its segment.
pub(super) fn pieces<'p>(page: &'p Page<'_>, tree: &SomTree) -> (Segments<'p>, Vec<Option<ClassRecord>>) {
    let atoms = page.blocks_by(GapModel::Tags);
    let found = SomPage::new(atoms, tree);
    let pieces = found.pieces(atoms);
    let mut classes = vec![None; pieces.len()];
    for region in &found.regions {
        for &piece in &region.pieces {
            if let Some(of_piece) = classes.get_mut(piece) {
                *of_piece = region.class.as_ref().map(class);
            }
        }
    }
    (pieces, classes)
}

fn class(class: &SomClass) -> ClassRecord {
    let constancy = (class.constancy * 1000.0).round() / 1000.0;
    ClassRecord { label: class.label.clone(), pages: class.pages, constancy, template: class.template }
}

/// A segment of several pieces.
struct Merged<'s, 'p> {
    parts: Vec<(Segment<'p>, &'s SegmentVerdict)>,
    content: bool,
    role: Role,
    score: f32,
    /// The largest piece that agrees with the verdict.
    largest: &'s SegmentVerdict,
    counts: webstrata::block::Counts,
    blocks: std::ops::Range<usize>,
}

impl<'s, 'p> Merged<'s, 'p> {
    /// Merges pieces, weighted by their words like the blocks of other segments.
    fn new(region: &SomRegion, pieces: &Segments<'p>, verdicts: &'s [SegmentVerdict]) -> Option<Self> {
        let parts: Vec<(Segment<'p>, &'s SegmentVerdict)> =
            region.pieces.iter().filter_map(|&at| Some((pieces.get(at)?, verdicts.get(at)?))).collect();
        let weight = |segment: &Segment<'p>| segment.counts().words.max(1) as f32;
        let sum = |of: &dyn Fn(&(Segment<'p>, &'s SegmentVerdict)) -> f32| {
            parts.iter().map(|part| of(part) * weight(&part.0)).sum::<f32>()
        };
        let words = sum(&|_| 1.0);
        let content = 2.0 * sum(&|part| f32::from(u8::from(part.1.content))) > words;
        let mut roles: Vec<(Role, f32)> = Vec::new();
        for (segment, verdict) in &parts {
            match roles.iter_mut().find(|(role, _)| *role == verdict.role) {
                Some((_, sum)) => *sum += weight(segment),
                None => roles.push((verdict.role, weight(segment))),
            }
        }
        let role = roles.into_iter().reduce(|most, next| if next.1 > most.1 { next } else { most })?.0;
        let agree = parts.iter().filter(|(_, verdict)| verdict.content == content);
        let largest = agree.reduce(|most, next| if weight(&next.0) > weight(&most.0) { next } else { most })?.1;
        let score = (sum(&|part| part.1.score) / words * 1000.0).round() / 1000.0;
        let counts = parts.iter().map(|(segment, _)| segment.counts()).reduce(|a, b| a.fuse(b))?;
        let blocks = parts.first()?.1.blocks.start..parts.last()?.1.blocks.end;
        Some(Merged { content, role, score, largest, counts, blocks, parts })
    }

    /// The lowest element that contains all pieces.
    fn node(&self) -> Option<Node<'p>> {
        let first = self.parts.first()?.0.node()?;
        let end = self.parts.last()?.0.node()?.id();
        std::iter::once(first).chain(first.ancestors()).find(|node| {
            node.id() <= end && (node.id() == end || node.descendants().next_back().is_some_and(|last| last.id() >= end))
        })
    }
}
