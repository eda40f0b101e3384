//! Options of PageRank.

use super::super::{Graph, GraphError, Stratum};
use super::surfer::Surfer;

/// Damping factor: the share of a page's rank that follows its links. S. Brin, L. Page: The anatomy of a large-scale
/// hypertextual Web search engine. WWW 1998.
pub const DAMPING: f64 = 0.85;

/// Which values of its predecessors a page reads in an iteration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Solver {
    /// Those of the previous iteration.
    Jacobi,
    /// The newest available: all within its own block of hosts, those up to the previous wave elsewhere.
    #[default]
    GaussSeidel,
}

/// Treatment of the share of a page's rank that its link to itself would carry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SelfLinks {
    /// It goes to the preference vector, like the rank of a page without links.
    #[default]
    Jump,
    /// It stays with the page, as with any other link.
    Keep,
    /// The link is ignored; the other links share everything.
    Drop,
}

/// Weights of links, by whether they stay on their host and by their stratum.
///
/// There is one choice, among all links of a page, and it depends only on the page. [`Surfer`], by contrast, first chooses a kind of
/// link, and remembers it. With one link inside the host and nine outside, `stay` 0.9 and `leave` 0.1 give even odds of staying here,
/// and 90% there.
///
/// The probability of following a link is proportional to the product of both weights, among the links of its page. Equal weights
/// give plain PageRank, bit for bit.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkWeights {
    /// Weight of a link that stays on its host.
    pub stay: f64,
    /// Weight of a link that leaves its host.
    pub leave: f64,
    /// Weights by stratum, in the order of [`Stratum::ALL`].
    pub strata: [f64; 8],
}

impl Default for LinkWeights {
    fn default() -> Self {
        LinkWeights { stay: 0.5, leave: 0.5, strata: [1.0; 8] }
    }
}

impl LinkWeights {
    /// Weights of leaving and staying links by stratum, scaled so that the largest is 1.
    pub(super) fn weights(&self) -> [[f64; 8]; 2] {
        let of = |side: f64| self.strata.map(|weight| weight * side);
        let weights = [of(self.leave), of(self.stay)];
        let most = weights.iter().flatten().fold(0.0, |most: f64, &weight| most.max(weight));
        weights.map(|side| side.map(|weight| weight / most))
    }

    fn check(&self, graph: &Graph) -> Result<(), GraphError> {
        let weights = [self.stay, self.leave];
        if !weights.iter().chain(&self.strata).all(|weight| weight.is_finite() && (0.0..=1e9).contains(weight)) {
            return Err(GraphError::Option("link weights must be numbers from 0 to 1e9".into()));
        }
        if (self.stay == 0.0 && self.leave == 0.0) || self.strata.iter().all(|&weight| weight == 0.0) {
            return Err(GraphError::Option("all links have weight 0; give at least one a larger weight".into()));
        }
        if self.stay != self.leave && !graph.has_hosts() {
            let reason = "the pages of this graph are numbers, so it is unknown which links stay on their host; \
                          give an edge list of URLs, or the same weight for both";
            return Err(GraphError::Option(reason.into()));
        }
        if self.strata.iter().any(|&weight| weight != self.strata[0]) && !graph.has_strata() {
            let reason = "this graph has no strata; build it from the folder of a run, \
                          or give all strata the same weight";
            return Err(GraphError::Option(reason.into()));
        }
        Ok(())
    }

    /// Sets the weight of a stratum.
    pub fn set(&mut self, stratum: Stratum, weight: f64) {
        self.strata[stratum as usize] = weight;
    }
}

/// How ranks are computed. The defaults are recommended.
#[derive(Clone, Debug)]
pub struct SolveOptions {
    /// Damping factor: the share of a page's rank that follows its links.
    pub damping: f64,
    /// L1 residual at which to stop: the sum of the changes of an iteration, divided by the sum of all ranks.
    pub tolerance: f64,
    /// Which values a page reads.
    pub solver: Solver,
    /// Threads; 0 = one per core. Ranks are bit-identical for any number.
    pub threads: usize,
    /// Partitions of whole hosts that are swept in parallel; 0 = chosen by the size of the graph. Ranks depend on it within the
    /// tolerance.
    pub partitions: usize,
    /// Iteration limit.
    pub max_iterations: usize,
    /// Ranks to start from.
    pub start: Option<Vec<f64>>,
    /// How self-links are treated.
    pub self_links: SelfLinks,
    /// Weights of links; `None` for plain PageRank.
    pub link_weights: Option<LinkWeights>,
    /// A surfer who chooses a kind of link first; `None` for plain PageRank. Cannot be combined with `link_weights`.
    pub surfer: Option<Surfer>,
    /// Whether to count how the surfer arrives at pages, which takes about as long as an iteration.
    pub arrivals: bool,
    /// Vectors solved at a time; each takes 8 to 16 bytes per page.
    pub batch_size: usize,
}

impl Default for SolveOptions {
    fn default() -> Self {
        SolveOptions {
            damping: DAMPING,
            tolerance: 1e-10,
            solver: Solver::default(),
            threads: 0,
            partitions: 0,
            max_iterations: 1000,
            start: None,
            self_links: SelfLinks::default(),
            link_weights: None,
            surfer: None,
            arrivals: false,
            batch_size: 16,
        }
    }
}

impl SolveOptions {
    /// Checks that these options make sense for a graph.
    ///
    /// # Errors
    /// If one does not; the error names it and says what to give instead.
    pub fn check(&self, graph: &Graph) -> Result<(), GraphError> {
        let invalid = |reason: String| Err(GraphError::Option(reason));
        if graph.num_pages() == 0 {
            return invalid("the graph has no pages".into());
        }
        if !(0.0..1.0).contains(&self.damping) {
            return invalid(format!(
                "invalid damping {}; give a number of at least 0 and less than 1, such as {DAMPING}",
                self.damping
            ));
        }
        if !(self.tolerance > 0.0 && self.tolerance.is_finite()) {
            return invalid(format!("invalid tolerance {}; give a number above 0, such as 1e-10", self.tolerance));
        }
        if let Some(start) = &self.start {
            if start.len() != graph.num_pages() {
                return invalid(format!("{} starting ranks for {} pages", start.len(), graph.num_pages()));
            }
            let sum: f64 = start.iter().sum();
            let fine = start.iter().all(|rank| *rank >= 0.0) && sum > 0.0 && sum.is_finite();
            if !fine {
                return invalid("starting ranks must be non-negative numbers, at least one above 0".into());
            }
        }
        match (&self.link_weights, &self.surfer) {
            (Some(_), Some(_)) => {
                invalid("a surfer who chooses a kind of link first cannot have link weights; give one or the other".into())
            }
            (Some(link_weights), None) => link_weights.check(graph),
            (None, Some(surfer)) => surfer.check(graph),
            (None, None) => Ok(()),
        }
    }
}
