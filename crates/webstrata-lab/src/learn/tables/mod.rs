//! The tables of the thesis' section 4.4, recomputed on the available part of its news set.

mod classes;
mod learners;
mod thesis;

pub use classes::{ClassRow, THESIS_TOTAL, class_table, table_4_8};
pub use learners::{LearnerRow, TableOptions, learner_table, table_4_9};
pub use thesis::Printed;
