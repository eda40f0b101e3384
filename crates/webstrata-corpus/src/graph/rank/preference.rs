//! Preference vectors.

use super::super::GraphError;

/// A preference vector: where a surfer who does not follow a link continues.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Preference {
    /// Any page, all with the same probability.
    #[default]
    Uniform,
    /// These pages, with probabilities proportional to their weights. Weights of the same page add up.
    Pages(Vec<(u32, f64)>),
}

/// A batch of preference vectors, as sweeps read them.
#[derive(Debug)]
pub(crate) struct PreferenceTable<const K: usize> {
    /// Share of every page, by vector.
    pub everywhere: [f64; K],
    /// Shares of single pages: page, vector and amount, sorted by page.
    pub at: Vec<(u32, u8, f64)>,
}

impl<const K: usize> PreferenceTable<K> {
    /// Scales each vector to a sum of `mass`.
    pub(crate) fn new(preferences: &[Preference], pages: usize, mass: f64) -> Result<Self, GraphError> {
        let mut everywhere = [0.0; K];
        let mut at = Vec::new();
        for (lane, preference) in preferences.iter().enumerate().take(K) {
            match preference {
                Preference::Uniform => everywhere[lane] = mass / pages as f64,
                Preference::Pages(weights) => {
                    let sum: f64 = weights.iter().map(|&(_, weight)| weight).sum();
                    let fine = weights.iter().all(|&(_, weight)| weight >= 0.0) && sum > 0.0 && sum.is_finite();
                    if !fine {
                        return Err(GraphError::Option(format!(
                            "preference vector {lane}: weights must be non-negative numbers, at least one above 0"
                        )));
                    }
                    if let Some((page, _)) = weights.iter().find(|&&(page, _)| page as usize >= pages) {
                        return Err(GraphError::Option(format!(
                            "preference vector {lane}: no page {page}; there are {pages} pages"
                        )));
                    }
                    at.extend(weights.iter().map(|&(page, weight)| (page, lane as u8, weight / sum * mass)));
                }
            }
        }
        // A stable sort, so that sums are the same each time.
        at.sort_by_key(|&(page, lane, _)| (page, lane));
        Ok(PreferenceTable { everywhere, at })
    }

    /// Shares of single pages, from a page on.
    pub(crate) fn from(&self, page: usize) -> &[(u32, u8, f64)] {
        &self.at[self.at.partition_point(|&(other, ..)| (other as usize) < page)..]
    }
}
