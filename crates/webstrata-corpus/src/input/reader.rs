//! Reads the files of an input one after another.

use super::decompress::{Location, Stream};
use super::files::{self, Finder, Found, Kind};
use super::jsonl::JsonLines;
use super::page_file::{PageFile, describe, page};
use super::parquet::{self, ParquetReader};
use super::warc::Warc;
use super::{Broken, Entry, Failure, Fingerprint, InputError, InputOptions, Item, Position, Reason, Skipped, Sources};
use crate::document::{Document, Origin};
use crate::executor::{self, panic_guard};
use std::fs::{self, File};
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Pages, one after another.
#[derive(Debug)]
pub struct Input {
    files: Files,
    options: InputOptions,
    total_bytes: u64,
    /// Bytes of the files that are finished.
    finished_bytes: u64,
    /// The index of the file that is being read, or of the next one.
    number: usize,
    current: Option<Arc<Found>>,
    reader: Option<Reader>,
    /// Standard input, and its file if it is one.
    stdin: Option<(Stream, Option<File>)>,
    is_single_page: bool,
    skipped: SkipCounter,
    failed: bool,
}

/// Counts the records of an input that are skipped because they are not pages.
#[derive(Clone, Debug, Default)]
pub struct SkipCounter(Arc<Mutex<Skipped>>);

impl SkipCounter {
    /// The counts so far.
    #[must_use]
    pub fn get(&self) -> Skipped {
        *self.lock()
    }

    /// Counts a page that is on the caller's list.
    pub(crate) fn count_listed(&self) {
        self.lock().listed += 1;
    }

    fn lock(&self) -> MutexGuard<'_, Skipped> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The files of an input.
#[derive(Debug)]
enum Files {
    /// All of them, for inputs that can be resumed.
    Listed(Vec<Arc<Found>>),
    /// Found while reading.
    Found(Box<Finder>),
}

/// An open file of many pages.
#[derive(Debug)]
enum Reader {
    Warc(Box<Warc>),
    JsonLines(Box<JsonLines>),
    Parquet(Box<ParquetReader>),
}

impl Reader {
    fn stream(&self) -> Option<&Stream> {
        match self {
            Reader::Warc(warc) => Some(warc.stream()),
            Reader::JsonLines(lines) => Some(lines.stream()),
            Reader::Parquet(_) => None,
        }
    }

    fn next(&mut self, options: &InputOptions) -> io::Result<Option<Item>> {
        match self {
            Reader::Warc(warc) => warc.next(options),
            Reader::JsonLines(lines) => lines.next(options),
            Reader::Parquet(rows) => rows.next(options),
        }
    }
}

impl Input {
    /// Opens files and folders, and lists all files now. Such an input has a [`Fingerprint`] and can be resumed.
    ///
    /// # Errors
    /// When a file does not exist or a Parquet file has no column of pages.
    pub fn open(paths: &[PathBuf], options: &InputOptions) -> Result<Input, InputError> {
        Input::list(&Sources::new(paths)?, options)
    }

    /// Like [`Input::open`], for any sources.
    ///
    /// # Errors
    /// Same as for [`Input::open`].
    pub fn list(sources: &Sources, options: &InputOptions) -> Result<Input, InputError> {
        let mut files = Vec::new();
        let mut total_bytes = 0;
        let mut input = Input::new(Files::Listed(Vec::new()), options);
        for mut found in sources.find(options)? {
            if found.is_stdin() {
                open_stdin(&mut input.stdin, &mut found).map_err(|error| InputError::read(&found.path, error))?;
            } else if found.failure.is_none() {
                found.bytes = fs::metadata(&found.path).map_err(|error| InputError::read(&found.path, error))?.len();
                if found.kind == Kind::Parquet {
                    parquet::check(&found.path, options)?;
                }
            }
            total_bytes += found.bytes;
            files.push(Arc::new(found));
        }
        if u32::try_from(files.len()).is_err() {
            return Err(InputError::TooManyFiles);
        }
        (input.files, input.total_bytes) = (Files::Listed(files), total_bytes);
        Ok(input)
    }

