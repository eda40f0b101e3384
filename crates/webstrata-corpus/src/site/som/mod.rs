//! SOM trees (Fernandes, de Moura, da Silva, Ribeiro-Neto, Braga: A Site Oriented Method for Segmenting Web Pages, SIGIR 2011).
//!
//! All pages of a site are merged into one tree by the labels of their elements. The leaves of the pruned tree are the site's **segment
//! classes**; matched against a page, it gives the page's segments. Steps: [`PageTree`] prepares a page (`page_tree.rs`, `recurrent.rs`), [`Som`]
//! merges (`tree.rs`), [`SomOptions`] prunes (`prune.rs`), [`PrunedSom`] segments (`segments.rs`); `file.rs` saves.
//!
//! The result does not depend on the order of the pages. Time is linear in the number of pages; memory is that of the merged tree, in which
//! each page adds its number to compressed bitmaps. Pages can be added at any time, two trees can be merged, and a saved tree segments
//! pages that it has never seen.

mod file;
mod page_tree;
mod prune;
mod recurrent;
mod sample;
mod segments;
#[cfg(test)]
mod tests;
mod tree;

pub use page_tree::PageTree;
pub use prune::{Class, SomOptions};
pub use segments::{PrunedSom, SomSegment};
pub use tree::{MAX_NODES, Som};
