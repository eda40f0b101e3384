//! How far the work has come, for who wants to show it or stop it.

use crate::input::Failure;

/// What is being done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Pages are read and signed.
    Signing,
    /// Keys of all pages are merged, pages with the same key joined.
    Joining,
    /// Choices of shared hashes are compared.
    Choosing,
    /// In each cluster the page to keep is chosen.
    Keeping,
}

/// Is told how far the work has come. `()` does not listen.
pub trait Watch {
    /// Another stage begins.
    fn stage(&self, _stage: Stage) {}
    /// So many more pages, of so many bytes, were signed.
    fn signed(&self, _pages: u64, _bytes: u64) {}
    /// A record or page failed.
    fn failed(&self, _name: &str, _failure: &Failure) {}
    /// Should the work stop? What was done is kept.
    fn stop(&self) -> bool {
        false
    }
}

impl Watch for () {}
