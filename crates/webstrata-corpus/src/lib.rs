//! Many pages: from a crawl to a corpus.
//!
//! Pages come in through [`input`] (WARC files, folders, tables; [`archive`] writes WARC files), are processed by the [`executor`], and a [`run`] writes them
//! into the tables of the [`store`]. Over many pages: what the pages of a [`site`] share, [`dedup`] for pages that say the same,
//! [`graph`] for link graphs and what follows from them: PageRank, topics, facets.

// One file maps a graph into memory, and says why that is sound: `graph/map.rs`.
#![deny(unsafe_code)]

pub mod archive;
pub mod dedup;
mod document;
pub mod executor;
pub mod graph;
pub mod input;
pub mod io;
mod model_file;
#[cfg(feature = "progress-bar")]
pub mod progress;
pub mod run;
pub mod site;
pub mod store;

pub use document::{Document, Origin};
pub use model_file::{ModelFileError, read_model};
