//! Progress and messages on standard error: a bar on a terminal, a line every few seconds elsewhere if requested, else nothing.
//!
//! All commands use this display. Its methods take `&self`, so that any thread can report.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// Redraw interval of the bar.
const BAR_INTERVAL: Duration = Duration::from_millis(100);
/// Interval between lines where standard error is not a terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(5);
/// Marks a total that is not known.
const UNKNOWN: u64 = u64::MAX;

/// Name of the running program.
static PROGRAM: OnceLock<&'static str> = OnceLock::new();

/// Sets the program name that starts every line on standard error. Call it once, first thing in `main`; later calls have no effect.
pub fn set_program(name: &'static str) {
    let _ = PROGRAM.set(name);
}

fn program() -> &'static str {
    PROGRAM.get().copied().unwrap_or("webstrata")
}

/// When to show progress.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Show {
    /// A bar if standard error is a terminal.
    #[default]
    Auto,
    /// Never.
    Never,
    /// A bar on a terminal, lines elsewhere.
    Always,
}

/// Counts of a command that reads pages, so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Pages that succeeded.
    pub pages: u64,
    /// Pages that failed.
    pub failed: u64,
    /// Bytes of the pages.
    pub bytes: u64,
    /// Bytes of the input read, as stored.
    pub read: u64,
    /// Bytes of files that are one page, if `read` does not include them.
    pub loaded: u64,
    /// Bytes of the input that an earlier session read.
    pub read_before: u64,
}

impl Counts {
    /// As in `34%, 12000 pages (2 failed), 310 pages/s, 45.2 MB/s, 25 s left`.
    fn state(&self, total: Option<u64>, seconds: f64) -> String {
        let seconds = seconds.max(1e-6);
        let (pages, bytes) = (self.pages as f64 / seconds, self.bytes as f64 / 1e6 / seconds);
        let read = self.read + self.loaded;
        let share = total.map(|total| format!("{:.0}%, ", 100.0 * read as f64 / total.max(1) as f64)).unwrap_or_default();
        let session = read.saturating_sub(self.read_before) as f64;
        let left = total.map_or(0, |total| total.saturating_sub(read)) as f64;
        let left =
            if left > 0.0 && session > 0.0 { format!(", {} left", duration(seconds * left / session)) } else { String::new() };
        let failed = if self.failed > 0 { format!(" ({} failed)", self.failed) } else { String::new() };
        format!("{share}{} pages{failed}, {pages:.0} pages/s, {bytes:.1} MB/s{left}", self.pages)
    }
}

/// Progress of a command.
#[derive(Debug)]
pub struct Progress {
    display: Display,
    /// The unit that is counted.
    unit: &'static str,
    label: Option<String>,
    started: Instant,
    drawn: Mutex<Instant>,
    done: AtomicU64,
    bytes: AtomicU64,
    total: AtomicU64,
    /// The counts shown last.
    counts: Mutex<Option<Counts>>,
}

#[derive(Debug)]
enum Display {
    Hidden,
    Bar(ProgressBar),
    Lines,
}

impl Progress {
    /// Progress over pages. `quiet` hides what [`Show::Auto`] would show.
    #[must_use]
    pub fn new(show: impl Into<Show>, quiet: bool) -> Self {
        let terminal = io::stderr().is_terminal();
        let display = match show.into() {
            Show::Always if !terminal => Display::Lines,
            Show::Always => Display::Bar(bar()),
            Show::Auto if terminal && !quiet => Display::Bar(bar()),
            Show::Auto | Show::Never => Display::Hidden,
        };
        let now = Instant::now();
        Progress {
            display,
            unit: "pages",
            label: None,
            started: now,
            drawn: Mutex::new(now),
            done: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
            total: AtomicU64::new(UNKNOWN),
            counts: Mutex::new(None),
        }
    }

    /// Progress of the task `label` over `total` units, such as `"pages"`.
    #[must_use]
    pub fn with_total(show: impl Into<Show>, label: &str, total: usize, unit: &'static str) -> Self {
        let mut progress = Progress::new(show, false);
        (progress.unit, progress.label) = (unit, Some(label.to_owned()));
        progress.set_total(total as u64);
        progress
    }

    /// Whether anything is shown.
    #[must_use]
    pub fn is_shown(&self) -> bool {
        !matches!(self.display, Display::Hidden)
    }

    /// Sets the total number of units.
    pub fn set_total(&self, total: u64) {
        self.total.store(total, Ordering::Relaxed);
    }

    /// Counts one more unit.
    pub fn tick(&self) {
        self.advance(1, 0);
    }

    /// Counts more units and their bytes.
    pub fn advance(&self, units: u64, bytes: u64) {
        self.done.fetch_add(units, Ordering::Relaxed);
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
        if self.is_due() {
            self.draw(self.state());
        }
    }

    /// Shows progress over pages. The total is in bytes of the input.
    pub fn show(&self, counts: &Counts) {
        self.done.store(counts.read + counts.loaded, Ordering::Relaxed);
        if self.is_shown() {
            *self.counts.lock().unwrap_or_else(PoisonError::into_inner) = Some(*counts);
        }
        if self.is_due() {
            self.draw(counts.state(self.total(), self.elapsed().as_secs_f64()));
        }
    }

    /// Shows a state in the caller's own words, if it is time to draw.
    pub fn update(&self, state: impl FnOnce() -> String) {
        if self.is_due() {
            self.draw(state());
        }
    }

    /// Time since the beginning.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Whether it is time to draw; if so, the next time is set.
    fn is_due(&self) -> bool {
        let interval = match self.display {
            Display::Hidden => return false,
            Display::Bar(_) => BAR_INTERVAL,
            Display::Lines => LINE_INTERVAL,
        };
        let mut drawn = self.drawn.lock().unwrap_or_else(PoisonError::into_inner);
        let due = drawn.elapsed() >= interval;
        if due {
            *drawn = Instant::now();
        }
        due
    }

