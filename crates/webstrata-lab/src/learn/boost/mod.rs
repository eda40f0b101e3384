//! Gradient boosting: forests of small trees, each fitted to the errors of those before it.
//!
//! Symmetric trees on histograms (Friedman: Greedy function approximation, 2001; Ke et al.: LightGBM, 2017; Prokhorenkova et al.:
//! CatBoost, 2018), with logistic loss on shares (a block that is 70% content has the label 0.7), weights, and a penalty that
//! shrinks a node's value towards its parent's. We have our own implementation because the result must fit [`webstrata::model::Forest`]
//! (symmetric, with means of inner nodes for explanations), be the same for any number of threads, and accept shares as labels: no
//! boosting crate does all three.

mod bins;
mod grow;

pub use bins::Binned;

use grow::{Gradients, grow};
use rayon::prelude::*;
use webstrata::model::{Forest, ModelError, Tree, probability};
use webstrata_corpus::io::Random;

/// Parameters of a forest.
///
/// ```
/// use webstrata_lab::learn::boost::BoostOptions;
/// assert_eq!(BoostOptions::default().levels, 6);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct BoostOptions {
    /// Number of trees.
    pub trees: usize,
    /// Maximum depth.
    pub levels: usize,
    /// Learning rate.
    pub rate: f32,
    /// Share of columns available to a tree.
    pub columns: f64,
    /// Minimum sum of second derivatives in a node.
    pub curvature: f64,
    /// Shrinkage towards the parent's value, in units of second derivatives.
    pub penalty: f64,
    /// Seed for sampling columns.
    pub seed: u64,
}

impl Default for BoostOptions {
    fn default() -> Self {
        BoostOptions { trees: 150, levels: 6, rate: 0.1, columns: 0.2, curvature: 5.0, penalty: 5.0, seed: 1 }
    }
}

/// Learns a forest from rows `which` of a table: their labels (from 0 to 1) and weights, by row of the table.
///
/// ```
/// use webstrata_lab::learn::boost::{Binned, BoostOptions, boost};
/// let rows: Vec<f32> = (0..200).map(|n| n as f32).collect();
/// let table = Binned::new(&rows, 1, 63);
/// let labels: Vec<f32> = (0..200).map(|n| if n < 120 { 0.0 } else { 1.0 }).collect();
/// let which: Vec<u32> = (0..200).collect();
/// let options = BoostOptions { trees: 20, levels: 2, columns: 1.0, curvature: 0.0, ..Default::default() };
/// let forest = boost(&table, &labels, &vec![1.0; 200], &which, &options).unwrap();
/// assert!(forest.score(&[10.0]) < 0.0 && forest.score(&[190.0]) > 0.0);
/// ```
///
/// # Errors
/// If the options specify trees that a forest cannot represent.
pub fn boost(table: &Binned, labels: &[f32], weights: &[f32], which: &[u32], options: &BoostOptions) -> Result<Forest, ModelError> {
    let total: f64 = which.iter().map(|&row| f64::from(weights[row as usize])).sum();
    let positive: f64 = which.iter().map(|&row| f64::from(weights[row as usize]) * f64::from(labels[row as usize])).sum();
    let mean = (positive / total.max(1e-9)).clamp(1e-4, 1.0 - 1e-4);
    let base = (mean / (1.0 - mean)).ln() as f32;
    boost_from(table, (labels, weights), which, base, vec![base; which.len()], options)
}

/// Learns a forest that corrects given scores, to be added to them. `before` has those scores, by row
/// of the table.
///
/// # Errors
/// If the options specify trees that a forest cannot represent.
pub fn boost_on(
    table: &Binned,
    labels: &[f32],
    weights: &[f32],
    which: &[u32],
    before: &[f32],
    options: &BoostOptions,
) -> Result<Forest, ModelError> {
    let scores = which.iter().map(|&row| before[row as usize]).collect();
    boost_from(table, (labels, weights), which, 0.0, scores, options)
}

fn boost_from(
    table: &Binned,
    (labels, weights): (&[f32], &[f32]),
    which: &[u32],
    base: f32,
    mut scores: Vec<f32>,
    options: &BoostOptions,
) -> Result<Forest, ModelError> {
    let table = table.subset(which);
    let mut random = Random::new(options.seed);
    let mut trees: Vec<Tree> = Vec::with_capacity(options.trees);
    for _ in 0..options.trees {
        let gradients: Gradients = scores
            .par_iter()
            .zip(which)
            .map(|(&score, &row)| {
                let (label, weight) = (labels[row as usize], weights[row as usize]);
                let probability = probability(score);
                (weight * (probability - label), weight * (probability * (1.0 - probability)).max(1e-6))
            })
            .collect();
        let columns = pick(table.columns(), options.columns, &mut random);
        let grown = grow(&table, &gradients, &columns, options);
        scores.iter_mut().zip(&grown.values).for_each(|(score, value)| *score += value);
        trees.push(grown.tree);
    }
    Forest::new(table.columns() as u16, base, &trees)
}

/// Picks a random share of the columns, in order; at least one.
fn pick(columns: usize, share: f64, random: &mut Random) -> Vec<usize> {
    let wanted = ((columns as f64 * share).round() as usize).clamp(1, columns.max(1));
    let mut all: Vec<usize> = (0..columns).collect();
    for at in 0..wanted.min(columns) {
        let other = at + random.below(columns - at);
        all.swap(at, other);
    }
    all.truncate(wanted);
    all.sort_unstable();
    all
}
