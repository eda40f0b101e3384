//! Tables of numbers that are in memory, or in a file that is mapped into it.

use super::map::Mapped;
use std::fmt;
use std::ops::{Deref, Range};
use std::sync::Arc;

/// Numbers that a file can hold as they are in memory.
pub(crate) trait Word: Copy + Send + Sync + 'static {}
impl Word for u8 {}
impl Word for u16 {}
impl Word for u32 {}
impl Word for u64 {}

/// A table of numbers.
#[derive(Clone)]
pub(crate) enum Words<T: Word> {
    /// In memory.
    Owned(Arc<[T]>),
    /// A range of bytes of a file.
    Mapped(Arc<Mapped>, Range<usize>),
}

impl<T: Word> From<Vec<T>> for Words<T> {
    fn from(numbers: Vec<T>) -> Self {
        Words::Owned(numbers.into())
    }
}

impl<T: Word> Deref for Words<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        match self {
            Words::Owned(numbers) => numbers,
            Words::Mapped(file, range) => file.numbers(range.clone()),
        }
    }
}

impl<T: Word> fmt::Debug for Words<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if matches!(self, Words::Owned(_)) { "memory" } else { "a file" };
        write!(f, "{} numbers in {place}", self.len())
    }
}
