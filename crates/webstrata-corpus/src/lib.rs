//! Processes many pages: from a crawl to a corpus.
//!
//! Pages are read by [`input`] (WARC files, folders, tables; [`archive`] writes WARC files), processed by a [`run`] on the threads
//! of the [`executor`], and written to the tables of the [`store`]; [`format`](mod@format) writes single pages. Across pages, [`site`]
//! learns what the pages of a site share, [`dedup`] finds pages with the same text, and [`graph`] builds link graphs and computes
//! PageRank, topics and facets.

// The only exception is `graph/map.rs`, which maps graphs into memory and documents the contract.
#![deny(unsafe_code)]

pub mod archive;
pub mod dedup;
mod document;
pub mod executor;
mod extraction;
pub mod format;
pub mod graph;
pub mod input;
pub mod io;
pub mod markup;
mod model_file;
#[cfg(feature = "progress-bar")]
pub mod progress;
pub mod run;
pub mod site;
pub mod store;
mod timestamp;

pub use document::{Capture, Document, Origin};
pub use extraction::{Extraction, Fixed};
pub use model_file::{ModelFileError, read_model};
pub use timestamp::Timestamp;