    /// Opens sources whose files are found while reading, in memory that does not depend on their number.
    ///
    /// # Errors
    /// When a list of files or standard input cannot be read.
    pub fn stream(sources: Sources, options: &InputOptions) -> Result<Input, InputError> {
        let mut finder = sources.find(options)?;
        let mut input = Input::new(Files::Listed(Vec::new()), options);
        if sources.only_file().is_some()
            && let Some(mut only) = finder.next()
        {
            if only.is_stdin() {
                open_stdin(&mut input.stdin, &mut only).map_err(|error| InputError::read(&only.path, error))?;
            }
            input.is_single_page = only.kind == Kind::Page;
            input.current = Some(Arc::new(only));
        }
        input.files = Files::Found(Box::new(finder));
        Ok(input)
    }

    fn new(files: Files, options: &InputOptions) -> Input {
        Input {
            files,
            options: options.clone(),
            total_bytes: 0,
            finished_bytes: 0,
            number: 0,
            current: None,
            reader: None,
            stdin: None,
            is_single_page: false,
            skipped: SkipCounter::default(),
            failed: false,
        }
    }

    /// Whether the input is a single page by construction: one file or standard input, without a list.
    #[must_use]
    pub fn is_single_page(&self) -> bool {
        self.is_single_page
    }

    /// Bytes of all listed files as stored.
    #[must_use]
    pub fn total_bytes(&self) -> u64 {
        self.total_bytes
    }

    /// Bytes of the files read so far.
    #[must_use]
    pub fn read_bytes(&self) -> u64 {
        let here = match &self.reader {
            None => 0,
            Some(Reader::Parquet(rows)) => rows.read_bytes(),
            Some(reader) => reader.stream().map_or(0, Stream::position),
        };
        self.finished_bytes + here
    }

    /// The count of skipped records, which can still be read when the input has been handed over.
    #[must_use]
    pub fn skip_counter(&self) -> SkipCounter {
        self.skipped.clone()
    }

    /// The position after the last item.
    #[must_use]
    pub fn position(&self) -> Position {
        let (file, skipped) = (self.number as u32, self.skipped.get());
        let start = Position { file, skipped, ..Position::default() };
        match &self.reader {
            None => start,
            Some(Reader::Parquet(rows)) => Position { offset: rows.row(), ..start },
            Some(reader) => {
                let location = reader.stream().map(|stream| stream.location(0)).unwrap_or_default();
                let reread = reader.stream().map_or(0, Stream::reread);
                Position { offset: location.offset, inside: location.inside, reread, ..start }
            }
        }
    }

    /// Goes to a position that [`Input::position`] returned for the same files.
    ///
    /// # Errors
    /// When the position is not in this input, or the file cannot be read.
    pub fn seek(&mut self, to: &Position) -> Result<(), InputError> {
        let Files::Listed(files) = &self.files else { return Err(InputError::Position { file: to.file, files: 0 }) };
        let number = to.file as usize;
        let outside = || InputError::Position { file: to.file, files: files.len() };
        if number > files.len() || number == files.len() && to.offset > 0 {
            return Err(outside());
        }
        self.finished_bytes = files[..number].iter().map(|file| file.bytes).sum();
        let found = files.get(number).cloned();
        (self.number, self.reader, self.failed) = (number, None, false);
        *self.skipped.lock() = to.skipped;
        if to.offset == 0 && to.inside == 0 {
            return Ok(());
        }
        let Some(found) = found else { return Ok(()) };
        let fail = |error| InputError::read(&found.path, error);
        let location = Location { offset: to.offset, inside: to.inside };
        let mut reader = self.open_reader(&found).map_err(fail)?;
        match &mut reader {
            Some(Reader::Warc(warc)) => warc.stream_mut().seek(location, to.reread).map_err(fail)?,
            Some(Reader::JsonLines(lines)) => lines.stream_mut().seek(location, to.reread).map_err(fail)?,
            Some(Reader::Parquet(rows)) => rows.seek(to.offset),
            None => return Err(InputError::Position { file: to.file, files: number }),
        }
        self.reader = reader;
        Ok(())
    }

