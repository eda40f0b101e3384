//! Learns the weights of words, in names or in short texts: a logistic regression on the words around each block, and one
//! per page type.

use std::collections::{BTreeMap, BTreeSet};
use webstrata::label::strata::{PageType, PageWords, page_scale};
use webstrata::model::{WEIGHT_STEP, WordTable, WordWeights, probability};
use webstrata_corpus::io::Random;

/// A page as input to the regression.
#[derive(Debug)]
pub(super) struct WordPage<'p> {
    pub(super) words: &'p PageWords,
    pub(super) site: &'p str,
    pub(super) shares: &'p [f32],
    pub(super) weights: &'p [f32],
    pub(super) page_type: Option<PageType>,
}

/// Options for learning words.
#[derive(Clone, Copy, Debug)]
pub(super) struct WordOptions {
    /// Minimum number of sites that use a word.
    min_sites: usize,
    /// Factor for the weights of a page's words, given their number.
    page_scale: fn(usize) -> f32,
    /// Weight decay per step of the regression on page types.
    page_type_decay: f32,
}

/// Options for words in names.
pub(super) const WORDS_OF_NAMES: WordOptions = WordOptions { min_sites: 5, page_scale: |_| 1.0, page_type_decay: 3e-3 };

/// Options for the words of short texts. They are numerous, and most of them are about a topic.
pub(super) const WORDS_OF_TEXTS: WordOptions = WordOptions { min_sites: 25, page_scale, page_type_decay: 3e-3 };

const EPOCHS: usize = 3;
const PAGE_TYPE_EPOCHS: usize = 25;
const RATE: f32 = 0.15;
const PAGE_TYPE_RATE: f32 = 0.08;
/// Weight decay per step.
const DECAY: f32 = 2e-6;

/// Learns weights of the words that enough sites use.
pub(super) fn learn(pages: &[WordPage<'_>], options: &WordOptions) -> WordTable {
    let vocabulary = vocabulary(pages, options.min_sites);
    let blocks = blocks(pages, &vocabulary);
    let page_types = page_types(pages, &vocabulary, options);
    let step = |weight: f32| (weight / WEIGHT_STEP).round().clamp(-127.0, 127.0) as i8;
    let size = vocabulary.len();
    let entry = |(&word, &at): (&u32, &usize)| {
        let mut of_page_types = [0i8; PageType::ALL.len()];
        for (page_type, weight) in of_page_types.iter_mut().enumerate() {
            *weight = step(page_types[page_type][at]);
        }
        let weights = WordWeights {
            own: step(blocks[at]),
            outer: step(blocks[size + at]),
            any: step(blocks[2 * size + at]),
            page_types: of_page_types,
        };
        (word, weights)
    };
    WordTable::new(vocabulary.iter().map(entry).filter(|(_, weights)| *weights != WordWeights::default()).collect())
}

fn vocabulary(pages: &[WordPage<'_>], min_sites: usize) -> BTreeMap<u32, usize> {
    let mut sites: BTreeMap<u32, BTreeSet<&str>> = BTreeMap::new();
    for page in pages {
        for &word in &page.words.page {
            let seen = sites.entry(word).or_default();
            if seen.len() < min_sites {
                seen.insert(page.site);
            }
        }
    }
    let words = sites.into_iter().filter(|(_, sites)| sites.len() >= min_sites).map(|(word, _)| word);
    words.enumerate().map(|(at, word)| (word, at)).collect()
}

/// AdaGrad: step sizes that shrink with use (Duchi, Hazan, Singer: Adaptive subgradient methods, 2011).
struct Regression {
    weights: Vec<f32>,
    squares: Vec<f32>,
    bias: f32,
    bias_square: f32,
    rate: f32,
    decay: f32,
}

impl Regression {
    fn new(size: usize, rate: f32, decay: f32) -> Self {
        Regression { weights: vec![0.0; size], squares: vec![1e-3; size], bias: 0.0, bias_square: 1e-3, rate, decay }
    }

    /// Learns from an example whose words, at these indices, all have the value `scale`.
    fn learn(&mut self, places: &[u32], scale: f32, label: f32, weight: f32) {
        let score = self.bias + scale * places.iter().map(|&at| self.weights[at as usize]).sum::<f32>();
        let error = weight * (probability(score) - label);
        self.bias_square += error * error;
        self.bias -= self.rate * error / self.bias_square.sqrt();
        for &at in places {
            let at = at as usize;
            let slope = scale * error + self.decay * self.weights[at];
            self.squares[at] += slope * slope;
            self.weights[at] -= self.rate * slope / self.squares[at].sqrt();
        }
    }
}

/// Weights of the words in each of the three word lists of a block, concatenated.
fn blocks(pages: &[WordPage<'_>], vocabulary: &BTreeMap<u32, usize>) -> Vec<f32> {
    let size = vocabulary.len();
    let mut rows: Vec<(Vec<u32>, f32, f32)> = Vec::new();
    for page in pages {
        for ((lists, &share), &weight) in page.words.blocks.iter().zip(page.shares).zip(page.weights) {
            let mut places = Vec::new();
            for (list, words) in lists.iter().enumerate() {
                places.extend(words.iter().filter_map(|word| vocabulary.get(word)).map(|at| (list * size + at) as u32));
            }
            if !places.is_empty() && weight > 0.0 {
                rows.push((places, share, weight));
            }
        }
    }
    let mean = rows.iter().map(|row| f64::from(row.2)).sum::<f64>() / (rows.len() as f64).max(1.0);
    let mut regression = Regression::new(3 * size, RATE, DECAY);
    let mut order: Vec<u32> = (0..rows.len() as u32).collect();
    let mut random = Random::new(5);
    for _ in 0..EPOCHS {
        random.shuffle(&mut order);
        for &at in &order {
            let (places, share, weight) = &rows[at as usize];
            regression.learn(places, 1.0, *share, weight / mean as f32);
        }
    }
    regression.weights
}

fn page_types(pages: &[WordPage<'_>], vocabulary: &BTreeMap<u32, usize>, options: &WordOptions) -> Vec<Vec<f32>> {
    let rows: Vec<(Vec<u32>, PageType)> = pages
        .iter()
        .filter_map(|page| {
            let places = page.words.page.iter().filter_map(|word| vocabulary.get(word)).map(|&at| at as u32);
            Some((places.collect(), page.page_type?))
        })
        .collect();
    PageType::ALL
        .into_iter()
        .map(|page_type| {
            let mut regression = Regression::new(vocabulary.len(), PAGE_TYPE_RATE, options.page_type_decay);
            let mut order: Vec<u32> = (0..rows.len() as u32).collect();
            let mut random = Random::new(7);
            for _ in 0..PAGE_TYPE_EPOCHS {
                random.shuffle(&mut order);
                for &at in &order {
                    let (places, of) = &rows[at as usize];
                    let scale = (options.page_scale)(places.len());
                    regression.learn(places, scale, f32::from(u8::from(*of == page_type)), 1.0);
                }
            }
            regression.weights
        })
        .collect()
}
