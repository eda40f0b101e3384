//! Duplicates: pages with the same or nearly the same text, found on disk in bounded memory.
//!
//! source → text ([`TextSource`]) → shingles → signature → keys → sorted runs → sets → clusters → output. A [`Signer`] turns a text
//! into keys, an [`Index`] keeps them in a folder, and [`Index::clusters`] returns the verdict on each page. The result depends
//! neither on the order of pages, nor on the number of threads, nor on where an earlier run was killed.
//!
//! An index of [`BLOCKS`] has blocks instead of pages, and [`write_blocks`] computes what storing each block once would save.

mod add;
#[cfg(test)]
mod block_tests;
mod blocks;
mod clusters;
mod error;
mod in_run;
mod index;
mod join;
mod json;
mod keys;
mod options;
mod output;
mod shingles;
mod signature;
mod signer;
mod source;
mod table;
#[cfg(test)]
mod tests;
mod text_source;
mod union;
mod watch;

pub use add::AddOptions;
pub use blocks::{BLOCKS, BlockRow, BlockSavings, write_blocks};
pub use clusters::{Clusters, MatchKind, Row};
pub use error::DedupError;
pub use index::{Batch, Index, Page, Settings};
pub use keys::{combination_keys, keep_rank};
pub use options::{Keep, Resources, Scheme, Similarity, UnknownKeep};
pub use output::{Tally, check_filter, write_kept, write_rows};
pub use shingles::Shingler;
pub use signer::{Signature, Signer};
pub use source::{Source, SourceOptions};
pub use text_source::{TextSource, UnknownTextSource, largest_segment};
pub use watch::{Stage, Watch};
