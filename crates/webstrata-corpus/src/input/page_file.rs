//! A file that is one page, plain or compressed. It is loaded by the thread that processes it.

use super::codec::Codec;
use super::decompress::Stream;
use super::{Failure, Reason};
use crate::document::{Document, Origin};
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::PathBuf;

/// A file that is one page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageFile {
    /// The file.
    pub path: PathBuf,
    /// The address of the page, if it is known.
    pub url: Option<String>,
    pub(super) origin: Origin,
}

impl PageFile {
    /// Loads the page into `buffer`, at most one byte more than `max_bytes`, so that the page library notices the truncation.
    ///
    /// # Errors
    /// When the file cannot be read or decompressed.
    pub fn load(&self, mut buffer: Vec<u8>, max_bytes: usize) -> Result<Document, Failure> {
        let limit = max_bytes.saturating_add(1);
        buffer.clear();
        let unreadable = |error: io::Error| Failure::new(Reason::Unreadable, describe("cannot be read", &error));
        let mut file = File::open(&self.path).map_err(unreadable)?;
        let size = file.metadata().map_or(0, |metadata| metadata.len());
        // One byte more than the size, so that the end of the file is found without another allocation.
        buffer.reserve(usize::try_from(size).unwrap_or(usize::MAX).saturating_add(1).min(limit));
        (&mut file).take(limit as u64).read_to_end(&mut buffer).map_err(unreadable)?;
        if Codec::detect(&buffer) != Codec::Plain {
            buffer = decompress(file, limit)?;
        }
        let mut document = Document::new(self.origin.clone(), buffer);
        document.url.clone_from(&self.url);
        Ok(document)
    }
}

/// The first `limit` decompressed bytes of a file.
fn decompress(file: File, limit: usize) -> Result<Vec<u8>, Failure> {
    let unreadable = |error: io::Error| Failure::new(Reason::Unreadable, describe("cannot be read", &error));
    let mut stream = Stream::new(file.into()).map_err(unreadable)?;
    page(&mut stream, limit).map_err(unreadable)?.map_err(|message| Failure::new(Reason::Damaged, message))
}

/// The page in a stream: its first `limit` bytes, or a description of the damage.
pub(super) fn page(stream: &mut Stream, limit: usize) -> io::Result<Result<Vec<u8>, String>> {
    let available = stream.fill(limit)?.min(limit);
    Ok(match stream.damage() {
        Some(damage) if available < limit => Err(damage.to_string()),
        _ => Ok(stream.ahead()[..available].to_vec()),
    })
}

/// A message with what failed, the system's error, and a remedy.
pub(super) fn describe(what: &str, error: &io::Error) -> String {
    let remedy = match error.kind() {
        ErrorKind::NotFound => "; check the name, which is relative to the current folder",
        ErrorKind::PermissionDenied => "; check its permissions",
        ErrorKind::IsADirectory => "; give folders as arguments, not in a list",
        _ => "",
    };
    format!("{what}: {error}{remedy}")
}
