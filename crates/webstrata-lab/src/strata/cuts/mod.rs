//! Training of the segmenter `strata` on annotated pages.

mod layout;
mod marked;
mod report;
mod train;

pub use layout::{TrainedLayout, train_layout};
pub use marked::{Marks, Sample};
pub use report::{CutReport, LevelReport};
pub use train::{CutOptions, MASK, TrainedCuts, train_cuts};
