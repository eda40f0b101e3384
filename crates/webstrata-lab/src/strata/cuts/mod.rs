//! Training of the segmenter `strata` from marked pages.

mod marked;
mod report;
mod train;

pub use marked::{Lesson, Marks};
pub use report::{CutReport, LevelReport};
pub use train::{CutOptions, MASK, TrainedCuts, train_cuts};
