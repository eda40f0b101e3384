//! The best pages, in an order that does not depend on how the index is divided: ties are broken by the key of the page.

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
    /// Better pages are smaller, so that the heap has the worst on top.
    fn cmp(&self, other: &Self) -> Ordering {
        other.score.total_cmp(&self.score).then(self.key.cmp(&other.key)).then(self.address.cmp(&other.address))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Keeps the best.
#[derive(Debug)]
pub(crate) struct Best {
    count: usize,
    heap: BinaryHeap<Candidate>,
}

impl Best {
    pub(crate) fn new(count: usize) -> Best {
        Best { count, heap: BinaryHeap::new() }
    }

    /// Scores must be above this one to matter. Equal ones may win by their key, so it is just below the worst.
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
