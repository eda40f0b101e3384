//! One iteration over one block: every page sums up what its predecessors carry.
//!
//! A page stores not its rank r but what each of its links carries, r / out, so that a link costs one load and one
//! addition. Pages without links carry their rank itself; nothing reads it.

use super::super::adjacency::{self, WINDOW};
use super::blocks::Block;
use super::iteration::BlockSweep;
use super::options::Solver;
use super::preference::PreferenceTable;
use super::weights::{WeightCursor, WeightModel};

/// Sums of an iteration, by vector.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tally<const K: usize> {
    /// Sum of the changes of the ranks.
    pub change: [f64; K],
    /// Sum of the ranks.
    pub sum: [f64; K],
}

impl<const K: usize> Tally<K> {
    pub(super) const NOTHING: Self = Tally { change: [0.0; K], sum: [0.0; K] };

    pub(super) fn add(mut self, other: &Tally<K>) -> Self {
        for lane in 0..K {
            self.change[lane] += other.change[lane];
            self.sum[lane] += other.sum[lane];
        }
        self
    }
}

/// Parameters shared by all blocks.
#[derive(Debug)]
pub(super) struct Sweep<'s, F, const K: usize> {
    pub(super) model: &'s F,
    pub(super) preferences: &'s PreferenceTable<K>,
    pub(super) damping: f64,
    pub(super) solver: Solver,
}

impl<F: WeightModel, const K: usize> BlockSweep<K> for Sweep<'_, F, K> {
    fn block(&self, block: &Block<'_>, new: &mut [[f64; K]], old: &[[f64; K]]) -> Tally<K> {
        match self.solver {
            Solver::Jacobi => self.pages::<false>(block, new, old),
            Solver::GaussSeidel => {
                // Pages of the block are read from `new`, where those not yet swept have their previous values.
                if let Some(last) = old.get(block.pages.clone()) {
                    new.copy_from_slice(last);
                }
                self.pages::<true>(block, new, old)
            }
        }
    }
}

impl<F: WeightModel, const K: usize> Sweep<'_, F, K> {
    /// Writes what the pages of a block carry to `new`, given what all pages carried before in `old`.
    #[inline(always)]
    fn pages<const NEWEST: bool>(&self, block: &Block<'_>, new: &mut [[f64; K]], old: &[[f64; K]]) -> Tally<K> {
        const NOTHING: f64 = 0.0;
        let first = block.pages.start;
        let mut words = block.words;
        let mut cursor = self.model.cursor(first, block.links_before);
        let mut preferences = self.preferences.from(first);
        let mut tally = Tally::NOTHING;
        for at in 0..new.len() {
            let page = first + at;
            let links = adjacency::take(&mut words);
            cursor.page(page);
            let mut sum = [0.0; K];
            {
                let new = &*new;
                let mut collect = |source: usize| {
                    let weight = cursor.weight(source);
                    let own = if NEWEST { new.get(source.wrapping_sub(first)) } else { None };
                    let carried = own.or_else(|| old.get(source)).unwrap_or(&[NOTHING; K]);
                    for lane in 0..K {
                        sum[lane] += carried[lane] * weight;
                    }
                };
                let window = page & !(WINDOW as usize - 1);
                for &low in links.near {
                    collect(window | usize::from(low));
                }
                for far in links.far.chunks_exact(2) {
                    collect(adjacency::long(far) as usize);
                }
            }
            let mut base = self.preferences.everywhere;
            while let [(jumped, lane, much), rest @ ..] = preferences
                && *jumped as usize == page
            {
                base[usize::from(*lane)] += much;
                preferences = rest;
            }
            let share = self.model.share(page);
            let last = old.get(page).copied().unwrap_or([NOTHING; K]);
            // Division takes many times as long as the rest, so there is one per page, not one per vector.
            let part = 1.0 / share.divisor;
            // A link to the page itself is solved for instead of iterated.
            let solved = if share.back > 0.0 { 1.0 / (1.0 - self.damping * share.back) } else { 1.0 };
            for lane in 0..K {
                let rank = (base[lane] + self.damping * sum[lane]) * solved;
                tally.change[lane] += (rank - last[lane] * share.divisor).abs();
                tally.sum[lane] += rank;
                new[at][lane] = rank * part;
            }
        }
        tally
    }
}
