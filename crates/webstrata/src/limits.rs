//! Caps on what one page may cost, and the record of what was cut or mended.

use crate::html::Tag;
use crate::options::setters;
use std::fmt;

/// Caps on one page. A page that hits one is cut there, keeps what it has, and says so in its problems.
///
/// The defaults are far above what real pages need (among 5,248 pages measured the largest has 5.3 MB,
/// the one with most nodes 15,832, the deepest a depth of 56, and one tag 205 attributes).
///
/// ```
/// use webstrata::{Limits, Page, PageOptions, Problem};
/// let options = PageOptions::default().limits(Limits::default().bytes(20));
/// let page = Page::parse_with(b"<p>one two three four five six", &options);
/// assert!(matches!(page.problems()[0], Problem::BytesCut { at: 20 }));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Longest source in bytes of UTF-8; the rest is not looked at. At most [`Limits::MAX_BYTES`].
    pub bytes: usize,
    /// Deepest nesting of open elements. Deeper elements and their text are attached at the cap.
    pub depth: u16,
    /// Most nodes in the tree; the page ends where the cap is met.
    pub nodes: u32,
    /// Most attributes kept of one tag.
    pub attributes: u32,
}

setters! { Limits { bytes: usize, depth: u16, nodes: u32, attributes: u32 } }

impl Limits {
    /// No source may be longer: offsets are 32-bit.
    pub const MAX_BYTES: usize = u32::MAX as usize - 1;
    /// No node cap may be higher: two bits of a node's number are used otherwise.
    pub const MAX_NODES: u32 = (1 << 30) - 1;
    /// No depth cap may be higher: stack positions are 16-bit.
    pub const MAX_DEPTH: u16 = 16_000;
}

impl Default for Limits {
    fn default() -> Self {
        Limits { bytes: 256 << 20, depth: 1024, nodes: 1_000_000, attributes: 1024 }
    }
}

/// Something about a page that a careful reader should know: a cap that was hit, a repair that was made.
///
/// ```
/// use webstrata::Page;
/// let page = Page::parse(b"<title>No end<p>but a text");
/// assert_eq!(page.problems()[0].to_string(), "<title> has no end tag and was ended at byte 13");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Problem {
    /// The source was longer than the cap; what follows `at` was not read.
    BytesCut {
        /// Where the source was cut.
        at: u32,
    },
    /// Elements were nested deeper than the cap; they were attached at the cap.
    DepthCut {
        /// Start tag of the first element that was too deep.
        at: u32,
    },
    /// The tree reached its cap of nodes; the page ends here.
    NodesCut {
        /// Where the tree ends.
        at: u32,
    },
    /// A tag had more attributes than the cap; the others were dropped.
    AttributesCut {
        /// The tag.
        at: u32,
    },
    /// A raw-text element (`<title>`, `<textarea>`, `<style>` …) had no end tag and would have
    /// swallowed the rest of the page; it was ended where markup goes on.
    RawTextRepaired {
        /// Which element.
        tag: Tag,
        /// Where it was ended.
        at: u32,
    },
    /// Formatting elements were to be reopened more often than the page has tags (a hostile page); reopening stopped.
    ReopeningStopped {
        /// Where.
        at: u32,
    },
    /// Bytes that the encoding does not know were replaced by U+FFFD.
    BytesReplaced,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::BytesCut { at } => write!(f, "page cut at byte {at}: longer than the byte cap"),
            Problem::DepthCut { at } => {
                write!(f, "elements from byte {at} on are nested deeper than the depth cap and were attached there")
            }
            Problem::NodesCut { at } => write!(f, "page cut at byte {at}: the tree reached its node cap"),
            Problem::AttributesCut { at } => write!(f, "tag at byte {at} has more attributes than the cap; the rest was dropped"),
            Problem::RawTextRepaired { tag, at } => write!(f, "<{}> has no end tag and was ended at byte {at}", tag.name()),
            Problem::ReopeningStopped { at } => write!(f, "formatting elements are reopened too often; stopped at byte {at}"),
            Problem::BytesReplaced => f.write_str("malformed bytes were replaced by U+FFFD"),
        }
    }
}
