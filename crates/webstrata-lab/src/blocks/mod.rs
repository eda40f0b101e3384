//! Block labels against gold labels: presets and trained models, on the same pages with the same scorer.
//!
//! This measures the method alone. `extract` also makes a selection afterwards (it drops duplicates and broken tables and applies
//! rules); here only the verdict decides whether a block is content. Blocks are lines, as labellers see them; blocks without words are
//! ignored.

pub mod run;
pub mod score;
pub mod set;
pub mod tables;
