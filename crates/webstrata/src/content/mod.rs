//! Content: the text that readers visit a page for, assembled from labelled and selected blocks.

mod html;
mod images;
mod line;
mod links;
mod markdown;
pub mod metadata;
mod places;
mod plain;
mod raised;
mod render;
mod segments;
mod srcset;
mod tables;
mod xml;

pub use images::Image;
pub use links::{Link, LinkOptions};
pub use places::Place;
pub use plain::TextOptions;
pub use render::{CellShape, Document, Event, MarkdownTables, Part, RenderOptions, Style, TableShape};
pub use segments::{LabelledSegment, LabelledSegments, LabelledSegmentsIter};
pub use tables::{Table, TableCell};
pub use xml::XmlOptions;

use crate::block::{Block, Blocks};
use crate::label::strata::StrataLabeller;
use crate::label::{Explanation, Input, Labeller, Labels, Pipeline, Reasons, Role};
use crate::select::{ExtractOptions, Selection, strata_for};
use crate::span::Span;
use std::sync::{Arc, OnceLock};

/// The content of a page.
///
/// ```
/// use webstrata::{ExtractOptions, Page, label::Preset};
/// let html = format!("<p><a href=/>Home</a></p><h1>Rain</h1><p>{}</p>", "It rained again in the valley. ".repeat(8));
/// let page = Page::parse(html.as_bytes());
/// let content = page.extract_with(&ExtractOptions::from(Preset::LargestContent));
/// assert!(content.text().starts_with("Rain\nIt rained again"));
/// assert_eq!(content.spans().len(), 2);
/// assert!(!content.is_content(0) && content.is_content(1));
/// assert!(content.explain().why(0).contains("boilerplate"));
/// ```
#[derive(Clone, Debug)]
pub struct Content<'p> {
    input: Input<'p>,
    labels: Labels,
    /// The reasons for the labels, if requested in the options.
    reasons: Option<Reasons>,
    selection: Selection,
    options: ExtractOptions,
    method: Method<'p>,
    /// The roles of all blocks, computed on first use and shared by links, images and segments.
    roles: OnceLock<Vec<Role>>,
}

