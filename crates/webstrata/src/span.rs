//! Byte ranges into the UTF-8 source of a page, which trace every result to its source.

use std::fmt;
use std::ops::Range;

/// A half-open byte range `start..end` in the page's UTF-8 source.
///
/// Offsets are 32-bit: a page longer than [`crate::Limits::MAX_BYTES`] is truncated before it is parsed.
///
/// ```
/// use webstrata::Span;
/// let span = Span::new(2, 5);
/// assert_eq!(span.slice("a strata"), "str");
/// assert_eq!(span.len(), 3);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

impl Span {
    /// The range `start..end`.
    #[must_use]
    pub const fn new(start: u32, end: u32) -> Self {
        Span { start, end }
    }

    /// Number of bytes; 0 for a reversed range.
    #[must_use]
    pub const fn len(self) -> u32 {
        self.end.saturating_sub(self.start)
    }

    /// Whether the range is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.end <= self.start
    }

    /// The range as `usize`, for slicing.
    #[must_use]
    pub const fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The text of the range; empty if the range is not valid in `source`.
    #[must_use]
    pub fn slice(self, source: &str) -> &str {
        source.get(self.range()).unwrap_or("")
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}

/// Converts an offset to 32 bits. Sources are truncated to [`crate::Limits::MAX_BYTES`] first, so this never saturates.
#[inline]
pub(crate) fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// The last character boundary of `text` at or before `max`. (`str::floor_char_boundary` is newer than the minimum supported Rust version.)
pub(crate) fn floor_char_boundary(text: &str, max: usize) -> usize {
    if text.len() <= max {
        return text.len();
    }
    (0..=max).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}
