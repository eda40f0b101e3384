//! Progress reports, for callers that display progress or stop the work.

use crate::input::Failure;

/// A stage of the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Pages are read and signed.
    Signing,
    /// Keys of all pages are merged, and pages with the same key joined.
    Joining,
    /// Combinations of shared hashes are compared.
    Combining,
    /// The page to keep is chosen in each cluster.
    Keeping,
}

/// Receives progress reports. `()` ignores them.
pub trait Watch {
    /// Called when a stage begins.
    fn stage(&self, _stage: Stage) {}
    /// Called when more pages have been signed, with their number and size.
    fn signed(&self, _pages: u64, _bytes: u64) {}
    /// Called when a record or page has failed.
    fn failed(&self, _name: &str, _failure: &Failure) {}
    /// Whether to stop. Finished work is kept.
    fn stop(&self) -> bool {
        false
    }
}

impl Watch for () {}
