//! Errors of layout engines, with advice on what to do about them.

use std::path::PathBuf;
use std::time::Duration;

/// The reason why a page has no layout.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LayoutError {
    /// No browser was found.
    #[error("no Chromium found (tried {tried}); install it, or name its program with WEBSTRATA_BROWSER")]
    NoBrowser {
        /// The names that were tried.
        tried: String,
    },
    /// The browser's executable cannot be started.
    #[error("cannot start the browser {}: {source}; is it a Chromium executable?", browser.display())]
    Start {
        /// The executable.
        browser: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// The browser ended or closed its end of the connection.
    #[error("the browser {} exited during {step}{}; does `{} --version` work?", browser.display(), said(stderr), browser.display())]
    Ended {
        /// The executable.
        browser: PathBuf,
        /// What it was asked to do.
        step: &'static str,
        /// The end of its standard error.
        stderr: String,
    },
    /// The page's process inside the browser crashed.
    #[error("the browser crashed on this page; the next page gets a new browser")]
    Crashed,
    /// The browser took too long.
    #[error("the browser took more than {:.0} s for {step}; the page may be too heavy: allow more time, or use no layout", limit.as_secs_f64())]
    Timeout {
        /// What it was asked to do.
        step: &'static str,
        /// The time it had.
        limit: Duration,
    },
    /// The browser's response violates its protocol.
    #[error("the browser's response to {step} is invalid: {reason}; is its version 100 or later?")]
    Nonsense {
        /// What it was asked to do.
        step: &'static str,
        /// What is wrong with the response.
        reason: String,
    },
    /// The browser refused a command.
    #[error("the browser refused {step}: {reason}; is its version 100 or later?")]
    Refused {
        /// What it was asked to do.
        step: &'static str,
        /// Its reason.
        reason: String,
    },
    /// The page or a response is too large.
    #[error("{what} is larger than {limit}; use no layout for this page")]
    TooLarge {
        /// What is too large.
        what: &'static str,
        /// The limit, with its unit.
        limit: String,
    },
    /// A file or folder cannot be used.
    #[error("cannot {action} {}: {source}", path.display())]
    File {
        /// What was tried.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// A saved layout cannot be used.
    #[error("{} is not a layout of this page: {reason}; capture it again", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A picture cannot be decoded or encoded.
    #[error("cannot {action} the screenshot: {reason}")]
    Picture {
        /// What was tried.
        action: &'static str,
        /// What is wrong.
        reason: String,
    },
    /// Browsers are only started on Unix.
    #[error("layouts from a browser need Unix (Linux, macOS); use no layout here")]
    Unsupported,
}

/// The standard error of a browser, to append to a message.
fn said(stderr: &str) -> String {
    let last = stderr.lines().rev().find(|line| !line.trim().is_empty());
    last.map_or_else(String::new, |line| format!(" (it said: {})", line.trim().chars().take(300).collect::<String>()))
}

impl LayoutError {
    pub(crate) fn file(action: &'static str, path: &std::path::Path) -> impl FnOnce(std::io::Error) -> LayoutError {
        let path = path.to_owned();
        move |source| LayoutError::File { action, path, source }
    }
}
