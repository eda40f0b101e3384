//! Extraction against gold texts: any number of methods, ours and others, on the same pages with the same scorer.

pub mod causes;
pub mod marks;
pub mod report;
pub mod rival;
pub mod run;
pub mod score;
pub mod summary;
pub mod tables;
