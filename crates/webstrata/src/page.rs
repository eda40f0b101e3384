//! A page, which runs each stage when its result is first needed.

use crate::block::{BlockOptions, BlockTable, Blocks, GapModel, WordOptions, noscript};
use crate::content::metadata::{Metadata, MetadataOptions};
use crate::content::{Content, LabelledSegments};
use crate::decode::{DecodeOptions, EncodingEvidence, decode};
use crate::html::token::Repair;
use crate::html::{Dom, ParseOptions, Parser};
use crate::label::{Explanation, Input, Labeller, Labels};
use crate::layout::Layout;
use crate::limits::{Limits, Problem};
use crate::options::setters;
use crate::segment::{Method, RuleSet, Segmenter, Segments};
use crate::select::ExtractOptions;
use crate::span::offset;
use encoding_rs::Encoding;
use std::sync::{Arc, OnceLock};

/// Options for [`Page::parse_with`].
///
/// ```
/// use webstrata::{Limits, Page, PageOptions};
/// let options = PageOptions::default()
///     .transport("text/html; charset=windows-1251".to_owned())
///     .limits(Limits::default().bytes(1 << 20))
///     .noscript(true);
/// let page = Page::parse_with(b"<p>\xcf\xf0\xe8\xe2\xe5\xf2", &options);
/// assert_eq!(page.dom().text(), "Привет");
/// assert_eq!(page.encoding().name(), "windows-1251");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PageOptions {
    /// The `Content-Type` of the HTTP response, or its charset alone.
    pub transport: Option<String>,
    /// The encoding, overriding all declarations.
    pub encoding: Option<&'static Encoding>,
    /// Resource limits.
    pub limits: Limits,
    /// Whether unclosed raw-text elements are repaired.
    pub repair: Repair,
    /// Whether text inside `noscript` is read. It is read anyway if it is most of the page's text.
    pub noscript: bool,
    /// How words are counted.
    pub words: WordOptions,
}

setters! {
    PageOptions { limits: Limits, repair: Repair, noscript: bool, words: WordOptions }
    into { transport: Option<String>, encoding: Option<&'static Encoding> }
}

/// A parsed page. Parsing never fails: bad HTML is not an error, and what was truncated or repaired is in [`Page::problems`].
///
/// ```
/// use webstrata::{Page, segment::Method};
/// let html = b"<title>Rain</title><nav><a href=/>Home</a></nav><h1>Rain</h1><p>It has been raining in the valley \
///     for three days, and nobody there can remember when that last happened.</p>";
/// let page = Page::parse(html);
/// assert_eq!(page.title(), Some("Rain"));
/// for segment in page.segments(Method::BfRulebased) {
///     assert!(!segment.spans().is_empty());
/// }
/// assert!(page.extract().text().contains("three days"));
/// ```
#[derive(Clone, Debug)]
pub struct Page<'a> {
    dom: Dom<'a>,
    title: Option<String>,
    encoding: &'static Encoding,
    evidence: EncodingEvidence,
    declared: Option<&'static Encoding>,
    transcoded: bool,
    problems: Vec<Problem>,
    options: BlockOptions,
    lines: OnceLock<BlockTable>,
    tags: OnceLock<BlockTable>,
    layout: Option<Arc<Layout>>,
}

impl<'a> Page<'a> {
    /// Parses one page with the default options. [`PageReader`] does the same for many pages and reuses its buffers.
    #[must_use]
    pub fn parse(bytes: &'a [u8]) -> Page<'a> {
        Page::parse_with(bytes, &PageOptions::default())
    }

    /// Parses one page with `options`.
    #[must_use]
    pub fn parse_with(bytes: &'a [u8], options: &PageOptions) -> Page<'a> {
        PageReader::new(options.clone()).read(bytes)
    }

    /// The page with its own copy of the source, for callers that keep it longer than the bytes.
    ///
    /// ```
    /// use webstrata::Page;
    /// let page = Page::parse(&b"<p>one".to_vec()).into_owned();
    /// assert_eq!(page.dom().text(), "one");
    /// ```
    #[must_use]
    pub fn into_owned(self) -> Page<'static> {
        let Page { dom, title, encoding, evidence, declared, transcoded, problems, options, lines, tags, layout } = self;
        Page { dom: dom.into_owned(), title, encoding, evidence, declared, transcoded, problems, options, lines, tags, layout }
    }

    /// The tree.
    #[must_use]
    pub fn dom(&self) -> &Dom<'a> {
        &self.dom
    }

