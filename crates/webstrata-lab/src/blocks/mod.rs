//! Verdicts on labelled blocks: presets and trained models, on the same pages by the same scorer.
//!
//! What is measured is the method alone. `extract` chooses behind it (copies and broken tables go, rules count); here a block is
//! content or not by the verdict on it. Blocks are lines, as labellers see them; blocks without words count for nothing.

pub mod run;
pub mod score;
pub mod set;
pub mod tables;
