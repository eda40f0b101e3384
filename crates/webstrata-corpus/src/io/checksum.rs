//! A reader and writer that hashes the bytes that pass through it.

use std::fmt;
use std::io::{self, Read, Write};
use xxhash_rust::xxh3::Xxh3Default;

/// Computes the length and XXH3 hash of the bytes that are read or written.
///
/// ```
/// use std::io::Write;
/// use webstrata_corpus::io::Checksum;
/// let mut out = Checksum::new(Vec::new());
/// out.write_all(b"text").unwrap();
/// assert_eq!((out.bytes(), out.inner.as_slice()), (4, &b"text"[..]));
/// ```
pub struct Checksum<T> {
    /// The underlying reader or writer.
    pub inner: T,
    bytes: u64,
    hash: Box<Xxh3Default>,
}

impl<T> Checksum<T> {
    /// Wraps a reader or writer.
    pub fn new(inner: T) -> Checksum<T> {
        Checksum { inner, bytes: 0, hash: Box::default() }
    }

    /// Bytes so far.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// XXH3 of the bytes so far.
    #[must_use]
    pub fn digest(&self) -> u64 {
        self.hash.digest()
    }

    fn add(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        self.hash.update(bytes);
    }
}

impl<T: fmt::Debug> fmt::Debug for Checksum<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Checksum").field("inner", &self.inner).field("bytes", &self.bytes).finish_non_exhaustive()
    }
}

impl<W: Write> Write for Checksum<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.add(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl<R: Read> Read for Checksum<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(bytes)?;
        self.add(&bytes[..read]);
        Ok(read)
    }
}
