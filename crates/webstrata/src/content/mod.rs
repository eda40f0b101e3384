//! Content: what a reader of the page is after, made from labelled blocks.

mod address;
mod choose;
mod html;
mod images;
mod links;
mod markdown;
pub mod metadata;
mod options;
mod places;
mod plain;
mod render;
#[cfg(feature = "select")]
mod rules;
#[cfg(feature = "site-rules")]
mod site_rules;
mod srcset;

pub use choose::{Mode, UnknownMode};
pub use images::Image;
pub use links::{Link, LinkOptions};
pub use options::ExtractOptions;
pub use places::Place;
pub use plain::TextOptions;
pub use render::{Document, Event, Part, RenderOptions, Style};
#[cfg(feature = "select")]
pub use rules::Rules;
#[cfg(feature = "site-rules")]
pub use site_rules::{SiteRule, SiteRules, SiteRulesError};

use crate::block::Blocks;
use crate::label::strata::Strata;
use crate::label::{Explanation, Input, Labeller, Labels, Preset};
use crate::span::Span;
use choose::{Choice, mode};

/// The content of a page.
///
/// ```
/// use webstrata::{ExtractOptions, Page, label::Preset};
/// let html = format!("<p><a href=/>Home</a></p><h1>Rain</h1><p>{}</p>", "It rained again in the valley. ".repeat(8));
/// let page = Page::parse(html.as_bytes());
/// let content = page.extract_with(&ExtractOptions::from(Preset::LargestContent));
/// assert!(content.text().starts_with("Rain\nIt rained again"));
/// assert_eq!(content.spans().len(), 2);
/// assert!(content.explain().why(0).contains("boilerplate"));
/// ```
#[derive(Debug)]
pub struct Content<'p> {
    input: Input<'p>,
    labels: Labels,
    choice: Choice,
    options: ExtractOptions,
    method: Method<'p>,
}

/// What labels.
#[derive(Clone, Copy, Debug)]
enum Method<'p> {
    /// A labeller of the caller's.
    Given(&'p dyn Labeller),
    /// The learned method, leaning as the mode asks.
    Leaning(Strata<'static>),
    Preset(Preset),
}

impl<'p> Method<'p> {
    fn new(labeller: Option<&'p dyn Labeller>, options: &ExtractOptions) -> Self {
        match (labeller, mode::leaning(options)) {
            (Some(labeller), _) => Method::Given(labeller),
            (None, Some(strata)) => Method::Leaning(strata),
            (None, None) => Method::Preset(options.preset),
        }
    }

    fn labeller(&self) -> &dyn Labeller {
        match self {
            Method::Given(labeller) => *labeller,
            Method::Leaning(strata) => strata,
            Method::Preset(preset) => preset,
        }
    }

    /// Did it lean as the mode asks? The learned method leaves pages with too many blocks to rules, which do not.
    fn leaned(&self, labels: &Labels) -> bool {
        matches!(self, Method::Leaning(_)) && labels.has_probabilities()
    }
}

impl<'p> Content<'p> {
    /// The content by a labeller, or by the preset of the options.
    pub(crate) fn new(input: Input<'p>, labeller: Option<&'p dyn Labeller>, options: &ExtractOptions) -> Self {
        let method = Method::new(labeller, options);
        let mut labels = method.labeller().label(&input);
        let leaned = method.leaned(&labels);
        let choice = choose::choose(&input, &mut labels, options, leaned);
        Content { labels, choice, input, options: options.clone(), method }
    }

    /// What was asked for.
    #[must_use]
    pub fn options(&self) -> &ExtractOptions {
        &self.options
    }

    /// The blocks that were labelled.
    #[must_use]
    pub fn blocks(&self) -> Blocks<'p> {
        self.input.blocks
    }

    /// The verdict on each block: the method's, and what mode and rules made of it. A block is content when some of
    /// its text is.
    #[must_use]
    pub fn labels(&self) -> &Labels {
        &self.labels
    }

    /// Why each block has its verdict. Computed when asked for: the method runs again and keeps its reasons.
    #[must_use]
    pub fn explain(&self) -> Explanation {
        let mut explanation = self.method.labeller().explain(&self.input);
        choose::explain(&self.choice, &self.labels, &self.options, &mut explanation);
        explanation
    }

    /// Byte ranges of the content in the page's source, in order.
    #[must_use]
    pub fn spans(&self) -> Vec<Span> {
        let dom = self.blocks().dom();
        self.labels.content().flat_map(|index| self.kept_runs(index)).map(|run| dom.span_of(Blocks::run_node(run))).collect()
    }

    /// The runs of a block, without those that rules left out.
    fn kept_runs(&self, index: usize) -> impl Iterator<Item = u32> + '_ {
        let runs = self.blocks().runs_of(index).iter().copied();
        runs.filter(|&run| !self.choice.leaves_out(Blocks::run_node(run)))
    }
}
