//! Reads HTML files, WARC files, JSON Lines and Parquet as one stream of documents in a fixed order.
//!
//! [`Sources`] determines which files are read, and every command reads them through [`Input`]. Each document records its
//! origin, and reading can continue at any position that was reached before. Broken records are reported with their location and
//! skipped; [`sniff`] tells pages from other kinds of files. Memory is bounded by [`InputOptions::max_bytes`], however much a record
//! decompresses to.
//!
//! ```
//! use webstrata_corpus::input::{Input, InputOptions, Item};
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let folder = tempfile::tempdir()?;
//! std::fs::write(folder.path().join("a.html"), "<p>One page.")?;
//! std::fs::write(folder.path().join("b.jsonl"), "{\"url\": \"https://example.org/\", \"html\": \"<p>Another.\"}\n")?;
//! for item in Input::open(&[folder.path().to_owned()], &InputOptions::default())? {
//!     match item? {
//!         Item::Document(page) => assert!(page.bytes.starts_with(b"<p>")),
//!         other => unreachable!("{}", other.origin()),
//!     }
//! }
//! # Ok(())
//! # }
//! ```

mod codec;
mod decompress;
mod encoding;
mod files;
mod folder;
mod glob;
mod headers;
mod http;
mod jsonl;
mod page_file;
mod parquet;
mod reader;
mod reason;
pub mod sniff;
mod warc;

pub use encoding::{UnknownEncoding, encoding};
pub(crate) use files::is_page_file;
pub use files::{STDIN, Sources};
pub use page_file::PageFile;
pub use reader::{Input, SkipCounter};
pub use reason::{Failure, Failures, Reason, Skipped};

use crate::document::{Document, Origin};
use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// How pages are read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct InputOptions {
    /// Maximum size of a page in bytes, decoded. One byte more of a larger page is read, so that the page library can tell that it
    /// was truncated if its own limit is the same.
    pub max_bytes: u64,
    /// The field of JSON Lines and Parquet files that contains the page.
    pub html_column: String,
    /// The field that contains its address; it may be missing.
    pub url_column: String,
    /// The field that contains its date; it may be missing.
    pub date_column: String,
    /// Whether responses with an HTTP status other than 200 to 299 also count as pages.
    pub any_status: bool,
}

impl Default for InputOptions {
    fn default() -> Self {
        InputOptions {
            max_bytes: 32 << 20,
            html_column: "html".into(),
            url_column: "url".into(),
            date_column: "date".into(),
            any_status: false,
        }
    }
}

/// An item of the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// A page.
    Document(Document),
    /// A file that is one page and has not been loaded yet. [`Input`] as an iterator returns loaded documents instead.
    File(PageFile),
    /// Something that should be a page and cannot be read.
    Broken(Broken),
}

impl Item {
    /// Where it was found.
    #[must_use]
    pub fn origin(&self) -> &Origin {
        match self {
            Item::Document(document) => &document.origin,
            Item::File(file) => &file.origin,
            Item::Broken(broken) => &broken.origin,
        }
    }

    /// The URL of the page, if it is known.
    #[must_use]
    pub fn url(&self) -> Option<&str> {
        match self {
            Item::Document(document) => document.url.as_deref(),
            Item::File(file) => file.url.as_deref(),
            Item::Broken(_) => None,
        }
    }

    /// The name of the page: its file, with an offset if the file contains several pages.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Item::File(file) => file.origin.file.to_string(),
            Item::Broken(Broken { origin, whole_file: true, .. }) => origin.file.to_string(),
            Item::Document(Document { origin, .. }) if &*origin.file == STDIN && origin.offset == 0 => STDIN.to_owned(),
            Item::Document(Document { origin, .. }) | Item::Broken(Broken { origin, .. }) => origin.to_string(),
        }
    }

    /// Approximate bytes in memory.
    #[must_use]
    pub fn size(&self) -> usize {
        const OVERHEAD: usize = 512;
        match self {
            Item::Document(document) => OVERHEAD + document.bytes.len(),
            Item::File(_) | Item::Broken(_) => OVERHEAD,
        }
    }
}

/// A record or file that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// Where it begins.
    pub origin: Origin,
    /// A description of the problem.
    pub failure: Failure,
    /// Whether it is a file rather than a record.
    pub whole_file: bool,
}

impl Broken {
    fn new(origin: Origin, reason: Reason, message: String) -> Broken {
        Broken { origin, failure: Failure::new(reason, message), whole_file: false }
    }

    fn damaged(origin: Origin, message: String) -> Broken {
        Broken::new(origin, Reason::Damaged, message)
    }

    fn is_damaged(&self) -> bool {
        self.failure.reason == Reason::Damaged
    }
}

/// A position after an item, from which reading can continue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// The index of the file.
    pub file: u32,
    /// The byte of the file as stored, or the row, that is next.
    pub offset: u64,
    /// The offset in the decompressed member that begins there.
    #[serde(default)]
    pub inside: u64,
    /// Bytes of the file that were read twice because of damage. Their number limits the search for intact records.
    #[serde(default)]
    pub reread: u64,
    /// Records skipped so far.
    #[serde(default, skip_serializing_if = "Skipped::is_empty")]
    pub skipped: Skipped,
}

/// An item, the position after it, and the progress of reading.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The item.
    pub item: Item,
    /// The position after it.
    pub position: Position,
    /// Bytes of the input read so far, as stored. How far a reader is ahead depends on where it began.
    pub read: u64,
}

/// Identifies an input, so that a resumed run notices if it has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fingerprint {
    /// Number of files.
    pub files: u64,
    /// Bytes of all files as stored.
    pub bytes: u64,
    /// Hash of their names, sizes and order.
    pub hash: u64,
}

/// Why input cannot be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum InputError {
    /// A file or folder does not exist or cannot be read.
    #[error("cannot read {}: {error}", path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        error: io::Error,
    },
    /// A Parquet file has no column of pages.
    #[error("{} has no column {column:?} of text or bytes; it has {found}; name the column of pages with --html-column", path.display())]
    NoColumn {
        /// The file.
        path: PathBuf,
        /// The column that was requested.
        column: String,
        /// The columns that it has.
        found: String,
    },
    /// A pattern is malformed.
    #[error("cannot read the pattern: {0}; write `[*]` for a literal star")]
    Pattern(String),
    /// Standard input cannot be used as requested.
    #[error("{0}")]
    Stdin(&'static str),
    /// A position that does not belong to this input.
    #[error("the position (file {file}) is not in this input of {files} files: the input has changed")]
    Position {
        /// The file of the position.
        file: u32,
        /// The number of files.
        files: usize,
    },
    /// More than 4 billion files.
    #[error("there are more than 4 billion files; split the input")]
    TooManyFiles,
}

impl InputError {
    fn read(path: &Path, error: io::Error) -> InputError {
        InputError::Read { path: path.to_owned(), error }
    }
}
