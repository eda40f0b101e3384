//! The output of a crawl: tables of pages, segments and links in shards, a list of errors, and a manifest.
//!
//! A file appears when it is complete ([`AtomicFile`](crate::io::AtomicFile)). Rows become chunks, chunks are encoded by
//! any thread ([`Encoder`]) and appended to a shard in order ([`ShardWriter`]); a checkpoint makes a shard count
//! ([`RunFolder`]). Read the output with [`pages`], [`segments`] and [`links`].

mod cell;
mod chunk;
mod error;
mod error_row;
mod folder;
mod format;
mod links;
mod manifest;
mod pages;
mod parquet;
mod read;
mod segments;
mod shard;
mod table;
#[cfg(test)]
mod tests;
mod warc;

pub use chunk::{Chunk, Counts, EncodedChunk, Encoder, PageRows};
pub use error::StoreError;
pub use error_row::ErrorRow;
pub use folder::{RunFolder, RunState};
pub use format::{Format, UnknownFormat};
pub use links::LinkRow;
pub use manifest::{Checkpoint, LAYOUT, Manifest};
pub use pages::PageRow;
pub use read::{Rows, errors, links, pages, segments};
pub use segments::SegmentRow;
pub use shard::{FileRecord, ShardWriter};
pub use table::{Columns, Row, Table, UnknownTable};
