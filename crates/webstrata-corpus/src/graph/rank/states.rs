//! Ranks for a surfer who remembers the kind of the last link: the chain over pairs of a page and a kind.
//!
//! Let y(t,k) be the unscaled mass that arrives at t over links of kind k, and j(t) = (1-a) v(t) the mass that jumps there; mass
//! that follows no link returns to v, as everywhere (see `solve.rs`). The mass that leaves s over links of kind k is
//! `z(s,k) = j(s) P_J(k) + sum over i of y(s,i) P_i(k)`, and `y(t,k) = a * sum over s->t of kind k of z(s,k) / n(s,k)`, where n(s,k)
//! is the number of links of kind k. The rank of t is the sum of j(t) and all y(t,k).
//!
//! A page stores z(s,k) / n(s,k) for each kind, so a link costs one load and one addition, as in plain PageRank; and its rank. With
//! C kinds this takes 8 (C+1) to 16 (C+1) bytes per page, and 4 C for the numbers of links.
//!
//! **When to stop.** The iteration solves for z, which spreads without growing: from (s,k) evenly to the targets of s, there to
//! kinds. So with d the sum of the changes of z, z is within d a/(1-a) of the solution, as in `solve.rs`. Ranks were computed from
//! values that are within d/(1-a) of it, and the sum over links has the factor a: they are also within d a/(1-a).

use super::super::{Graph, GraphError, adjacency};
use super::arrivals;
use super::blocks::Block;
use super::iteration::{BlockSweep, IterationState};
use super::options::{SelfLinks, SolveOptions, Solver};
use super::preference::{Preference, PreferenceTable};
use super::solve::{Iteration, Ranks, bound};
use super::surfer::{Choice, Choices, INSIDE, OUTSIDE, Surfer, host_choices, stratum_choices};
use super::sweep::Tally;
use super::weights::{LinkCursor, OWN_STRATUM};
use std::time::Instant;

/// Ranks pages by each preference vector.
pub(super) fn solve(
    graph: &Graph,
    surfer: &Surfer,
    preferences: &[Preference],
    options: &SolveOptions,
    progress: &mut (dyn FnMut(Iteration) -> bool + Send),
) -> Result<Vec<Ranks>, GraphError> {
    match &surfer.choice {
        Choice::Hosts { stay, leave } => {
            let choices = host_choices(*stay, *leave, surfer.absent);
            States::<2, 3>::new(graph, choices, Kinds::Hosts, options).solve(preferences, progress)
        }
        Choice::Strata { weights, again } => {
            let choices = stratum_choices(weights, again, surfer.absent);
            States::<8, 9>::new(graph, choices, Kinds::Strata, options).solve(preferences, progress)
        }
    }
}

/// How links are divided into kinds.
#[derive(Clone, Copy, Debug)]
enum Kinds {
    Hosts,
    Strata,
}

impl Kinds {
    #[inline(always)]
    fn of(self, (side, stratum): (usize, usize)) -> usize {
        match self {
            Kinds::Hosts if side == 1 => INSIDE,
            Kinds::Hosts => OUTSIDE,
            Kinds::Strata => stratum,
        }
    }
}

/// The chain: C kinds, and L = C + 1 values per page, the last of which is the rank.
struct States<'s, const C: usize, const L: usize> {
    graph: &'s Graph,
    choices: Choices<C>,
    kinds: Kinds,
    /// Number of links of each page that the surfer can choose, by kind.
    counts: Vec<[u32; C]>,
    options: &'s SolveOptions,
}

