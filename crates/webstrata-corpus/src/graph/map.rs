//! A file mapped into memory: the only place of this crate that the compiler cannot check.

#![allow(unsafe_code, reason = "a file that is larger than memory can be read as a slice in no other way")]

use super::mapped_slice::Element;
use crate::store::StoreError;
use memmap2::Mmap;
use std::fs::File;
use std::ops::Range;
use std::path::Path;

/// A file that is mapped into memory.
#[derive(Debug)]
pub struct MappedFile(Mmap);

impl MappedFile {
    /// Maps a file.
    pub(crate) fn open(path: &Path) -> Result<MappedFile, StoreError> {
        let file = File::open(path).map_err(StoreError::io("read", path))?;
        // SAFETY: the map is read only, and every bit pattern is a number. Graphs are written under another name and renamed, so
        // no program of ours changes a file that is mapped; who does so from outside gets other numbers, each of which the readers
        // look at before they use it as a place, or, by cutting the file, the end of the process.
        let map = unsafe { Mmap::map(&file) }.map_err(StoreError::io("map", path))?;
        Ok(MappedFile(map))
    }

    /// All of it.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// A range of bytes as numbers; those that are not whole or do not begin where such a number can are left out.
    #[inline]
    pub(crate) fn numbers<T: Element>(&self, range: Range<usize>) -> &[T] {
        let bytes = self.0.get(range).unwrap_or_default();
        // SAFETY: `Element` is implemented for unsigned integers only: any bytes are some number, and none is dropped.
        let (_, numbers, _) = unsafe { bytes.align_to::<T>() };
        numbers
    }
}
