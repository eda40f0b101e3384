//! Text that a page contains twice, for small screens and for large ones for example.

use super::tables::DataTable;
use super::{Change, Selection, whole_elements};
use crate::block::{Blocks, Context};
use crate::model::fnv1a;
use crate::span::offset;
use std::ops::Range;

/// A single block with at least this many words can be a duplicate.
const MIN_WORDS: u32 = 20;

/// Drops blocks that repeat earlier ones: two or more in a row, or at least 20 words.
///
/// Table cells repeat by nature, so a row of them counts by its words only. Data tables and code repeat for a reason, such as the same
/// call in two examples: they are dropped as a part of repeated text, but not for their own sake. No element is dropped in part.
pub(super) fn drop(blocks: Blocks<'_>, selection: &mut Selection) {
    let numbers: Vec<usize> = selection.blocks().collect();
    let original = originals(blocks, &numbers);
    let mut elements = None;
    let mut at = 0;
    while at < numbers.len() {
        let from = original[at];
        let mut len = 0;
        while at + len < numbers.len() && from + len < at && original[at + len] == original[from + len] {
            len += 1;
        }
        if len == 0 || !is_repeated(blocks, numbers[at..at + len].iter().copied()) {
            at += 1;
            continue;
        }
        let elements: &Elements = elements.get_or_insert_with(|| Elements::new(blocks, &selection.tables, &numbers));
        let row = elements.whole(at..at + len);
        if is_repeated(blocks, row.clone().filter(|&index| elements.counts[index]).map(|index| numbers[index])) {
            for index in row {
                let earlier = numbers[from + index - at];
                selection.set(numbers[index], false, Some(Change::Duplicate(offset(earlier))));
            }
            at += len;
        } else {
            // The rest of the row is shorter still, unless it begins a row of its own.
            at += (1..len).find(|&k| original[at + k] != from + k).unwrap_or(len);
        }
    }
}

/// Whether these blocks are enough to be a repetition.
fn is_repeated(blocks: Blocks<'_>, numbers: impl Iterator<Item = usize>) -> bool {
    let (mut count, mut words, mut cells) = (0, 0u32, false);
    for block in numbers.filter_map(|number| blocks.get(number)) {
        count += 1;
        words = words.saturating_add(block.counts().words);
        cells |= block.context().intersects(Context::CELL);
    }
    words >= MIN_WORDS || (count >= 2 && !cells)
}

/// The elements that the kept blocks belong to.
struct Elements {
    /// The number of the element, or `NONE`.
    of: Vec<u32>,
    /// Whether the block counts as text: not if it is a part of code or of a data table.
    counts: Vec<bool>,
}

const NONE: u32 = u32::MAX;

impl Elements {
    fn new(blocks: Blocks<'_>, tables: &[DataTable], numbers: &[usize]) -> Self {
        let mut elements = Elements { of: vec![NONE; numbers.len()], counts: vec![true; numbers.len()] };
        for (number, (area, inside)) in whole_elements::elements(blocks, tables).into_iter().enumerate() {
            let kept = numbers.partition_point(|&n| n < inside.start)..numbers.partition_point(|&n| n < inside.end);
            elements.of[kept.clone()].fill(offset(number));
            elements.counts[kept].fill(whole_elements::is_text(blocks.dom(), area));
        }
        elements
    }

    /// A range without the elements that it contains in part.
    fn whole(&self, mut range: Range<usize>) -> Range<usize> {
        let continues = |index: usize| index > 0 && self.of.get(index).is_some_and(|&of| of != NONE && of == self.of[index - 1]);
        while range.start < range.end && continues(range.start) {
            range.start += 1;
        }
        while range.start < range.end && continues(range.end) {
            range.end -= 1;
        }
        range
    }
}

/// For each block, the first one with the same text, which may be itself.
///
/// Hashes are compared before texts: most pages have no duplicates and cost one pass over the bytes.
/// Blocks with the same hash are compared with the first of them only, so that no page can make this slow.
fn originals(blocks: Blocks<'_>, numbers: &[usize]) -> Vec<usize> {
    let text = |i: usize| blocks.get(numbers[i]).map_or_else(String::new, |block| block.text());
    let mut hashes: Vec<(u64, usize)> = numbers.iter().enumerate().map(|(i, &n)| (hash(blocks, n), i)).collect();
    hashes.sort_unstable();
    let mut original: Vec<usize> = (0..numbers.len()).collect();
    for same in hashes.chunk_by(|a, b| a.0 == b.0).filter(|same| same.len() > 1) {
        let first = text(same[0].1);
        for &(_, i) in same.iter().skip(1).filter(|(_, i)| text(*i) == first) {
            original[i] = same[0].1;
        }
    }
    original
}

/// A hash that blocks with the same text share: of the bytes of their runs except white space.
fn hash(blocks: Blocks<'_>, number: usize) -> u64 {
    let bytes = blocks.runs_of(number).iter().flat_map(|&run| {
        let source = blocks.dom().span_of(Blocks::run_node(run)).slice(blocks.dom().source());
        source.bytes().filter(|&byte| byte > b' ')
    });
    fnv1a(bytes)
}
