//! Content: what a reader of the page is after, made from labelled blocks.

mod text;

use crate::block::Blocks;
use crate::label::Labels;
use crate::span::Span;

/// The content of a page.
///
/// ```
/// use webstrata::{ExtractOptions, Page, label::Preset};
/// let page = Page::parse(b"<ul><li><a href=/>Home</a></ul><h1>Rain</h1><p>It has been raining in the valley for \
///     three days, and nobody there can remember when that last happened.</p>", &Default::default());
/// let content = page.extract(&ExtractOptions { preset: Preset::NumWordsRules });
/// assert!(content.text().starts_with("Rain\nIt has been raining"));
/// assert_eq!(content.spans().len(), 2);
/// assert!(content.labels().why(0).contains("boilerplate"));
/// ```
#[derive(Clone, Debug)]
pub struct Content<'p> {
    blocks: Blocks<'p>,
    labels: Labels,
}

impl<'p> Content<'p> {
    pub(crate) fn new(blocks: Blocks<'p>, labels: Labels) -> Self {
        Content { blocks, labels }
    }

    /// The blocks that were labelled.
    #[must_use]
    pub fn blocks(&self) -> Blocks<'p> {
        self.blocks
    }

    /// The verdict on each block, and why.
    #[must_use]
    pub fn labels(&self) -> &Labels {
        &self.labels
    }

    /// Byte ranges of the content in the page's source, in order.
    #[must_use]
    pub fn spans(&self) -> Vec<Span> {
        self.labels.content().filter_map(|i| self.blocks.get(i)).flat_map(|b| b.spans()).collect()
    }
}
