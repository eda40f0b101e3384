//! The tables of the thesis' chapter 4.4, computed again on the part of its news set that is at hand.

mod classes;
mod learners;
mod thesis;

pub use classes::{ClassRow, THESIS_TOTAL, class_table, table_4_8};
pub use learners::{LearnerRow, TableOptions, learner_table, table_4_9};
pub use thesis::Printed;
