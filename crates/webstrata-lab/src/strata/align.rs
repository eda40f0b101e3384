//! Aligns a gold text with the blocks of a page: the share of each block that is content.
//!
//! Gold texts have no offsets. Their words are aligned with the page's words by a longest common subsequence. Blocks that match
//! at least half are then aligned again without the others, so that a menu that shares a word with the text does not
//! take it away. The rest of the gold is aligned with the remaining blocks, for content that the gold has in another
//! order, or only in part. The alignment table is stored as bits (Hyyrö: Bit-parallel
//! LCS-length computation revisited, 2004), from which the path is traced back.

use std::collections::HashMap;

/// Maximum number of gold words times page words; longer pages are truncated.
const MAX_CELLS: usize = 1 << 31;

/// The share of each block's words in the gold, from 0 to 1; 0 for a block without words.
///
/// ```
/// use webstrata_lab::strata::align::shares;
/// let blocks = [vec![1, 2], vec![3, 4, 5, 6], vec![7, 8, 9]];
/// assert_eq!(shares(&blocks, &[3, 4, 5, 7, 8, 9]), [0.0, 0.75, 1.0]);
/// ```
#[must_use]
pub fn shares(blocks: &[Vec<u32>], gold: &[u32]) -> Vec<f32> {
    let all: Vec<usize> = (0..blocks.len()).collect();
    let found = count(blocks, &all, &mut gold.to_vec());
    let (likely, rest): (Vec<usize>, Vec<usize>) =
        all.into_iter().partition(|&block| found[block] > 0 && 2 * found[block] >= blocks[block].len());
    let mut gold = gold.to_vec();
    let mut matched = count(blocks, &likely, &mut gold);
    for (matched, found) in matched.iter_mut().zip(count(blocks, &rest, &mut gold)) {
        *matched += found;
    }
    let share = |(words, matched): (&Vec<u32>, &usize)| {
        if words.is_empty() { 0.0 } else { (*matched as f32 / words.len() as f32).min(1.0) }
    };
    blocks.iter().zip(&matched).map(share).collect()
}

/// For the blocks in `which`: the number of words aligned with the gold. These words are removed from the gold.
fn count(blocks: &[Vec<u32>], which: &[usize], gold: &mut Vec<u32>) -> Vec<usize> {
    let flat: Vec<(u32, usize)> = which.iter().flat_map(|&at| blocks[at].iter().map(move |&word| (word, at))).collect();
    let mut found = vec![0usize; blocks.len()];
    let mut used = vec![false; gold.len()];
    for (block, word) in align(&flat, gold) {
        found[block] += 1;
        used[word] = true;
    }
    let mut unused = used.iter().map(|used| !used);
    gold.retain(|_| unused.next().unwrap_or(true));
    found
}

/// A longest common subsequence as pairs: the block of the page's word, and the position of the gold's word.
fn align(page: &[(u32, usize)], gold: &[u32]) -> Vec<(usize, usize)> {
    if gold.is_empty() {
        return Vec::new();
    }
    let width = gold.len().div_ceil(64);
    // Positions of each word of the gold.
    let mut places: HashMap<u32, Vec<u64>> = HashMap::new();
    for (at, &word) in gold.iter().enumerate() {
        places.entry(word).or_insert_with(|| vec![0; width])[at / 64] |= 1 << (at % 64);
    }
    // Words that are not in the gold never match.
    let page: Vec<(&Vec<u64>, usize)> = page.iter().filter_map(|(word, block)| Some((places.get(word)?, *block))).collect();
    let rows = page.len().min(MAX_CELLS / (width * 64));
    let mut table: Vec<u64> = Vec::with_capacity(rows * width);
    let mut row = vec![u64::MAX; width];
    for (matches, _) in &page[..rows] {
        let mut carry = false;
        for (bits, matches) in row.iter_mut().zip(matches.iter()) {
            let both = *bits & matches;
            let (sum, first) = bits.overflowing_add(both);
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            carry = first || second;
            *bits = sum | (*bits & !matches);
        }
        table.extend_from_slice(&row);
    }
    // Trace back from the end: a 0 bit means that the subsequence grew at this word of the gold, in this row or an earlier one.
    let is_set = |row: usize, column: usize| table[row * width + column / 64] >> (column % 64) & 1 == 1;
    let mut pairs = Vec::new();
    let (mut row, mut column) = (rows, gold.len());
    while row > 0 && column > 0 {
        if is_set(row - 1, column - 1) {
            column -= 1;
        } else {
            row -= 1;
            if row == 0 || is_set(row - 1, column - 1) {
                column -= 1;
                pairs.push((page[row].1, column));
            }
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::words::longest_common;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn alignments_are_as_long_as_they_can_be(page in prop::collection::vec(0u32..8, 0..150), gold in prop::collection::vec(0u32..9, 0..150)) {
            let flat: Vec<(u32, usize)> = page.iter().enumerate().map(|(at, &word)| (word, at)).collect();
            let mut pairs = align(&flat, &gold);
            pairs.reverse();
            prop_assert_eq!(pairs.len(), longest_common(&page, &gold));
            for pair in pairs.windows(2) {
                prop_assert!(pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1);
            }
            for (at, word) in pairs {
                prop_assert_eq!(page[at], gold[word]);
            }
        }
    }

    #[test]
    fn content_in_another_order_is_found() {
        let blocks = [vec![1, 2, 3, 4], vec![5, 6, 7], vec![8, 9]];
        assert_eq!(shares(&blocks, &[5, 6, 7, 1, 2, 3, 4]), [1.0, 1.0, 0.0]);
    }

    #[test]
    fn a_menu_that_shares_a_word_with_the_text_is_not_matched() {
        let blocks = [vec![1, 20, 21, 22], vec![1, 2, 3]];
        assert_eq!(shares(&blocks, &[1, 2, 3]), [0.0, 1.0]);
        assert_eq!(shares(&[vec![]], &[1]), [0.0]);
        assert_eq!(shares(&[vec![1]], &[]), [0.0]);
    }
}
