//! Slices of numbers, in memory or in a mapped file.

use super::map::MappedFile;
use std::fmt;
use std::ops::{Deref, Range};
use std::sync::Arc;

/// A number with the same representation in a file as in memory.
pub(crate) trait Element: Copy + Send + Sync + 'static {}
impl Element for u8 {}
impl Element for u16 {}
impl Element for u32 {}
impl Element for u64 {}

/// A slice of numbers.
#[derive(Clone)]
pub(crate) enum MappedSlice<T: Element> {
    /// In memory.
    Owned(Arc<[T]>),
    /// A byte range of a mapped file.
    Mapped(Arc<MappedFile>, Range<usize>),
}

impl<T: Element> From<Vec<T>> for MappedSlice<T> {
    fn from(numbers: Vec<T>) -> Self {
        MappedSlice::Owned(numbers.into())
    }
}

impl<T: Element> Deref for MappedSlice<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        match self {
            MappedSlice::Owned(numbers) => numbers,
            MappedSlice::Mapped(file, range) => file.numbers(range.clone()),
        }
    }
}

impl<T: Element> fmt::Debug for MappedSlice<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if matches!(self, MappedSlice::Owned(_)) { "memory" } else { "a file" };
        write!(f, "{} numbers in {place}", self.len())
    }
}
