//! The statistics of Web text.
//!
//! Kohlschütter's thesis (Exploiting Links and Text Structure on the Web, Hannover 2011) describes text on the Web as a mixture of a few
//! laws. This crate tests that on any corpus: [`read`] reads the output of `webstrata run`, [`count`] counts it, [`fit`] fits the
//! [`law`]s, [`analysis`] compares our numbers with those of the thesis, and [`report`] writes a page with all figures. [`simulate`]
//! generates text and walks from fitted parameters.

#![forbid(unsafe_code)]

pub mod analysis;
pub mod count;
mod error;
pub mod fit;
pub mod law;
pub mod plot;
pub mod read;
pub mod report;
pub mod simulate;
pub mod table;

pub use error::StatsError;
