//! Measures, one file for each kind of answer that is measured.

pub mod partition;
