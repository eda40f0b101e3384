//! A page as it is read: its bytes, its address, and its origin.

use std::fmt;
use std::sync::Arc;

/// Where a page was read from: a file and a position in it.
///
/// ```
/// use webstrata_corpus::Origin;
/// assert_eq!(Origin::new("crawl.warc.gz", 1734).to_string(), "crawl.warc.gz@1734");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Origin {
    /// The file, as it was given.
    pub file: Arc<str>,
    /// The byte (of the stored file) or the row at which its record begins; 0 if the file is one page.
    pub offset: u64,
    /// If a compressed member has several records: the offset in the decompressed member that begins at `offset`. Otherwise 0.
    pub inside: u64,
}

impl Origin {
    /// The position `offset` in `file`.
    #[must_use]
    pub fn new(file: &str, offset: u64) -> Origin {
        Origin { file: file.into(), offset, inside: 0 }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.file, self.offset)?;
        if self.inside > 0 { write!(f, "+{}", self.inside) } else { Ok(()) }
    }
}

/// A page before any processing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// Where it was read from.
    pub origin: Origin,
    /// Its address, if known.
    pub url: Option<String>,
    /// When it was fetched, in the format of the input (`2024-05-01T12:00:00Z` in WARC files).
    pub date: Option<String>,
    /// The charset in its HTTP header.
    pub charset: Option<String>,
    /// The page without transfer and content encodings.
    pub bytes: Vec<u8>,
    /// What was truncated or could not be decoded: the page is what was left.
    pub problems: Vec<String>,
}

impl Document {
    /// A page of which only the bytes are known.
    ///
    /// ```
    /// use webstrata_corpus::{Document, Origin};
    /// let page = Document::new(Origin::new("page.html", 0), b"<p>Text".to_vec());
    /// assert_eq!(page.url, None);
    /// ```
    #[must_use]
    pub fn new(origin: Origin, bytes: Vec<u8>) -> Document {
        Document { origin, url: None, date: None, charset: None, bytes, problems: Vec::new() }
    }
}
