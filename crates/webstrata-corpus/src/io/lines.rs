//! Lines of a file, plain or compressed with gzip or Zstandard, in bounded memory.

use flate2::read::MultiGzDecoder;
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

const GZIP: &[u8] = &[0x1f, 0x8b];
const ZSTD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];
const BUFFER: usize = 1 << 16;
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Whether a line was read completely.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// The whole line.
    Complete,
    /// Only its beginning, because it is longer than the limit. The rest was skipped.
    TooLong,
}

/// Reads a file line by line.
///
/// ```
/// use webstrata_corpus::io::{Line, LineReader};
/// let mut lines = LineReader::new(&b"one\ntwo"[..], 100);
/// let mut text = Vec::new();
/// assert_eq!(lines.read(&mut text).unwrap(), Some(Line::Complete));
/// assert_eq!(text, b"one\n");
/// assert_eq!((lines.number(), lines.offset()), (1, 4));
/// lines.read(&mut text).unwrap();
/// assert_eq!(text, b"two");
/// assert_eq!(lines.read(&mut text).unwrap(), None);
/// ```
pub struct LineReader {
    input: BufReader<Box<dyn Read + Send>>,
    separator: u8,
    max_length: u64,
    compressed: bool,
    file_bytes: Arc<AtomicU64>,
    number: u64,
    offset: u64,
}

impl fmt::Debug for LineReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LineReader").field("number", &self.number).field("offset", &self.offset).finish_non_exhaustive()
    }
}

/// Counts the bytes read from a file, before decompression.
struct Counted<R> {
    inner: R,
    count: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(bytes)?;
        self.count.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

impl LineReader {
    /// Opens a file whose lines have at most `max_length` bytes. Compression is recognised by the first bytes.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn open(path: &Path, max_length: u64) -> io::Result<LineReader> {
        let mut file = File::open(path)?;
        let mut start = Vec::new();
        (&mut file).take(ZSTD.len() as u64).read_to_end(&mut start)?;
        let compression = [GZIP, ZSTD].into_iter().find(|magic| start.starts_with(magic));
        let count = Arc::default();
        let input = Counted { inner: Cursor::new(start).chain(file), count: Arc::clone(&count) };
        let input: Box<dyn Read + Send> = match compression {
            Some(GZIP) => Box::new(MultiGzDecoder::new(BufReader::with_capacity(BUFFER, input))),
            Some(_) => Box::new(zstd::Decoder::with_buffer(BufReader::with_capacity(BUFFER, input))?),
            None => Box::new(input),
        };
        let mut lines = LineReader::new(input, max_length);
        (lines.compressed, lines.file_bytes) = (compression.is_some(), count);
        Ok(lines)
    }

    /// Reads lines of plain text. Nothing is read before the first call of [`LineReader::read`].
    pub fn new(input: impl Read + Send + 'static, max_length: u64) -> LineReader {
        LineReader {
            input: BufReader::with_capacity(BUFFER, Box::new(input)),
            separator: b'\n',
            max_length,
            compressed: false,
            file_bytes: Arc::default(),
            number: 0,
            offset: 0,
        }
    }

    /// Changes the line separator.
    pub fn set_separator(&mut self, separator: u8) {
        self.separator = separator;
    }

    /// The number of the line that was read last, from 1.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Where the next line begins in the decompressed text.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Bytes read from the file, before decompression.
    #[must_use]
    pub fn file_bytes(&self) -> u64 {
        self.file_bytes.load(Ordering::Relaxed)
    }

    /// Whether the file is compressed.
    #[must_use]
    pub fn is_compressed(&self) -> bool {
        self.compressed
    }

