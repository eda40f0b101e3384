//! Text that a page contains twice, for small screens and for large ones for example.

use super::{Change, Selection};
use crate::block::{Blocks, Context};
use crate::model::fnv1a;
use crate::span::offset;

/// A single block with at least this many words can be a duplicate.
const MIN_WORDS: u32 = 20;

/// Drops blocks that repeat earlier ones: two or more in a row, or one with at least 20 words.
/// Table cells repeat by nature, so a row of them counts by its words only.
pub(super) fn drop(blocks: Blocks<'_>, selection: &mut Selection) {
    let numbers: Vec<usize> = selection.blocks().collect();
    let original = originals(blocks, &numbers);
    let mut at = 0;
    while at < numbers.len() {
        let from = original[at];
        let mut len = 0;
        while at + len < numbers.len() && from + len < at && original[at + len] == original[from + len] {
            len += 1;
        }
        let row = &numbers[at..at + len];
        let words: u32 = row.iter().filter_map(|&n| blocks.get(n)).map(|b| b.counts().words).fold(0, u32::saturating_add);
        let plain = || !row.iter().filter_map(|&n| blocks.get(n)).any(|b| b.context().intersects(Context::CELL));
        if words >= MIN_WORDS || (len >= 2 && plain()) {
            for (copy, earlier) in row.iter().zip(&numbers[from..]) {
                selection.set(*copy, false, Some(Change::Duplicate(offset(*earlier))));
            }
            at += len;
        } else {
            at += 1;
        }
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
