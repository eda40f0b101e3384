//! Random splits of pages into training, validation and test pages.

use webstrata_corpus::io::Random;

/// The part of a split that a page belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Weights are learned from it.
    Train,
    /// λ is chosen on it.
    Validate,
    /// Scores are computed on it.
    Test,
}

/// Makes `number` random splits of `pages` pages, 25 : 25 : 50 as in section 5.1 of the paper.
///
/// ```
/// use webstrata_lab::graphcut::{Part, splits};
/// let parts = &splits(40, 2)[1];
/// assert_eq!(parts.iter().filter(|part| **part == Part::Test).count(), 20);
/// ```
#[must_use]
pub fn splits(pages: usize, number: usize) -> Vec<Vec<Part>> {
    let split = |seed: usize| {
        let mut order: Vec<usize> = (0..pages).collect();
        Random::for_name("graph cuts", seed as u64).shuffle(&mut order);
        let mut parts = vec![Part::Test; pages];
        for (place, page) in order.into_iter().enumerate() {
            if place < pages / 2 {
                parts[page] = if place < pages / 4 { Part::Train } else { Part::Validate };
            }
        }
        parts
    };
    (0..number).map(split).collect()
}
