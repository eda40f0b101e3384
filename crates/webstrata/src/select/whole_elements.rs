//! Code, data tables, lists and quotations are kept whole or not at all. Methods judge their lines, cells and items one by one,
//! but half a program, a table without its header or a list without its middle is useless.
//!
//! An element inside the text belongs to it. So an element is judged by its own verdicts and by its surroundings: between two
//! blocks that are kept, in the same container, little evidence of its own is enough; at the end of a container and below a heading
//! some more is needed; elsewhere the majority decides. On documentation pages some evidence is enough anywhere: such pages consist
//! of code, tables and lists, many of them with nothing but headings around them.

use super::areas::{Area, Areas, Cause};
use super::tables::DataTable;
use super::{Change, PageTypeOf, Selection, furniture};
use crate::block::listing::{self, Listing};
use crate::block::{Blocks, Context};
use crate::html::{Dom, Node, Tag, TagSet};
use crate::label::Labels;
use crate::label::strata::PageType;
use crate::span::offset;
use std::ops::Range;

/// Minimum mean probabilities at which code and tables are kept: between kept blocks, and after one at the end of its container or
/// directly below a kept heading.
const BETWEEN: f32 = 0.1;
const AT_THE_END: f32 = 0.3;

/// The same for lists and quotations between kept blocks. It is higher because lists of teasers and of links to other pages also occur there.
const LIST_BETWEEN: f32 = 0.25;

/// Minimum mean probabilities at which code and tables, and lists and quotations, are kept anywhere on documentation pages. Tables
/// that link to neighbouring pages have less than .15 there.
const IN_DOCUMENTATION: f32 = 0.2;
const LIST_IN_DOCUMENTATION: f32 = 0.3;

/// A list with a higher share of linked words than this is judged on its own.
const MAX_LINK_DENSITY: f64 = 0.5;

/// Makes the blocks of each element agree.
pub(super) fn apply(blocks: Blocks<'_>, labels: &Labels, page_type: &PageTypeOf<'_>, selection: &mut Selection) {
    let elements = elements(blocks, &selection.tables, &mut selection.listings);
    if elements.is_empty() {
        return;
    }
    let neighbours = Neighbours::new(blocks, &elements);
    for (area, inside) in elements {
        decide(blocks, labels, page_type, selection, &neighbours, area, inside);
    }
}

/// The elements that have blocks, each with its blocks, in document order; of nested ones, only the outermost. If the listings of the
/// page have to be found, they are kept in `listings`.
pub(super) fn elements(blocks: Blocks<'_>, tables: &[DataTable], listings: &mut Option<Vec<Listing>>) -> Vec<(Area, Range<usize>)> {
    let mut areas = find(blocks, tables, listings);
    let mut ranges = Vec::new();
    let mut at = 0;
    while let Some(run) = first_run(blocks, at) {
        let first = at;
        at += 1;
        let Some(area) = areas.around(run) else { continue };
        while first_run(blocks, at).is_some_and(|run| run < area.end) {
            at += 1;
        }
        ranges.push((area, first..at));
    }
    ranges
}

/// For each block, the nearest block of running text before and after it: not in an element that is judged, and not a heading.
struct Neighbours {
    before: Vec<u32>,
    after: Vec<u32>,
}

/// No neighbour. Pages may have very many blocks, so their numbers are 32-bit.
const NONE: u32 = u32::MAX;

impl Neighbours {
    fn new(blocks: Blocks<'_>, elements: &[(Area, Range<usize>)]) -> Self {
        let mut is_text: Vec<bool> = blocks.records().iter().map(|record| !record.context.intersects(Context::HEADING)).collect();
        let mut folded = String::new();
        for (area, inside) in elements {
            is_text[inside.clone()].fill(false);
            // The prompt or the buttons of a listing are not part of its surroundings.
            for beside in [inside.start.wrapping_sub(1), inside.end] {
                let few_words = blocks.records().get(beside).is_some_and(|record| record.counts.words <= MAX_LABEL_WORDS);
                if few_words
                    && !TEXTS.contains(blocks.dom().record(area.start).tag)
                    && furniture::is_furniture(blocks, beside, &mut folded)
                {
                    is_text[beside] = false;
                }
            }
        }
        let nearest = |indices: &mut dyn Iterator<Item = usize>| {
            let mut nearest = vec![NONE; is_text.len()];
            let mut last = NONE;
            for index in indices {
                nearest[index] = last;
                last = if is_text[index] { offset(index) } else { last };
            }
            nearest
        };
        Neighbours { before: nearest(&mut (0..is_text.len())), after: nearest(&mut (0..is_text.len()).rev()) }
    }

