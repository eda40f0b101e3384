//! Training of the segmenter `strata` on annotated pages.

mod marked;
mod report;
mod train;

pub use marked::{Marks, Sample};
pub use report::{CutReport, LevelReport};
pub use train::{CutOptions, MASK, TrainedCuts, train_cuts};