/// The labelling method.
#[derive(Clone, Debug)]
enum Method<'p> {
    /// The caller's labeller.
    Given(&'p dyn Labeller),
    /// A labeller shared with the caller.
    Shared(Arc<dyn Labeller>),
    /// The learned method, with the precision-recall balance of the mode.
    Strata(StrataLabeller<'static>),
    Preset(Arc<Pipeline>),
}

impl<'p> Method<'p> {
    fn new(labeller: Option<&'p dyn Labeller>, options: &ExtractOptions) -> Self {
        match (labeller, strata_for(options)) {
            (Some(labeller), _) => Method::Given(labeller),
            (None, Some(strata)) => Method::Strata(strata),
            (None, None) => Method::Preset(Arc::new(options.preset.pipeline_with(&options.features))),
        }
    }

    fn labeller(&self) -> &dyn Labeller {
        match self {
            Method::Given(labeller) => *labeller,
            Method::Shared(labeller) => &**labeller,
            Method::Strata(strata) => strata,
            Method::Preset(pipeline) => &**pipeline,
        }
    }

    /// The labels, without a page type until [`Method::complete`] if the method is the learned one: text does not need it.
    fn label(&self, input: &Input<'_>) -> Labels {
        match self {
            Method::Strata(strata) => strata.label_without_page_type(input),
            _ => self.labeller().label(input),
        }
    }

    /// Adds the page type to the labels, unless they have one.
    fn complete(&self, input: &Input<'_>, labels: &Labels) {
        if let Method::Strata(strata) = self {
            strata.complete(input, labels);
        }
    }

    /// The selection from the method's labels.
    fn select(&self, input: &Input<'_>, labels: &Labels, options: &ExtractOptions) -> Selection {
        let page_type = || {
            self.complete(input, labels);
            labels.page_type()
        };
        Selection::new(input, labels, &page_type, options, self.applies_mode(labels))
    }

    /// Whether the method itself applies the mode. The learned method does, except on pages with too many blocks, which it
    /// leaves to rules.
    fn applies_mode(&self, labels: &Labels) -> bool {
        matches!(self, Method::Strata(_)) && labels.has_probabilities()
    }
}

impl<'p> Content<'p> {
    /// Extracts the content with a labeller, or with the preset of the options.
    pub(crate) fn new(input: Input<'p>, labeller: Option<&'p dyn Labeller>, options: &ExtractOptions) -> Self {
        Content::by_method(input, Method::new(labeller, options), options)
    }

    /// Extracts the content with a labeller that is shared with the caller.
    pub(crate) fn by_shared(input: Input<'p>, labeller: Arc<dyn Labeller>, options: &ExtractOptions) -> Self {
        Content::by_method(input, Method::Shared(labeller), options)
    }

    fn by_method(input: Input<'p>, method: Method<'p>, options: &ExtractOptions) -> Self {
        let (labels, reasons) = if options.explain {
            let (labels, reasons) = method.labeller().explain(&input).into_parts();
            (labels, Some(reasons))
        } else {
            (method.label(&input), None)
        };
        let selection = method.select(&input, &labels, options);
        Content { input, labels, reasons, selection, options: options.clone(), method, roles: OnceLock::new() }
    }

    /// The same content without readers' comments. The labels are reused: the method does not run again.
    ///
    /// ```
    /// use webstrata::{ExtractOptions, Page, label::Preset};
    /// let page = Page::parse(b"<h1>Rain</h1><p>It rained.</p><div id=comments><p>Here, too.</p></div>");
    /// let content = page.extract_with(&ExtractOptions::from(Preset::KeepEverything));
    /// assert_eq!(content.without_comments().text(), "Rain\nIt rained.");
    /// ```
    #[must_use]
    pub fn without_comments(&self) -> Content<'p> {
        let options = self.options.clone().comments(false);
        let selection = self.method.select(&self.input, &self.labels, &options);
        Content { selection, options, roles: OnceLock::new(), ..self.clone() }
    }

    /// The options of the extraction.
    #[must_use]
    pub fn options(&self) -> &ExtractOptions {
        &self.options
    }

    /// The blocks that were labelled.
    #[must_use]
    pub fn blocks(&self) -> Blocks<'p> {
        self.input.blocks
    }

    /// The verdicts of the method, before the options are applied; see [`selection`](Self::selection).
    #[must_use]
    pub fn labels(&self) -> &Labels {
        self.method.complete(&self.input, &self.labels);
        &self.labels
    }

    /// The blocks and text runs that are kept.
    #[must_use]
    pub fn selection(&self) -> &Selection {
        &self.selection
    }

    /// Whether block `index` is content, wholly or in part.
    #[must_use]
    pub fn is_content(&self, index: usize) -> bool {
        self.selection.keeps(index)
    }

    /// The role of a block, given the selection.
    #[must_use]
    pub fn role(&self, block: Block<'_>) -> Role {
        let known = self.roles().get(block.index()).copied();
        known.unwrap_or_else(|| self.labels.role_as(block, self.is_content(block.index())))
    }

    /// The roles of all blocks, given the selection.
    fn roles(&self) -> &[Role] {
        self.roles.get_or_init(|| self.labels.roles(self.blocks(), |index| self.is_content(index)))
    }

    /// Why each block is content or not. With [`ExtractOptions::explain`] the reasons were recorded when the method ran;
    /// otherwise the method runs once more.
    #[must_use]
    pub fn explain(&self) -> Explanation<'_> {
        let explanation = match &self.reasons {
            Some(reasons) => Explanation::borrowed(&self.labels, reasons),
            None => self.method.labeller().explain(&self.input),
        };
        explanation.with_selection(self.selection.reasons(&self.options))
    }

    /// Byte ranges of the content in the page's source, in order.
    #[must_use]
    pub fn spans(&self) -> Vec<Span> {
        let dom = self.blocks().dom();
        self.selection.blocks().flat_map(|index| self.kept_runs(index)).map(|run| dom.span_of(Blocks::run_node(run))).collect()
    }

    /// The runs of a block, without those that the selection leaves out.
    fn kept_runs(&self, index: usize) -> impl Iterator<Item = u32> + '_ {
        let runs = self.blocks().runs_of(index).iter().copied();
        runs.filter(|&run| !self.selection.leaves_out(Blocks::run_node(run)))
    }
}
