//! The stratified random writer (thesis, figure 4.25b): blocks of short and long text.

use serde::{Deserialize, Serialize};
use webstrata_corpus::io::Random;
use webstrata_corpus::markup::Html;

/// Longest block: an end probability near 0 must not write for ever.
const MAX_WORDS: u32 = 20_000;
/// Syllables from which words are made.
const SYLLABLES: [&str; 16] =
    ["ka", "lo", "mi", "ne", "ru", "sa", "ti", "vo", "wen", "zar", "bel", "dor", "fin", "gul", "hop", "jas"];

/// The writer's probabilities.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct WriterModel {
    /// Probability of short text after a new line, `P_N(S)`.
    pub short: f64,
    /// Probability that short text ends after a word, `P_S(N)`.
    pub short_end: f64,
    /// Probability that long text ends after a word, `P_L(N)`.
    pub long_end: f64,
}

/// A block that was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SimulatedBlock {
    /// Whether it is long text.
    pub long: bool,
    /// Its words.
    pub words: u32,
}

impl WriterModel {
    /// The thesis' parameters for its news pages.
    #[must_use]
    pub const fn thesis() -> WriterModel {
        WriterModel { short: 0.7586, short_end: 0.3968, long_end: 0.04369 }
    }

    /// Writes a block.
    pub fn block(&self, random: &mut Random) -> SimulatedBlock {
        let long = random.unit() >= self.short;
        let end = if long { self.long_end } else { self.short_end };
        let mut words = 1;
        while words < MAX_WORDS && random.unit() >= end {
            words += 1;
        }
        SimulatedBlock { long, words }
    }

    /// A page with a given number of blocks, as HTML: long text in paragraphs with full stops, short text in list items.
    ///
    /// ```
    /// use webstrata_stats::simulate::WriterModel;
    /// let page = WriterModel::thesis().page(7, 20);
    /// assert!(page.starts_with("<!doctype html>") && page.contains("<p>") && page.contains("<li>"));
    /// assert_eq!(page, WriterModel::thesis().page(7, 20));
    /// ```
    #[must_use]
    pub fn page(&self, number: u64, blocks: u32) -> String {
        let mut random = Random::for_name("stratified random writer", number);
        let mut html = Html::default();
        html.raw("<!doctype html>\n<meta charset=\"utf-8\">\n<title>").text(&word(&mut random)).raw("</title>\n");
        for _ in 0..blocks {
            let block = self.block(&mut random);
            html.raw(if block.long { "<p>" } else { "<ul><li>" });
            for at in 0..block.words {
                if at > 0 {
                    html.raw(" ");
                }
                html.text(&word(&mut random));
                // Sentences of about a dozen words.
                if block.long && (at + 1 == block.words || random.one_in(12)) {
                    html.raw(".");
                }
            }
            html.raw(if block.long { "</p>\n" } else { "</li></ul>\n" });
        }
        html.finish()
    }
}

fn word(random: &mut Random) -> String {
    (0..=random.below(3)).map(|_| random.pick(&SYLLABLES)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fit::{Criterion, fit_counts};
    use crate::law::StratifiedWriter;
    use webstrata::Page;
    use webstrata::segment::Method;

    fn lengths(words: impl Iterator<Item = u32>) -> Vec<u64> {
        let mut counts = Vec::new();
        for words in words {
            let class = words as usize - 1;
            if class >= counts.len() {
                counts.resize(class + 1, 0);
            }
            counts[class] += 1;
        }
        counts
    }

    #[test]
    fn parameters_of_simulated_text_are_recovered() {
        let model = WriterModel::thesis();
        let mut random = Random::new(11);
        let counts = lengths((0..40_000).map(|_| model.block(&mut random).words));
        let fitted = fit_counts(&StratifiedWriter, 1, &counts, Criterion::Likelihood).unwrap();
        for (estimate, value) in fitted.parameters.iter().zip([model.short, model.short_end, model.long_end]) {
            let error = estimate.error.unwrap();
            assert!((estimate.value - value).abs() < 3.0 * error && error < 0.03 * value, "{estimate:?} {value}");
        }
        assert!(fitted.chi_squared.unwrap().p > 0.001, "{fitted:?}");
    }

    /// Simulated pages go through the whole library: its blocks have the words that were written.
    #[test]
    fn blocks_of_simulated_pages_are_those_written() {
        let model = WriterModel::thesis();
        for number in 0..20 {
            let html = model.page(number, 30);
            let page = Page::parse(html.as_bytes());
            let found: Vec<u32> = page.segments(Method::TagGap).iter().map(|segment| segment.counts().words).collect();
            assert_eq!(found.len(), 30);
            let long = found.iter().filter(|words| **words > 60).count();
            assert!(found.iter().sum::<u32>() > 30 && long < 10);
        }
    }
}
