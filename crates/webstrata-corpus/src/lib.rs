//! Many pages: from a crawl to a corpus.

#![forbid(unsafe_code)]

mod document;

pub use document::{Document, Origin};