    /// The blocks before and after a range of blocks.
    fn of(&self, inside: &Range<usize>) -> (Option<usize>, Option<usize>) {
        let last = inside.end.saturating_sub(1);
        let neighbour = |of: &[u32], index: usize| of.get(index).filter(|&&number| number != NONE).map(|&number| number as usize);
        (neighbour(&self.before, inside.start), neighbour(&self.after, last))
    }
}

fn first_run(blocks: Blocks<'_>, index: usize) -> Option<u32> {
    blocks.runs_of(index).first().map(|&run| Blocks::run_node(run))
}

fn decide(
    blocks: Blocks<'_>,
    labels: &Labels,
    page_type: &PageTypeOf<'_>,
    selection: &mut Selection,
    neighbours: &Neighbours,
    area: Area,
    inside: Range<usize>,
) {
    let (mut words, mut link_words, mut kept, mut expected) = (0u64, 0u64, 0u64, 0.0);
    for index in inside.clone() {
        let Some(block) = blocks.get(index) else { continue };
        let counts = block.counts();
        words += u64::from(counts.words);
        link_words += u64::from(counts.link_words);
        kept += if selection.keeps(index) { u64::from(counts.words) } else { 0 };
        expected += f64::from(labels.probability(index).unwrap_or(0.0)) * f64::from(counts.words);
    }
    let own = if labels.has_probabilities() { expected / words.max(1) as f64 } else { kept as f64 / words.max(1) as f64 };
    // On most pages all elements are kept already, or nothing suggests that they are content.
    let majority = kept > 0 && 2 * kept >= words;
    if !majority && own < f64::from(BETWEEN) && kept == 0 || majority && inside.clone().all(|index| selection.keeps(index)) {
        return;
    }
    let surroundings = surroundings(blocks, selection, neighbours.of(&inside), area);
    let linked = link_words as f64 > MAX_LINK_DENSITY * words as f64;
    let is_text = is_text(blocks.dom(), area);
    // The page type may have to be computed, so it is only requested if it matters.
    let documentation = |enough: f32| own >= f64::from(enough) && page_type() == Some(PageType::Documentation);
    let enough = match surroundings {
        Surroundings::Between if !is_text => Some(BETWEEN),
        _ if !is_text && documentation(IN_DOCUMENTATION) => Some(IN_DOCUMENTATION),
        Surroundings::AtTheEnd if !is_text && labels.has_probabilities() => Some(AT_THE_END),
        Surroundings::Between if !linked => Some(LIST_BETWEEN),
        _ if is_text && !linked && documentation(LIST_IN_DOCUMENTATION) => Some(LIST_IN_DOCUMENTATION),
        _ if !is_text && labels.has_probabilities() && is_headed(blocks, selection, &inside) => Some(AT_THE_END),
        _ => None,
    };
    let by_surroundings = enough.is_some_and(|enough| own >= f64::from(enough));
    let keeps = majority || by_surroundings;
    let change = if by_surroundings { Change::Surrounded } else { Change::Whole };
    for index in inside {
        if selection.keeps(index) != keeps {
            selection.set(index, keeps, Some(change));
        }
    }
}

/// Whether a kept heading is directly above an element.
fn is_headed(blocks: Blocks<'_>, selection: &Selection, inside: &Range<usize>) -> bool {
    let above = inside.start.checked_sub(1).filter(|&above| selection.keeps(above));
    above.and_then(|above| blocks.records().get(above)).is_some_and(|record| record.context.intersects(Context::HEADING))
}

/// The surroundings of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Surroundings {
    /// Between two kept blocks.
    Between,
    /// Last in its container, after a kept block.
    AtTheEnd,
    /// Elsewhere.
    Other,
}

