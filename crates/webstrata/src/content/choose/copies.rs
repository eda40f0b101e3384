//! Text that a page has twice, say for small screens and for large ones.

use super::{Choice, Overruling};
use crate::block::{Blocks, Context};
use crate::label::Labels;
use crate::model::fnv1a;
use crate::span::offset;

/// One block of as many words is a copy by itself.
const WORDS: u32 = 20;

/// Overrules content that repeats earlier content: in a row of two blocks or more, or alone with 20 words.
/// Cells of tables repeat by nature: rows of them count by their words only.
pub(super) fn drop(blocks: Blocks<'_>, labels: &mut Labels, choice: &mut Choice) {
    let numbers: Vec<usize> = labels.content().collect();
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
        let plain = || !row.iter().filter_map(|&n| blocks.get(n)).any(|b| b.context().contains(Context::CELL));
        if words >= WORDS || (len >= 2 && plain()) {
            for (copy, earlier) in row.iter().zip(&numbers[from..]) {
                labels.set(*copy, false);
                choice.note(*copy, Overruling::Copy(offset(*earlier)));
            }
            at += len;
        } else {
            at += 1;
        }
    }
}

/// By block: the first one with the same text, which may be itself.
///
/// Sums of letters are compared before texts are: pages with nothing twice, which most are, pay one pass over the bytes.
/// Of blocks with the same sum all are compared with the first only, so that no page can make this slow.
fn originals(blocks: Blocks<'_>, numbers: &[usize]) -> Vec<usize> {
    let text = |i: usize| blocks.get(numbers[i]).map_or_else(String::new, |block| block.text());
    let mut sums: Vec<(u64, usize)> = numbers.iter().enumerate().map(|(i, &n)| (sum(blocks, n), i)).collect();
    sums.sort_unstable();
    let mut original: Vec<usize> = (0..numbers.len()).collect();
    for same in sums.chunk_by(|a, b| a.0 == b.0).filter(|same| same.len() > 1) {
        let first = text(same[0].1);
        for &(_, i) in same.iter().skip(1).filter(|(_, i)| text(*i) == first) {
            original[i] = same[0].1;
        }
    }
    original
}

/// A number that blocks of the same text share: of the bytes of their runs that are not white.
fn sum(blocks: Blocks<'_>, number: usize) -> u64 {
    let bytes = blocks.runs_of(number).iter().flat_map(|&run| {
        let source = blocks.dom().span_of(Blocks::run_node(run)).slice(blocks.dom().source());
        source.bytes().filter(|&byte| byte > b' ')
    });
    fnv1a(bytes)
}
