//! The statistics of Web text.
//!
//! Kohlschütter's thesis (Exploiting Links and Text Structure on the Web, Hannover 2011) says that text on the Web is a mixture of a few
//! laws. This crate measures it on any corpus: [`read`] reads what `webstrata run` wrote, [`count`] counts it, [`fit`] fits the
//! [`law`]s, [`analysis`] puts the thesis' numbers beside ours, and
//! [`report`] writes a page with all figures. [`simulate`] generates text and walks from fitted parameters.

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
