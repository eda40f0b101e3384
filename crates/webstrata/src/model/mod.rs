//! What was learned from marked pages, as data: forests of decision trees, weights of names, and the file they are in.
//!
//! The methods that use them are [`crate::label::strata`] and the segmenter of the same name; how they were learned is in
//! the lab (`webstrata-lab`, folder `strata`).

mod batch;
mod file;
mod forest;
mod logit;
mod names;

pub use crate::html::fnv::fnv1a;
pub(crate) use batch::{Column, LANES};
pub use file::{ModelError, Reader, Writer};
pub use forest::{Forest, MAX_LEVELS, Split, Tree};
pub use logit::{logit, probability};
pub use names::{NameTable, NameWeights, STEP, words_of_name};
