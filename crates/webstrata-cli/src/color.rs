//! Colours: decided by the option, then NO_COLOR and similar variables, then whether output is a terminal.

use crate::args::When;
use anstream::{AutoStream, ColorChoice};

/// Sets the choice for everything written later.
pub(crate) fn choose(when: When) {
    match when {
        When::Auto => ColorChoice::Auto,
        When::Always => ColorChoice::Always,
        When::Never => ColorChoice::Never,
    }
    .write_global();
}

/// Whether to use colours on standard output.
pub(crate) fn stdout() -> bool {
    AutoStream::choice(&std::io::stdout()) != ColorChoice::Never
}