/// The position of an element among the texts of its container: the innermost element around it that also contains one of its neighbours.
fn surroundings(
    blocks: Blocks<'_>,
    selection: &Selection,
    (before, after): (Option<usize>, Option<usize>),
    area: Area,
) -> Surroundings {
    let dom = blocks.dom();
    let run = |index: Option<usize>| index.and_then(|index| first_run(blocks, index));
    let (Some(run_before), run_after) = (run(before), run(after)) else { return Surroundings::Other };
    if !before.is_some_and(|index| selection.keeps(index)) {
        return Surroundings::Other;
    }
    let ancestors =
        Node::new(dom, area.start).ancestors().take(MAX_WRAPPERS).map(|node| (node.number(), dom.record(node.number()).end));
    let has_neighbour = |&(start, end): &(u32, u32)| run_before > start || run_after.is_some_and(|run| run < end);
    let Some((_, end)) = ancestors.into_iter().find(has_neighbour).filter(|&(start, _)| run_before > start) else {
        return Surroundings::Other;
    };
    match run_after.filter(|&run| run < end) {
        None => Surroundings::AtTheEnd,
        Some(_) if after.is_some_and(|index| selection.keeps(index)) => Surroundings::Between,
        Some(_) => Surroundings::Other,
    }
}

/// Maximum words of a prompt or button next to code or a table.
const MAX_LABEL_WORDS: u32 = 4;

/// Maximum number of elements between an element and its container.
const MAX_WRAPPERS: usize = 8;

/// Elements that consist of lines of text.
const TEXTS: TagSet = TagSet::from_tags(&[Tag::UL, Tag::OL, Tag::DL, Tag::BLOCKQUOTE]);

/// Whether an element consists of lines of text: a list or a quotation, neither code nor a table.
pub(super) fn is_text(dom: &Dom<'_>, area: Area) -> bool {
    TEXTS.contains(dom.record(area.start).tag)
}

/// Maximum number of blocks of a quotation. A longer one is likely layout: old pages use it for indentation.
const MAX_QUOTE_BLOCKS: usize = 10;

/// Elements found in cards and hardly ever in lists of lines.
const OBJECTS: TagSet = TagSet::from_tags(&[Tag::IMG, Tag::PICTURE, Tag::SVG, Tag::BUTTON, Tag::FORM]);

const ITEMS: TagSet = TagSet::from_tags(&[Tag::LI, Tag::DT, Tag::DD]);

/// All of these.
const LISTED: TagSet = TEXTS.union(OBJECTS).union(ITEMS);

/// The short quotations, and the lists whose items are lines of text rather than cards or posts.
fn lists_and_quotations(blocks: Blocks<'_>) -> Vec<Area> {
    let dom = blocks.dom();
    let mut found: Vec<Area> = Vec::new();
    // The items and the objects of the page, so that nested lists are not counted once per level.
    let (mut items, mut objects) = (Vec::new(), Vec::new());
    for (record, id) in dom.records().iter().zip(0..) {
        if !LISTED.contains(record.tag) {
            continue;
        }
        if ITEMS.contains(record.tag) {
            items.push(id);
        } else if OBJECTS.contains(record.tag) {
            objects.push(id);
        } else {
            found.push(area(dom, id));
        }
    }
    let count_in = |nodes: &[u32], area: &Area| {
        nodes.partition_point(|&node| node < area.end) - nodes.partition_point(|&node| node < area.start)
    };
    let starts: Vec<u32> = (0..blocks.len()).map(|index| first_run(blocks, index).unwrap_or(u32::MAX)).collect();
    let count_before = |node: u32| starts.partition_point(|&start| start < node);
    found.retain(|area| {
        let (items, objects) = (count_in(&items, area), count_in(&objects, area));
        let lines = count_before(area.end) - count_before(area.start);
        if dom.record(area.start).tag == Tag::BLOCKQUOTE {
            lines <= MAX_QUOTE_BLOCKS
        } else {
            items >= 2 && lines <= items && 4 * objects <= items
        }
    });
    found
}

/// The elements to keep whole; of nested ones, only the outermost. On many pages the blocks alone show that there are none.
fn find(blocks: Blocks<'_>, tables: &[DataTable], listings: &mut Option<Vec<Listing>>) -> Areas {
    let context = blocks.records().iter().fold(Context::default(), |context, record| context.union(record.context));
    let dom = blocks.dom();
    let mut found = Vec::new();
    if context.intersects(Context::LIST.union(Context::QUOTE)) {
        found = lists_and_quotations(blocks);
    }
    // Listings are in `pre` or in tables with one row per line.
    if context.intersects(Context::PRE.union(Context::CELL)) {
        let listings = listings.get_or_insert_with(|| listing::find(dom));
        found.extend(listings.iter().map(|listing| area(dom, listing.node)));
    }
    found.extend(tables.iter().map(|table| area(dom, table.node)));
    Areas::new(found)
}

/// The area of an element. Its cause is never read, so any will do.
fn area(dom: &Dom<'_>, node: u32) -> Area {
    Area::new(Node::new(dom, node), Cause::Tables)
}