    /// Whether the next line can be read without waiting for more input.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        self.input.buffer().contains(&self.separator)
    }

    /// Returns the buffered bytes, filling the buffer if it is empty.
    ///
    /// # Errors
    /// If the file cannot be read or decompressed.
    pub fn peek(&mut self) -> io::Result<&[u8]> {
        self.input.fill_buf()
    }

    /// Reads the next line with its separator. Returns `None` at the end of the file.
    ///
    /// # Errors
    /// If the file cannot be read or decompressed.
    pub fn read(&mut self, line: &mut Vec<u8>) -> io::Result<Option<Line>> {
        line.clear();
        let read = (&mut self.input).take(self.max_length).read_until(self.separator, line)? as u64;
        if read == 0 {
            return Ok(None);
        }
        self.number += 1;
        self.offset += read;
        if read < self.max_length || line.last() == Some(&self.separator) {
            return Ok(Some(Line::Complete));
        }
        self.offset += self.skip_line()?;
        Ok(Some(Line::TooLong))
    }

    /// Reads the next line without its separator, carriage return and byte order mark.
    ///
    /// # Errors
    /// Same as for [`LineReader::read`].
    pub fn read_trimmed(&mut self, line: &mut Vec<u8>) -> io::Result<Option<Line>> {
        let read = self.read(line)?;
        if line.last() == Some(&self.separator) {
            line.pop();
            if self.separator == b'\n' && line.last() == Some(&b'\r') {
                line.pop();
            }
        } else if read == Some(Line::Complete) && self.separator == b'\n' && line.last() == Some(&b'\r') {
            line.pop();
        }
        if self.number == 1 && line.starts_with(BYTE_ORDER_MARK) {
            line.drain(..BYTE_ORDER_MARK.len());
        }
        Ok(read)
    }

    /// Skips the rest of a line and returns its length.
    fn skip_line(&mut self) -> io::Result<u64> {
        let mut skipped = 0;
        loop {
            let buffer = match self.input.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let end = buffer.iter().position(|&byte| byte == self.separator);
            let step = end.map_or(buffer.len(), |end| end + 1);
            self.input.consume(step);
            skipped += step as u64;
            if end.is_some() || step == 0 {
                return Ok(skipped);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn all(mut lines: LineReader) -> Vec<(String, Line, u64)> {
        let mut line = Vec::new();
        let mut found = Vec::new();
        while let Some(read) = lines.read_trimmed(&mut line).unwrap() {
            found.push((String::from_utf8(line.clone()).unwrap(), read, lines.offset()));
        }
        found
    }

    #[test]
    fn every_compression_gives_the_same_lines() {
        let text = b"\xef\xbb\xbfone\r\n\ntwo three\nlast".as_slice();
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(&text[..9]).unwrap();
        let mut gzip = gzip.finish().unwrap();
        let mut second = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        second.write_all(&text[9..]).unwrap();
        gzip.extend(second.finish().unwrap());
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lines");
        for (bytes, compressed) in [(text.to_vec(), false), (gzip, true), (zstd::encode_all(text, 1).unwrap(), true)] {
            std::fs::write(&path, &bytes).unwrap();
            let lines = LineReader::open(&path, 100).unwrap();
            assert_eq!(lines.is_compressed(), compressed);
            let count = Arc::clone(&lines.file_bytes);
            let found: Vec<String> = all(lines).into_iter().map(|(line, ..)| line).collect();
            assert_eq!(found, ["one", "", "two three", "last"]);
            assert_eq!(count.load(Ordering::Relaxed), bytes.len() as u64);
        }
        std::fs::write(&path, "").unwrap();
        assert_eq!(all(LineReader::open(&path, 100).unwrap()), []);
    }

    #[test]
    fn long_lines_are_truncated_and_skipped() {
        let text = format!("{}\nabcd\n{}", "x".repeat(200_000), "y".repeat(9));
        let found = all(LineReader::new(Cursor::new(text), 5));
        let want = [("xxxxx", Line::TooLong, 200_001), ("abcd", Line::Complete, 200_006), ("yyyyy", Line::TooLong, 200_015)];
        assert_eq!(found, want.map(|(line, read, offset)| (line.to_owned(), read, offset)));
    }

    #[test]
    fn a_truncated_file_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lines");
        let whole = zstd::encode_all(&b"one\ntwo\n".repeat(1000)[..], 1).unwrap();
        std::fs::write(&path, &whole[..whole.len() - 3]).unwrap();
        let mut lines = LineReader::open(&path, 100).unwrap();
        let mut line = Vec::new();
        let end = std::iter::from_fn(|| Some(lines.read(&mut line))).find(|read| !matches!(read, Ok(Some(_)))).unwrap();
        assert_eq!(end.unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
    }
}
