//! Pruning: scores only pages that can be among the best.

use super::part::Part;
use tantivy::{DocId, Score, TERMINATED};

/// Margin for rounding: bounds are summed in a different order from scores.
const SLACK: Score = 1.000_01;

/// Block-max MaxScore. Lists whose bounds together cannot reach the threshold are non-essential: they are only consulted for pages of
/// the others. A window ends where the first block of an essential list ends. If no page of a window can reach the threshold by plain
/// frequencies, only pages with a word in a class with a weight above 1 are considered; those lists are short.
pub(super) fn pruned(mut part: Part, mut threshold: Score, callback: &mut dyn FnMut(DocId, Score) -> Score) {
    // By ascending bound. The order of equal bounds does not affect the result.
    let mut order: Vec<usize> = (0..part.cursors.len()).collect();
    order.sort_by(|&one, &two| part.cursors[one].factor.total_cmp(&part.cursors[two].factor));
    let count = order.len();
    let mut sums = vec![0.0; count + 1];
    for (at, &cursor) in order.iter().enumerate() {
        sums[at + 1] = sums[at] + part.cursors[cursor].factor * SLACK;
    }
    // Bounds apply to the sum, without the rank.
    let largest_rank = part.bounds.rank;
    let mut first = 0;
    loop {
        while first < count && sums[first + 1] <= threshold / largest_rank {
            first += 1;
        }
        let essential = &order[first..];
        let mut doc = essential.iter().map(|&cursor| part.cursors[cursor].doc).min().unwrap_or(TERMINATED);
        if doc == TERMINATED {
            return;
        }
        let (mut sum, mut end) = (sums[first], TERMINATED - 1);
        for &cursor in essential {
            if part.cursors[cursor].doc != TERMINATED {
                let (bound, last) = part.block_bound(cursor);
                sum += bound * SLACK;
                end = end.min(last);
            }
        }
        if sum <= threshold / largest_rank {
            let heavy = essential.iter().map(|&cursor| part.cursors[cursor].next_heavy(doc)).min().unwrap_or(TERMINATED);
            let next = heavy.min(end + 1);
            for &cursor in essential {
                part.cursors[cursor].seek(next);
            }
            if heavy <= end {
                threshold = part.consider(heavy, &order, first, &sums, threshold, callback);
                part.step(essential, heavy);
            }
            continue;
        }
        while doc <= end {
            threshold = part.consider(doc, &order, first, &sums, threshold, callback);
            doc = part.step(essential, doc);
            if sums[first + 1] <= threshold / largest_rank {
                break;
            }
        }
    }
}

impl Part {
    /// Advances the lists that are at this page, and returns the next page.
    fn step(&mut self, essential: &[usize], doc: DocId) -> DocId {
        let mut next = TERMINATED;
        for &cursor in essential {
            let cursor = &mut self.cursors[cursor];
            if cursor.doc == doc {
                cursor.advance();
            }
            next = next.min(cursor.doc);
        }
        next
    }

    /// Scores a page unless its bounds rule it out, and returns the new threshold.
    fn consider(
        &mut self,
        doc: DocId,
        order: &[usize],
        first: usize,
        sums: &[Score],
        threshold: Score,
        callback: &mut dyn FnMut(DocId, Score) -> Score,
    ) -> Score {
        let (least, rank) = (self.least_norm(doc), self.rank(doc));
        let mut most = 0.0;
        for &cursor in &order[first..] {
            if self.cursors[cursor].doc == doc {
                most += self.at_most(cursor, doc, least) * SLACK;
            }
        }
        if (most + sums[first]) * rank <= threshold || !self.allows(doc) {
            return threshold;
        }
        // The other lists are consulted one by one, as long as they can make a difference.
        for at in (0..first).rev() {
            if self.cursors[order[at]].seek(doc) == doc {
                most += self.at_most(order[at], doc, least) * SLACK;
            }
            if (most + sums[at]) * rank <= threshold {
                return threshold;
            }
        }
        let score = self.score(doc);
        if score > threshold { callback(doc, score) } else { threshold }
    }
}
