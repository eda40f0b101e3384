//! Progress and messages on standard error.

use crate::args::Saying;
use webstrata_corpus::progress::{Progress, error};

/// Starts a progress display.
pub(super) fn progress(saying: &Saying) -> Progress {
    Progress::new(saying.progress, saying.quiet)
}

/// Prints a message, unless `quiet`.
pub(super) fn say(quiet: bool, text: &str) {
    if !quiet {
        error(text);
    }
}
