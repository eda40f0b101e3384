//! The ledger: records that could not be read, pages that could not be worked on.

use crate::Origin;
use serde::{Deserialize, Serialize};

/// What became of no row, and why.
///
/// ```
/// use webstrata_corpus::{Origin, store::{Fault, LedgerRow}};
/// let row = LedgerRow::new(Fault::Record, &Origin::new("crawl.warc.gz", 1734), None, "its length is missing");
/// let json = r#"{"fault":"record","file":"crawl.warc.gz","offset":1734,"url":null,"reason":"its length is missing"}"#;
/// assert_eq!(serde_json::to_string(&row).unwrap(), json);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LedgerRow {
    /// What is wrong.
    pub fault: Fault,
    /// The file.
    pub file: String,
    /// The byte or the row at which the record begins.
    pub offset: u64,
    /// Where a compressed member holds more than one record: the byte of what it unpacks to.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub inside: u64,
    /// The page's address, if it is known.
    pub url: Option<String>,
    /// What happened.
    pub reason: String,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fault {
    /// The record could not be read.
    Record,
    /// The page was read, and working on it failed.
    Page,
}

impl LedgerRow {
    /// An entry.
    #[must_use]
    pub fn new(fault: Fault, origin: &Origin, url: Option<&str>, reason: &str) -> Self {
        LedgerRow {
            fault,
            file: origin.file.to_string(),
            offset: origin.offset,
            inside: origin.inside,
            url: url.map(str::to_owned),
            reason: reason.to_owned(),
        }
    }

    /// Bytes that it takes, about.
    #[must_use]
    pub fn size(&self) -> usize {
        size_of::<LedgerRow>() + self.file.len() + self.url.as_ref().map_or(0, String::len) + self.reason.len()
    }
}
