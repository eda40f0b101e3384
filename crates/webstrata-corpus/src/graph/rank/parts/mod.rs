//! PageRank in parts, for engines that keep the parts of a graph in different processes and send messages between them.
//!
//! A [`Part`] has whole hosts: the links among their pages, and for every other part the links that lead there. In a round
//! ([`Part::round`]) it sweeps its own pages several times; pages read the newest values of their own part, and the votes that the
//! other parts sent after the previous round. To each page of another part that it links to, it sends one vote, the sum of what its
//! links carry, rather than one per link. The receiver has the list of these pages ([`PartBuilder::expect_votes`]), so that a message
//! contains only numbers.
//!
//! **When to stop.** The last sweep of a round changes the ranks of a part by c, and m is the sum of the differences between the
//! votes that were read in this round and those sent after it. Then the defect of the new ranks is at most a (c + m), as in
//! `solve.rs`, and [`Round::change`] is c + m. So its sum over all parts, divided by the sum of the ranks, is the residual of
//! [`solve`](super::solve()), with the same bound, however many sweeps a round has.
//!
//! C. Kohlschütter, P.-A. Chirita, W. Nejdl: Efficient parallel computation of PageRank. ECIR 2006.

mod build;
mod bytes;
#[cfg(test)]
mod tests;

pub use build::{PageKey, PageName, PartBuilder};

use super::super::{Graph, GraphError};
use super::options::{DAMPING, SelfLinks, SolveOptions};
use super::preference::PreferenceTable;
use super::solve::Computation;
use super::weights::{UniformWeights, WeightModel};

/// Links to the pages of another part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Border {
    part: u32,
    /// Number of links to each of the pages, which are in the order of their keys.
    counts: Vec<u32>,
    /// Sources of these links, target by target.
    predecessors: Vec<u32>,
}

/// Own pages that another part votes for, in the order of their keys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Inbound {
    part: u32,
    pages: Vec<u32>,
}

/// A part of a graph.
#[derive(Clone, Debug)]
pub struct Part {
    graph: Graph,
    borders: Vec<Border>,
    inbound: Vec<Inbound>,
}

/// Options that all parts must share.
#[derive(Clone, Copy, Debug)]
pub struct PartOptions {
    /// Damping factor: the share of a page's rank that follows its links.
    pub damping: f64,
    /// How self-links are treated.
    pub self_links: SelfLinks,
    /// Number of pages of the whole graph.
    pub pages: u64,
    /// Maximum number of sweeps in a round.
    pub sweeps: usize,
    /// A round ends early if a sweep changes the ranks by no more than this share of their sum.
    pub enough: f64,
}

impl Default for PartOptions {
    fn default() -> Self {
        PartOptions { damping: DAMPING, self_links: SelfLinks::default(), pages: 1, sweeps: 1, enough: 0.0 }
    }
}

/// Votes for the pages of another part, or from it.
#[derive(Clone, Debug, PartialEq)]
pub struct Votes {
    /// The other part.
    pub part: u32,
    /// One value for each page, in the order of their keys.
    pub values: Vec<f64>,
}

/// The outcome of a round.
#[derive(Clone, Debug)]
pub struct Round {
    /// What each link of a page carries, by page.
    pub state: Vec<f64>,
    /// Votes to send.
    pub votes: Vec<Votes>,
    /// Bound on the change of the ranks: see the header of this file.
    pub change: f64,
    /// Sum of the ranks, which are not scaled.
    pub sum: f64,
    /// Sweeps.
    pub sweeps: usize,
}

/// Counts of a part.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PartCounts {
    /// Pages.
    pub pages: u64,
    /// Links from its pages.
    pub links: u64,
    /// Links to pages of other parts.
    pub links_out: u64,
    /// Votes sent in a round.
    pub votes: u64,
    /// Sum of the shares of pages that follow no link.
    pub lost: f64,
}

impl Part {
    /// Returns the counts of this part.
    #[must_use]
    pub fn counts(&self, self_links: SelfLinks) -> PartCounts {
        let model = UniformWeights { degrees: &self.graph.degrees, rule: self_links };
        let links_out: u64 = self.borders.iter().map(|border| border.predecessors.len() as u64).sum();
        PartCounts {
            pages: self.graph.num_pages() as u64,
            links: self.graph.num_links() + links_out,
            links_out,
            votes: self.borders.iter().map(|border| border.counts.len() as u64).sum(),
            lost: (0..self.graph.num_pages()).map(|page| model.share(page).lost).sum(),
        }
    }

