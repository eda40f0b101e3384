//! Lines of a file, plain or packed with gzip or Zstandard, with their numbers.

use super::super::error::GraphError;
use crate::store::StoreError;
use flate2::read::MultiGzDecoder;
use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Longest line: two addresses and more.
const MAX_LEN: u64 = 1 << 17;
const GZIP: &[u8] = &[0x1f, 0x8b];
const ZSTD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];

/// Counts the bytes that go through it.
struct Counted {
    file: File,
    count: Rc<Cell<u64>>,
}

impl Read for Counted {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(bytes)?;
        self.count.set(self.count.get() + read as u64);
        Ok(read)
    }
}

/// Reads lines.
pub(crate) struct Lines {
    path: PathBuf,
    input: Box<dyn BufRead>,
    packed: bool,
    /// Bytes of the file that were read.
    count: Rc<Cell<u64>>,
    pub(crate) line: u64,
    pub(crate) text: Vec<u8>,
}

impl Lines {
    pub(crate) fn open(path: &Path) -> Result<Lines, GraphError> {
        let file = File::open(path).map_err(StoreError::io("read", path))?;
        if file.metadata().is_ok_and(|data| data.is_dir()) {
            let error = io::Error::new(io::ErrorKind::IsADirectory, "it is a folder, and no run of `webstrata run` is in it");
            return Err(StoreError::io("read", path)(error).into());
        }
        let count = Rc::new(Cell::new(0));
        let mut input = BufReader::with_capacity(1 << 16, Counted { file, count: Rc::clone(&count) });
        let first = input.fill_buf().map_err(StoreError::io("read", path))?;
        let (packed, input): (bool, Box<dyn BufRead>) = if first.starts_with(GZIP) {
            (true, Box::new(BufReader::with_capacity(1 << 16, MultiGzDecoder::new(input))))
        } else if first.starts_with(ZSTD) {
            let decoder = zstd::stream::read::Decoder::with_buffer(input).map_err(StoreError::io("read", path))?;
            (true, Box::new(BufReader::with_capacity(1 << 16, decoder)))
        } else {
            (false, Box::new(input))
        };
        Ok(Lines { path: path.to_owned(), input, packed, count, line: 0, text: Vec::new() })
    }

    /// Bytes of the file that were read.
    pub(crate) fn bytes(&self) -> u64 {
        self.count.get()
    }

    /// The next line that is neither empty nor a comment, without its end, in `text`. False at the end.
    pub(crate) fn advance(&mut self) -> Result<bool, GraphError> {
        loop {
            self.text.clear();
            let read = (&mut self.input).take(MAX_LEN).read_until(b'\n', &mut self.text);
            match read {
                Ok(0) => return Ok(false),
                Ok(_) => {}
                Err(error) if self.packed => {
                    let reason =
                        if error.kind() == io::ErrorKind::UnexpectedEof { "it is cut off".into() } else { error.to_string() };
                    return Err(GraphError::Unpack { path: self.path.clone(), offset: self.count.get(), reason });
                }
                Err(error) => return Err(StoreError::io("read", &self.path)(error).into()),
            }
            self.line += 1;
            if self.text.last() == Some(&b'\n') {
                self.text.pop();
            } else if self.text.len() as u64 == MAX_LEN {
                return Err(self.wrong(format!("it is longer than {MAX_LEN} bytes; give one link a line")));
            }
            if self.text.last() == Some(&b'\r') {
                self.text.pop();
            }
            if self.line == 1 && self.text.starts_with(b"\xef\xbb\xbf") {
                self.text.drain(..3);
            }
            if !self.text.iter().all(u8::is_ascii_whitespace) && !self.text.starts_with(b"#") {
                return Ok(true);
            }
        }
    }

    /// Something is wrong with the line that was read last.
    pub(crate) fn wrong(&self, reason: impl Into<String>) -> GraphError {
        GraphError::Line { path: self.path.clone(), line: self.line, reason: reason.into() }
    }
}
