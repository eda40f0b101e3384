//! Where the surfer jumps to.

use super::super::GraphError;

/// Where the surfer jumps to: any page, or pages of a set by weight.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Preference {
    /// Any page, all with the same chance.
    #[default]
    Uniform,
    /// These pages, with a chance in proportion to their weights. A page that is named twice has the sum.
    Pages(Vec<(u32, f64)>),
}

/// Preference vectors that go through the graph together, as sweeps read them.
#[derive(Debug)]
pub struct PreferenceTable<const K: usize> {
    /// What every page gets, by vector.
    pub everywhere: [f64; K],
    /// What single pages get: page, vector, and how much, in the order of pages.
    pub at: Vec<(u32, u8, f64)>,
}

impl<const K: usize> PreferenceTable<K> {
    /// Scales each to a sum of `mass`.
    pub fn new(preferences: &[Preference], pages: usize, mass: f64) -> Result<Self, GraphError> {
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
                            "jump vector {lane}: weights must be numbers of 0 and more, one of them above 0"
                        )));
                    }
                    if let Some((page, _)) = weights.iter().find(|&&(page, _)| page as usize >= pages) {
                        return Err(GraphError::Option(format!("jump vector {lane}: page {page}, but there are {pages} pages")));
                    }
                    at.extend(weights.iter().map(|&(page, weight)| (page, lane as u8, weight / sum * mass)));
                }
            }
        }
        // Equal pages keep the order in which they were given, so that sums are the same each time.
        at.sort_by_key(|&(page, lane, _)| (page, lane));
        Ok(PreferenceTable { everywhere, at })
    }

    /// What single pages get, from a page on.
    pub fn from(&self, page: usize) -> &[(u32, u8, f64)] {
        &self.at[self.at.partition_point(|&(other, ..)| (other as usize) < page)..]
    }
}
