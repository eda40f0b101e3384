//! What is said on standard error: complaints, and how far a run has come.

use crate::args::When;
use crate::inputs::Inputs;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How often the bar is drawn and how often a line is written where there is no terminal.
const BAR: Duration = Duration::from_millis(100);
const LINE: Duration = Duration::from_secs(5);

/// Says something on standard error. That nobody listens there is no reason to stop (as `eprintln!` would).
pub(crate) fn complain(text: &str) {
    let style = anstyle::AnsiColor::Red.on_default().bold();
    let _ = writeln!(anstream::stderr(), "{style}webstrata:{style:#} {}", harmless(text));
}

/// Text without characters that do something to a terminal: names of files and pages may have any.
pub(crate) fn harmless(text: &str) -> Cow<'_, str> {
    let acts = |c: char| c.is_control() && c != '\n' && c != '\t';
    if !text.contains(acts) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(|c| if acts(c) { c.escape_default().to_string() } else { c.to_string() }).collect())
}

/// How far a run has come.
#[derive(Debug)]
pub(crate) struct Progress {
    shown: Shown,
    started: Instant,
    drawn: Cell<Instant>,
    pages: Cell<u64>,
    bytes: Cell<u64>,
    total: Arc<Total>,
}

/// How many pages there are.
#[derive(Debug, Default)]
struct Total {
    pages: AtomicU64,
    known: AtomicBool,
    /// Nobody wants to know any more.
    over: AtomicBool,
}

#[derive(Debug)]
enum Shown {
    Nothing,
    Bar(Box<RefCell<ProgressBar>>),
    Lines,
}

impl Progress {
    /// `free` says whether standard output is free: results and a bar on the same terminal would mix.
    pub(crate) fn new(when: When, quiet: bool, free: bool) -> Self {
        let terminal = io::stderr().is_terminal();
        let shown = match when {
            When::Always if !terminal => Shown::Lines,
            When::Always => Shown::bar(),
            When::Auto if terminal && !quiet && (free || !io::stdout().is_terminal()) => Shown::bar(),
            When::Auto | When::Never => Shown::Nothing,
        };
        let now = Instant::now();
        Progress { shown, started: now, drawn: Cell::new(now), pages: Cell::new(0), bytes: Cell::new(0), total: Arc::default() }
    }

    /// Finds out how many pages there are, beside the run, if anybody wants to know.
    pub(crate) fn count(&self, inputs: &Inputs) {
        if matches!(self.shown, Shown::Nothing) {
            return;
        }
        let (inputs, total) = (inputs.clone(), Arc::clone(&self.total));
        let count = move || {
            if let Some(pages) = inputs.count(|_| !total.over.load(Ordering::Relaxed)) {
                total.pages.store(pages, Ordering::Relaxed);
                total.known.store(true, Ordering::Release);
            }
        };
        // Without the thread there is no total, and that is all.
        drop(thread::Builder::new().name("count".into()).spawn(count));
    }

    fn total(&self) -> Option<u64> {
        self.total.known.load(Ordering::Acquire).then(|| self.total.pages.load(Ordering::Relaxed))
    }

    /// Another page of so many bytes is done.
    pub(crate) fn advance(&self, bytes: usize) {
        self.pages.set(self.pages.get() + 1);
        self.bytes.set(self.bytes.get() + bytes as u64);
        let every = match self.shown {
            Shown::Nothing => return,
            Shown::Bar(_) => BAR,
            Shown::Lines => LINE,
        };
        if self.drawn.get().elapsed() >= every {
            self.drawn.set(Instant::now());
            self.draw();
        }
    }

    fn draw(&self) {
        match &self.shown {
            Shown::Nothing => {}
            Shown::Bar(bar) => {
                let bar = bar.borrow();
                if let Some(total) = self.total().filter(|_| bar.length().is_none()) {
                    bar.set_length(total);
                    bar.set_style(style("{bar:24} {msg}"));
                }
                bar.set_position(self.pages.get());
                bar.set_message(self.state());
                bar.tick();
            }
            Shown::Lines => {
                let _ = writeln!(io::stderr(), "webstrata: {}", self.state());
            }
        }
    }

    /// As in `1200 of 9000 pages, 310 pages/s, 45.2 MB/s, 25 s left`.
    fn state(&self) -> String {
        let seconds = self.started.elapsed().as_secs_f64().max(1e-6);
        let (pages, bytes) = (self.pages.get(), self.bytes.get());
        let rate = pages as f64 / seconds;
        let (of, left) = match self.total() {
            Some(total) => {
                let left = total.saturating_sub(pages) as f64 / rate.max(1e-9);
                (format!(" of {total}"), if left > 0.0 { format!(", {} left", span(left)) } else { String::new() })
            }
            None => (String::new(), String::new()),
        };
        format!("{pages}{of} pages, {rate:.0} pages/s, {:.1} MB/s{left}", bytes as f64 / 1e6 / seconds)
    }

    /// Says something without disturbing the bar.
    pub(crate) fn say(&self, text: &str) {
        match &self.shown {
            Shown::Bar(bar) => bar.borrow().suspend(|| complain(text)),
            Shown::Nothing | Shown::Lines => complain(text),
        }
    }

    /// The run is over.
    pub(crate) fn finish(&self) {
        self.total.over.store(true, Ordering::Relaxed);
        match &self.shown {
            Shown::Nothing => {}
            Shown::Bar(bar) => bar.borrow().finish_and_clear(),
            Shown::Lines => self.draw(),
        }
    }
}

impl Shown {
    fn bar() -> Self {
        Shown::Bar(Box::new(RefCell::new(bar())))
    }
}

/// A bar that says something and has no length.
pub(crate) fn bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    bar.set_style(style("{spinner} {msg}"));
    bar
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// A time as people say it.
pub(crate) fn span(seconds: f64) -> String {
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
    fn terminals_are_safe_from_names() {
        assert_eq!(harmless("a.html"), "a.html");
        assert_eq!(harmless("\u{1b}[2Jä\r.html"), "\\u{1b}[2Jä\\r.html");
    }

    #[test]
    fn times_are_read_by_people() {
        for (seconds, want) in
            [(0.2, "1 s"), (59.0, "59 s"), (61.0, "1 min 1 s"), (3700.0, "1 h 1 min"), (1e300, "277777 h 46 min")]
        {
            assert_eq!(span(seconds), want);
        }
    }
}
