//! A second look: what the first one said of the blocks round a block.
//!
//! Text is content in pieces, not in lines: the second forest sees a block's own first score beside the mean of what stands
//! with it in the same elements, before and behind it, and on the same path. It is kept tiny: a large one overfits.

use super::ground::{Ground, Sums};
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
pub const SECOND_COLUMNS: [&str; 17] = [
    "first", "first^0", "first^1", "first^2", "first^4", "first^6", "first-1", "first+1", "first-near", "first-before",
    "first-behind", "first-far", "first-path", "first-share-before", "first-share-behind", "first-page", "first-words",
];

impl Tree {
    pub(super) fn new(ground: &Ground, repeats: &Repeats) -> Self {
        let round = ground.outline.holder.iter().map(|&holder| {
            let mut at = holder;
            let mut steps = 0;
            LEVELS.map(|level| {
                while steps < level {
                    at = ground.outline.parent(at);
                    steps += 1;
                }
                at
            })
        });
        Tree {
            round: round.collect(),
            ranges: ground.outline.elements.iter().map(|element| (element.start, element.end)).collect(),
            path: repeats.path.clone(),
            paths: repeats.paths.len(),
        }
    }

    /// The rows of the second look, from the chances that the first one gave and the words of the blocks.
    pub(super) fn rows(&self, chances: &[f32], words: &[f32]) -> Vec<f32> {
        let count = chances.len();
        let weight = |at: usize| words[at] + 0.5;
        let sums = Sums::new((0..count).map(|at| chances[at] * weight(at)));
        let weights = Sums::new((0..count).map(weight));
        let mean = |start: usize, end: usize, none: f32| {
            let weight = weights.between(start, end);
            if weight > 0.0 { sums.between(start, end) / weight } else { none }
        };
        let mut by_path = vec![(0f32, 0f32); self.paths];
        for (at, &path) in self.path.iter().enumerate() {
            let (sum, weights) = &mut by_path[path as usize];
            *sum += chances[at] * weight(at);
            *weights += weight(at);
        }
        let total = sums.total().max(1e-6);
        let all = weights.total().max(1e-6);
        let mut rows = Vec::with_capacity(count * SECOND_COLUMNS.len());
        for at in 0..count {
            let own = chances[at];
            rows.push(own);
            for element in self.round[at] {
                let (start, end) = self.ranges[element as usize];
                let (start, end) = (start as usize, end as usize);
                // Without the block itself.
                let rest = weights.between(start, end) - weight(at);
                let others = if rest > 0.25 { (sums.between(start, end) - own * weight(at)) / rest } else { own };
                rows.push(others);
            }
            rows.push(at.checked_sub(1).map_or(-1.0, |before| chances[before]));
            rows.push(chances.get(at + 1).copied().unwrap_or(-1.0));
            rows.push(mean(at.saturating_sub(2), (at + 3).min(count), own));
            rows.push(mean(at.saturating_sub(6), at, -1.0));
            rows.push(mean(at + 1, (at + 7).min(count), -1.0));
            rows.push(mean(at.saturating_sub(20), (at + 21).min(count), own));
            let (sum, weights) = by_path[self.path[at] as usize];
            rows.push(sum / weights.max(1e-6));
            rows.push(sums.before(at) / total);
            rows.push(1.0 - sums.before(at + 1) / total);
            rows.push(total / all);
            rows.push(words[at]);
        }
        rows
    }
}
