//! Content: what a reader of the page is after, made from labelled blocks.

mod address;
mod markdown;
pub mod metadata;
mod plain;
mod render;
mod text;

pub use plain::TextOptions;
pub use render::{Document, Event, Part, RenderOptions, Style};

use crate::block::Blocks;
use crate::label::{Explanation, Input, Labeller, Labels, Pipeline};
use crate::span::Span;

/// The content of a page.
///
/// ```
/// use webstrata::{ExtractOptions, Page, label::Preset};
/// let html = format!("<p><a href=/>Home</a></p><h1>Rain</h1><p>{}</p>", "It rained again in the valley. ".repeat(8));
/// let page = Page::parse(html.as_bytes(), &Default::default());
/// let content = page.extract(&ExtractOptions::from(Preset::LargestContent));
/// assert!(content.text().starts_with("Rain\nIt rained again"));
/// assert_eq!(content.spans().len(), 2);
/// assert!(content.explain().why(0).contains("boilerplate"));
/// ```
#[derive(Debug)]
pub struct Content<'p> {
    input: Input<'p>,
    labels: Labels,
    pipeline: Pipeline,
}

impl<'p> Content<'p> {
    pub(crate) fn new(input: Input<'p>, pipeline: Pipeline) -> Self {
        Content { labels: pipeline.label(&input), input, pipeline }
    }

    /// The blocks that were labelled.
    #[must_use]
    pub fn blocks(&self) -> Blocks<'p> {
        self.input.blocks
    }

    /// The verdict on each block.
    #[must_use]
    pub fn labels(&self) -> &Labels {
        &self.labels
    }

    /// Why each block has its verdict. Computed when asked for: the method runs again and keeps its reasons.
    #[must_use]
    pub fn explain(&self) -> Explanation {
        self.pipeline.explain(&self.input)
    }

    /// Byte ranges of the content in the page's source, in order.
    #[must_use]
    pub fn spans(&self) -> Vec<Span> {
        self.labels.content().filter_map(|i| self.blocks().get(i)).flat_map(|b| b.spans()).collect()
    }
}
