//! WordWrap: all text of the page wrapped after 80 characters, every line a segment. Baseline of the CIKM 2008 paper (5.1).

use super::{Cut, Segmentation, Segmenter};
use crate::block::Blocks;

/// Lines of a fixed width, tags ignored.
///
/// ```
/// use webstrata::{Page, block::GapModel, segment::{Segmenter, WordWrap}};
/// let page = Page::parse(b"<p>one two</p><p>three four</p>");
/// let lines = WordWrap { width: 13 }.segment(page.blocks_by(GapModel::Tags));
/// assert_eq!(lines.len(), 2); // "one two three", "four"
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WordWrap {
    /// Characters per line.
    pub width: u32,
}

impl Default for WordWrap {
    fn default() -> Self {
        WordWrap { width: 80 }
    }
}

impl Segmenter for WordWrap {
    fn name(&self) -> &'static str {
        "wordwrap"
    }

    fn segment(&self, blocks: Blocks<'_>) -> Segmentation {
        let mut cuts = Vec::new();
        let mut column = 0u32;
        for block in blocks {
            for (number, token) in block.tokens().iter().enumerate() {
                // The first word of a block is a new word, whatever separates it from the previous block.
                let gap = u32::from(column != 0 && (token.spaced || number == 0));
                if column != 0 && column + gap + token.columns > self.width {
                    let at = if number == 0 { 0 } else { token.spans.first().map_or(0, |span| span.start) };
                    cuts.push(Cut { block: block.index() as u32, at });
                    column = token.columns;
                } else {
                    column += gap + token.columns;
                }
            }
        }
        Segmentation::from_cuts(cuts, blocks.len())
    }
}
