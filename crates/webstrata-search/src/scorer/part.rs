//! Postings of the query's words in one part of the index, with the scores and score bounds of pages.

use crate::marks::{MarkReader, MarkWeights};
use std::sync::Arc;
use tantivy::fieldnorm::FieldNormReader;
use tantivy::postings::{BlockSegmentPostings, Postings, SegmentPostings};
use tantivy::query::{Bm25Weight, Scorer};
use tantivy::{DocId, DocSet, Score, TERMINATED};

/// Postings of one form of a word in one part of the index.
pub(super) struct Cursor {
    pub(super) form: usize,
    pub(super) block: BlockSegmentPostings,
    pub(super) at: usize,
    pub(super) doc: DocId,
    /// Postings by class, heaviest first.
    pub(super) classes: Vec<(SegmentPostings, Score)>,
    /// Number of classes with a weight above 1.
    pub(super) heavy: usize,
    pub(super) positions: Option<SegmentPostings>,
    pub(super) factor: Score,
    pub(super) bm25: Bm25Weight,
}

/// The first page at or after `doc`.
fn seek(postings: &mut SegmentPostings, doc: DocId) -> DocId {
    if postings.doc() < doc { postings.seek(doc) } else { postings.doc() }
}

impl Cursor {
    /// The first page at or after `doc` with the word in a class with a weight above 1.
    pub(super) fn next_heavy(&mut self, doc: DocId) -> DocId {
        let heavy = self.classes.iter_mut().take(self.heavy);
        heavy.map(|(postings, _)| seek(postings, doc)).min().unwrap_or(TERMINATED)
    }

    pub(super) fn plain_tf(&self) -> u32 {
        self.block.freq(self.at)
    }

    pub(super) fn settle(&mut self) -> DocId {
        self.doc = if self.at < self.block.block_len() { self.block.doc(self.at) } else { TERMINATED };
        self.doc
    }

    pub(super) fn advance(&mut self) -> DocId {
        if self.doc == TERMINATED {
            return TERMINATED;
        }
        self.at += 1;
        if self.at >= self.block.block_len() {
            self.block.advance();
            self.at = 0;
        }
        self.settle()
    }

    pub(super) fn seek(&mut self, target: DocId) -> DocId {
        if self.doc >= target {
            return self.doc;
        }
        self.at = self.block.seek(target);
        self.settle()
    }
}

/// Upper bounds of scores in one part of the index.
pub(super) struct Bounds {
    /// Maximum factor by which block maxima are too small.
    pub(super) margin: Score,
    pub(super) standard: bool,
    /// The largest weight of any position.
    pub(super) largest: Score,
    /// The largest rank factor.
    pub(super) rank: Score,
}

/// The state of scoring in one part of the index.
pub(super) struct Part {
    pub(super) cursors: Vec<Cursor>,
    pub(super) norms: FieldNormReader,
    pub(super) cache: Arc<[Score; 256]>,
    pub(super) marks: Option<(MarkReader, Arc<MarkWeights>)>,
    pub(super) lengths: Option<(Score, Score, Score)>,
    pub(super) filter: Option<Box<dyn Scorer>>,
    pub(super) ranks: Option<Arc<[f32]>>,
    pub(super) bounds: Bounds,
    pub(super) positions: Vec<u32>,
}

impl Part {
    /// The part of the denominator that depends on page length.
    pub(super) fn norm(&mut self, doc: DocId) -> Score {
        match (self.lengths, &mut self.marks) {
            (Some((k1, b, average)), Some((reader, weights))) => k1 * (1.0 - b + b * reader.length(doc, weights) / average),
            _ => self.cache[usize::from(self.norms.fieldnorm_id(doc))],
        }
    }

    /// A lower bound of [`Part::norm`].
    pub(super) fn least_norm(&self, doc: DocId) -> Score {
        match self.lengths {
            Some((k1, b, _)) => k1 * (1.0 - b),
            None => self.cache[usize::from(self.norms.fieldnorm_id(doc))],
        }
    }

    pub(super) fn rank(&self, doc: DocId) -> Score {
        self.ranks.as_ref().and_then(|ranks| ranks.get(doc as usize)).copied().unwrap_or(1.0)
    }

    /// The weighted term frequency.
    pub(super) fn tf(&mut self, cursor: usize, doc: DocId) -> Score {
        let Part { cursors, marks, positions, .. } = self;
        let cursor = &mut cursors[cursor];
        let plain = cursor.plain_tf() as Score;
        if let (Some((reader, weights)), Some(postings)) = (marks, &mut cursor.positions) {
            if seek(postings, doc) != doc {
                return 0.0;
            }
            positions.clear();
            postings.append_positions_with_offset(0, positions);
            return reader.weigh(doc, positions, weights);
        }
        let mut tf = plain;
        for (postings, weight) in &mut cursor.classes {
            if seek(postings, doc) == doc {
                tf += (*weight - 1.0) * postings.term_freq() as Score;
            }
        }
        tf.max(0.0)
    }

    pub(super) fn score_of(&mut self, cursor: usize, doc: DocId, norm: Score) -> Score {
        let tf = self.tf(cursor, doc);
        if tf > 0.0 { self.cursors[cursor].factor * tf / (tf + norm) } else { 0.0 }
    }

    /// The score. Its terms are always added in the same order, so that the sum does not depend on how the index is divided.
    pub(super) fn score(&mut self, doc: DocId) -> Score {
        let norm = self.norm(doc);
        let mut score = 0.0;
        for cursor in 0..self.cursors.len() {
            if self.cursors[cursor].doc == doc {
                score += self.score_of(cursor, doc, norm);
            }
        }
        score * self.rank(doc)
    }

    /// An upper bound for a page: classes with a weight above 1 are counted, those with a lower weight are not read.
    pub(super) fn at_most(&mut self, cursor: usize, doc: DocId, norm: Score) -> Score {
        let cursor = &mut self.cursors[cursor];
        let mut tf = cursor.plain_tf() as Score * self.bounds.largest;
        for (postings, weight) in cursor.classes.iter_mut().take(cursor.heavy) {
            if seek(postings, doc) == doc {
                tf += (*weight - 1.0) * postings.term_freq() as Score;
            }
        }
        cursor.factor * tf / (tf + norm)
    }

    /// An upper bound for the current block, without classes with a weight above 1, and the last page of the block.
    pub(super) fn block_bound(&mut self, cursor: usize) -> (Score, DocId) {
        let cursor = &mut self.cursors[cursor];
        let last = cursor.block.docs().last().copied().unwrap_or(TERMINATED);
        if !self.bounds.standard {
            return (cursor.factor, last);
        }
        let most = cursor.block.block_max_score(&self.norms, &cursor.bm25) * self.bounds.margin * self.bounds.largest;
        (most.min(cursor.factor), last)
    }

    pub(super) fn allows(&mut self, doc: DocId) -> bool {
        match &mut self.filter {
            None => true,
            Some(filter) => (if filter.doc() < doc { filter.seek(doc) } else { filter.doc() }) == doc,
        }
    }
}
