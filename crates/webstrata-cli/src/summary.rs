//! The outcome of a command, and the exit code that it maps to.

use crate::interrupt;
use webstrata_corpus::input::{Failures, Skipped};

/// Some pages failed.
const SOME_FAILED: u8 = 1;
/// The command cannot be executed as given; clap uses the same code for arguments that it cannot parse.
pub(crate) const USAGE: u8 = 2;
/// No page has content, or none could be read.
const NOTHING: u8 = 3;

/// The outcome of a command that reads pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Summary {
    /// Pages that were processed.
    pub(crate) done: u64,
    /// Those of them without any content.
    pub(crate) blank: u64,
    /// Pages that failed.
    pub(crate) failures: Failures,
    /// Records that were skipped because they are not pages.
    pub(crate) skipped: Skipped,
    /// The signal that ended the command.
    pub(crate) interrupted: Option<i32>,
}

impl Summary {
    /// The exit code.
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Summary { interrupted: Some(signal), .. } => interrupt::exit_code(*signal),
            Summary { done, blank, .. } if done == blank => NOTHING,
            Summary { failures, .. } if failures.total() > 0 => SOME_FAILED,
            _ => 0,
        }
    }

    /// A message about what failed, was skipped or is missing; `None` if all is well.
    pub(crate) fn problems(&self) -> Option<String> {
        let failed = self.failures.total();
        let mut parts = Vec::new();
        if self.done + failed == 0 && self.interrupted.is_none() {
            parts.push("no pages in the input".to_owned());
        }
        if failed > 0 {
            parts.push(format!("{failed} of {} failed ({})", count(self.done + failed, "page"), self.failures));
        }
        if !self.skipped.is_empty() {
            parts.push(format!("{} skipped ({})", count(self.skipped.total(), "record"), self.skipped));
        }
        if self.done > 0 && self.blank == self.done {
            parts.push(match self.done {
                1 => "no content found".to_owned(),
                done => format!("no content found in {done} pages"),
            });
        }
        (!parts.is_empty()).then(|| parts.join("; "))
    }
}

/// A number with a noun: `1 page`, `2 pages`.
pub(crate) fn count(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use webstrata_corpus::input::Reason;

    #[test]
    fn exit_codes_distinguish_failures() {
        let mut failed = Summary { done: 2, ..Summary::default() };
        assert_eq!(failed.exit_code(), 0);
        assert_eq!(Summary { blank: 2, ..failed }.exit_code(), NOTHING);
        failed.failures.count(Reason::Empty);
        assert_eq!(failed.exit_code(), SOME_FAILED);
        assert_eq!(failed.problems().as_deref(), Some("1 of 3 pages failed (1 empty)"));
        assert_eq!(Summary { interrupted: Some(2), ..failed }.exit_code(), 130);
        assert_eq!(Summary::default().exit_code(), NOTHING);
        assert_eq!(Summary::default().problems().as_deref(), Some("no pages in the input"));
    }
}
