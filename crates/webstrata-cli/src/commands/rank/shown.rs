//! Progress and messages on standard error.

use crate::args::Saying;
use webstrata_corpus::progress::{Progress, error};

/// Shows how far it has come.
pub(super) struct Shown(Progress);

impl Shown {
    pub(super) fn new(saying: &Saying) -> Shown {
        Shown(Progress::new(saying.progress, saying.quiet))
    }

    /// Says where it is, if it is time to.
    pub(super) fn at(&mut self, state: impl FnOnce() -> String) {
        self.0.update(state);
    }
}

/// Says what was done, unless nobody wants to know.
pub(super) fn say(quiet: bool, text: &str) {
    if !quiet {
        error(text);
    }
}
