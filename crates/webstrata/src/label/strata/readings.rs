//! Two readings of a page: its doubtful blocks are content together, or together they are not.
//!
//! The probabilities of blocks are not independent. If a list of teasers has a probability of .4, then in four of ten such pages all of
//! the list is content, and in the others none of it. An expected F1 that treats the blocks as independent always counts four tenths of the list as
//! content that would be lost, and so keeps all of it. Therefore each page is read twice: in one reading all probabilities are shifted up,
//! in the other down, by the same step on the scale of logits, and the expected F1 is the mean of both. The logits
//! are stretched, so that the mean probability of each block stays about the same (the probit approximation of the
//! logistic-normal integral, MacKay: The evidence framework applied to classification networks, 1992).

use super::model::is_article;
use super::page_type::PageType;
use crate::model::{logit, probability};

/// How far the logits of articles are shifted, and those of other pages. Chosen by cross-validation on the training sets: articles are
/// either one text among teasers or not articles at all; the items of other pages are more independent of each other.
const ARTICLE_SPREAD: f32 = 3.0;
const OTHER_SPREAD: f32 = 1.5;

/// The shift for a page with these page type probabilities.
#[must_use]
pub fn spread(page_types: &[f32; PageType::ALL.len()]) -> f32 {
    if is_article(page_types) { ARTICLE_SPREAD } else { OTHER_SPREAD }
}

/// The probabilities of blocks in two readings.
#[derive(Clone, Copy, Debug)]
pub(super) struct Readings {
    spread: f32,
    stretch: f32,
}

impl Readings {
    /// Readings that are `spread` apart from the mean on the scale of logits; 0 for independent blocks.
    pub(super) fn new(spread: f32) -> Self {
        // Pi / 8, times the variance of a shift of plus or minus `spread`.
        Readings { spread, stretch: (1.0 + std::f32::consts::FRAC_PI_8 * spread * spread).sqrt() }
    }

    /// The probability of a block in each reading.
    pub(super) fn of(self, probability_of_block: f32) -> [f32; 2] {
        if self.spread == 0.0 {
            return [probability_of_block; 2];
        }
        let stretched = logit(probability_of_block) * self.stretch;
        [probability(stretched - self.spread), probability(stretched + self.spread)]
    }

    /// The same for all blocks of a page.
    pub(super) fn of_all(self, probabilities: &[f32]) -> Vec<[f32; 2]> {
        probabilities.iter().map(|&probability| self.of(probability)).collect()
    }
}

/// Expected hits or words in each reading.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Expected([f64; 2]);

impl Expected {
    /// Adds a block of so many words.
    pub(super) fn add(&mut self, probabilities: [f32; 2], words: f32) {
        for (sum, probability) in self.0.iter_mut().zip(probabilities) {
            *sum += f64::from(probability) * f64::from(words);
        }
    }

    /// The sums over all blocks.
    pub(super) fn total(readings: &[[f32; 2]], words: &[f32]) -> Self {
        let mut total = Expected::default();
        for (&probabilities, &words) in readings.iter().zip(words) {
            total.add(probabilities, words);
        }
        total
    }

    /// The expected F-measure of keeping `kept` words with these hits, if `content` is the expected content of the page. `square` is the
    /// weight of recall, squared.
    pub(super) fn f_measure(self, content: Expected, kept: f64, square: f64) -> f64 {
        let of_reading = |at: usize| (1.0 + square) * self.0[at] / (kept + square * content.0[at]).max(1e-9);
        (of_reading(0) + of_reading(1)) / 2.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_of_both_readings_is_close_to_the_probability() {
        for spread in [0.0, OTHER_SPREAD, ARTICLE_SPREAD] {
            for percent in (5..100).step_by(5) {
                let probability = percent as f32 / 100.0;
                let [low, high] = Readings::new(spread).of(probability);
                assert!(
                    low <= high && (f32::midpoint(low, high) - probability).abs() < 0.1,
                    "{spread} {probability}: {low} {high}"
                );
            }
        }
    }
}