    /// Identifies the listed files by names, sizes and order.
    #[must_use]
    pub fn fingerprint(&self) -> Fingerprint {
        let files: &[Arc<Found>] = if let Files::Listed(files) = &self.files { files } else { &[] };
        let mut hash = xxhash_rust::xxh3::Xxh3::new();
        for file in files {
            let name = file.path.as_os_str().as_encoded_bytes();
            hash.update(&(name.len() as u64).to_le_bytes());
            hash.update(name);
            hash.update(&file.bytes.to_le_bytes());
        }
        Fingerprint { files: files.len() as u64, bytes: self.total_bytes, hash: hash.digest() }
    }

    /// The file that is being read, or the next one.
    fn current(&mut self) -> Option<Arc<Found>> {
        match &mut self.files {
            Files::Listed(files) => files.get(self.number).cloned(),
            Files::Found(finder) => {
                if self.current.is_none()
                    && let Some(mut found) = finder.next()
                {
                    if found.is_stdin()
                        && found.failure.is_none()
                        && let Err(error) = open_stdin(&mut self.stdin, &mut found)
                    {
                        found.failure = Some(Failure::new(Reason::Unreadable, describe("cannot be read", &error)));
                    }
                    self.current = Some(Arc::new(found));
                }
                self.current.clone()
            }
        }
    }

    fn finish_file(&mut self, found: &Found) {
        self.finished_bytes += found.bytes;
        self.number += 1;
        self.current = None;
        self.reader = None;
    }

    /// A reader for a file of many pages; `None` for a file that is one.
    fn open_reader(&mut self, found: &Found) -> io::Result<Option<Reader>> {
        let name = Arc::clone(&found.name);
        if found.kind == Kind::Page {
            return Ok(None);
        }
        let stdin = if found.is_stdin() { self.stdin.take() } else { None };
        if found.kind == Kind::Parquet {
            let file = match stdin {
                Some((_, Some(file))) => file,
                Some(_) => return Err(io::Error::other("Parquet cannot be read from a pipe; save it to a file")),
                None => File::open(&found.path)?,
            };
            return Ok(Some(Reader::Parquet(Box::new(ParquetReader::new(name, file, &self.options)))));
        }
        let stream = match stdin {
            Some((stream, _)) => stream,
            None => Stream::new(File::open(&found.path)?.into())?,
        };
        Ok(Some(match found.kind {
            Kind::Warc => Reader::Warc(Box::new(Warc::new(name, stream))),
            _ => Reader::JsonLines(Box::new(JsonLines::new(name, stream))),
        }))
    }

    /// Maximum size of a page in bytes.
    pub(crate) fn max_bytes(&self) -> usize {
        usize::try_from(self.options.max_bytes).unwrap_or(usize::MAX)
    }

    /// The page on standard input.
    fn stdin_page(&mut self, found: &Found) -> Item {
        let origin = Origin { file: Arc::clone(&found.name), offset: 0, inside: 0 };
        let limit = self.max_bytes().saturating_add(1);
        let bytes = match &mut self.stdin {
            Some((stream, _)) => page(stream, limit),
            None => Err(io::Error::other("standard input can be read only once")),
        };
        match bytes {
            Ok(Ok(bytes)) => Item::Document(Document { url: found.url.clone(), ..Document::new(origin, bytes) }),
            Ok(Err(message)) => broken_file(found, Failure::new(Reason::Damaged, message)),
            Err(error) => broken_file(found, Failure::new(Reason::Unreadable, describe("cannot be read", &error))),
        }
    }

