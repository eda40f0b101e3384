//! Runs the sweeps of an iteration over the blocks of a graph, wave by wave.

use super::super::Graph;
use super::blocks::{Block, waves};
use super::options::{SolveOptions, Solver};
use super::sweep::Tally;
use rayon::prelude::*;

/// Computes new values of the pages of a block.
pub(super) trait BlockSweep<const K: usize>: Sync {
    /// Writes the values of the block to `new`, given the values of all pages in `old`.
    fn block(&self, block: &Block<'_>, new: &mut [[f64; K]], old: &[[f64; K]]) -> Tally<K>;
}

/// A block, its output values, and its tally.
type Task<'b, 'v, const K: usize> = (&'b Block<'v>, &'b mut [[f64; K]], Tally<K>);

/// State between iterations.
pub(crate) struct IterationState<'g, const K: usize> {
    waves: Vec<Vec<Block<'g>>>,
    new: Vec<[f64; K]>,
    /// What each link of a page carries, by page.
    pub carried: Vec<[f64; K]>,
}

impl<'g, const K: usize> IterationState<'g, K> {
    /// The state before the first iteration, given what links carry.
    pub(super) fn new(graph: &'g Graph, options: &SolveOptions, carried: Vec<[f64; K]>) -> Self {
        let mut waves = waves(graph, options.partitions);
        if options.solver == Solver::Jacobi {
            // No block reads values of the same iteration, so all are one wave.
            let mut blocks: Vec<Block<'_>> = waves.into_iter().flatten().collect();
            blocks.sort_by_key(|block| block.pages.start);
            waves = vec![blocks];
        }
        let swept = waves.iter().map(|blocks| blocks.iter().map(|block| block.pages.len()).sum::<usize>());
        let new = vec![[0.0; K]; swept.max().unwrap_or_default()];
        IterationState { waves, new, carried }
    }

    /// What links carry after the last iteration; frees everything else.
    pub(super) fn into_carried(self) -> Vec<[f64; K]> {
        self.carried
    }

    /// Runs one iteration.
    pub(super) fn run(&mut self, sweep: &impl BlockSweep<K>, threads: usize) -> Tally<K> {
        let IterationState { waves, new, carried } = self;
        let mut tally = Tally::NOTHING;
        for blocks in &*waves {
            tally = tally.add(&wave(sweep, blocks, new, carried, threads));
            if new.len() == carried.len() {
                std::mem::swap(new, carried);
            } else {
                publish(blocks, new, carried, threads);
            }
        }
        tally
    }
}

/// Sweeps blocks in parallel into consecutive parts of `new`. Sums are taken in the order of the blocks, so they do not depend
/// on scheduling.
fn wave<const K: usize>(
    sweep: &impl BlockSweep<K>,
    blocks: &[Block<'_>],
    new: &mut [[f64; K]],
    old: &[[f64; K]],
    threads: usize,
) -> Tally<K> {
    let mut rest = new;
    let mut work: Vec<Task<'_, '_, K>> = Vec::with_capacity(blocks.len());
    for block in blocks {
        let (own, after) = std::mem::take(&mut rest).split_at_mut(block.pages.len());
        work.push((block, own, Tally::NOTHING));
        rest = after;
    }
    let one = |(block, own, tally): &mut Task<'_, '_, K>| *tally = sweep.block(block, own, old);
    if threads == 1 {
        work.iter_mut().for_each(one);
    } else {
        work.par_iter_mut().with_max_len(1).for_each(one);
    }
    work.iter().fold(Tally::NOTHING, |sum, (_, _, tally)| sum.add(tally))
}

/// Makes the values of a wave visible to all pages.
fn publish<const K: usize>(blocks: &[Block<'_>], new: &[[f64; K]], old: &mut [[f64; K]], threads: usize) {
    let (mut from, mut to, mut at) = (new, old, 0);
    let mut copies = Vec::with_capacity(blocks.len());
    for block in blocks {
        let (values, after) = from.split_at(block.pages.len());
        let (_, place) = std::mem::take(&mut to).split_at_mut(block.pages.start - at);
        let (place, rest) = place.split_at_mut(block.pages.len());
        copies.push((values, place));
        (from, to, at) = (after, rest, block.pages.end);
    }
    if threads == 1 {
        copies.iter_mut().for_each(|(values, place)| place.copy_from_slice(values));
    } else {
        copies.par_iter_mut().with_max_len(1).for_each(|(values, place)| place.copy_from_slice(values));
    }
}
