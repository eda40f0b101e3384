//! The bytes of a page.

use super::Input;
use std::fs::File;
use std::io::{self, ErrorKind, Read};

/// Reads a page into `buffer`, at most one byte more than `cap`, so that the engine sees that it was cut.
/// The error says what happened, where, and what to do.
pub(crate) fn read(input: &Input, buffer: &mut Vec<u8>, cap: usize) -> Result<(), String> {
    buffer.clear();
    let most = cap.saturating_add(1);
    let done = if input.is_stdin() {
        fill(&mut io::stdin().lock(), buffer, most)
    } else {
        File::open(&input.name).and_then(|mut file| {
            let size = file.metadata().map_or(0, |found| found.len());
            // One byte more than the size: then the end of the file shows without another allocation.
            buffer.reserve(usize::try_from(size).unwrap_or(usize::MAX).saturating_add(1).min(most));
            fill(&mut file, buffer, most)
        })
    };
    let what = if buffer.is_empty() { "cannot read it".to_owned() } else { format!("cannot read it behind byte {}", buffer.len()) };
    done.map_err(|error| remedied(&what, &error))
}

/// Reads to the end or to `most` bytes.
fn fill(source: &mut impl Read, buffer: &mut Vec<u8>, most: usize) -> io::Result<()> {
    source.take(most as u64).read_to_end(buffer).map(drop)
}

/// What went wrong, and what to do about it.
pub(super) fn remedied(what: &str, error: &io::Error) -> String {
    let remedy = match error.kind() {
        ErrorKind::NotFound => "; check the name, which is relative to the current folder",
        ErrorKind::PermissionDenied => "; check who may read it",
        ErrorKind::IsADirectory => "; a folder is given as an argument, not in a list",
        _ => "",
    };
    format!("{what}: {error}{remedy}")
}
