//! What was learned from marked pages, as data: forests of decision trees, weights of names, and the file they are in.
//!
//! The methods that use them are [`crate::label::strata`] and the segmenter of the same name; how they were learned is in
//! the lab (`webstrata-lab`, folder `strata`).

mod abreast;
mod file;
mod forest;
mod names;
mod odds;

pub use crate::html::sum::sum_of;
pub(crate) use abreast::{ABREAST, Lanes};
pub use file::{ModelError, Reader, Writer};
pub use forest::{Forest, MOST_LEVELS, Split, Tree};
pub use names::{NameTable, NameWeights, STEP, words_of_name};
pub use odds::{chance, log_odds};
