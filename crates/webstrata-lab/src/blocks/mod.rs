//! Block labels against gold labels: presets and trained models, on the same pages with the same scorer.
//!
//! Only the method is measured. `extract` also selects afterwards (it drops duplicates and broken tables and applies rules); here a
//! block is content or not by its verdict alone. Blocks are lines, as labellers see them; blocks without words are ignored.

pub mod run;
pub mod score;
pub mod set;
pub mod tables;
