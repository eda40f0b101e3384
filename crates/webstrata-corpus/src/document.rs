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

/// Metadata of a page from its archive and its HTTP response, where known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Capture {
    /// Status of the HTTP response.
    pub status: Option<u16>,
    /// Media type with its parameters, as the response states it, or the record if it has no response.
    pub content_type: Option<String>,
    /// `Content-Language` of the response.
    pub content_language: Option<String>,
    /// Id of the WARC record, without angle brackets.
    pub record_id: Option<String>,
    /// Digest of the payload, as the WARC record states it.
    pub payload_digest: Option<String>,
}

/// A page before any processing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// Where it was read from.
    pub origin: Origin,
    /// The URL of the page, if known.
    pub url: Option<String>,
    /// When it was fetched, in the format of the input (`2024-05-01T12:00:00Z` in WARC files).
    pub date: Option<String>,
    /// The charset in its HTTP header.
    pub charset: Option<String>,
    /// Further metadata from its archive.
    pub capture: Capture,
    /// The page without transfer and content encodings.
    pub bytes: Vec<u8>,
    /// Problems, such as truncated or undecodable parts; `bytes` has the rest.
    pub problems: Vec<String>,
}

impl Document {
    /// A page with only its bytes; everything else is unknown.
    ///
    /// ```
    /// use webstrata_corpus::{Document, Origin};
    /// let page = Document::new(Origin::new("page.html", 0), b"<p>Text".to_vec());
    /// assert_eq!(page.url, None);
    /// ```
    #[must_use]
    pub fn new(origin: Origin, bytes: Vec<u8>) -> Document {
        Document { origin, url: None, date: None, charset: None, capture: Capture::default(), bytes, problems: Vec::new() }
    }
}
