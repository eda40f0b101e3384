//! The context pass: a second forest corrects each block's probability by what the first one predicts for the blocks around it.
//!
//! Content comes in contiguous pieces. The second forest sees a block's own first-pass probability next to the means over
//! its ancestors, its neighbours and the blocks with the same path. It is kept tiny: a large one overfits.

use super::aggregates::{Aggregates, PrefixSums};
use super::answers::Shape;
use super::repetition::Repetition;

/// The neighbourhoods over which first-pass probabilities are averaged.
#[derive(Clone, Debug, Default)]
pub(super) struct Neighbourhoods {
    /// For each element: its blocks.
    ranges: Vec<(u32, u32)>,
    /// For each block: its ancestors at [`STEPS`].
    ancestors: Vec<[u32; STEPS.len()]>,
    /// For each block: its path.
    path: Vec<u32>,
    paths: usize,
}

/// Steps up from the block's innermost element.
const STEPS: [usize; 5] = [0, 1, 2, 4, 6];

/// Names of the features of the context pass.
pub const CONTEXT_COLUMNS: [&str; 17] = [
    "first-pass probability",
    "mean probability in element",
    "mean probability in parent",
    "mean probability in grandparent",
    "mean probability in ancestor 4",
    "mean probability in ancestor 6",
    "probability of previous block",
    "probability of next block",
    "mean probability within 2 blocks",
    "mean probability of previous 6 blocks",
    "mean probability of next 6 blocks",
    "mean probability within 20 blocks",
    "mean probability of path",
    "share of expected content before",
    "share of expected content after",
    "mean probability of page",
    "word count",
];

impl Neighbourhoods {
    pub(super) fn new(aggregates: &Aggregates, repetition: &Repetition) -> Self {
        let ancestors = aggregates.outline.innermost.iter().map(|&innermost| {
            let mut at = innermost;
            let mut climbed = 0;
            STEPS.map(|step| {
                while climbed < step {
                    at = aggregates.outline.parent(at);
                    climbed += 1;
                }
                at
            })
        });
        Neighbourhoods {
            ancestors: ancestors.collect(),
            ranges: aggregates.outline.elements.iter().map(|element| (element.start, element.end)).collect(),
            path: repetition.path.clone(),
            paths: repetition.paths.len(),
        }
    }

    /// The input for building answers: facts about blocks, with the paths and elements known here.
    pub(super) fn shape<'p>(
        &'p self,
        words: &'p [f32],
        link_density: &'p [f32],
        heading: &'p [u8],
        by_rules: &'p [bool],
        in_main_group: &'p [bool],
    ) -> Shape<'p> {
        Shape { words, link_density, heading, by_rules, in_main_group, path: &self.path, paths: self.paths, elements: &self.ranges }
    }

    /// Sums the probabilities of the first pass, weighted by the blocks' words.
    pub(super) fn with_first_pass<'t>(&'t self, probabilities: &'t [f32], words: &'t [f32]) -> ContextRows<'t> {
        let count = probabilities.len();
        let weight = |at: usize| words[at] + 0.5;
        let sums = PrefixSums::new((0..count).map(|at| probabilities[at] * weight(at)));
        let weights = PrefixSums::new((0..count).map(weight));
        let mut by_path = vec![(0f32, 0f32); self.paths];
        for (at, &path) in self.path.iter().enumerate() {
            let (sum, weights) = &mut by_path[path as usize];
            *sum += probabilities[at] * weight(at);
            *weights += weight(at);
        }
        ContextRows { neighbourhoods: self, probabilities, words, sums, weights, by_path }
    }

    /// The rows of all blocks, concatenated.
    pub(super) fn rows(&self, probabilities: &[f32], words: &[f32]) -> Vec<f32> {
        let context = self.with_first_pass(probabilities, words);
        let mut rows = Vec::with_capacity(probabilities.len() * CONTEXT_COLUMNS.len());
        (0..probabilities.len()).for_each(|at| rows.extend(context.row(at)));
        rows
    }
}

/// The result of the first pass, ready to be averaged.
#[derive(Debug)]
pub(super) struct ContextRows<'t> {
    neighbourhoods: &'t Neighbourhoods,
    probabilities: &'t [f32],
    words: &'t [f32],
    /// Prefix sums of weighted probabilities and of weights.
    sums: PrefixSums,
    weights: PrefixSums,
    /// For each path: sum of weighted probabilities, sum of weights.
    by_path: Vec<(f32, f32)>,
}

impl ContextRows<'_> {
    fn mean(&self, start: usize, end: usize, default: f32) -> f32 {
        let weight = self.weights.between(start, end);
        if weight > 0.0 { self.sums.between(start, end) / weight } else { default }
    }

    /// The row of a block.
    pub(super) fn row(&self, at: usize) -> [f32; CONTEXT_COLUMNS.len()] {
        let (neighbourhoods, probabilities, count) = (self.neighbourhoods, self.probabilities, self.probabilities.len());
        let (sums, weights) = (&self.sums, &self.weights);
        let total = sums.total().max(1e-6);
        let all = weights.total().max(1e-6);
        let own = probabilities[at];
        let weight = self.words[at] + 0.5;
        let [a, b, c, d, e] = neighbourhoods.ancestors[at].map(|element| {
            let (start, end) = neighbourhoods.ranges[element as usize];
            let (start, end) = (start as usize, end as usize);
            // Without the block itself.
            let rest = weights.between(start, end) - weight;
            if rest > 0.25 { (sums.between(start, end) - own * weight) / rest } else { own }
        });
        let (of_path, path_weight) = self.by_path[neighbourhoods.path[at] as usize];
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
