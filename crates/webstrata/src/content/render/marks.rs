//! Which text nodes are content.

use crate::block::Blocks;
use crate::content::Content;
use std::borrow::Cow;

/// A heading has no more words than this.
const HEADING_WORDS: u32 = 60;

/// Text that is content.
pub(super) const CONTENT: u8 = 1;
/// Text that is not.
pub(super) const OTHER: u8 = 2;
/// White space parts it from the text before.
pub(super) const SPACED: u8 = 4;
/// It is the first of its block.
pub(super) const FIRST: u8 = 8;
/// Its block is too long for a heading.
pub(super) const LONG: u8 = 16;

/// What each text node is: content, other text, neither.
#[derive(Debug)]
pub(super) struct Marks(Vec<u8>);

impl Marks {
    pub(super) fn new(content: &Content<'_>) -> Self {
        let blocks = content.blocks();
        let mut marks = Marks(vec![0; blocks.dom().len()]);
        let mut kept = content.selection.blocks().peekable();
        for block in blocks.iter() {
            let kind = if kept.next_if_eq(&block.index()).is_some() { CONTENT } else { OTHER };
            let long = if block.counts().words > HEADING_WORDS { LONG } else { 0 };
            let (mut first, mut spaced) = (FIRST, 0);
            for &run in blocks.runs_of(block.index()) {
                let node = Blocks::run_node(run);
                spaced |= if Blocks::run_is_spaced(run) { SPACED } else { 0 };
                // What a rule left out leaves its space behind, and does not end the line.
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
        marks
    }

    pub(super) fn get(&self, id: u32) -> u8 {
        self.0.get(id as usize).copied().unwrap_or(0)
    }

    pub(super) fn is_content(&self, id: u32) -> bool {
        self.get(id) & CONTENT != 0
    }
}

/// Text without characters that show nothing and part no words. Joiners are spelling and stay.
pub(super) fn visible(text: &str) -> Cow<'_, str> {
    let unseen = ['\u{ad}', '\u{200b}', '\u{2060}', '\u{feff}'];
    if text.is_ascii() || !text.contains(unseen) { Cow::Borrowed(text) } else { Cow::Owned(text.replace(unseen, "")) }
}
