//! Where the long text is: the smallest elements with most of it, and a score modelled on Readability.

use super::aggregates::Aggregates;

/// The smallest element with a given share of the page's long text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Container {
    pub(super) element: u32,
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) share: f32,
    pub(super) link_density: f32,
}

impl Container {
    /// Finds the container; `None` on a page without long text.
    pub(super) fn with_share(aggregates: &Aggregates, share: f32) -> Option<Container> {
        let total = aggregates.long_sums.total();
        if total <= 0.0 {
            return None;
        }
        let mut best: Option<(f32, u32)> = None;
        for at in 0..aggregates.outline.elements.len() as u32 {
            if aggregates.long_in(at) >= share * total {
                let words = aggregates.words_in(at);
                // Among elements with the same text the innermost comes last.
                if best.is_none_or(|(min, _)| words <= min) {
                    best = Some((words, at));
                }
            }
        }
        let (words, element) = best?;
        let place = &aggregates.outline.elements[element as usize];
        Some(Container {
            element,
            start: place.start,
            end: place.end,
            share: words / aggregates.word_sums.total().max(1.0),
            link_density: aggregates.link_density_in(element),
        })
    }

    pub(super) fn contains(&self, block: usize) -> bool {
        (self.start as usize..self.end as usize).contains(&block)
    }

    /// Blocks between it and a block: 0 inside, negative before it.
    pub(super) fn distance(&self, block: usize) -> f32 {
        distance(self.start, self.end, block)
    }
}

/// Blocks between `start..end` and a block: 0 inside, negative before it.
pub(super) fn distance(start: u32, end: u32, block: usize) -> f32 {
    let (block, start, end) = (block as f32, start as f32, end as f32);
    if block < start {
        block - start
    } else if block >= end {
        block - end + 1.0
    } else {
        0.0
    }
}

/// Shares of a block's points that its ancestors receive, from inside out.
const ANCESTOR_SHARES: [f32; 4] = [1.0, 1.0, 0.5, 0.33];

/// For each element: points for the sentences inside it, reduced by its link density and scaled to a maximum of 1.
pub(super) fn readability_scores(aggregates: &Aggregates) -> Vec<f32> {
    let mut scores = vec![0f32; aggregates.outline.elements.len()];
    for block in 0..aggregates.len() {
        if aggregates.words[block] < 8.0 || aggregates.link_density[block] >= 0.5 {
            continue;
        }
        let text = &aggregates.text[block];
        let points = 1.0 + text.commas + (text.characters / 100.0).min(3.0);
        let mut at = aggregates.outline.innermost[block];
        for share in ANCESTOR_SHARES {
            scores[at as usize] += points * share;
            let parent = aggregates.outline.parent(at);
            if parent == at {
                break;
            }
            at = parent;
        }
    }
    for (at, score) in scores.iter_mut().enumerate() {
        *score *= 1.0 - aggregates.link_density_in(at as u32);
    }
    let max = scores.iter().copied().fold(1e-6, f32::max);
    scores.iter_mut().for_each(|score| *score /= max);
    scores
}