impl<'s, const C: usize, const L: usize> States<'s, C, L> {
    fn new(graph: &'s Graph, choices: Choices<C>, kinds: Kinds, options: &'s SolveOptions) -> Self {
        let mut counts = vec![[0u32; C]; graph.num_pages()];
        let mut cursor = LinkCursor::new(graph, 0, 0);
        let (mut rest, _) = graph.adjacency_from(0);
        for page in 0..graph.num_pages() {
            cursor.page(page);
            for source in adjacency::take(&mut rest).predecessors(page as u32) {
                let kind = kinds.of(cursor.next(source as usize));
                if let Some(counts) = counts.get_mut(source as usize) {
                    counts[kind] += 1;
                }
            }
            if graph.links_to_itself(page) && options.self_links != SelfLinks::Drop {
                counts[page][kinds.of((1, OWN_STRATUM))] += 1;
            }
        }
        States { graph, choices, kinds, counts, options }
    }

    fn solve(
        &self,
        preferences: &[Preference],
        progress: &mut (dyn FnMut(Iteration) -> bool + Send),
    ) -> Result<Vec<Ranks>, GraphError> {
        let mut ranks = Vec::with_capacity(preferences.len());
        for preference in preferences {
            ranks.push(self.solve_one(preference, ranks.len(), progress)?);
        }
        Ok(ranks)
    }

    fn solve_one(
        &self,
        preference: &Preference,
        done: usize,
        progress: &mut (dyn FnMut(Iteration) -> bool + Send),
    ) -> Result<Ranks, GraphError> {
        let damping = self.options.damping;
        let preferences = PreferenceTable::<1>::new(std::slice::from_ref(preference), self.graph.num_pages(), 1.0 - damping)?;
        let mut work = IterationState::new(self.graph, self.options, self.first(&preferences));
        let sweep = StateSweep { states: self, preferences: &preferences };
        let mut residuals = Vec::new();
        let begun = Instant::now();
        let (mut sum, mut converged) = (1.0, false);
        while !converged && residuals.len() < self.options.max_iterations {
            let tally = work.run(&sweep, self.options.threads);
            sum = tally.sum[C];
            let residual = tally.change[C] / sum;
            residuals.push(residual);
            converged = residual <= self.options.tolerance;
            if !progress(Iteration { number: residuals.len(), residual, done }) {
                return Err(GraphError::Stopped);
            }
        }
        let seconds = begun.elapsed().as_secs_f64();
        let carried = work.into_carried();
        let arrivals = self.options.arrivals.then(|| {
            let scale = damping / sum;
            let back = |page: usize| self.back(page, &carried[page]).map_or(0.0, |(_, much)| scale * much);
            arrivals::count(self.graph, back, |_, source, place| scale * carried[source][self.kinds.of(place)])
        });
        let bound = residuals.last().map_or(f64::INFINITY, |&residual| bound(damping, self.loses_mass(), residual, sum));
        let values = carried.iter().map(|carried| carried[C] / sum).collect();
        Ok(Ranks { values, residuals, bound, converged, seconds, arrivals })
    }

    /// What links carry if all mass of the starting ranks, or of the preference vector, has just jumped.
    fn first(&self, preferences: &PreferenceTable<1>) -> Vec<[f64; L]> {
        let mut first = vec![[0.0; L]; self.graph.num_pages()];
        match &self.options.start {
            Some(start) => {
                let sum: f64 = start.iter().sum();
                first.iter_mut().zip(start).for_each(|(values, rank)| values[C] = rank / sum);
            }
            None => {
                let scale = 1.0 - self.options.damping;
                first.iter_mut().for_each(|values| values[C] = preferences.everywhere[0] / scale);
                preferences.at.iter().for_each(|&(page, _, much)| first[page as usize][C] += much / scale);
            }
        }
        for (values, counts) in first.iter_mut().zip(&self.counts) {
            let rank = values[C];
            for (kind, share) in self.choices.first[kinds_of(counts)].iter().enumerate().filter(|(kind, _)| counts[*kind] > 0) {
                values[kind] = rank * share / f64::from(counts[kind]);
            }
        }
        first
    }

