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
    let counts = blocks.records()[block].counts;
    let dated = rows.ground.letters[block].dates > 0.0;
    let table = [
        (says.has(Says::COMMENTS), Role::Comment),
        (!content && says.has(Says::ADVERTISEMENT), Role::Advertisement),
        (says.has(Says::BYLINE) && counts.words <= BYLINE_WORDS && (dated || counts.words <= 8), Role::Byline),
        (!content && says.has(Says::LEGAL) && counts.words <= LEGAL_WORDS, Role::Legal),
        (!content && has_copyright_sign(blocks, block) && counts.words <= LEGAL_WORDS, Role::Legal),
        (!content && says.has(Says::RELATED), Role::Related),
        (!content && says.has(Says::FOOTER), Role::Footer),
    ];
    table.into_iter().find(|(holds, _)| *holds).map(|(_, role)| role)
}

fn has_copyright_sign(blocks: Blocks<'_>, block: usize) -> bool {
    blocks.runs_of(block).iter().any(|&run| {
        let source = blocks.dom().span_of(Blocks::run_node(run)).slice(blocks.dom().source());
        source.contains('©') || source.contains("&copy;")
    })
}
