//! A page as it comes in: its bytes, its address, and the place that it was read from.

use std::fmt;
use std::sync::Arc;

/// Where a page was read from: a file, and the place in it.
///
/// ```
/// use webstrata_corpus::Origin;
/// assert_eq!(Origin::new("crawl.warc.gz", 1734).to_string(), "crawl.warc.gz@1734");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Origin {
    /// The file, as it was named.
    pub file: Arc<str>,
    /// The byte (of the file as it is stored) or the row at which its record begins; 0 for a file that is one page.
    pub offset: u64,
    /// Where a compressed member holds more than one record: the byte of what the member at `offset` unpacks to. Else 0.
    pub inside: u64,
}

impl Origin {
    /// The place `offset` in `file`.
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

/// A page before anything was done with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// Where it was read from.
    pub origin: Origin,
    /// Its address, if it is known.
    pub url: Option<String>,
    /// When it was fetched, as the input has it (`2024-05-01T12:00:00Z` in WARC files).
    pub date: Option<String>,
    /// The charset that its HTTP header names.
    pub charset: Option<String>,
    /// The page, decoded from transfer and content encodings.
    pub bytes: Vec<u8>,
    /// What was cut or could not be decoded on the way: the page is what there was.
    pub problems: Vec<String>,
}

impl Document {
    /// A page of which nothing but its bytes is known.
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
