//! How far a measurement has come: a bar on a terminal, lines where they are asked for, else nothing.
//!
//! [`crate::progress::Progress`] is for the thread that writes results; this one is told by all threads at once. Results are
//! written when all is measured, so that a bar is never in their way.

use crate::args::When;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How often a line is written where there is no terminal.
const LINE: Duration = Duration::from_secs(5);

/// How far something has come.
#[derive(Debug)]
pub(crate) struct Watch {
    shown: Shown,
    /// What is at work, and what is counted.
    what: String,
    unit: &'static str,
    total: u64,
    done: AtomicU64,
}

#[derive(Debug)]
enum Shown {
    Nothing,
    Bar(ProgressBar),
    /// When the last line was written.
    Lines(Mutex<Instant>),
}

impl Watch {
    /// Watches `what`, which has so many units.
    pub(crate) fn new(when: When, what: &str, total: usize, unit: &'static str) -> Self {
        let total = total as u64;
        let shown = match (when, io::stderr().is_terminal()) {
            (When::Never, _) | (When::Auto, false) => Shown::Nothing,
            (When::Always, false) => Shown::Lines(Mutex::new(Instant::now())),
            (When::Auto | When::Always, true) => {
                let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr());
                let template = "{bar:24} {pos} of {len} {prefix}, {eta} left";
                bar.set_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()));
                bar.set_prefix(format!("{unit} ({})", crate::progress::harmless(what)));
                Shown::Bar(bar)
            }
        };
        Watch { shown, what: what.to_owned(), unit, total, done: AtomicU64::new(0) }
    }

    /// Another one is done.
    pub(crate) fn tick(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
        match &self.shown {
            Shown::Nothing => {}
            Shown::Bar(bar) => bar.inc(1),
            Shown::Lines(last) => {
                let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
                if last.elapsed() >= LINE {
                    *last = Instant::now();
                    self.line();
                }
            }
        }
    }

    fn line(&self) {
        let Watch { what, unit, total, .. } = self;
        let done = self.done.load(Ordering::Relaxed);
        let _ = writeln!(io::stderr(), "webstrata: {}: {done} of {total} {unit}", crate::progress::harmless(what));
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        match &self.shown {
            Shown::Nothing => {}
            Shown::Bar(bar) => bar.finish_and_clear(),
            Shown::Lines(_) => self.line(),
        }
    }
}
