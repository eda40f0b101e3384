//! The best pages in an order that does not depend on how the index is divided: ties are broken by page key.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use tantivy::{DocAddress, Score};

/// A page with its score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Candidate {
    pub(crate) score: Score,
    pub(crate) key: u64,
    pub(crate) address: DocAddress,
}

impl Eq for Candidate {}

impl Ord for Candidate {
    /// Orders better pages first, so that the worst is at the top of the heap.
    fn cmp(&self, other: &Self) -> Ordering {
        other.score.total_cmp(&self.score).then(self.key.cmp(&other.key)).then(self.address.cmp(&other.address))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Keeps the best candidates.
#[derive(Debug)]
pub(crate) struct Best {
    count: usize,
    heap: BinaryHeap<Candidate>,
}

impl Best {
    pub(crate) fn new(count: usize) -> Best {
        Best { count, heap: BinaryHeap::new() }
    }

    /// The score that a page must exceed to be kept. It is just below the worst kept score, because a page with an equal score may win by
    /// its key.
    pub(crate) fn threshold(&self) -> Score {
        if self.heap.len() < self.count {
            return 0.0;
        }
        self.heap.peek().map_or(Score::INFINITY, |worst| worst.score.next_down())
    }

    pub(crate) fn push(&mut self, candidate: Candidate) {
        if self.heap.len() < self.count {
            self.heap.push(candidate);
        } else if let Some(mut worst) = self.heap.peek_mut()
            && candidate < *worst
        {
            *worst = candidate;
        }
    }

    pub(crate) fn finish(self) -> Vec<Candidate> {
        self.heap.into_sorted_vec()
    }
}
