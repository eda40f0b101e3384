//! How far it has come, and what was done, on standard error.

use crate::args::{Saying, When};
use crate::progress::{bar, complain};
use indicatif::ProgressBar;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// How often something is shown.
const BAR: Duration = Duration::from_millis(100);
const LINE: Duration = Duration::from_secs(5);

/// Shows how far it has come.
pub(super) struct Shown {
    bar: Option<ProgressBar>,
    lines: bool,
    drawn: Instant,
}

impl Shown {
    pub(super) fn new(saying: &Saying) -> Shown {
        let terminal = io::stderr().is_terminal();
        let (show_bar, lines) = match saying.progress {
            When::Always => (terminal, !terminal),
            When::Auto => (terminal && !saying.quiet, false),
            When::Never => (false, false),
        };
        Shown { bar: show_bar.then(bar), lines, drawn: Instant::now() }
    }

    /// Says where it is, if it is time to.
    pub(super) fn at(&mut self, state: impl FnOnce() -> String) {
        let every = if self.bar.is_some() { BAR } else { LINE };
        if (self.bar.is_none() && !self.lines) || self.drawn.elapsed() < every {
            return;
        }
        self.drawn = Instant::now();
        match &self.bar {
            Some(bar) => {
                bar.set_message(state());
                bar.tick();
            }
            None => {
                let _ = writeln!(io::stderr(), "webstrata: {}", state());
            }
        }
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Says what was done, unless nobody wants to know.
pub(super) fn say(quiet: bool, text: &str) {
    if !quiet {
        complain(text);
    }
}