    /// What returns to a page over a link to itself, before damping.
    #[inline(always)]
    fn back(&self, page: usize, carried: &[f64; L]) -> Option<(usize, f64)> {
        (self.options.self_links == SelfLinks::Keep && self.graph.links_to_itself(page)).then(|| {
            let kind = self.kinds.of((1, OWN_STRATUM));
            (kind, carried[kind])
        })
    }

    /// Whether any page loses mass because it follows no link.
    fn loses_mass(&self) -> bool {
        let keeps = |row: &[f64; C]| row.iter().sum::<f64>() >= 1.0 - 1e-12;
        let complete: Vec<bool> =
            self.choices.first.iter().zip(&self.choices.next).map(|(first, next)| keeps(first) && next.iter().all(keeps)).collect();
        (0..self.graph.num_pages()).any(|page| {
            !complete[kinds_of(&self.counts[page])]
                || (self.options.self_links == SelfLinks::Jump && self.graph.links_to_itself(page))
        })
    }
}

/// The kinds of links of a page, as a set of bits.
#[inline(always)]
fn kinds_of<const C: usize>(counts: &[u32; C]) -> usize {
    counts.iter().enumerate().fold(0, |set, (kind, &count)| set | usize::from(count > 0) << kind)
}

/// One iteration over the states of a block of pages.
struct StateSweep<'s, const C: usize, const L: usize> {
    states: &'s States<'s, C, L>,
    preferences: &'s PreferenceTable<1>,
}

impl<const C: usize, const L: usize> BlockSweep<L> for StateSweep<'_, C, L> {
    fn block(&self, block: &Block<'_>, new: &mut [[f64; L]], old: &[[f64; L]]) -> Tally<L> {
        match self.states.options.solver {
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

impl<const C: usize, const L: usize> StateSweep<'_, C, L> {
    #[inline(always)]
    fn pages<const NEWEST: bool>(&self, block: &Block<'_>, new: &mut [[f64; L]], old: &[[f64; L]]) -> Tally<L> {
        let States { graph, choices, kinds, counts, options } = self.states;
        let first = block.pages.start;
        let mut words = block.words;
        let mut cursor = LinkCursor::new(graph, first, block.links_before);
        let mut preferences = self.preferences.from(first);
        let mut tally = Tally::NOTHING;
        for at in 0..new.len() {
            let page = first + at;
            let mut arrived = [0.0; C];
            cursor.page(page);
            for source in adjacency::take(&mut words).predecessors(page as u32) {
                let source = source as usize;
                let kind = kinds.of(cursor.next(source));
                let own = if NEWEST { new.get(source.wrapping_sub(first)) } else { None };
                arrived[kind] += own.or_else(|| old.get(source)).map_or(0.0, |carried| carried[kind]);
            }
            let last = old.get(page).copied().unwrap_or([0.0; L]);
            if let Some((kind, much)) = self.states.back(page, &last) {
                arrived[kind] += much;
            }
            let mut jumped = self.preferences.everywhere[0];
            while let [(to, _, much), rest @ ..] = preferences
                && *to as usize == page
            {
                jumped += much;
                preferences = rest;
            }
            let mut rank = jumped;
            for (kind, much) in arrived.iter_mut().enumerate() {
                *much *= options.damping;
                rank += *much;
                tally.sum[kind] += *much;
            }
            let counts = counts.get(page).copied().unwrap_or([0; C]);
            let set = kinds_of(&counts);
            let (after_jump, after_link) = (&choices.first[set], &choices.next[set]);
            let mut carried = [0.0; L];
            for kind in (0..C).filter(|&kind| counts[kind] > 0) {
                let mut leaving = jumped * after_jump[kind];
                for (much, row) in arrived.iter().zip(after_link) {
                    leaving += much * row[kind];
                }
                let count = f64::from(counts[kind]);
                tally.change[C] += (leaving - last[kind] * count).abs();
                carried[kind] = leaving / count;
            }
            carried[C] = rank;
            tally.sum[C] += rank;
            new[at] = carried;
        }
        tally
    }
}
