//! Iterates until the ranks converge.
//!
//! The ranks r are the solution of `r = (1-a) v + a (P r + lost(r) v)`, where v is the preference vector, and the mass lost at
//! pages without links (and over links from a page to itself) returns to v. Everything that goes to v is proportional to v, so
//! it suffices to solve `y = (1-a) v + a P y` and to scale y to a sum of 1; lost mass need not circulate.
//!
//! **When to stop.** Let d be the change of an iteration, the sum of |y' - y|. An iteration reads some values of its own and some
//! of the previous one, y' = b + a (M y' + N y) with M + N = P, so the defect of y' is a N (y' - y), at most a d, and the distance
//! to the solution is at most d a / (1-a). The residual is d divided by the sum of y'. Scaling can double the distance if mass is
//! lost; [`Ranks::bound`] accounts for that.

use super::super::{Graph, GraphError};
use super::blocks::{Block, waves};
use super::options::{SolveOptions, Solver};
use super::preference::{Preference, PreferenceTable};
use super::sweep::{Sweep, Tally};
use super::weights::{StratumWeights, UniformWeights, WeightModel};
use rayon::prelude::*;
use std::time::Instant;

/// Ranks of all pages.
#[derive(Clone, Debug)]
pub struct Ranks {
    /// The rank of each page; their sum is 1.
    pub values: Vec<f64>,
    /// The residual of each iteration.
    pub residuals: Vec<f64>,
    /// Bound on the distance (L1) to the exact ranks, up to rounding errors.
    pub bound: f64,
    /// Whether the tolerance was reached.
    pub converged: bool,
    /// Seconds spent iterating, for all vectors of the batch.
    pub seconds: f64,
}

impl Ranks {
    /// The pages with the highest ranks, highest first; ties are broken by page number.
    ///
    /// ```
    /// use webstrata_corpus::graph::{Graph, rank};
    /// let star = Graph::from_links(4, [(1, 0), (2, 0), (3, 0), (0, 2)])?;
    /// let ranks = rank::solve(&star, &rank::Preference::Uniform, &rank::SolveOptions::default())?;
    /// assert_eq!(ranks.top(2).iter().map(|&(page, _)| page).collect::<Vec<_>>(), [0, 2]);
    /// # Ok::<(), webstrata_corpus::graph::GraphError>(())
    /// ```
    #[must_use]
    pub fn top(&self, count: usize) -> Vec<(usize, f64)> {
        let order = |&one: &usize, &two: &usize| self.values[two].total_cmp(&self.values[one]).then(one.cmp(&two));
        let mut pages: Vec<usize> = (0..self.values.len()).collect();
        if count < pages.len() {
            if count > 0 {
                pages.select_nth_unstable_by(count - 1, order);
            }
            pages.truncate(count);
        }
        pages.sort_unstable_by(order);
        pages.into_iter().map(|page| (page, self.values[page])).collect()
    }
}

/// Progress of a computation.
#[derive(Clone, Copy, Debug)]
pub struct Iteration {
    /// Number of this iteration, from 1.
    pub number: usize,
    /// Largest residual of the batch.
    pub residual: f64,
    /// Vectors finished in earlier batches.
    pub done: usize,
}

/// Ranks the pages of a graph.
///
/// ```
/// use webstrata_corpus::graph::{Graph, rank};
/// let cycle = Graph::from_links(4, [(0, 1), (1, 2), (2, 3), (3, 0)])?;
/// let ranks = rank::solve(&cycle, &rank::Preference::Uniform, &rank::SolveOptions::default())?;
/// assert!(ranks.values.iter().all(|rank| (rank - 0.25).abs() < 1e-12));
/// # Ok::<(), webstrata_corpus::graph::GraphError>(())
/// ```
///
/// # Errors
/// If the options or the preference vector are invalid.
pub fn solve(graph: &Graph, preference: &Preference, options: &SolveOptions) -> Result<Ranks, GraphError> {
    let ranks = solve_many(graph, std::slice::from_ref(preference), options)?;
    ranks.into_iter().next().ok_or(GraphError::Stopped)
}

/// Ranks the pages of a graph by several preference vectors, which share each pass over the links.
///
/// # Errors
/// As [`solve`].
pub fn solve_many(graph: &Graph, preferences: &[Preference], options: &SolveOptions) -> Result<Vec<Ranks>, GraphError> {
    solve_with_progress(graph, preferences, options, &mut |_| true)
}

/// As [`solve_many`], calling `progress` after each iteration; the computation stops when it returns false.
///
/// # Errors
/// As [`solve`], and [`GraphError::Stopped`].
pub fn solve_with_progress(
    graph: &Graph,
    preferences: &[Preference],
    options: &SolveOptions,
    progress: &mut (dyn FnMut(Iteration) -> bool + Send),
) -> Result<Vec<Ranks>, GraphError> {
    options.check(graph)?;
    let work = |progress: &mut (dyn FnMut(Iteration) -> bool + Send)| match &options.link_weights {
        None => solve_batches(
            graph,
            &UniformWeights { degrees: &graph.degrees, rule: options.self_links },
            preferences,
            options,
            progress,
        ),
        Some(link_weights) => {
            solve_batches(graph, &StratumWeights::new(graph, link_weights, options.self_links), preferences, options, progress)
        }
    };
    if options.threads == 1 {
        return work(progress);
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads).build();
    let pool = pool.map_err(|error| GraphError::Option(format!("cannot start {} threads: {error}", options.threads)))?;
    pool.install(|| work(progress))
}

