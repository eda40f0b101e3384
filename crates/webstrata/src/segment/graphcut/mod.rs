//! Segments by graph cuts and by correlation clustering, with a layout or without.
//!
//! Chakrabarti, Kumar, Punera: A Graph-Theoretic Approach to Webpage Segmentation, WWW 2008. A page is a graph: its lines are leaves, the
//! elements around them inner nodes, and neighbours on the screen are joined by edges. *GCuts* gives every leaf one of the inner nodes as
//! its label, by minimising an energy: a leaf should look like its label (`D`, a learned metric), and neighbours, and children and their
//! parents, should not be separated (`V`, learned probabilities). Leaves with the same label form a segment. *CCLUS* clusters the leaves by the
//! learned probabilities of all pairs.
//!
//! Both use the page's layout, if it has one ([`crate::Page::with_layout`]); otherwise neighbours are those in the document, and only
//! content features are used. There are separate weights for the two cases.
//!
//! Departures from the paper: chains of elements are collapsed, leaves are lines and not text nodes, and at most [`MAX_LABELS`] inner
//! nodes are labels, those with the most words; larger pages are coarsened ([`MAX_LEAVES`]). So the time is bounded on any page.
//! The parents' costs are exact (see [`Problem`]). The paper does not list its features; ours are [`FEATURE_NAMES`].
//!
//! In practice, prefer `strata`, which is more accurate and a hundred times as fast. These methods are here as the published way to use
//! a rendering, and as baselines.

mod cclus;
mod energy;
mod gcuts;
mod graph;
mod max_flow;
mod node_features;
mod pair_features;
mod tree;
mod weights;

pub use cclus::CClus;
#[doc(hidden)]
pub use cclus::PairTable;
pub use energy::{Labelling, Problem, fixed};
pub use gcuts::{GCuts, Variant};
pub use graph::{MAX_LABELS, MAX_LEAVES, Neighbours, PageGraph};
pub use max_flow::{Capacity, FlowGraph, GaveUp};
pub use node_features::NAMES as FEATURE_NAMES;
#[doc(hidden)]
pub use node_features::{FEATURES, Row};
#[doc(hidden)]
pub use pair_features::{PAIR_FEATURES, PairRow};
pub use weights::{GraphCutModel, Weights};
