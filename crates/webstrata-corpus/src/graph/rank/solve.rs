//! Iterates until the ranks converge.
//!
//! The ranks r are the solution of `r = (1-a) v + a (P r + lost(r) v)`, where v is the preference vector, and the mass lost at
//! pages without links (and over links from a page to itself) returns to v. Everything that goes to v is proportional to v, so
//! it suffices to solve `y = (1-a) v + a P y` and to scale y to a sum of 1; lost mass need not circulate.
//!
//! **When to stop.** Let d be the change of an iteration, the sum of |y' - y|. An iteration reads some values of its own and some
//! of the previous one, y' = b + a (M y' + N y) with M + N = P, so the defect of y' is a N (y' - y), at most a d, and the distance
//! to the solution is at most d a / (1-a). The residual is d divided by the sum of y'. Scaling can double the distance; if no mass is
//! lost, the sum of the solution is 1, and scaling adds no more than the sum of y' differs from it. [`Ranks::bound`] accounts for both.

use super::super::{Graph, GraphError};
use super::arrivals::{self, Arrivals};
use super::iteration::IterationState;
use super::options::SolveOptions;
use super::preference::{Preference, PreferenceTable};
use super::states;
use super::sweep::{Sweep, Tally};
use super::weights::{StratumWeights, UniformWeights, WeightCursor, WeightModel};
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
    /// How the surfer arrives at pages, if [`SolveOptions::arrivals`] asks for it.
    pub arrivals: Option<Arrivals>,
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
/// Same as for [`solve`].
pub fn solve_many(graph: &Graph, preferences: &[Preference], options: &SolveOptions) -> Result<Vec<Ranks>, GraphError> {
    solve_with_progress(graph, preferences, options, &mut |_| true)
}

/// Like [`solve_many`], calling `progress` after each iteration; the computation stops when it returns false.
///
/// # Errors
/// Same as for [`solve`], and [`GraphError::Stopped`].
pub fn solve_with_progress(
    graph: &Graph,
    preferences: &[Preference],
    options: &SolveOptions,
    progress: &mut (dyn FnMut(Iteration) -> bool + Send),
) -> Result<Vec<Ranks>, GraphError> {
    options.check(graph)?;
    let work = |progress: &mut (dyn FnMut(Iteration) -> bool + Send)| match (&options.link_weights, &options.surfer) {
        (_, Some(surfer)) => states::solve(graph, surfer, preferences, options, progress),
        (None, None) => solve_batches(
            graph,
            &UniformWeights { degrees: &graph.degrees, rule: options.self_links },
            preferences,
            options,
            progress,
        ),
        (Some(link_weights), None) => {
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

/// Computes ranks of the pages of a graph, or of the subgraph of one process.
pub(crate) struct Computation<'s, F> {
    /// The graph.
    pub graph: &'s Graph,
    /// How pages share their rank.
    pub model: &'s F,
    /// The options.
    pub options: &'s SolveOptions,
}

/// Sums over pages before the first iteration, by vector.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mass<const K: usize> {
    /// Sum of ranks.
    pub ranks: [f64; K],
    /// Sum of the shares that follow no link.
    pub lost: [f64; K],
}

/// Bound on the distance to the exact ranks, for a residual and the sum of the unscaled ranks; see the header of this file.
pub(crate) fn bound(damping: f64, loses: bool, residual: f64, sum: f64) -> f64 {
    let unscaled = residual * damping / (1.0 - damping);
    let scaling = if loses { unscaled } else { unscaled.min((1.0 - sum).abs() / sum) };
    unscaled + scaling
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
        let carried = work.into_carried();
        let loses = (0..self.graph.num_pages()).any(|page| self.model.share(page).lost > 0.0);
        let ranks = residuals.into_iter().enumerate().map(|(lane, residuals)| {
            let value = |(page, carried): (usize, &[f64; K])| carried[lane] * self.model.share(page).divisor / sums[lane];
            let values: Vec<f64> = carried.iter().enumerate().map(value).collect();
            let bound = residuals.last().map_or(f64::INFINITY, |&residual| bound(damping, loses, residual, sums[lane]));
            let arrivals = self.options.arrivals.then(|| {
                let scale = damping / sums[lane];
                let back = |page: usize| scale * carried[page][lane] * self.model.share(page).divisor * self.model.share(page).back;
                let mut weights = self.model.cursor(0, 0);
                arrivals::count(self.graph, back, |page, source, _| {
                    weights.page(page);
                    scale * carried[source][lane] * weights.weight(source)
                })
            });
            Ranks { values, residuals, bound, converged, seconds, arrivals }
        });
        Ok(ranks.collect())
    }

    /// The state before the first iteration, given what links carry.
    pub(crate) fn iterations<const K: usize>(&self, carried: Vec<[f64; K]>) -> IterationState<'s, K> {
        IterationState::new(self.graph, self.options, carried)
    }

    /// Runs one iteration.
    pub(crate) fn iteration<const K: usize>(&self, preferences: &PreferenceTable<K>, work: &mut IterationState<'_, K>) -> Tally<K> {
        let sweep = Sweep { model: self.model, preferences, damping: self.options.damping, solver: self.options.solver };
        work.run(&sweep, self.options.threads)
    }

    /// The starting ranks, or the preference vector, and their sums.
    pub(crate) fn initial_ranks<const K: usize>(
        &self,
        preferences: &PreferenceTable<K>,
        vectors: usize,
    ) -> (Vec<[f64; K]>, Mass<K>) {
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
    pub(crate) fn scale<const K: usize>(&self, first: &mut [[f64; K]], mass: &Mass<K>) {
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