    fn total(&self) -> Option<u64> {
        Some(self.total.load(Ordering::Relaxed)).filter(|&total| total != UNKNOWN)
    }

    fn draw(&self, state: String) {
        match &self.display {
            Display::Hidden => {}
            Display::Bar(bar) => {
                if let Some(total) = self.total() {
                    if bar.length().is_none() {
                        bar.set_style(style("{bar:24} {msg}"));
                    }
                    bar.set_length(total);
                }
                bar.set_position(self.done.load(Ordering::Relaxed));
                bar.set_message(state);
                bar.tick();
            }
            Display::Lines => {
                let _ = writeln!(io::stderr(), "{}: {}", program(), escape_controls(&state));
            }
        }
    }

    /// As in `1200 of 9000 pages, 310 pages/s, 45.2 MB/s, 25 s left`.
    fn state(&self) -> String {
        let seconds = self.elapsed().as_secs_f64().max(1e-6);
        let (done, bytes, unit) = (self.done.load(Ordering::Relaxed), self.bytes.load(Ordering::Relaxed), self.unit);
        let rate = done as f64 / seconds;
        let label = self.label.as_ref().map(|label| format!("{label}: ")).unwrap_or_default();
        let total = self.total().map(|total| format!(" of {total}")).unwrap_or_default();
        let speed = match bytes {
            0 => String::new(),
            bytes => format!(", {rate:.0} {unit}/s, {:.1} MB/s", bytes as f64 / 1e6 / seconds),
        };
        let left = self.total().map_or(0.0, |total| total.saturating_sub(done) as f64 / rate.max(1e-9));
        let left = if done > 0 && left > 0.0 { format!(", {} left", duration(left)) } else { String::new() };
        format!("{label}{done}{total} {unit}{speed}{left}")
    }

    /// Writes an error without disturbing the bar.
    pub fn error(&self, text: &str) {
        match &self.display {
            Display::Bar(bar) => bar.suspend(|| error(text)),
            Display::Hidden | Display::Lines => error(text),
        }
    }

    /// Removes the bar.
    pub fn finish(&self) {
        if let Display::Bar(bar) = &self.display {
            bar.finish_and_clear();
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if matches!(self.display, Display::Lines) {
            let counts = *self.counts.lock().unwrap_or_else(PoisonError::into_inner);
            match counts {
                Some(counts) => self.draw(counts.state(self.total(), self.elapsed().as_secs_f64())),
                None if self.done.load(Ordering::Relaxed) > 0 => self.draw(self.state()),
                None => {}
            }
        }
        self.finish();
    }
}

fn bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    bar.set_style(style("{spinner} {msg}"));
    bar
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// Writes an error to standard error. Unlike `eprintln!`, it does not panic if standard error is closed.
pub fn error(text: &str) {
    let style = anstyle::AnsiColor::Red.on_default().bold();
    let _ = writeln!(anstream::stderr(), "{style}{}:{style:#} {}", program(), escape_controls(text));
}

/// Text with control characters escaped: names of files and pages may contain any, and a terminal would interpret them.
///
/// ```
/// assert_eq!(webstrata_corpus::progress::escape_controls("\u{1b}[2J.html"), "\\u{1b}[2J.html");
/// ```
#[must_use]
pub fn escape_controls(text: &str) -> Cow<'_, str> {
    let is_unsafe = |c: char| c.is_control() && c != '\n' && c != '\t';
    if !text.contains(is_unsafe) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(|c| if is_unsafe(c) { c.escape_default().to_string() } else { c.to_string() }).collect())
}

/// A human-readable duration: `59 s`, `1 min 1 s`, `1 h 1 min`.
#[must_use]
pub fn duration(seconds: f64) -> String {
    let seconds = seconds.ceil().min(1e9) as u64;
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, seconds) => format!("{seconds} s"),
        (0, minutes, seconds) => format!("{minutes} min {seconds} s"),
        (hours, minutes, _) => format!("{hours} h {minutes} min"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(escape_controls("a.html"), "a.html");
        assert_eq!(escape_controls("\u{1b}[2Jä\r.html"), "\\u{1b}[2Jä\\r.html");
    }

    #[test]
    fn durations_use_readable_units() {
        for (seconds, want) in
            [(0.2, "1 s"), (59.0, "59 s"), (61.0, "1 min 1 s"), (3700.0, "1 h 1 min"), (1e300, "277777 h 46 min")]
        {
            assert_eq!(duration(seconds), want);
        }
    }

    #[test]
    fn progress_over_pages_is_readable() {
        let half = Counts { pages: 100, bytes: 20_000_000, read: 600, read_before: 200, ..Counts::default() };
        assert_eq!(half.state(Some(1000), 10.0), "60%, 100 pages, 10 pages/s, 2.0 MB/s, 10 s left");
        let failed = Counts { failed: 2, read: 200, ..half };
        assert_eq!(failed.state(Some(1000), 10.0), "20%, 100 pages (2 failed), 10 pages/s, 2.0 MB/s");
        assert_eq!(Counts::default().state(None, 0.0), "0 pages, 0 pages/s, 0.0 MB/s");
    }

    #[test]
    fn states_name_units_and_totals() {
        let progress = Progress::with_total(Show::Never, "fold 1", 3, "trainings");
        assert_eq!(progress.state(), "fold 1: 0 of 3 trainings");
        for _ in 0..3 {
            progress.tick();
        }
        assert_eq!(progress.state(), "fold 1: 3 of 3 trainings");
    }
}