    /// Text of the `title` element.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// The encoding of the page.
    #[must_use]
    pub fn encoding(&self) -> &'static Encoding {
        self.encoding
    }

    /// Why that encoding was chosen.
    #[must_use]
    pub fn evidence(&self) -> EncodingEvidence {
        self.evidence
    }

    /// The encoding that the page or the HTTP response declares, correct or not.
    #[must_use]
    pub fn declared(&self) -> Option<&'static Encoding> {
        self.declared
    }

    /// Whether spans refer to a transcoding of the input. They refer to the input itself if it is valid UTF-8.
    #[must_use]
    pub fn is_transcoded(&self) -> bool {
        self.transcoded
    }

    /// Limits that were reached and repairs that were made.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// The blocks of [`GapModel::Lines`], which labellers judge.
    #[must_use]
    pub fn blocks(&self) -> Blocks<'_> {
        self.blocks_by(GapModel::Lines)
    }

    /// The blocks by either gap model; built on first use.
    #[must_use]
    pub fn blocks_by(&self, gaps: GapModel) -> Blocks<'_> {
        let table = match gaps {
            GapModel::Lines => &self.lines,
            GapModel::Tags => &self.tags,
        };
        let table = table.get_or_init(|| BlockTable::new(&self.dom, &BlockOptions { gaps, ..self.options }));
        table.with(&self.dom).with_layout(self.layout())
    }

    /// Attaches a layout, which some methods can use. It must be the layout of this page: nodes are looked up by number.
    #[must_use]
    pub fn with_layout(mut self, layout: Layout) -> Self {
        self.layout = Some(Arc::new(layout));
        self
    }

    /// The page's layout, if it has one.
    #[must_use]
    pub fn layout(&self) -> Option<&Layout> {
        self.layout.as_deref()
    }

    /// Segments the page by a method with the `html5` rule set; each segment has a role, a score and a reason.
    #[must_use]
    pub fn segments(&self, method: Method) -> LabelledSegments<'_> {
        LabelledSegments::new(self.segments_by(&*method.segmenter(RuleSet::html5())), self.input())
    }

    /// Segments the page by any segmenter, without verdicts.
    #[must_use]
    pub fn segments_by(&self, segmenter: &dyn Segmenter) -> Segments<'_> {
        let blocks = self.blocks_by(GapModel::Tags);
        Segments::new(blocks, segmenter.segment(blocks))
    }

    /// The input for labellers.
    #[must_use]
    pub fn input(&self) -> Input<'_> {
        Input { blocks: self.blocks(), title: self.title() }
    }

    /// Labels all blocks by any labeller.
    #[must_use]
    pub fn label(&self, labeller: &dyn Labeller) -> Labels {
        labeller.label(&self.input())
    }

    /// Like [`Page::label`], with reasons.
    #[must_use]
    pub fn explain(&self, labeller: &dyn Labeller) -> Explanation<'static> {
        labeller.explain(&self.input())
    }

    /// Metadata: title, authors, dates and more, each value with its source.
    ///
    /// ```
    /// use webstrata::Page;
    /// let page = Page::parse(b"<meta property=article:published_time content=2024-05-13><h1>Rain</h1>");
    /// let published = page.metadata().published.unwrap();
    /// assert_eq!(published.value.to_string(), "2024-05-13");
    /// ```
    #[must_use]
    pub fn metadata(&self) -> Metadata {
        self.metadata_with(&MetadataOptions::default())
    }

    /// Metadata with `options`, such as the page's address.
    #[must_use]
    pub fn metadata_with(&self, options: &MetadataOptions<'_>) -> Metadata {
        Metadata::from_dom(&self.dom, options)
    }

    /// The main content according to the default method, `strata`.
    #[must_use]
    pub fn extract(&self) -> Content<'_> {
        self.extract_with(&ExtractOptions::default())
    }

    /// The main content with `options`.
    #[must_use]
    pub fn extract_with(&self, options: &ExtractOptions) -> Content<'_> {
        Content::new(self.input(), None, options)
    }

    /// The content according to any labeller instead of the preset, such as a trained model.
    ///
    /// ```
    /// use webstrata::{Page, label::Preset};
    /// let page = Page::parse(b"<p>one<p>two three");
    /// assert_eq!(page.extract_by(&Preset::MinWords(2), &Default::default()).text(), "two three");
    /// ```
    #[must_use]
    pub fn extract_by<'p>(&'p self, labeller: &'p dyn Labeller, options: &ExtractOptions) -> Content<'p> {
        Content::new(self.input(), Some(labeller), options)
    }

    /// Like [`Page::extract_by`], for a labeller that need not outlive the page, such as one made for its site.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use webstrata::{Page, label::Preset};
    /// let page = Page::parse(b"<p>one<p>two three");
    /// assert_eq!(page.extract_by_shared(Arc::new(Preset::MinWords(2)), &Default::default()).text(), "two three");
    /// ```
    #[must_use]
    pub fn extract_by_shared(&self, labeller: Arc<dyn Labeller>, options: &ExtractOptions) -> Content<'_> {
        Content::by_shared(self.input(), labeller, options)
    }
}

