//! Rankings and facets against judgements, and search latency.

pub mod build;
pub mod facets;
pub mod gold_queries;
pub mod judge;
pub mod latency;
