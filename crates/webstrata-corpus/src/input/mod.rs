//! Pages in: WARC files, folders, JSON Lines and Parquet, as one stream of documents in a fixed order.
//!
//! Every document knows where it was read from, and reading goes on at any place that was reached before. What is broken
//! is named with its place and passed over; only a file that cannot be read at all ends the stream. Memory is bounded by
//! [`InputOptions::max_record`] however much a record unpacks to.
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
//!         Item::Broken(broken) => unreachable!("{}: {}", broken.origin, broken.reason),
//!     }
//! }
//! # Ok(())
//! # }
//! ```

mod columns;
mod fields;
mod files;
mod html_file;
mod http;
mod lines;
mod list;
mod tape;
mod unpack;
mod warc;

pub use files::Source;
pub use list::read_list;

use crate::document::{Document, Origin};
use columns::Columns;
use files::{Found, Kind};
use lines::Lines;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tape::{Place, Tape};
use thiserror::Error;
use warc::Warc;

/// How pages are read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct InputOptions {
    /// Most bytes of a page, decoded. One that has more is cut there and says so.
    pub max_record: u64,
    /// The field of JSON Lines and Parquet that holds the page.
    pub html_column: String,
    /// The field that holds its address; it may be missing.
    pub url_column: String,
    /// The field that holds its date; it may be missing.
    pub date_column: String,
    /// Are answers with another status than 200 to 299 pages too?
    pub any_status: bool,
}

impl Default for InputOptions {
    fn default() -> Self {
        InputOptions {
            max_record: 32 << 20,
            html_column: "html".into(),
            url_column: "url".into(),
            date_column: "date".into(),
            any_status: false,
        }
    }
}

/// What comes out of the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// A page.
    Document(Document),
    /// Something that should have been one, and is passed over.
    Broken(Broken),
}

impl Item {
    /// Where it stands.
    #[must_use]
    pub fn origin(&self) -> &Origin {
        match self {
            Item::Document(document) => &document.origin,
            Item::Broken(broken) => &broken.origin,
        }
    }
}

/// A record that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// Where it begins.
    pub origin: Origin,
    /// What is wrong with it.
    pub reason: String,
}

/// A place behind an item, from which reading can go on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// The number of the file.
    pub file: u32,
    /// The byte of it (as it is stored) or the row that is next.
    pub offset: u64,
    /// The byte of what the member that begins there unpacks to.
    #[serde(default)]
    pub inside: u64,
    /// Bytes of the file that were read twice because of damage; the search for sound records depends on it.
    #[serde(default)]
    pub reread: u64,
}

/// What the input was, so that whoever goes on with a run notices that it is not the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fingerprint {
    /// Number of files.
    pub files: u64,
    /// Bytes of all files, as they are stored.
    pub bytes: u64,
    /// Hash of their names, sizes and order.
    pub hash: u64,
}

/// Why input cannot be read.
#[derive(Debug, Error)]
pub enum InputError {
    /// A file or folder is not there or cannot be read.
    #[error("cannot read {path}: {source}")]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A Parquet file has no column of pages.
    #[error("{path} has no column {column:?} of text or bytes; it has {there}; name the column of pages")]
    NoColumn {
        /// The file.
        path: PathBuf,
        /// The column that was asked for.
        column: String,
        /// Those that there are.
        there: String,
    },
    /// A line of a list of files is wrong.
    #[error("line {line} of the list {path}: {reason}")]
    List {
        /// The list.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What is wrong with it.
        reason: String,
    },
    /// A position that does not belong to this input.
    #[error("the position (file {file}) is not in this input of {files} files: the input was changed")]
    Position {
        /// The file of the position.
        file: u32,
        /// How many there are.
        files: usize,
    },
    /// More than 4 billion files.
    #[error("there are more than 4 billion files; split the input")]
    TooManyFiles,
}

impl InputError {
    fn read(path: &Path, source: io::Error) -> InputError {
        InputError::Read { path: path.to_owned(), source }
    }
}

/// Pages, one behind the other.
#[derive(Debug)]
pub struct Input {
    files: Vec<Found>,
    options: InputOptions,
    total_bytes: u64,
    /// Bytes of the files that are behind.
    bytes_behind: u64,
    /// The file that is read, or the next one.
    file: usize,
    reader: Option<Reader>,
    failed: bool,
}

/// A file that is being read.
#[derive(Debug)]
enum Reader {
    Warc(Box<Warc>),
    Lines(Box<Lines>),
    Columns(Box<Columns>),
}

impl Reader {
    fn tape(&self) -> Option<&Tape> {
        match self {
            Reader::Warc(warc) => Some(warc.tape()),
            Reader::Lines(lines) => Some(lines.tape()),
            Reader::Columns(_) => None,
        }
    }
}

impl Input {
    /// Opens files and folders. Folders are gone through to their depth, and what they hold is sorted by path.
    pub fn open(paths: &[PathBuf], options: &InputOptions) -> Result<Input, InputError> {
        let sources: Vec<Source> = paths.iter().map(Source::from).collect();
        Input::from_sources(&sources, options)
    }

