//! Metrics, each with its source, worked examples, and reference values from an independent implementation.

pub mod agreement;
pub mod blocks;
pub mod edit;
pub mod grid;
pub mod metadata;
pub mod pairs;
pub mod partition;
pub mod ranking;
pub mod words;

pub use webstrata_stats::fit;
