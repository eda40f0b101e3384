//! How far a run over a crawl has come, on standard error.

use crate::args::When;
use crate::progress::{bar, span};
use indicatif::ProgressBar;
use std::cell::Cell;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};
use webstrata_corpus::pipeline::Progress;

/// How often the bar is drawn and how often a line is written where there is no terminal.
const BAR: Duration = Duration::from_millis(100);
const LINE: Duration = Duration::from_secs(5);

/// Shows progress.
pub(super) struct Shown {
    how: How,
    started: Instant,
    drawn: Cell<Instant>,
}

enum How {
    Nothing,
    Bar(ProgressBar),
    Lines,
}

impl Shown {
    pub(super) fn new(when: When, quiet: bool) -> Self {
        let how = match (when, io::stderr().is_terminal()) {
            (When::Always, false) => How::Lines,
            (When::Always, true) => How::Bar(bar()),
            (When::Auto, true) if !quiet => How::Bar(bar()),
            (When::Auto | When::Never, _) => How::Nothing,
        };
        let now = Instant::now();
        Shown { how, started: now, drawn: Cell::new(now) }
    }

    pub(super) fn update(&self, progress: &Progress) {
        let every = match self.how {
            How::Nothing => return,
            How::Bar(_) => BAR,
            How::Lines => LINE,
        };
        if self.drawn.get().elapsed() < every {
            return;
        }
        self.drawn.set(Instant::now());
        let state = state(progress, self.started.elapsed().as_secs_f64());
        match &self.how {
            How::Nothing => {}
            How::Bar(bar) => {
                bar.set_message(state);
                bar.tick();
            }
            How::Lines => drop(writeln!(io::stderr(), "webstrata: {state}")),
        }
    }

    pub(super) fn finish(&self) {
        if let How::Bar(bar) = &self.how {
            bar.finish_and_clear();
        }
    }
}

/// As in `34%, 12000 pages, 310 pages/s, 45.2 MB/s, 25 s left`.
fn state(progress: &Progress, seconds: f64) -> String {
    let seconds = seconds.max(1e-6);
    let (pages, bytes) = (progress.pages as f64 / seconds, progress.bytes as f64 / 1e6 / seconds);
    let share = 100.0 * progress.read as f64 / progress.total.max(1) as f64;
    let now = progress.read.saturating_sub(progress.read_before) as f64;
    let left = progress.total.saturating_sub(progress.read) as f64;
    let left = if now > 0.0 { format!(", {} left", span(seconds * left / now)) } else { String::new() };
    let faults = if progress.faults > 0 { format!(" ({} failed)", progress.faults) } else { String::new() };
    format!("{share:.0}%, {} pages{faults}, {pages:.0} pages/s, {bytes:.1} MB/s{left}", progress.pages)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_read_by_people() {
        let half = Progress { pages: 100, faults: 0, bytes: 20_000_000, read: 600, read_before: 200, total: 1000, shards: 1 };
        assert_eq!(state(&half, 10.0), "60%, 100 pages, 10 pages/s, 2.0 MB/s, 10 s left");
        let failed = Progress { faults: 2, read: 200, ..half };
        assert_eq!(state(&failed, 10.0), "20%, 100 pages (2 failed), 10 pages/s, 2.0 MB/s");
        assert_eq!(state(&Progress::default(), 0.0), "0%, 0 pages, 0 pages/s, 0.0 MB/s");
    }
}
