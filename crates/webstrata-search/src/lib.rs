//! Search that uses the segments of pages.
//!
//! An [`Index`] is built from the tables of a run ([`build`], or page by page with an [`IndexWriter`]) and answers a [`Query`] with
//! the best pages: BM25 over all text, without templates, or with words weighted by the segments in which they occur
//! ([`Ranking`]). Scores can be explained; link ranks ([`TopicRanks`]) can be mixed in, and provide facets.
//!
//! The index is built on tantivy. Fields and marks are described in `schema.rs`, the scorer in `scorer/`.

#![forbid(unsafe_code)]

mod best;
mod class_weights;
mod clusters;
mod document;
mod error;
mod explain;
mod facets;
mod fold;
mod manifest;
mod marks;
mod parts;
mod plan;
mod query;
mod ranking;
mod ranks;
mod schema;
mod scorer;
mod search;
mod snippet;
mod split;
#[cfg(test)]
mod tests;
mod topic_ranks;
mod words;
mod write;

pub use class_weights::{ClassCounter, ClassWeight, MIN_SEGMENTS, SAMPLE};
pub use clusters::Clusters;
pub use error::{QueryError, SearchError};
pub use explain::{Explained, ExplainedClass, ExplainedWord};
pub use facets::{Facet, Membership};
pub use fold::similarity_hash;
pub use manifest::{FORMAT, make_folder as begin};
pub use query::{MAX_BYTES, MAX_DEPTH, MAX_WORDS, Query};
pub use ranking::{ROLE_WEIGHTS, Ranking, Weights};
pub use schema::{Class, Mark};
pub use search::{Hit, Index, MAX_RESULTS, Results, SearchOptions};
pub use snippet::{Snippet, plain};
pub use topic_ranks::{PageRanks, TopicRanks};
pub use words::Words;
pub use write::{Built, IndexOptions, IndexWriter, build};
