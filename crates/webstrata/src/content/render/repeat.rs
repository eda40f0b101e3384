//! Text that a page has twice, say for small screens and for large ones.

use crate::block::{Blocks, Context};
use std::collections::HashMap;

/// One block of as many words is a copy by itself.
const WORDS: u32 = 20;

/// The blocks among `numbers` (ascending) that repeat earlier ones: in a row of two or more, or alone with 20 words.
/// Cells of tables repeat by nature: rows of them count by their words only.
pub(in crate::content) fn repeated(blocks: Blocks<'_>, numbers: &[usize]) -> Vec<bool> {
    let mut first: HashMap<String, usize> = HashMap::new();
    // By block: the first one with the same text.
    let original: Vec<usize> = numbers
        .iter()
        .enumerate()
        .map(|(i, &n)| *first.entry(blocks.get(n).map_or_else(String::new, |b| b.text())).or_insert(i))
        .collect();
    let mut repeats = vec![false; numbers.len()];
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
            repeats[at..at + len].fill(true);
            at += len;
        } else {
            at += 1;
        }
    }
    repeats
}