/// Solves batch by batch.
fn solve_batches<F: WeightModel>(
    graph: &Graph,
    model: &F,
    preferences: &[Preference],
    options: &SolveOptions,
    progress: &mut (dyn FnMut(Iteration) -> bool + Send),
) -> Result<Vec<Ranks>, GraphError> {
    let mut ranks = Vec::with_capacity(preferences.len());
    for preferences in preferences.chunks(options.batch_size.clamp(1, 16)) {
        let done = ranks.len();
        let mut progress = |iteration: Iteration| progress(Iteration { done, ..iteration });
        let computation = Computation { graph, model, options };
        ranks.extend(match preferences.len() {
            1 => computation.solve::<1>(preferences, &mut progress),
            2 => computation.solve::<2>(preferences, &mut progress),
            3..=4 => computation.solve::<4>(preferences, &mut progress),
            5..=8 => computation.solve::<8>(preferences, &mut progress),
            _ => computation.solve::<16>(preferences, &mut progress),
        }?);
    }
    Ok(ranks)
}

/// A block, its output values, and its tally.
type Task<'b, 'v, const K: usize> = (&'b Block<'v>, &'b mut [[f64; K]], Tally<K>);

/// Computes ranks of the pages of a graph, or of the subgraph of one process.
pub struct Computation<'s, F> {
    /// The graph.
    pub graph: &'s Graph,
    /// How pages share their rank.
    pub model: &'s F,
    /// The options.
    pub options: &'s SolveOptions,
}

/// State between iterations.
pub struct IterationState<'g, const K: usize> {
    waves: Vec<Vec<Block<'g>>>,
    new: Vec<[f64; K]>,
    /// What each link of a page carries, by page.
    pub carried: Vec<[f64; K]>,
}

/// Sums over pages before the first iteration, by vector.
#[derive(Clone, Copy, Debug)]
pub struct Mass<const K: usize> {
    /// Sum of ranks.
    pub ranks: [f64; K],
    /// Sum of the shares that follow no link.
    pub lost: [f64; K],
}

/// Bound on the distance to the exact ranks for a residual of 1; see the header of this file.
pub fn bound(damping: f64, loses: bool) -> f64 {
    damping / (1.0 - damping) * if loses { 2.0 } else { 1.0 }
}

impl<'s, F: WeightModel> Computation<'s, F> {
    fn solve<const K: usize>(
        &self,
        preferences: &[Preference],
        progress: &mut dyn FnMut(Iteration) -> bool,
    ) -> Result<Vec<Ranks>, GraphError> {
        let damping = self.options.damping;
        let table = PreferenceTable::<K>::new(preferences, self.graph.num_pages(), 1.0 - damping)?;
        let (mut first, mass) = self.initial_ranks(&table, preferences.len());
        self.scale(&mut first, &mass);
        let mut work = self.iterations(first);
        let mut residuals = vec![Vec::new(); preferences.len()];
        let begun = Instant::now();
        let (mut sums, mut converged) = ([1.0; K], false);
        while !converged && residuals.first().is_some_and(|iterations| iterations.len() < self.options.max_iterations) {
            let tally = self.iteration(&table, &mut work);
            sums = tally.sum;
            let mut most = 0.0f64;
            for (lane, residuals) in residuals.iter_mut().enumerate() {
                let residual = tally.change[lane] / tally.sum[lane];
                most = most.max(residual);
                residuals.push(residual);
            }
            converged = most <= self.options.tolerance;
            let number = residuals.first().map_or(0, Vec::len);
            if !progress(Iteration { number, residual: most, done: 0 }) {
                return Err(GraphError::Stopped);
            }
        }
        let seconds = begun.elapsed().as_secs_f64();
        let IterationState { carried, new, .. } = work;
        drop(new);
        let scale = bound(damping, (0..self.graph.num_pages()).any(|page| self.model.share(page).lost > 0.0));
        let ranks = residuals.into_iter().enumerate().map(|(lane, residuals)| {
            let value = |(page, carried): (usize, &[f64; K])| carried[lane] * self.model.share(page).divisor / sums[lane];
            let values: Vec<f64> = carried.iter().enumerate().map(value).collect();
            let bound = residuals.last().map_or(f64::INFINITY, |residual| residual * scale);
            Ranks { values, residuals, bound, converged, seconds }
        });
        Ok(ranks.collect())
    }

