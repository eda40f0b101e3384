//! Memory-mapped files: the only unsafe code of this crate.

#![allow(unsafe_code, reason = "there is no other way to read a file larger than memory as a slice")]

use super::mapped_slice::Element;
use crate::io::IoError;
use memmap2::Mmap;
use std::fs::File;
use std::ops::Range;
use std::path::Path;

/// A file mapped into memory, read-only.
#[derive(Debug)]
pub(crate) struct MappedFile(Mmap);

impl MappedFile {
    /// Maps a file.
    ///
    /// The caller must make sure that nothing modifies the file while it is mapped: a modification is undefined behaviour, and
    /// truncating it raises SIGBUS.
    pub(crate) fn open(path: &Path) -> Result<MappedFile, IoError> {
        let file = File::open(path).map_err(IoError::on("read", path))?;
        // SAFETY: the contract of `Mmap::map` is that nobody modifies the file while it is mapped; modification from outside is
        // undefined behaviour, and truncation raises SIGBUS. We keep our side: graphs are written to temporary files and renamed,
        // never changed in place, and the map is read-only. Other programs cannot be prevented from changing the file (docs/rank.md and
        // SECURITY say so). Every bit pattern is a valid number, and readers check numbers before they use them as indices, which
        // limits the damage but does not remove the undefined behaviour.
        let map = unsafe { Mmap::map(&file) }.map_err(IoError::on("map", path))?;
        Ok(MappedFile(map))
    }

    /// The whole file.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// A byte range as numbers. Bytes before the first aligned number and after the last complete one are dropped.
    #[inline]
    pub(crate) fn numbers<T: Element>(&self, range: Range<usize>) -> &[T] {
        let bytes = self.0.get(range).unwrap_or_default();
        // SAFETY: `Element` is implemented for unsigned integers only, for which every bit pattern is valid.
        let (_, numbers, _) = unsafe { bytes.align_to::<T>() };
        numbers
    }
}
