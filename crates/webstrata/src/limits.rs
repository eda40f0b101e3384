//! Resource limits for one page, and the record of what was truncated or repaired.

use crate::html::Tag;
use crate::options::setters;
use std::fmt;

/// Resource limits for one page. A page that reaches a limit is truncated there and reports it in its problems.
///
/// The defaults are far above what real pages need (the maxima among 5,248 pages measured are
/// 5.3 MB, 15,832 nodes, a depth of 56, and 205 attributes on one tag).
///
/// ```
/// use webstrata::{Limits, Page, PageOptions, Problem};
/// let limits = Limits::default().bytes(20).depth(256).nodes(10_000).attributes(64);
/// let options = PageOptions::default().limits(limits);
/// let page = Page::parse_with(b"<p>one two three four five six", &options);
/// assert!(matches!(page.problems()[0], Problem::BytesCut { at: 20 }));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Limits {
    /// Maximum source size in bytes of UTF-8; the rest is not read. At most [`Limits::MAX_BYTES`].
    pub bytes: usize,
    /// Maximum nesting of elements. Deeper elements and their text are attached at the limit.
    pub depth: u16,
    /// Maximum number of nodes in the tree; the page ends where it is reached.
    pub nodes: u32,
    /// Maximum number of attributes kept per tag.
    pub attributes: u32,
}

setters! { Limits { bytes: usize, depth: u16, nodes: u32, attributes: u32 } }

impl Limits {
    /// Upper bound on `bytes`: offsets are 32-bit.
    pub const MAX_BYTES: usize = u32::MAX as usize - 1;
    /// Upper bound on `nodes`: two bits of a node's number have other uses.
    pub const MAX_NODES: u32 = (1 << 30) - 1;
    /// Upper bound on `depth`: stack positions are 16-bit.
    pub const MAX_DEPTH: u16 = 16_000;
}

impl Default for Limits {
    fn default() -> Self {
        Limits { bytes: 256 << 20, depth: 1024, nodes: 1_000_000, attributes: 1024 }
    }
}

/// A limit that was reached or a repair that was made.
///
/// ```
/// use webstrata::Page;
/// let page = Page::parse(b"<title>No end<p>but a text");
/// assert_eq!(page.problems()[0].to_string(), "<title> has no end tag and was closed at byte 13");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Problem {
    /// The source was longer than the limit; what follows `at` was not read.
    BytesCut {
        /// Where the source was truncated.
        at: u32,
    },
    /// Elements were nested deeper than the limit; they were attached at the limit.
    DepthCut {
        /// Start tag of the first element that was too deep.
        at: u32,
    },
    /// The tree reached its maximum number of nodes; the page ends here.
    NodesCut {
        /// Where the tree ends.
        at: u32,
    },
    /// A tag had more attributes than the limit; the rest were dropped.
    AttributesCut {
        /// The tag.
        at: u32,
    },
    /// A raw-text element (`<title>`, `<textarea>`, `<style>` …) had no end tag and would have
    /// swallowed the rest of the page; it was closed where markup resumes.
    RawTextRepaired {
        /// The element.
        tag: Tag,
        /// Where it was closed.
        at: u32,
    },
    /// Formatting elements would have been reopened more often than the page has tags (a hostile page); reopening stopped.
    ReopeningStopped {
        /// Where it stopped.
        at: u32,
    },
    /// Malformed bytes were replaced by U+FFFD.
    BytesReplaced,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::BytesCut { at } => write!(f, "page cut at byte {at}: longer than the byte limit"),
            Problem::DepthCut { at } => {
                write!(f, "elements from byte {at} on are nested deeper than the depth limit and were attached at that depth")
            }
            Problem::NodesCut { at } => write!(f, "page cut at byte {at}: the tree reached its node limit"),
            Problem::AttributesCut { at } => {
                write!(f, "tag at byte {at} has more attributes than the limit; the rest were dropped")
            }
            Problem::RawTextRepaired { tag, at } => write!(f, "<{}> has no end tag and was closed at byte {at}", tag.name()),
            Problem::ReopeningStopped { at } => write!(f, "formatting elements are reopened too often; stopped at byte {at}"),
            Problem::BytesReplaced => f.write_str("malformed bytes were replaced by U+FFFD"),
        }
    }
}
