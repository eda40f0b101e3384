//! What goes into a record.

use crate::content::RenderOptions;
use crate::segment::{Granularity, Method, RuleSet};

/// What goes into a record. The default is cheap: text and byte ranges.
///
/// ```
/// use webstrata::record::RecordOptions;
/// let options = RecordOptions { blocks: true, why: true, ..RecordOptions::default() };
/// assert!(options.text && options.spans && !options.links);
/// ```
#[derive(Clone, Debug)]
pub struct RecordOptions<'a> {
    /// What the page is called.
    pub id: &'a str,
    /// The page's address: relative addresses are resolved against it, and it may name a date.
    pub url: Option<&'a str>,
    /// The content as plain text.
    pub text: bool,
    /// Byte ranges of the content.
    pub spans: bool,
    /// The content as Markdown, made with these options; where they have no base, that is `url`.
    pub markdown: Option<RenderOptions>,
    /// What the page says about itself.
    pub metadata: bool,
    /// The same, and the content, under Readability's names.
    pub readability: bool,
    /// The segments by a method.
    pub segments: Option<(Method, RuleSet)>,
    /// How fine the method strata cuts.
    pub granularity: Granularity,
    /// All blocks.
    pub blocks: bool,
    /// The reasons of their verdicts: the method runs again.
    pub why: bool,
    /// Their 67 features, about 2 KB a block.
    pub features: bool,
    /// All links.
    pub links: bool,
    /// All images.
    pub images: bool,
}

impl Default for RecordOptions<'_> {
    fn default() -> Self {
        RecordOptions {
            id: "",
            url: None,
            text: true,
            spans: true,
            markdown: None,
            metadata: false,
            readability: false,
            segments: None,
            granularity: Granularity::default(),
            blocks: false,
            why: false,
            features: false,
            links: false,
            images: false,
        }
    }
}

impl RecordOptions<'_> {
    pub(super) fn render(&self) -> Option<RenderOptions> {
        let render = self.markdown.clone()?;
        let base = render.base.or_else(|| self.url.map(str::to_owned));
        Some(RenderOptions { base, ..render })
    }

    pub(super) fn needs_paths(&self) -> bool {
        self.segments.is_some() || self.blocks || self.links || self.images
    }
}
