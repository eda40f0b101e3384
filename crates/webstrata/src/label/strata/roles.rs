//! Roles of blocks, from the names of their elements and their own text. Captions, credits and bylines are found in the same way
//! for all methods (`label/attribution/`); all other roles follow from markup and links.

use super::block_rows::BlockRows;
use super::names::NameRoles;
use crate::block::{Block, Blocks};
use crate::label::Role;

/// Maximum length of a legal notice.
const MAX_LEGAL_WORDS: u32 = 60;

/// For each block: the roles that its names suggest. Its own role is found when it is needed; text does without it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BlockRoles(Vec<NameRoles>);

impl BlockRoles {
    pub(super) fn new(rows: &BlockRows<'_>) -> Self {
        BlockRoles((0..rows.aggregates.len()).map(|block| rows.name_roles(block)).collect())
    }

    /// The role of a block, given the verdict on it, if its names or text reveal one.
    pub(crate) fn of(&self, block: Block<'_>, content: bool) -> Option<Role> {
        let roles = *self.0.get(block.index())?;
        role_of(block.blocks(), block.index(), roles, content)
    }
}

fn role_of(blocks: Blocks<'_>, block: usize, roles: NameRoles, content: bool) -> Option<Role> {
    let words = blocks.records()[block].counts.words;
    if roles.intersects(NameRoles::COMMENTS) {
        Some(Role::Comment)
    } else if !content && roles.intersects(NameRoles::ADVERTISEMENT) {
        Some(Role::Advertisement)
    } else if content {
        None
    } else if words <= MAX_LEGAL_WORDS && (roles.intersects(NameRoles::LEGAL) || has_copyright_sign(blocks, block)) {
        Some(Role::Legal)
    } else if roles.intersects(NameRoles::RELATED) {
        Some(Role::Related)
    } else if roles.intersects(NameRoles::FOOTER) {
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
