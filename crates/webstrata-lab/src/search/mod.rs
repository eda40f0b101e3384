//! Rankings against judgements, and their speed.

pub mod judge;
pub mod latency;
