//! Many pages: from a crawl to a corpus.
//!
//! Pages come in through [`input`] (WARC files, folders, tables; [`archive`] writes WARC files), go through the [`pipeline`], and end
//! in the tables of the [`store`]. Over many pages: what the pages of a [`site`] share, [`dedup`] for pages that say the same, and
//! [`links`] for the graph of who links to whom.

#![forbid(unsafe_code)]

pub mod archive;
pub mod dedup;
mod document;
pub mod input;
pub mod links;
pub mod pipeline;
pub mod site;
pub mod store;

pub use document::{Document, Origin};
