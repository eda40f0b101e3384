//! Progress of the work, for callers that show it or stop it.

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

/// Receives the progress. `()` ignores it.
pub trait Watch {
    /// Another stage begins.
    fn stage(&self, _stage: Stage) {}
    /// This many more pages, of this many bytes, were signed.
    fn signed(&self, _pages: u64, _bytes: u64) {}
    /// A record or page failed.
    fn failed(&self, _name: &str, _failure: &Failure) {}
    /// Whether the work should stop. What was done is kept.
    fn stop(&self) -> bool {
        false
    }
}

impl Watch for () {}
