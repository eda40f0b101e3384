//! Are colours wanted? What is typed decides, then NO_COLOR and its like, then whether there is a terminal.

use crate::args::When;
use anstream::{AutoStream, ColorChoice};

/// Settles the question for all that is written later.
pub(crate) fn choose(when: When) {
    match when {
        When::Auto => ColorChoice::Auto,
        When::Always => ColorChoice::Always,
        When::Never => ColorChoice::Never,
    }
    .write_global();
}

/// Are there to be colours on standard output?
pub(crate) fn stdout() -> bool {
    AutoStream::choice(&std::io::stdout()) != ColorChoice::Never
}
