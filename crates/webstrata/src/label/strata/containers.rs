//! Where the long text is: containers that hold most of it, and a score in the manner of Readability.

use super::aggregates::Aggregates;

/// The smallest element that holds a share of the page's long text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Container {
    pub(super) element: u32,
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) share: f32,
    pub(super) links: f32,
}

impl Container {
    /// None on a page without long text.
    pub(super) fn with(aggregates: &Aggregates, share: f32) -> Option<Container> {
        let total = aggregates.long_sums.total();
        if total <= 0.0 {
            return None;
        }
        let mut best: Option<(f32, u32)> = None;
        for at in 0..aggregates.outline.elements.len() as u32 {
            if aggregates.long_in(at) >= share * total {
                let words = aggregates.words_in(at);
                // Of elements round the same text the innermost comes last.
                if best.is_none_or(|(least, _)| words <= least) {
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
            links: aggregates.links_in(element),
        })
    }

    pub(super) fn holds(&self, block: usize) -> bool {
        (self.start as usize..self.end as usize).contains(&block)
    }

    /// Blocks between it and a block, negative before it.
    pub(super) fn distance(&self, block: usize) -> f32 {
        let block = block as f32;
        let (start, end) = (self.start as f32, self.end as f32);
        if block < start {
            block - start
        } else if block >= end {
            block - end + 1.0
        } else {
            0.0
        }
    }
}

/// Shares of a block's score that the elements round it get, from inside out.
const PASSED_ON: [f32; 4] = [1.0, 1.0, 0.5, 0.33];

/// By element: points for the sentences inside it, less its links; the largest is 1.
pub(super) fn scores(aggregates: &Aggregates) -> Vec<f32> {
    let mut scores = vec![0f32; aggregates.outline.elements.len()];
    for block in 0..aggregates.len() {
        if aggregates.words[block] < 8.0 || aggregates.link_share[block] >= 0.5 {
            continue;
        }
        let letters = &aggregates.letters[block];
        let points = 1.0 + letters.commas + (letters.all / 100.0).min(3.0);
        let mut at = aggregates.outline.innermost[block];
        for share in PASSED_ON {
            scores[at as usize] += points * share;
            let parent = aggregates.outline.parent(at);
            if parent == at {
                break;
            }
            at = parent;
        }
    }
    for (at, score) in scores.iter_mut().enumerate() {
        *score *= 1.0 - aggregates.links_in(at as u32);
    }
    let most = scores.iter().copied().fold(1e-6, f32::max);
    scores.iter_mut().for_each(|score| *score /= most);
    scores
}
