//! Topic-sensitive PageRank: a tree of topics, one ranking per topic, mixtures of topics, and comparisons of rankings.
//!
//! - [`Taxonomy`] is the tree, read from a file of lines `topic<TAB>page`; the pages of a topic are its own and those of all
//!   topics below it.
//! - [`TopicRanks`] has one vector of ranks per topic (equations 3.3 and 3.4 of the thesis), computed in batches, and mixes them
//!   (3.6).
//! - [`RankTable`] is a file of such vectors.
//! - [`compare()`] measures the similarity of rankings: Kendall's tau-b, overlap of the first pages, mean average precision
//!   ([`measures`]); [`draw`] draws the tree of topics with it, as figure 3.7 of the thesis.
//!
//! T. H. Haveliwala: Topic-sensitive PageRank. WWW 2002. C. Kohlschütter, P.-A. Chirita, W. Nejdl: Utility analysis for
//! topically biased PageRank. WWW 2007.

mod compare;
mod drawing;
mod judgements;
pub mod measures;
mod mixture;
mod ranks;
mod table;
mod taxonomy;
#[cfg(test)]
mod tests;
mod write;

pub use compare::{CompareOptions, Pairs, Relation, Similarity, compare, pairs};
pub use drawing::draw;
pub use judgements::Judgements;
pub use mixture::Mixture;
pub use ranks::TopicRanks;
pub use table::{RankTable, Ranking};
pub use taxonomy::{MAX_LEVELS, MAX_TOPIC_LEN, MAX_TOPICS, Taxonomy, TaxonomyOptions, Topic, Unknown};
pub use write::{TopPages, write_table, write_table_lines, write_top, write_top_lines};

/// Name of the ranking without a preference.
pub const UNBIASED: &str = "*";
/// Separator between a topic and its parent, in all output files.
pub const SEPARATOR: char = '/';
