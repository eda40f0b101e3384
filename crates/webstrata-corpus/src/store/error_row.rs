//! Inputs that produced no row.

use crate::Origin;
use crate::input::{Failure, Reason};
use serde::{Deserialize, Serialize};

/// A record or page that failed, and why.
///
/// ```
/// use webstrata_corpus::Origin;
/// use webstrata_corpus::input::{Failure, Reason};
/// use webstrata_corpus::store::ErrorRow;
/// let failure = Failure::new(Reason::Damaged, "the record has no Content-Length");
/// let row = ErrorRow::new(&Origin::new("crawl.warc.gz", 1734), None, failure);
/// let json = r#"{"reason":"damaged","file":"crawl.warc.gz","offset":1734,"url":null,"message":"the record has no Content-Length"}"#;
/// assert_eq!(serde_json::to_string(&row).unwrap(), json);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorRow {
    /// Why it failed.
    pub reason: Reason,
    /// The file.
    pub file: String,
    /// The byte or row at which the record begins.
    pub offset: u64,
    /// The byte of the decompressed member, if a compressed member contains more than one record.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub inside: u64,
    /// The address of the page, if known.
    pub url: Option<String>,
    /// What happened.
    pub message: String,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl ErrorRow {
    /// The row of a failure.
    #[must_use]
    pub fn new(origin: &Origin, url: Option<&str>, failure: Failure) -> Self {
        ErrorRow {
            reason: failure.reason,
            file: origin.file.to_string(),
            offset: origin.offset,
            inside: origin.inside,
            url: url.map(str::to_owned),
            message: failure.message,
        }
    }

    /// Approximate size in bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        size_of::<ErrorRow>() + self.file.len() + self.url.as_ref().map_or(0, String::len) + self.message.len()
    }
}
