//! Training and evaluation of GCuts and CCLUS (Chakrabarti, Kumar, Punera: A Graph-Theoretic Approach to Webpage Segmentation, WWW 2008).
//!
//! The costs between nodes are logistic models ([`logistic`]), the costs of labels a large-margin metric ([`metric`]); both are
//! learned from marked pages ([`Sample`]), and λ is chosen on validation pages. [`splits`] divides pages as the paper does, 25 : 25 : 50.

pub mod logistic;
pub mod metric;
mod sample;
mod splits;
mod train;

pub use sample::Sample;
pub use splits::{Part, splits};
pub use train::{LAMBDAS, Method, TrainedWeights, learn, ship, sweep, train};
