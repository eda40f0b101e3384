//! Trained models as data: forests of decision trees, weights of class and id names, and the file format that stores both.
//!
//! They are used by the labeller in [`crate::label::strata`] and the segmenter in [`crate::segment::strata`], and trained in
//! the lab (`webstrata-lab`, folder `strata`).

mod batch;
mod file;
mod forest;
mod logit;
mod scorer;
mod words;

pub use crate::html::fnv::fnv1a;
pub(crate) use batch::{Column, LANES, MAX_COLUMNS};
pub use file::{ModelError, ModelReader, ModelWriter};
pub use forest::{Forest, MAX_LEVELS, Split, Tree};
pub use logit::{logit, probability};
pub(crate) use scorer::{Batch, BatchScorer};
pub use words::{WEIGHT_STEP, WordTable, WordWeights, words_of_name};
