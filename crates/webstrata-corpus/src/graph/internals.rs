//! Parts of the solver that `webstrata-distributed` runs in each of its processes. Not part of the API: they change without notice.

pub use super::adjacency::{InLinks, take};
pub use super::assemble::{Assembler, InMemory};
pub use super::names::Names;
pub use super::rank::blocks::{PAGE_COST, cut};
pub use super::rank::iteration::IterationState;
pub use super::rank::preference::PreferenceTable;
pub use super::rank::solve::{Computation, Mass, bound};
pub use super::rank::sweep::Tally;
pub use super::rank::weights::{Share, StratumWeights, UniformWeights, WeightCursor, WeightModel};

use super::Graph;

/// Pages between two entries of the index into the adjacency lists.
pub const STEP: usize = super::STEP;

/// The tables of a graph.
#[derive(Clone, Copy, Debug)]
pub struct Tables<'g> {
    /// First page of each host, and the number of pages.
    pub starts: &'g [u32],
    /// Out-degrees, with the flag for a link to itself.
    pub degrees: &'g [u32],
    /// For every page that is a multiple of [`STEP`]: its offset in `adjacency`, and the number of links before it.
    pub index: &'g [u64],
    /// Predecessors of all pages.
    pub adjacency: &'g [u16],
    /// Stratum of each link, if known.
    pub strata: Option<&'g [u8]>,
}

impl Graph {
    /// The tables of this graph.
    #[must_use]
    pub fn tables(&self) -> Tables<'_> {
        Tables {
            starts: &self.starts,
            degrees: &self.degrees,
            index: &self.index,
            adjacency: &self.adjacency,
            strata: self.strata.as_deref(),
        }
    }

    /// This graph with the out-degrees of the graph that it is a part of.
    #[must_use]
    pub fn as_subgraph(mut self, whole: &Graph, degrees: Vec<u32>) -> Graph {
        self.degrees = degrees.into();
        self.has_hosts = whole.has_hosts;
        self
    }
}