/// Reads pages one after another and reuses its buffers.
///
/// ```
/// use webstrata::{PageOptions, PageReader};
/// let mut reader = PageReader::new(PageOptions::default());
/// for html in ["<p>one", "<p>two"] {
///     let page = reader.read(html.as_bytes());
///     assert_eq!(page.blocks().len(), 1);
///     reader.recycle(page);
/// }
/// ```
#[derive(Debug)]
pub struct PageReader {
    options: PageOptions,
    parser: Parser,
}

impl PageReader {
    /// A reader with these options.
    #[must_use]
    pub fn new(options: PageOptions) -> Self {
        let parser = Parser::new(ParseOptions { limits: options.limits.clone(), repair: options.repair });
        PageReader { options, parser }
    }

    /// Reads one page.
    pub fn read<'a>(&mut self, bytes: &'a [u8]) -> Page<'a> {
        let (bytes, cut) = cut(bytes, self.options.limits.bytes.min(Limits::MAX_BYTES));
        let decoded = decode(bytes, &DecodeOptions { transport: self.options.transport.as_deref(), forced: self.options.encoding });
        let transcoded = decoded.is_transcoded();
        let dom = self.parser.parse_from(decoded.text, decoded.start);
        let mut problems = Vec::new();
        if let Some(at) = cut {
            problems.push(Problem::BytesCut { at: offset(at) });
        }
        if decoded.replaced {
            problems.push(Problem::BytesReplaced);
        }
        problems.extend_from_slice(dom.problems());
        let noscript = self.options.noscript || noscript::has_main_text(&dom);
        Page {
            title: dom.title().filter(|t| !t.is_empty()),
            dom,
            encoding: decoded.encoding,
            evidence: decoded.evidence,
            declared: decoded.declared,
            transcoded,
            problems,
            options: BlockOptions { gaps: GapModel::Lines, noscript, words: self.options.words },
            lines: OnceLock::new(),
            tags: OnceLock::new(),
            layout: None,
        }
    }

    /// Reclaims the buffers of a page.
    pub fn recycle(&mut self, page: Page<'_>) {
        self.parser.recycle(page.dom);
    }
}

/// The first `max` bytes, without splitting a UTF-8 character, and where they were truncated.
fn cut(bytes: &[u8], max: usize) -> (&[u8], Option<usize>) {
    if bytes.len() <= max {
        return (bytes, None);
    }
    let mut end = max;
    // A character has at most three continuation bytes; in other encodings this loses at most three bytes.
    while end > max.saturating_sub(3) && bytes[end] & 0xc0 == 0x80 {
        end -= 1;
    }
    (&bytes[..end], Some(end))
}
