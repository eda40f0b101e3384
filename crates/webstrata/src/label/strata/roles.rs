//! What a block is, as far as names and its own text tell; the rest is told by markup and links.

use super::names::Says;
use super::rows::Rows;
use crate::block::Blocks;
use crate::label::Role;

/// Longer lines are no lines of author and date.
const BYLINE_WORDS: u32 = 25;

/// Longer text is no notice of rights.
const LEGAL_WORDS: u32 = 60;

/// The role of a block, where it can be told.
pub(super) fn told(rows: &Rows<'_>, block: usize, content: bool) -> Option<Role> {
    let blocks = rows.blocks;
    let says = rows.says(block);
    let words = blocks.records()[block].counts.words;
    let dated = || rows.aggregates.letters[block].dates > 0.0;
    if says.has(Says::COMMENTS) {
        Some(Role::Comment)
    } else if !content && says.has(Says::ADVERTISEMENT) {
        Some(Role::Advertisement)
    } else if says.has(Says::BYLINE) && words <= BYLINE_WORDS && (words <= 8 || dated()) {
        Some(Role::Byline)
    } else if content {
        None
    } else if words <= LEGAL_WORDS && (says.has(Says::LEGAL) || has_copyright_sign(blocks, block)) {
        Some(Role::Legal)
    } else if says.has(Says::RELATED) {
        Some(Role::Related)
    } else if says.has(Says::FOOTER) {
        Some(Role::Footer)
    } else {
        None
    }
}

fn has_copyright_sign(blocks: Blocks<'_>, block: usize) -> bool {
    blocks.runs_of(block).iter().any(|&run| {
        let source = blocks.dom().span_of(Blocks::run_node(run)).slice(blocks.dom().source()).as_bytes();
        let sign = "©".as_bytes();
        memchr::memchr2_iter(b'&', sign[0], source).any(|at| source[at..].starts_with(sign) || source[at..].starts_with(b"&copy;"))
    })
}