    /// The next item. One-page files are not loaded yet.
    fn advance(&mut self) -> Result<Option<Item>, InputError> {
        while let Some(found) = self.current() {
            if let Some(failure) = &found.failure {
                self.finish_file(&found);
                return Ok(Some(broken_file(&found, failure.clone())));
            }
            if found.kind == Kind::Page {
                let item = if found.is_stdin() {
                    self.stdin_page(&found)
                } else {
                    let origin = Origin { file: Arc::clone(&found.name), offset: 0, inside: 0 };
                    Item::File(PageFile { path: found.path.clone(), url: found.url.clone(), origin })
                };
                self.finish_file(&found);
                return Ok(Some(item));
            }
            let item = panic_guard::catch(|| self.next_record(&found));
            if let Some(Reader::Warc(warc)) = &mut self.reader {
                self.skipped.lock().add(warc.take_skipped());
            }
            let failure = match item {
                Ok(Ok(Some(item))) => return Ok(Some(item)),
                Ok(Ok(None)) => None,
                // A run that can be resumed stops here, and continues once the disk works again.
                Ok(Err(error)) if matches!(self.files, Files::Listed(_)) => return Err(InputError::read(&found.path, error)),
                Ok(Err(error)) => Some(Failure::new(Reason::Unreadable, describe("cannot be read", &error))),
                Err(panic) => Some(Failure::new(Reason::Damaged, format!("its reader failed ({panic}); please report the file"))),
            };
            self.finish_file(&found);
            if let Some(failure) = failure {
                return Ok(Some(broken_file(&found, failure)));
            }
        }
        Ok(None)
    }

    /// Like [`Input::advance`]; nothing follows an error.
    fn checked_advance(&mut self) -> Option<Result<Item, InputError>> {
        if self.failed {
            return None;
        }
        let item = self.advance().transpose();
        self.failed = matches!(item, Some(Err(_)));
        item
    }

    fn next_record(&mut self, found: &Found) -> io::Result<Option<Item>> {
        if self.reader.is_none() {
            self.reader = self.open_reader(found)?;
        }
        self.reader.as_mut().map_or(Ok(None), |reader| reader.next(&self.options))
    }
}

/// Opens standard input and finds out what it contains.
fn open_stdin(stdin: &mut Option<(Stream, Option<File>)>, found: &mut Found) -> io::Result<()> {
    let (stream, kind, file) = files::stdin()?;
    found.kind = kind;
    *stdin = Some((stream, file));
    Ok(())
}

fn broken_file(found: &Found, failure: Failure) -> Item {
    let origin = Origin { file: Arc::clone(&found.name), offset: 0, inside: 0 };
    Item::Broken(Broken { origin, failure, whole_file: true })
}

impl Iterator for Input {
    type Item = Result<Item, InputError>;

    /// The next item, loaded.
    fn next(&mut self) -> Option<Self::Item> {
        let item = match self.checked_advance()? {
            Ok(item) => item,
            Err(error) => return Some(Err(error)),
        };
        let Item::File(file) = &item else { return Some(Ok(item)) };
        Some(Ok(match file.load(Vec::new(), self.max_bytes()) {
            Ok(document) => Item::Document(document),
            Err(failure) => Item::Broken(Broken { origin: file.origin.clone(), failure, whole_file: true }),
        }))
    }
}

impl executor::Source for Input {
    type Item = Entry;
    type Error = InputError;

    fn next(&mut self) -> Option<Result<Entry, InputError>> {
        let item = self.checked_advance()?;
        Some(item.map(|item| Entry { item, position: Input::position(self), read: self.read_bytes() }))
    }

    fn is_ready(&self) -> bool {
        match &self.files {
            Files::Listed(_) => true,
            Files::Found(finder) => self.reader.is_some() || finder.is_ready(),
        }
    }
}
