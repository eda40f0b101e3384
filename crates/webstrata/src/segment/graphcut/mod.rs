//! Segments by graph cuts and by correlation clustering, with a layout or without.
//!
//! Chakrabarti, Kumar, Punera: A Graph-Theoretic Approach to Webpage Segmentation, WWW 2008. A page is a graph: its lines are leaves, the
//! elements around them inner nodes, and neighbours on the screen are joined by edges. *GCuts* gives every leaf one of the inner nodes as
//! its label, by minimising an energy: a leaf should look like its label (`D`, a learned metric), and neighbours, and children and their
//! parents, should not be parted (`V`, learned probabilities). Leaves of the same label are a segment. *CCLUS* clusters the leaves by the
//! learned probabilities of all pairs.
//!
//! Both use what a layout tells of a page, if it has one ([`crate::Page::with_layout`]); otherwise neighbours are those in the document,
//! and only content counts. There are weights for either case.
//!
//! Departures from the paper: chains of elements are collapsed, leaves are lines and not text nodes, and at most [`MAX_LABELS`] inner
//! nodes are labels, those with most words; larger pages are made coarser ([`MAX_LEAVES`]). So the time is bounded, whatever the page.
//! The parents' costs are exact (see [`Problem`]). The paper does not list its features; ours are [`FEATURE_NAMES`].
//!
//! When not to use them: `strata` is more accurate and a hundred times as fast. They are here because they are the published way
//! to use a rendering, and to compare with.

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