    /// Opens files and folders of which more may be known.
    pub fn from_sources(sources: &[Source], options: &InputOptions) -> Result<Input, InputError> {
        let files = files::find(sources)?;
        for file in files.iter().filter(|file| file.kind == Kind::Parquet) {
            columns::check(&file.path, options)?;
        }
        let total_bytes = files.iter().map(|file| file.bytes).sum();
        Ok(Input { files, options: options.clone(), total_bytes, bytes_behind: 0, file: 0, reader: None, failed: false })
    }

    /// Bytes of all files, as they are stored.
    #[must_use]
    pub fn total_bytes(&self) -> u64 {
        self.total_bytes
    }

    /// Number of files.
    #[must_use]
    pub fn files(&self) -> usize {
        self.files.len()
    }

    /// Bytes of the files that were read so far.
    #[must_use]
    pub fn read_bytes(&self) -> u64 {
        let here = match &self.reader {
            None => 0,
            Some(Reader::Columns(columns)) => columns.read_bytes(),
            Some(reader) => reader.tape().map_or(0, Tape::position),
        };
        self.bytes_behind + here
    }

    /// The place behind the last item.
    #[must_use]
    pub fn position(&self) -> Position {
        let file = self.file as u32;
        match &self.reader {
            None => Position { file, ..Position::default() },
            Some(Reader::Columns(columns)) => Position { file, offset: columns.row(), ..Position::default() },
            Some(reader) => {
                let place = reader.tape().map(|tape| tape.place(0)).unwrap_or_default();
                let reread = reader.tape().map_or(0, Tape::reread);
                Position { file, offset: place.offset, inside: place.inside, reread }
            }
        }
    }

    /// Goes to a place that [`Input::position`] gave for the same files.
    pub fn seek(&mut self, to: &Position) -> Result<(), InputError> {
        let file = to.file as usize;
        if file > self.files.len() || file == self.files.len() && to.offset > 0 {
            return Err(InputError::Position { file: to.file, files: self.files.len() });
        }
        self.file = file;
        self.reader = None;
        self.failed = false;
        self.bytes_behind = self.files[..file].iter().map(|file| file.bytes).sum();
        if to.offset == 0 && to.inside == 0 {
            return Ok(());
        }
        let found = &self.files[file];
        let place = Place { offset: to.offset, inside: to.inside };
        let fail = |error| InputError::read(&found.path, error);
        let mut reader = self.reader_of(found)?;
        match &mut reader {
            Some(Reader::Warc(warc)) => warc.tape_mut().seek(place, to.reread).map_err(fail)?,
            Some(Reader::Lines(lines)) => lines.tape_mut().seek(place, to.reread).map_err(fail)?,
            Some(Reader::Columns(columns)) => columns.seek(to.offset),
            None => return Err(InputError::Position { file: to.file, files: self.files.len() }),
        }
        self.reader = reader;
        Ok(())
    }

    /// What the input is: names, sizes and order of its files.
    #[must_use]
    pub fn fingerprint(&self) -> Fingerprint {
        let mut hash = xxhash_rust::xxh3::Xxh3::new();
        for file in &self.files {
            let name = file.path.as_os_str().as_encoded_bytes();
            hash.update(&(name.len() as u64).to_le_bytes());
            hash.update(name);
            hash.update(&file.bytes.to_le_bytes());
        }
        Fingerprint { files: self.files.len() as u64, bytes: self.total_bytes, hash: hash.digest() }
    }

    /// A reader for a file of many pages; nothing for a file that is one.
    fn reader_of(&self, found: &Found) -> Result<Option<Reader>, InputError> {
        let fail = |error| InputError::read(&found.path, error);
        let open = || File::open(&found.path).map_err(fail);
        let name = Arc::clone(&found.name);
        Ok(Some(match found.kind {
            Kind::Html => return Ok(None),
            Kind::Warc => Reader::Warc(Box::new(Warc::new(name, open()?).map_err(fail)?)),
            Kind::Lines => Reader::Lines(Box::new(Lines::new(name, open()?).map_err(fail)?)),
            Kind::Parquet => Reader::Columns(Box::new(Columns::new(name, open()?, &self.options))),
        }))
    }

    fn advance(&mut self) -> Result<Option<Item>, InputError> {
        while let Some(found) = self.files.get(self.file) {
            let fail = |error| InputError::read(&found.path, error);
            if found.kind == Kind::Html {
                let file = File::open(&found.path).map_err(fail)?;
                let item = html_file::read(Arc::clone(&found.name), found.url.clone(), file, &self.options).map_err(fail)?;
                self.bytes_behind += found.bytes;
                self.file += 1;
                return Ok(Some(item));
            }
            if self.reader.is_none() {
                self.reader = self.reader_of(found)?;
            }
            let item = match &mut self.reader {
                Some(Reader::Warc(warc)) => warc.next(&self.options).map_err(fail)?,
                Some(Reader::Lines(lines)) => lines.next(&self.options).map_err(fail)?,
                Some(Reader::Columns(columns)) => columns.next(&self.options).map_err(fail)?,
                None => None,
            };
            if item.is_some() {
                return Ok(item);
            }
            self.bytes_behind += found.bytes;
            self.file += 1;
            self.reader = None;
        }
        Ok(None)
    }
}

impl Iterator for Input {
    type Item = Result<Item, InputError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let item = self.advance().transpose();
        self.failed = matches!(item, Some(Err(_)));
        item
    }
}
