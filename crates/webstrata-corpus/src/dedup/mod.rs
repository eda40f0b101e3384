//! Duplicates: pages with the same text, or nearly the same, found on disk in bounded memory.
//!
//! source → text ([`Of`]) → shingles → signature → keys → sorted runs → sets → clusters → output. A [`Signer`] turns a text
//! into keys, an [`Index`] keeps them in a folder, and [`Index::clusters`] says what becomes of each page. What comes out depends
//! neither on the order of pages, nor on the number of threads, nor on where a run before was killed.

mod add;
mod clusters;
mod compared;
mod error;
mod in_run;
mod index;
mod join;
mod json;
mod options;
mod output;
mod shingles;
mod signature;
mod signer;
mod source;
mod table;
#[cfg(test)]
mod tests;
mod union;
mod watch;

pub use add::AddOptions;
pub use clusters::{Clusters, Row, Same};
pub use compared::{Of, UnknownOf, largest_segment};
pub use error::DedupError;
pub use index::{Batch, Index, Page, Settings};
pub use options::{Keep, Resources, Scheme, Similarity, UnknownKeep};
pub use output::{Tally, check_filter, write_kept, write_rows};
pub use shingles::Shingler;
pub use signer::{Signature, Signer};
pub use source::{Source, SourceOptions};
pub use watch::{Stage, Watch};
