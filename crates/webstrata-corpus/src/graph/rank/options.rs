//! How pages are ranked.

use super::super::{Graph, GraphError, Stratum};

/// Share of a page's rank that goes over its links; the rest jumps. S. Brin, L. Page: The anatomy of a large-scale
/// hypertextual Web search engine. WWW 1998.
pub const DAMPING: f64 = 0.85;

/// Whose values a page sees in a round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Solver {
    /// Those of the last round.
    Jacobi,
    /// The newest that there are: of its own block of hosts all, of the others those up to the last wave.
    #[default]
    GaussSeidel,
}

/// What becomes of the share of a page's rank that its link to itself would carry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SelfLinks {
    /// It goes where the surfer jumps to, as the rank of a page without links does.
    #[default]
    Jump,
    /// It stays: a link as any other.
    Keep,
    /// There is none: the other links share all.
    Drop,
}

/// A surfer who tells links apart: by whether they stay on the host, and by where on the page they stand.
///
/// The chance to follow a link is in proportion to the product of both weights, among the links of its page. Weights that are
/// all the same give PageRank as it is, bit for bit.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkWeights {
    /// Weight of a link that stays on its host (the thesis' β).
    pub stay: f64,
    /// Weight of a link that leaves it (the thesis' γ).
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
    /// Weights of links that leave and of links that stay, by stratum, the largest being 1.
    pub(super) fn weights(&self) -> [[f64; 8]; 2] {
        let of = |side: f64| self.strata.map(|weight| weight * side);
        let weights = [of(self.leave), of(self.stay)];
        let most = weights.iter().flatten().fold(0.0, |most: f64, &weight| most.max(weight));
        weights.map(|side| side.map(|weight| weight / most))
    }

    fn check(&self, graph: &Graph) -> Result<(), GraphError> {
        let weights = [self.stay, self.leave];
        if !weights.iter().chain(&self.strata).all(|weight| weight.is_finite() && (0.0..=1e9).contains(weight)) {
            return Err(GraphError::Option("weights of links must be numbers from 0 to 1e9".into()));
        }
        if (self.stay == 0.0 && self.leave == 0.0) || self.strata.iter().all(|&weight| weight == 0.0) {
            return Err(GraphError::Option("all links have the weight 0; give one of them more".into()));
        }
        if self.stay != self.leave && !graph.knows_hosts() {
            let reason = "the pages of this graph are numbers, so nobody knows which links stay on their host; \
                          give an edge list of addresses, or the same weight for both";
            return Err(GraphError::Option(reason.into()));
        }
        if self.strata.iter().any(|&weight| weight != self.strata[0]) && !graph.knows_strata() {
            let reason = "this graph does not say where on their pages links stand; build it from the folder of a run, \
                          or give all strata the same weight";
            return Err(GraphError::Option(reason.into()));
        }
        Ok(())
    }

    /// The weight of a stratum.
    pub fn set(&mut self, stratum: Stratum, weight: f64) {
        self.strata[stratum as usize] = weight;
    }
}

/// How ranks are computed. The default is what is recommended.
#[derive(Clone, Debug)]
pub struct SolveOptions {
    /// Share of a page's rank that goes over its links.
    pub damping: f64,
    /// The L1 residual to stop at: the sum of the changes of a round, as a share of all ranks.
    pub tolerance: f64,
    /// Whose values a page sees.
    pub solver: Solver,
    /// Threads; 0 is one a core. The ranks do not depend on it, to the bit.
    pub threads: usize,
    /// Partitions of whole hosts that are swept side by side; 0 chooses by the size of the graph. Ranks depend on it within the tolerance.
    pub partitions: usize,
    /// IterationState after which there is no more patience.
    pub max_iterations: usize,
    /// Ranks to start from.
    pub start: Option<Vec<f64>>,
    /// What links to oneself mean.
    pub self_links: SelfLinks,
    /// A surfer who tells links apart.
    pub link_weights: Option<LinkWeights>,
    /// Vectors that go through the graph together at most: each takes 8 to 16 bytes a page.
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
            batch_size: 16,
        }
    }
}

impl SolveOptions {
    /// Checks that these options make sense for a graph.
    ///
    /// # Errors
    /// Names the option that does not, and what to give instead.
    pub fn check(&self, graph: &Graph) -> Result<(), GraphError> {
        let wrong = |reason: String| Err(GraphError::Option(reason));
        if graph.num_pages() == 0 {
            return wrong("the graph has no pages".into());
        }
        if !(0.0..1.0).contains(&self.damping) {
            return wrong(format!("a damping of {}; give a number from 0 to less than 1, such as {DAMPING}", self.damping));
        }
        if !(self.tolerance > 0.0 && self.tolerance.is_finite()) {
            return wrong(format!("a tolerance of {}; give a number above 0, such as 1e-10", self.tolerance));
        }
        if let Some(start) = &self.start {
            if start.len() != graph.num_pages() {
                return wrong(format!("{} ranks to start from, but {} pages", start.len(), graph.num_pages()));
            }
            let sum: f64 = start.iter().sum();
            let fine = start.iter().all(|rank| *rank >= 0.0) && sum > 0.0 && sum.is_finite();
            if !fine {
                return wrong("ranks to start from must be numbers of 0 and more, one of them above 0".into());
            }
        }
        self.link_weights.as_ref().map_or(Ok(()), |link_weights| link_weights.check(graph))
    }
}