    /// The state before the first round. `lost` is the sum over all parts ([`PartCounts::lost`]).
    #[must_use]
    pub fn start(&self, lost: f64, options: &PartOptions) -> Vec<f64> {
        let model = UniformWeights { degrees: &self.graph.degrees, rule: options.self_links };
        let pages = options.pages.max(1) as f64;
        // The sum of the unscaled solution, if all ranks were the same.
        let scale = (1.0 - options.damping) / (1.0 - options.damping * (1.0 - lost / pages));
        (0..self.graph.num_pages()).map(|page| scale / pages / model.share(page).divisor).collect()
    }

    /// The votes that a state sends.
    #[must_use]
    pub fn votes(&self, state: &[f64]) -> Vec<Votes> {
        let carried = |source: &u32| state.get(*source as usize).copied().unwrap_or_default();
        let votes = self.borders.iter().map(|border| {
            let mut rest = border.predecessors.as_slice();
            let values = border.counts.iter().map(|&count| {
                let (own, after) = rest.split_at_checked(count as usize).unwrap_or((rest, &[]));
                rest = after;
                own.iter().map(carried).sum()
            });
            Votes { part: border.part, values: values.collect() }
        });
        votes.collect()
    }

    /// Sweeps the pages of this part, given the votes that other parts sent after the previous round.
    ///
    /// # Errors
    /// If the state is not that of this part, or votes are missing or were not expected: ranks would be wrong.
    pub fn round(&self, state: Vec<f64>, votes: &[Votes], options: &PartOptions) -> Result<Round, GraphError> {
        if state.len() != self.graph.num_pages() {
            return Err(GraphError::Option(format!("a state of {} pages for {}", state.len(), self.graph.num_pages())));
        }
        let solve = SolveOptions {
            damping: options.damping,
            self_links: options.self_links,
            threads: 1,
            partitions: 1,
            ..SolveOptions::default()
        };
        let model = UniformWeights { degrees: &self.graph.degrees, rule: options.self_links };
        let solver = Computation { graph: &self.graph, model: &model, options: &solve };
        let preferences = self.preferences(votes, options)?;
        let before = self.votes(&state);
        let mut work = solver.iterations(state.into_iter().map(|carried| [carried]).collect());
        let (mut change, mut sum, mut sweeps) = (0.0, 0.0, 0);
        while sweeps < options.sweeps.max(1) {
            let tally = solver.iteration(&preferences, &mut work);
            ([change], [sum]) = (tally.change, tally.sum);
            sweeps += 1;
            if change <= options.enough * sum {
                break;
            }
        }
        let state: Vec<f64> = work.carried.into_iter().map(|[carried]| carried).collect();
        let votes = self.votes(&state);
        let moved = before.iter().zip(&votes).flat_map(|(before, after)| before.values.iter().zip(&after.values));
        change += moved.map(|(before, after)| (after - before).abs()).sum::<f64>();
        Ok(Round { state, votes, change, sum, sweeps })
    }

    /// The ranks of a state, given the sum over all parts ([`Round::sum`]).
    #[must_use]
    pub fn ranks(&self, state: &[f64], sum: f64, self_links: SelfLinks) -> Vec<f64> {
        let model = UniformWeights { degrees: &self.graph.degrees, rule: self_links };
        state.iter().enumerate().map(|(page, carried)| carried * model.share(page).divisor / sum).collect()
    }

    /// The preference vector with the votes added: amounts that a page receives regardless of its own predecessors.
    fn preferences(&self, votes: &[Votes], options: &PartOptions) -> Result<PreferenceTable<1>, GraphError> {
        let wrong = |reason: String| GraphError::Option(format!("the votes do not fit this part of the graph: {reason}"));
        if votes.len() != self.inbound.len() {
            return Err(wrong(format!("{} parts voted instead of {}", votes.len(), self.inbound.len())));
        }
        let mut at = Vec::with_capacity(self.inbound.iter().map(|inbound| inbound.pages.len()).sum());
        for inbound in &self.inbound {
            let Some(votes) = votes.iter().find(|votes| votes.part == inbound.part) else {
                return Err(wrong(format!("part {} did not vote", inbound.part)));
            };
            if votes.values.len() != inbound.pages.len() {
                let (got, want) = (votes.values.len(), inbound.pages.len());
                return Err(wrong(format!("{got} votes of part {} instead of {want}", inbound.part)));
            }
            at.extend(inbound.pages.iter().zip(&votes.values).map(|(&page, &vote)| (page, 0, options.damping * vote)));
        }
        // A stable sort, so that sums are the same each time, however the votes arrived.
        at.sort_by_key(|&(page, ..)| page);
        Ok(PreferenceTable { everywhere: [(1.0 - options.damping) / options.pages.max(1) as f64], at })
    }
}
