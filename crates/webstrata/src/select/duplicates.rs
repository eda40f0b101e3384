//! Text that a page contains twice, for example for small and for large screens.

use super::{Change, Selection, whole_elements};
use crate::block::{Blocks, Context};
use crate::model::fnv1a;
use crate::span::offset;
use std::ops::Range;

/// A single block with at least this many words can be a duplicate.
const MIN_WORDS: u32 = 20;

/// So can consecutive blocks with at least this many in total. Shorter text repeats naturally in references: "Returns: the length".
const MIN_WORDS_OF_SEVERAL: u32 = 12;

/// Drops text that repeats earlier text: two or more consecutive blocks with at least 12 words, or any text of at least 20 words.
///
/// Table cells repeat naturally, so a row of them counts by its words only. Data tables and code repeat for a reason, such as the same
/// call in two examples: they are dropped with repeated text around them, but not on their own. No element is dropped in part.
pub(super) fn drop(blocks: Blocks<'_>, selection: &mut Selection) {
    let numbers: Vec<usize> = selection.blocks().collect();
    let original = originals(blocks, &numbers);
    if !may_repeat(blocks, &numbers, &original) {
        return;
    }
    let units = units(blocks, selection, &numbers);
    let original = original_units(&units, &original);
    let mut at = 0;
    while at < units.len() {
        // A repetition must begin with text, so failed attempts are short: a longer run has enough words to be dropped.
        let from = original[at];
        let mut len = 0;
        while units[at].counts && at + len < units.len() && from + len < at && original[at + len] == original[from + len] {
            len += 1;
        }
        if is_repeated(blocks, &numbers, &units[at..at + len]) {
            for (copy, earlier) in units[at..at + len].iter().zip(&units[from..]) {
                for (index, earlier) in copy.blocks.clone().zip(earlier.blocks.clone()) {
                    selection.set(numbers[index], false, Some(Change::Duplicate(offset(numbers[earlier]))));
                }
            }
            at += len;
        } else {
            at += 1;
        }
    }
}

/// A unit that is dropped as a whole: a block of running text, or all kept blocks of a list, a quotation, a table or a listing.
#[derive(Debug)]
struct Unit {
    /// Indices among the kept blocks.
    blocks: Range<usize>,
    /// Whether it counts as text: code and data tables do not.
    counts: bool,
}

fn units(blocks: Blocks<'_>, selection: &mut Selection, numbers: &[usize]) -> Vec<Unit> {
    let mut units = Vec::with_capacity(numbers.len());
    let text = |blocks: Range<usize>| blocks.map(|index| Unit { blocks: index..index + 1, counts: true });
    let mut done = 0;
    for (area, inside) in whole_elements::elements(blocks, &selection.tables, &mut selection.listings) {
        let kept = numbers.partition_point(|&n| n < inside.start)..numbers.partition_point(|&n| n < inside.end);
        if !kept.is_empty() {
            units.extend(text(done..kept.start));
            done = kept.end;
            units.push(Unit { blocks: kept, counts: whole_elements::is_text(blocks.dom(), area) });
        }
    }
    units.extend(text(done..numbers.len()));
    units
}

/// For each unit, the first one with the same blocks, which may be itself.
fn original_units(units: &[Unit], original: &[usize]) -> Vec<usize> {
    let key = |unit: &Unit| (unit.counts, &original[unit.blocks.clone()]);
    let mut first: Vec<usize> = (0..units.len()).collect();
    let mut order = first.clone();
    order.sort_by(|&a, &b| key(&units[a]).cmp(&key(&units[b])).then(a.cmp(&b)));
    for same in order.chunk_by(|&a, &b| key(&units[a]) == key(&units[b])) {
        for &unit in same {
            first[unit] = same[0];
        }
    }
    first
}

/// Whether there can be a repetition: two consecutive repeated blocks, or one with enough words. Most pages have none.
fn may_repeat(blocks: Blocks<'_>, numbers: &[usize], original: &[usize]) -> bool {
    let repeats = |index: usize| original.get(index).is_some_and(|&first| first != index);
    let words = |index: usize| blocks.get(numbers[index]).map_or(0, |block| block.counts().words);
    (0..numbers.len()).any(|index| repeats(index) && (repeats(index + 1) || words(index) >= MIN_WORDS))
}

/// Whether these units are enough to be a repetition.
fn is_repeated(blocks: Blocks<'_>, numbers: &[usize], units: &[Unit]) -> bool {
    let (mut count, mut words, mut cells) = (0, 0u32, false);
    let text = units.iter().filter(|unit| unit.counts).flat_map(|unit| &numbers[unit.blocks.clone()]);
    for block in text.filter_map(|&number| blocks.get(number)) {
        count += 1;
        words = words.saturating_add(block.counts().words);
        cells |= block.context().intersects(Context::CELL);
    }
    words >= MIN_WORDS || (words >= MIN_WORDS_OF_SEVERAL && count >= 2 && !cells)
}

/// For each block, the first one with the same text, which may be itself.
///
/// Hashes are compared before texts: most pages have no duplicates and cost one pass over the bytes.
/// Blocks with the same hash are compared only with the first of them, so that no page can make this slow.
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

/// Hash of the bytes of a block's runs, except white space: blocks with the same text share it.
fn hash(blocks: Blocks<'_>, number: usize) -> u64 {
    let bytes = blocks.runs_of(number).iter().flat_map(|&run| {
        let source = blocks.dom().span_of(Blocks::run_node(run)).slice(blocks.dom().source());
        source.bytes().filter(|&byte| byte > b' ')
    });
    fnv1a(bytes)
}
