//! Ranks of pages, mixed into scores.
//!
//! A rank multiplies the score (equation 3.5 of the thesis), with an exponent: `score · (rank · pages)^weight`, where the average page
//! has the factor 1. With the exponent 1 this is the thesis' product. Ranks have a long tail, so a smaller exponent lets words dominate.
//! Factors are kept in memory by page number, and the largest one is part of the scorer's bound.

use crate::SearchError;
use crate::error::from_tantivy;
use crate::schema::names;
use std::collections::HashMap;
use std::sync::Arc;
use tantivy::index::SegmentId;
use tantivy::{Score, Searcher};

/// Rank factors of the pages of one index.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ranks {
    parts: HashMap<SegmentId, (Arc<[f32]>, Score)>,
}

impl Ranks {
    /// Computes factors from ranks by key. Pages without a rank get the smallest one.
    pub(crate) fn new(
        searcher: &Searcher,
        ranks: &HashMap<u64, f64>,
        weight: f64,
        path: &std::path::Path,
    ) -> Result<Ranks, SearchError> {
        let (mut sum, mut least) = (0.0, f64::INFINITY);
        let mut sorted: Vec<f64> = ranks.values().copied().collect();
        sorted.sort_by(f64::total_cmp); // the sum must not depend on the order of a hash map
        for rank in sorted.into_iter().filter(|rank| *rank > 0.0) {
            sum += rank;
            least = least.min(rank);
        }
        if !(sum > 0.0 && sum.is_finite()) {
            return Err(SearchError::Option("the ranks must be numbers of 0 or more, at least one above 0".into()));
        }
        let factor = |rank: f64| (rank * ranks.len() as f64 / sum).powf(weight) as Score;
        let mut parts = HashMap::new();
        for reader in searcher.segment_readers() {
            let keys = reader.fast_fields().u64(names::KEY).map_err(from_tantivy(path))?;
            let rank = |doc| keys.first(doc).and_then(|key| ranks.get(&key)).copied().filter(|rank| *rank > 0.0).unwrap_or(least);
            let factors: Arc<[f32]> = (0..reader.max_doc()).map(|doc| factor(rank(doc))).collect();
            let largest = factors.iter().copied().fold(Score::MIN_POSITIVE, Score::max);
            parts.insert(reader.segment_id(), (factors, largest));
        }
        Ok(Ranks { parts })
    }

    /// The factors of a part of the index, and the largest of them.
    pub(crate) fn of_part(&self, part: SegmentId) -> Option<(Arc<[f32]>, Score)> {
        self.parts.get(&part).cloned()
    }
}