    /// The state before the first iteration, given what links carry.
    pub fn iterations<const K: usize>(&self, carried: Vec<[f64; K]>) -> IterationState<'s, K> {
        let mut waves = waves(self.graph, self.options.partitions);
        if self.options.solver == Solver::Jacobi {
            // No block reads values of the same iteration, so all are one wave.
            let mut blocks: Vec<Block<'_>> = waves.into_iter().flatten().collect();
            blocks.sort_by_key(|block| block.pages.start);
            waves = vec![blocks];
        }
        let swept = waves.iter().map(|blocks| blocks.iter().map(|block| block.pages.len()).sum::<usize>());
        let new = vec![[0.0; K]; swept.max().unwrap_or_default()];
        IterationState { waves, new, carried }
    }

    /// Runs one iteration.
    pub fn iteration<const K: usize>(&self, preferences: &PreferenceTable<K>, work: &mut IterationState<'_, K>) -> Tally<K> {
        let sweep = Sweep { model: self.model, preferences, damping: self.options.damping, solver: self.options.solver };
        let IterationState { waves, new, carried } = work;
        let mut tally = Tally::NOTHING;
        for blocks in &*waves {
            tally = tally.add(&self.wave(&sweep, blocks, new, carried));
            if new.len() == carried.len() {
                std::mem::swap(new, carried);
            } else {
                self.publish(blocks, new, carried);
            }
        }
        tally
    }

    /// Sweeps blocks in parallel into consecutive parts of `new`. Sums are taken in the order of the blocks, so they do not depend
    /// on scheduling.
    fn wave<const K: usize>(
        &self,
        sweep: &Sweep<'_, F, K>,
        blocks: &[Block<'_>],
        new: &mut [[f64; K]],
        old: &[[f64; K]],
    ) -> Tally<K> {
        let mut rest = new;
        let mut work: Vec<Task<'_, '_, K>> = Vec::with_capacity(blocks.len());
        for block in blocks {
            let (own, after) = std::mem::take(&mut rest).split_at_mut(block.pages.len());
            work.push((block, own, Tally::NOTHING));
            rest = after;
        }
        let one = |(block, own, tally): &mut Task<'_, '_, K>| *tally = sweep.block(block, own, old);
        if self.options.threads == 1 {
            work.iter_mut().for_each(one);
        } else {
            work.par_iter_mut().with_max_len(1).for_each(one);
        }
        work.iter().fold(Tally::NOTHING, |sum, (_, _, tally)| sum.add(tally))
    }

    /// Makes the values of a wave visible to all pages.
    fn publish<const K: usize>(&self, blocks: &[Block<'_>], new: &[[f64; K]], old: &mut [[f64; K]]) {
        let (mut from, mut to, mut at) = (new, old, 0);
        let mut copies = Vec::with_capacity(blocks.len());
        for block in blocks {
            let (values, after) = from.split_at(block.pages.len());
            let (_, place) = std::mem::take(&mut to).split_at_mut(block.pages.start - at);
            let (place, rest) = place.split_at_mut(block.pages.len());
            copies.push((values, place));
            (from, to, at) = (after, rest, block.pages.end);
        }
        if self.options.threads == 1 {
            copies.iter_mut().for_each(|(values, place)| place.copy_from_slice(values));
        } else {
            copies.par_iter_mut().with_max_len(1).for_each(|(values, place)| place.copy_from_slice(values));
        }
    }

    /// The starting ranks, or the preference vector, and their sums.
    pub fn initial_ranks<const K: usize>(&self, preferences: &PreferenceTable<K>, vectors: usize) -> (Vec<[f64; K]>, Mass<K>) {
        let mut first = vec![[0.0; K]; self.graph.num_pages()];
        match &self.options.start {
            Some(start) => first.iter_mut().zip(start).for_each(|(ranks, &rank)| ranks[..vectors].fill(rank)),
            None => {
                first.fill(preferences.everywhere);
                for &(page, lane, much) in &preferences.at {
                    first[page as usize][usize::from(lane)] += much;
                }
            }
        }
        let mut mass = Mass { ranks: [0.0; K], lost: [0.0; K] };
        for (page, ranks) in first.iter().enumerate() {
            let share = self.model.share(page);
            for (lane, rank) in ranks.iter().enumerate() {
                mass.ranks[lane] += rank;
                mass.lost[lane] += rank * share.lost;
            }
        }
        (first, mass)
    }

    /// Turns starting ranks into what links carry. `mass` is that of all pages.
    pub fn scale<const K: usize>(&self, first: &mut [[f64; K]], mass: &Mass<K>) {
        let damping = self.options.damping;
        // The sum of the unscaled solution, if these were the exact ranks.
        let mut scale = [0.0; K];
        for lane in (0..K).filter(|&lane| mass.ranks[lane] > 0.0) {
            let kept = 1.0 - mass.lost[lane] / mass.ranks[lane];
            scale[lane] = (1.0 - damping) / (1.0 - damping * kept) / mass.ranks[lane];
        }
        for (page, ranks) in first.iter_mut().enumerate() {
            let divisor = self.model.share(page).divisor;
            for lane in 0..K {
                ranks[lane] *= scale[lane] / divisor;
            }
        }
    }
}
