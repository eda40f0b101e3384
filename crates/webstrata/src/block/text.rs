//! A block's text, assembled from its runs on demand.

use super::{Block, Blocks};
use crate::html::Folded;

impl Block<'_> {
    /// The block's text, with character references decoded and white space collapsed.
    #[must_use]
    pub fn text(self) -> String {
        let mut folded = Folded::default();
        self.blocks.fold_into(self.index, &mut folded);
        folded.text
    }
}

impl Blocks<'_> {
    /// Appends the text of block `index` to `folded`.
    pub(crate) fn fold_into(self, index: usize, folded: &mut Folded) {
        for (k, &run) in self.runs_of(index).iter().enumerate() {
            if k > 0 && Blocks::run_is_spaced(run) {
                folded.space();
            }
            folded.push(&self.dom().run_text(Blocks::run_node(run)));
        }
    }
}
