//! Pages that a run leaves out: a list of ids or addresses.

use crate::executor::Source;
use crate::input::{Entry, Input, InputError, SkipCounter};
use crate::io::IoError;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// A list of pages.
///
/// ```
/// let list = webstrata_corpus::run::SkipList::new("crawl/a.html@0\nhttp://a.org/\n");
/// assert!(list.contains("crawl/a.html@0", None) && list.contains("crawl/b.html@0", Some("http://a.org/")));
/// assert!(!list.contains("crawl/b.html@0", None));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SkipList(BTreeSet<String>);

impl SkipList {
    /// Parses a list with one entry per line; blank lines are ignored.
    #[must_use]
    pub fn new(text: &str) -> SkipList {
        SkipList(text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect())
    }

    /// Reads the list from a file.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read(path: &Path) -> Result<SkipList, IoError> {
        std::fs::read_to_string(path).map(|text| SkipList::new(&text)).map_err(IoError::on("read", path))
    }

    /// Whether a page is on the list.
    #[must_use]
    pub fn contains(&self, id: &str, url: Option<&str>) -> bool {
        self.0.contains(id) || url.is_some_and(|url| self.0.contains(url))
    }

    /// Identifies the list in the settings of a run.
    pub(super) fn fingerprint(&self) -> String {
        let lines: Vec<&str> = self.0.iter().map(String::as_str).collect();
        format!("{:016x}", xxh3_64(lines.join("\n").as_bytes()))
    }
}

/// An input without the pages on a list.
pub(super) struct Unlisted {
    pub(super) source: Input,
    pub(super) list: Arc<SkipList>,
    pub(super) skipped: SkipCounter,
}

impl Source for Unlisted {
    type Item = Entry;
    type Error = InputError;

    fn next(&mut self) -> Option<Result<Entry, InputError>> {
        loop {
            match Source::next(&mut self.source)? {
                Ok(entry) if self.list.contains(&entry.item.origin().to_string(), entry.item.url()) => self.skipped.count_listed(),
                other => return Some(other),
            }
        }
    }

    fn is_ready(&self) -> bool {
        Source::is_ready(&self.source)
    }
}
