//! Flags that record which text nodes are content.

use crate::block::Blocks;
use crate::content::Content;
use crate::html::{Tag, flag};
use std::borrow::Cow;

/// Maximum number of words in a heading.
const MAX_HEADING_WORDS: u32 = 60;

/// The text is content.
pub(super) const CONTENT: u8 = 1;
/// The text is not content.
pub(super) const OTHER: u8 = 2;
/// White space separates the run from the previous text.
pub(super) const SPACED: u8 = 4;
/// The run is the first of its block.
pub(super) const FIRST: u8 = 8;
/// The block of the run is too long for a heading.
pub(super) const LONG: u8 = 16;

/// A symbol in a table that belongs to no block. It starts a line only if the previous line has ended.
pub(super) const SYMBOL: u8 = 32;

/// The flags of each text node.
#[derive(Debug)]
pub(super) struct Marks(Vec<u8>);

impl Marks {
    /// Computes the flags. With `pictures`, captions and credits are content.
    pub(super) fn new(content: &Content<'_>, pictures: bool) -> Self {
        let blocks = content.blocks();
        let mut marks = Marks(vec![0; blocks.dom().len()]);
        let mut kept = content.selection.blocks().peekable();
        for block in blocks {
            let keeps = kept.next_if_eq(&block.index()).is_some();
            let keeps = keeps || (pictures && content.selection.keeps_with_pictures(block.index()));
            let kind = if keeps { CONTENT } else { OTHER };
            let long = if block.counts().words > MAX_HEADING_WORDS { LONG } else { 0 };
            let (mut first, mut spaced) = (FIRST, 0);
            for &run in blocks.runs_of(block.index()) {
                let node = Blocks::run_node(run);
                // A duplicate of a formula leaves nothing behind.
                if content.selection.formulas.is_copy(node) {
                    continue;
                }
                spaced |= if Blocks::run_is_spaced(run) { SPACED } else { 0 };
                // Text excluded by a rule leaves a space and does not end the line.
                if kind == CONTENT && content.selection.leaves_out(node) {
                    spaced = SPACED;
                    continue;
                }
                if let Some(mark) = marks.0.get_mut(node as usize) {
                    *mark = kind | long | spaced | first;
                }
                (first, spaced) = (0, 0);
            }
        }
        for &node in content.selection.signs() {
            // No-break spaces between symbols are separate text nodes.
            let dom = blocks.dom();
            let text_before = (node.saturating_sub(4)..node).rev().find(|&id| dom.record(id).tag == Tag::TEXT);
            let space_before = text_before.is_some_and(|id| dom.run_text(id).ends_with(char::is_whitespace));
            let spaced = if space_before || dom.record(node).flags & flag::SPACE_BEFORE != 0 { SPACED } else { 0 };
            if let Some(mark) = marks.0.get_mut(node as usize) {
                *mark = CONTENT | SYMBOL | spaced;
            }
        }
        marks
    }

    pub(super) fn get(&self, id: u32) -> u8 {
        self.0.get(id as usize).copied().unwrap_or(0)
    }

    /// For each element, given in document order as its first node and end: whether it contains content.
    pub(super) fn with_content(&self, elements: impl DoubleEndedIterator<Item = (u32, u32)>) -> Vec<bool> {
        let mut at = self.0.len();
        let mut next = usize::MAX; // the first content at or after `at`
        let mut found: Vec<bool> = Vec::new();
        for (start, end) in elements.rev() {
            while at > start as usize {
                at -= 1;
                next = if self.0[at] & CONTENT != 0 { at } else { next };
            }
            found.push(next < end as usize);
        }
        found.reverse();
        found
    }

    /// The first text node that is content.
    pub(super) fn first_content(&self) -> Option<u32> {
        self.0.iter().position(|mark| mark & CONTENT != 0).map(|at| at as u32)
    }

    pub(super) fn last_content(&self) -> Option<u32> {
        self.0.iter().rposition(|mark| mark & CONTENT != 0).map(|at| at as u32)
    }

    pub(super) fn is_content(&self, id: u32) -> bool {
        self.get(id) & CONTENT != 0
    }
}

/// Removes invisible characters that do not separate words. Joiners are part of the spelling and are kept.
pub(super) fn visible(text: &str) -> Cow<'_, str> {
    let invisible = ['\u{ad}', '\u{200b}', '\u{2060}', '\u{feff}'];
    // The first bytes of the invisible characters.
    let none = memchr::memchr3(0xc2, 0xe2, 0xef, text.as_bytes()).is_none();
    if none || !text.contains(invisible) { Cow::Borrowed(text) } else { Cow::Owned(text.replace(invisible, "")) }
}
