//! Learns the weights of names: a logistic regression on the names around each block, and one per page type.

use std::collections::{BTreeMap, BTreeSet};
use webstrata::label::strata::{PageNames, PageType};
use webstrata::model::{NameTable, NameWeights, WEIGHT_STEP, probability};
use webstrata_corpus::io::Random;

/// A page as input of the regression.
#[derive(Debug)]
pub(super) struct NamedPage<'p> {
    pub(super) names: &'p PageNames,
    pub(super) site: &'p str,
    pub(super) shares: &'p [f32],
    pub(super) weights: &'p [f32],
    pub(super) page_type: Option<PageType>,
}

/// Minimum number of sites that use a word.
const MIN_SITES: usize = 5;

const EPOCHS: usize = 3;
const PAGE_TYPE_EPOCHS: usize = 25;
const RATE: f32 = 0.15;
const PAGE_TYPE_RATE: f32 = 0.08;
/// Weight decay per step.
const DECAY: f32 = 2e-6;
const PAGE_TYPE_DECAY: f32 = 3e-3;

/// Weights of the words used by enough sites.
pub(super) fn learn(pages: &[NamedPage<'_>]) -> NameTable {
    let vocabulary = vocabulary(pages);
    let blocks = blocks(pages, &vocabulary);
    let page_types = page_types(pages, &vocabulary);
    let step = |weight: f32| (weight / WEIGHT_STEP).round().clamp(-127.0, 127.0) as i8;
    let size = vocabulary.len();
    let entry = |(&word, &at): (&u32, &usize)| {
        let mut of_page_types = [0i8; PageType::ALL.len()];
        for (page_type, weight) in of_page_types.iter_mut().enumerate() {
            *weight = step(page_types[page_type][at]);
        }
        let weights = NameWeights {
            own: step(blocks[at]),
            outer: step(blocks[size + at]),
            any: step(blocks[2 * size + at]),
            page_types: of_page_types,
        };
        (word, weights)
    };
    NameTable::new(vocabulary.iter().map(entry).filter(|(_, weights)| *weights != NameWeights::default()).collect())
}

fn vocabulary(pages: &[NamedPage<'_>]) -> BTreeMap<u32, usize> {
    let mut sites: BTreeMap<u32, BTreeSet<&str>> = BTreeMap::new();
    for page in pages {
        for &word in &page.names.page {
            let seen = sites.entry(word).or_default();
            if seen.len() < MIN_SITES {
                seen.insert(page.site);
            }
        }
    }
    let words = sites.into_iter().filter(|(_, sites)| sites.len() >= MIN_SITES).map(|(word, _)| word);
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

    fn learn(&mut self, places: &[u32], label: f32, weight: f32) {
        let score = self.bias + places.iter().map(|&at| self.weights[at as usize]).sum::<f32>();
        let error = weight * (probability(score) - label);
        self.bias_square += error * error;
        self.bias -= self.rate * error / self.bias_square.sqrt();
        for &at in places {
            let at = at as usize;
            let slope = error + self.decay * self.weights[at];
            self.squares[at] += slope * slope;
            self.weights[at] -= self.rate * slope / self.squares[at].sqrt();
        }
    }
}

/// Weights of the names on the element itself, on its parent and on any ancestor, concatenated.
fn blocks(pages: &[NamedPage<'_>], vocabulary: &BTreeMap<u32, usize>) -> Vec<f32> {
    let size = vocabulary.len();
    let mut rows: Vec<(Vec<u32>, f32, f32)> = Vec::new();
    for page in pages {
        for ((names, &share), &weight) in page.names.blocks.iter().zip(page.shares).zip(page.weights) {
            let mut places = Vec::new();
            for (level, words) in names.iter().enumerate() {
                places.extend(words.iter().filter_map(|word| vocabulary.get(word)).map(|at| (level * size + at) as u32));
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
            regression.learn(places, *share, weight / mean as f32);
        }
    }
    regression.weights
}

fn page_types(pages: &[NamedPage<'_>], vocabulary: &BTreeMap<u32, usize>) -> Vec<Vec<f32>> {
    let rows: Vec<(Vec<u32>, PageType)> = pages
        .iter()
        .filter_map(|page| {
            let places = page.names.page.iter().filter_map(|word| vocabulary.get(word)).map(|&at| at as u32);
            Some((places.collect(), page.page_type?))
        })
        .collect();
    PageType::ALL
        .into_iter()
        .map(|page_type| {
            let mut regression = Regression::new(vocabulary.len(), PAGE_TYPE_RATE, PAGE_TYPE_DECAY);
            let mut order: Vec<u32> = (0..rows.len() as u32).collect();
            let mut random = Random::new(7);
            for _ in 0..PAGE_TYPE_EPOCHS {
                random.shuffle(&mut order);
                for &at in &order {
                    let (places, of) = &rows[at as usize];
                    regression.learn(places, f32::from(u8::from(*of == page_type)), 1.0);
                }
            }
            regression.weights
        })
        .collect()
}
