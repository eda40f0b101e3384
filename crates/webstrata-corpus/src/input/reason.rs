//! Why an input yielded no page: failures, and records that are not pages in the first place.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Why something that should be a page failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Reason {
    /// It is a PDF, an image or another kind of file.
    NotHtml,
    /// It has no bytes, or only white space.
    Empty,
    /// Its file or record is damaged.
    Damaged,
    /// It cannot be read, for example because the file does not exist.
    Unreadable,
    /// It took longer than the time limit.
    TimedOut,
    /// Processing it, or writing its result, failed.
    Failed,
}

impl Reason {
    /// All reasons.
    pub const ALL: [Reason; 6] =
        [Reason::NotHtml, Reason::Empty, Reason::Damaged, Reason::Unreadable, Reason::TimedOut, Reason::Failed];

    /// The reason in words, as in `3 not HTML`.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Reason::NotHtml => "not HTML",
            Reason::Empty => "empty",
            Reason::Damaged => "damaged",
            Reason::Unreadable => "unreadable",
            Reason::TimedOut => "timed out",
            Reason::Failed => "not processed",
        }
    }
}

/// A failed page: why, and what to tell the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Why.
    pub reason: Reason,
    /// What happened and what to do about it.
    pub message: String,
}

impl Failure {
    /// A failure with a reason and a message.
    #[must_use]
    pub fn new(reason: Reason, message: impl Into<String>) -> Failure {
        Failure { reason, message: message.into() }
    }
}

/// Failures by reason.
///
/// ```
/// use webstrata_corpus::input::{Failures, Reason};
/// let mut failures = Failures::default();
/// failures.count(Reason::Empty);
/// failures.count(Reason::NotHtml);
/// failures.count(Reason::Empty);
/// assert_eq!((failures.total(), failures.to_string().as_str()), (3, "1 not HTML, 2 empty"));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct Failures {
    not_html: u64,
    empty: u64,
    damaged: u64,
    unreadable: u64,
    timed_out: u64,
    failed: u64,
}

impl Failures {
    fn slot(&mut self, reason: Reason) -> &mut u64 {
        match reason {
            Reason::NotHtml => &mut self.not_html,
            Reason::Empty => &mut self.empty,
            Reason::Damaged => &mut self.damaged,
            Reason::Unreadable => &mut self.unreadable,
            Reason::TimedOut => &mut self.timed_out,
            Reason::Failed => &mut self.failed,
        }
    }

    /// Counts one more.
    pub fn count(&mut self, reason: Reason) {
        *self.slot(reason) += 1;
    }

    /// The count for a reason.
    #[must_use]
    pub fn get(mut self, reason: Reason) -> u64 {
        *self.slot(reason)
    }

    /// The total.
    #[must_use]
    pub fn total(self) -> u64 {
        Reason::ALL.into_iter().map(|reason| self.get(reason)).sum()
    }

    /// Adds the counts of another part of the input.
    pub fn add(&mut self, other: Failures) {
        for reason in Reason::ALL {
            *self.slot(reason) += other.get(reason);
        }
    }
}

impl fmt::Display for Failures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        list(f, Reason::ALL.into_iter().map(|reason| (self.get(reason), reason.words(), reason.words())))
    }
}

/// Records of an archive that were skipped, because they do not claim to be pages.
///
/// ```
/// use webstrata_corpus::input::Skipped;
/// assert_eq!(Skipped { revisits: 1, not_html: 2, ..Skipped::default() }.to_string(), "1 revisit, 2 not HTML");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct Skipped {
    /// Revisit records: the page had not changed since an earlier visit, and is not stored again.
    pub revisits: u64,
    /// Responses with an HTTP status other than 200 to 299.
    pub status: u64,
    /// Payloads of types other than HTML.
    pub not_html: u64,
    /// Responses that were truncated within their headers.
    pub truncated: u64,
    /// Pages in a list of pages to skip.
    pub listed: u64,
}

impl Skipped {
    /// The total.
    #[must_use]
    pub const fn total(self) -> u64 {
        self.revisits + self.status + self.not_html + self.truncated + self.listed
    }

    /// Whether nothing was skipped.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.total() == 0
    }

    /// Adds the counts of another part of the input.
    pub fn add(&mut self, other: Skipped) {
        self.revisits += other.revisits;
        self.status += other.status;
        self.not_html += other.not_html;
        self.truncated += other.truncated;
        self.listed += other.listed;
    }
}

impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = [
            (self.revisits, "revisit", "revisits"),
            (self.status, "with an HTTP status other than 2xx", "with an HTTP status other than 2xx"),
            (self.not_html, "not HTML", "not HTML"),
            (self.truncated, "truncated", "truncated"),
            (self.listed, "on the list", "on the list"),
        ];
        list(f, counts.into_iter())
    }
}

/// The counts that are not zero, with singular or plural.
fn list(f: &mut fmt::Formatter<'_>, counts: impl Iterator<Item = (u64, &'static str, &'static str)>) -> fmt::Result {
    for (i, (count, one, many)) in counts.filter(|(count, ..)| *count > 0).enumerate() {
        let separator = if i > 0 { ", " } else { "" };
        write!(f, "{separator}{count} {}", if count == 1 { one } else { many })?;
    }
    Ok(())
}
