//! A second look: what the first one said of the blocks round a block.
//!
//! Text is content in pieces, not in lines: the second forest sees a block's own first score beside the mean of what stands
//! with it in the same elements, before and behind it, and on the same path. It is kept tiny: a large one overfits.

use super::aggregates::{Aggregates, Sums};
use super::repeats::Repeats;

/// Who stands in what.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    /// By element: its blocks.
    ranges: Vec<(u32, u32)>,
    /// By block: the elements that it is in, at [`LEVELS`] steps up.
    round: Vec<[u32; LEVELS.len()]>,
    /// By block: its path.
    path: Vec<u32>,
    paths: usize,
}

/// Steps up from the innermost element.
const LEVELS: [usize; 5] = [0, 1, 2, 4, 6];

/// Names of the second look's columns.
pub const CONTEXT_COLUMNS: [&str; 17] = [
    "first", "first^0", "first^1", "first^2", "first^4", "first^6", "first-1", "first+1", "first-near", "first-before",
    "first-behind", "first-far", "first-path", "first-share-before", "first-share-behind", "first-page", "first-words",
];

impl Tree {
    pub(super) fn new(aggregates: &Aggregates, repeats: &Repeats) -> Self {
        let round = aggregates.outline.innermost.iter().map(|&holder| {
            let mut at = holder;
            let mut steps = 0;
            LEVELS.map(|level| {
                while steps < level {
                    at = aggregates.outline.parent(at);
                    steps += 1;
                }
                at
            })
        });
        Tree {
            round: round.collect(),
            ranges: aggregates.outline.elements.iter().map(|element| (element.start, element.end)).collect(),
            path: repeats.path.clone(),
            paths: repeats.paths.len(),
        }
    }

    /// What the second look is told, from the probabilities that the first one gave and the words of the blocks.
    pub(super) fn told<'t>(&'t self, probabilities: &'t [f32], words: &'t [f32]) -> Told<'t> {
        let count = probabilities.len();
        let weight = |at: usize| words[at] + 0.5;
        let sums = Sums::new((0..count).map(|at| probabilities[at] * weight(at)));
        let weights = Sums::new((0..count).map(weight));
        let mut by_path = vec![(0f32, 0f32); self.paths];
        for (at, &path) in self.path.iter().enumerate() {
            let (sum, weights) = &mut by_path[path as usize];
            *sum += probabilities[at] * weight(at);
            *weights += weight(at);
        }
        Told { tree: self, probabilities, words, sums, weights, by_path }
    }

    /// The rows of the second look, one after the other.
    pub(super) fn rows(&self, probabilities: &[f32], words: &[f32]) -> Vec<f32> {
        let told = self.told(probabilities, words);
        let mut rows = Vec::with_capacity(probabilities.len() * CONTEXT_COLUMNS.len());
        (0..probabilities.len()).for_each(|at| rows.extend(told.row(at)));
        rows
    }
}

/// What the first look said, summed up.
#[derive(Debug)]
pub(super) struct Told<'t> {
    tree: &'t Tree,
    probabilities: &'t [f32],
    words: &'t [f32],
    sums: Sums,
    weights: Sums,
    /// By path: probabilities times weights, and weights.
    by_path: Vec<(f32, f32)>,
}

impl Told<'_> {
    fn mean(&self, start: usize, end: usize, none: f32) -> f32 {
        let weight = self.weights.between(start, end);
        if weight > 0.0 { self.sums.between(start, end) / weight } else { none }
    }

    /// The row of a block.
    pub(super) fn row(&self, at: usize) -> [f32; CONTEXT_COLUMNS.len()] {
        let (tree, probabilities, count) = (self.tree, self.probabilities, self.probabilities.len());
        let (sums, weights) = (&self.sums, &self.weights);
        let total = sums.total().max(1e-6);
        let all = weights.total().max(1e-6);
        let own = probabilities[at];
        let weight = self.words[at] + 0.5;
        let [a, b, c, d, e] = tree.round[at].map(|element| {
            let (start, end) = tree.ranges[element as usize];
            let (start, end) = (start as usize, end as usize);
            // Without the block itself.
            let rest = weights.between(start, end) - weight;
            if rest > 0.25 { (sums.between(start, end) - own * weight) / rest } else { own }
        });
        let (of_path, path_weight) = self.by_path[tree.path[at] as usize];
        [
            own,
            a,
            b,
            c,
            d,
            e,
            at.checked_sub(1).map_or(-1.0, |before| probabilities[before]),
            probabilities.get(at + 1).copied().unwrap_or(-1.0),
            self.mean(at.saturating_sub(2), (at + 3).min(count), own),
            self.mean(at.saturating_sub(6), at, -1.0),
            self.mean(at + 1, (at + 7).min(count), -1.0),
            self.mean(at.saturating_sub(20), (at + 21).min(count), own),
            of_path / path_weight.max(1e-6),
            sums.before(at) / total,
            1.0 - sums.before(at + 1) / total,
            total / all,
            self.words[at],
        ]
    }
}
