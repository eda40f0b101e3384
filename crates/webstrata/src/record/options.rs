//! Options for records.

use crate::content::RenderOptions;
use crate::options::setters;
use crate::segment::{Method, SegmentOptions};

/// Options for a record. The default is cheap: text and byte ranges.
///
/// ```
/// use webstrata::record::RecordOptions;
/// use webstrata::{Page, content::RenderOptions, record::PageRecord, segment::{Granularity, Method, SegmentOptions}};
/// let page = Page::parse(b"<title>Rain</title><p>See <a href=/valley>the valley</a>.");
/// let options = RecordOptions::default()
///     .id("rain.html")
///     .url("https://example.org/rain")
///     .markdown(RenderOptions::default())
///     .metadata(true)
///     .segments((Method::Strata, SegmentOptions::default().granularity(Granularity::Coarse)))
///     .blocks(true)
///     .why(true)
///     .links(true);
/// let record = PageRecord::new(&page, &page.extract(), &options);
/// assert_eq!(record.id, "rain.html");
/// assert!(record.text.is_some() && record.spans.is_some() && record.images.is_none());
/// assert!(record.blocks.unwrap()[0].why.is_some());
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RecordOptions<'a> {
    /// The name of the page: a file name or an address.
    pub id: &'a str,
    /// The page's URL. Relative URLs are resolved against it, and it may contain a date.
    pub url: Option<&'a str>,
    /// Whether to include the content as plain text.
    pub text: bool,
    /// Whether to include the byte ranges of the content.
    pub spans: bool,
    /// Markdown options, if the content is to be included as Markdown. Their base defaults to `url`.
    pub markdown: Option<RenderOptions>,
    /// Whether to include metadata.
    pub metadata: bool,
    /// Whether to include metadata and content under Readability's names.
    pub readability: bool,
    /// The segmentation method and its options, if segments are to be included.
    pub segments: Option<(Method, SegmentOptions)>,
    /// Whether to include all blocks.
    pub blocks: bool,
    /// Whether blocks include the reasons for their verdicts. Segments always do.
    pub why: bool,
    /// Whether blocks include their 67 features, about 2 KB per block.
    pub features: bool,
    /// Whether to include all links.
    pub links: bool,
    /// Whether to include all images.
    pub images: bool,
}

setters! {
    RecordOptions<'a> {
        id: &'a str,
        text: bool,
        spans: bool,
        metadata: bool,
        readability: bool,
        blocks: bool,
        why: bool,
        features: bool,
        links: bool,
        images: bool,
    }
    into { url: Option<&'a str>, markdown: Option<RenderOptions>, segments: Option<(Method, SegmentOptions)> }
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

    /// Whether a record with these options includes reasons. Content for such a record should be extracted with
    /// [`ExtractOptions::explain`](crate::ExtractOptions::explain), or the method runs twice.
    ///
    /// ```
    /// use webstrata::record::RecordOptions;
    /// assert!(!RecordOptions::default().needs_reasons());
    /// assert!(RecordOptions::default().blocks(true).why(true).needs_reasons());
    /// ```
    #[must_use]
    pub fn needs_reasons(&self) -> bool {
        self.segments.is_some() || (self.blocks && self.why)
    }

    pub(super) fn needs_paths(&self) -> bool {
        self.segments.is_some() || self.blocks || self.links || self.images
    }
}
