//! Content as plain text: a line for each block.

use super::Content;
use crate::block::Joint;
use crate::html::Folded;

impl Content<'_> {
    /// The content as plain text: one line a block, white space folded, character references decoded.
    #[must_use]
    pub fn text(&self) -> String {
        let mut folded = Folded::default();
        let mut last: Option<usize> = None;
        for number in self.labels.content() {
            let Some(block) = self.blocks().get(number) else { continue };
            if let Some(last) = last {
                match block.joint() {
                    Joint::Word if last + 1 == number => {}
                    Joint::Space if last + 1 == number => folded.space(),
                    _ => folded.line(),
                }
            }
            last = Some(number);
            self.blocks().fold_into(number, &mut folded);
        }
        folded.text
    }
}
