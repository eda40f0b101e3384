//! The minimum probability at which a block is kept, by page type.
//!
//! Maximising the expected F1 works where probabilities are accurate: on pages like the training pages. On other pages,
//! much boilerplate has a probability of a quarter, and a floor excludes it. A floor costs nothing on articles, but much on listings
//! and collections, where little is certain. So each page type has its own: the highest floor that costs less than 0.002 of F1.

use super::corpus::GoldBlocks;
use rayon::prelude::*;
use webstrata::label::strata::{PageType, best_threshold};

const TRIED: [f32; 12] = [0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55];

/// Maximum cost of a floor, in F1.
const MAX_COST: f64 = 0.002;

/// Lowest floor for articles. Unseen sets are mostly articles, and gain .001 to .01 from it.
const MIN_FOR_ARTICLES: f32 = 0.45;

/// The floors, from cross-validated predictions.
pub(super) fn learn(
    pages: &[GoldBlocks],
    probabilities: &[Vec<f32>],
    words: &[&[f32]],
    page_types: &[[f32; PageType::ALL.len()]],
) -> [f32; PageType::ALL.len()] {
    // For each page: F1 at each floor.
    let scores: Vec<Vec<f64>> = pages
        .par_iter()
        .zip(probabilities)
        .zip(words)
        .map(|((page, probabilities), words)| {
            let at = |&floor: &f32| {
                let (threshold, _) = best_threshold(probabilities, words, 1.0, floor, 1.0);
                page.f1(|block| probabilities[block] >= threshold)
            };
            TRIED.iter().map(at).collect()
        })
        .collect();
    let mut floors = [0.0; PageType::ALL.len()];
    for (page_type, floor) in floors.iter_mut().enumerate() {
        let weight = |page: usize| f64::from(page_types[page][page_type]) * f64::from(pages[page].weight);
        let total: f64 = (0..pages.len()).map(weight).sum();
        let mean = |tried: usize| (0..pages.len()).map(|page| weight(page) * scores[page][tried]).sum::<f64>() / total.max(1e-9);
        let means: Vec<f64> = (0..TRIED.len()).map(mean).collect();
        let best = means.iter().copied().fold(0.0, f64::max);
        let min = if PageType::ALL[page_type] == PageType::Article { MIN_FOR_ARTICLES } else { 0.0 };
        *floor =
            TRIED.iter().zip(&means).filter(|(_, mean)| **mean >= best - MAX_COST).map(|(tried, _)| *tried).fold(min, f32::max);
    }
    floors
}
