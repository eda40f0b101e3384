//! Search options.

use crate::PageRanks;
use crate::ranking::{Ranking, Weights};
use std::sync::Arc;

/// Maximum number of results.
pub const MAX_RESULTS: usize = 10_000;

/// How a search ranks, and what it returns.
///
/// ```
/// use webstrata_search::{Ranking, SearchOptions};
/// let options = SearchOptions { limit: 20, ranking: Ranking::NoTemplates, ..SearchOptions::default() };
/// assert_eq!((options.k1, options.b), (1.2, 0.75));
/// ```
#[derive(Clone, Debug)]
pub struct SearchOptions {
    /// The ranking.
    pub ranking: Ranking,
    /// The weights of [`Ranking::Segments`].
    pub weights: Weights,
    /// Saturation of term frequencies.
    pub k1: f32,
    /// How much long pages are penalised, from 0 to 1.
    pub b: f32,
    /// Number of results.
    pub limit: usize,
    /// Show only one of several near duplicates.
    pub fold: bool,
    /// Explain scores.
    pub explain: bool,
    /// Page ranks to mix in.
    pub ranks: Option<Arc<PageRanks>>,
    /// Score every page, without pruning; the result is the same.
    pub exhaustive: bool,
}

impl Default for SearchOptions {
    fn default() -> Self {
        SearchOptions {
            ranking: Ranking::default(),
            weights: Weights::default(),
            k1: 1.2,
            b: 0.75,
            limit: 10,
            fold: true,
            explain: false,
            ranks: None,
            exhaustive: false,
        }
    }
}
