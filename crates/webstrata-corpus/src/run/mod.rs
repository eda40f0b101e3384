//! A run over a crawl: turns pages into tables, in bounded memory, and can be resumed.
//!
//! The [`executor`](crate::executor) returns the rows of pages in the order of the input, for any number of threads. Where chunks and
//! shards are cut depends on the rows alone, so the output is the same byte for byte, however often the run was killed. A shard counts
//! once its checkpoint is written; a resumed run continues from the last checkpoint.

mod chunker;
mod driver;
mod evidence;
mod hash;
mod metadata;
mod options;
mod page;
mod rows;
mod segments;
mod skip;
#[cfg(test)]
mod tests;

pub use driver::{Progress, RunError, Summary, run};
pub use evidence::{Evidence, Signer};
pub use hash::hash as text_hash;
pub use options::RunOptions;
pub use page::PageRowMaker;
pub use skip::SkipList;
pub use webstrata_domain::registrable_domain as site_of;
