//! Blocks: the runs of text between tags, with the counts that all the papers' methods need.
//!
//! The **block-gap model** (Kohlschütter, Nejdl: A Densitometric Approach to Web Page Segmentation,
//! CIKM 2008, 3.3; thesis 4.2): a page is a sequence of blocks of character data, separated by gaps
//! of one or more tags. Two definitions of a gap are supported; see [`GapModel`].

mod build;
mod density;
mod features;
mod gap;
pub(crate) mod groups;
pub(crate) mod listing;
pub(crate) mod noscript;
pub(crate) mod outline;
mod text;
mod tokens;
mod unspaced;
mod word_boundary;
mod words;

pub(crate) use build::is_entered;
pub use build::{BlockOptions, GapModel};
pub use density::{Density, Threshold};
pub use features::{FEATURES, Feature, Features, Frequencies, Neighbour};
#[doc(hidden)]
pub use outline::Mask;
pub use tokens::Token;
pub use unspaced::is_unspaced;
pub(crate) use words::Counter;
pub use words::{Counts, UnspacedTokens, WordOptions};

use crate::html::{Dom, Facts, INLINE, Node, NodeId, Tag, TagSet};
use crate::layout::Layout;
use crate::span::Span;
use build::Builder;

/// Inline elements that end a word.
pub(crate) const INLINE_OBJECTS: TagSet = TagSet::from_tags(&[Tag::IMG, Tag::PICTURE, Tag::SOURCE, Tag::SVG, Tag::MATH]);

/// The kinds of elements that enclose a block, one bit each.
///
/// ```
/// use webstrata::{Page, block::Context};
/// let page = Page::parse(b"<nav><ul><li>one</ul></nav>");
/// let block = page.blocks().get(0).unwrap();
/// assert!(block.context().contains(Context::NAV.union(Context::LIST)));
/// assert!(!block.context().intersects(Context::HEADING));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Context(pub(crate) u32);

impl Context {
    /// Inside `h1`; `h2` … `h6` are the next five bits, see [`Context::heading`].
    pub const H1: Context = Context(1);
    /// Inside any heading.
    pub const HEADING: Context = Context(0x3f);
    /// Inside `p`.
    pub const P: Context = Context(1 << 6);
    /// Inside `div`.
    pub const DIV: Context = Context(1 << 7);
    /// Inside `a`.
    pub const A: Context = Context(1 << 8);
    /// Inside a list item, `dd` or `dt`.
    pub const LIST: Context = Context(1 << 9);
    /// Inside a table cell.
    pub const CELL: Context = Context(1 << 10);
    /// Inside `pre`, `listing` or `xmp`.
    pub const PRE: Context = Context(1 << 11);
    /// Inside `blockquote`.
    pub const QUOTE: Context = Context(1 << 12);
    /// Inside `nav` or `menu`.
    pub const NAV: Context = Context(1 << 13);
    /// Inside `header`.
    pub const HEADER: Context = Context(1 << 14);
    /// Inside `footer`.
    pub const FOOTER: Context = Context(1 << 15);
    /// Inside `aside`.
    pub const ASIDE: Context = Context(1 << 16);
    /// Inside `main`.
    pub const MAIN: Context = Context(1 << 17);
    /// Inside `article`.
    pub const ARTICLE: Context = Context(1 << 18);
    /// Inside `form` or `fieldset`.
    pub const FORM: Context = Context(1 << 19);
    /// Inside `figcaption` or `caption`.
    pub const CAPTION: Context = Context(1 << 20);
    /// Inside `button`, `label` or `legend`.
    pub const CONTROL: Context = Context(1 << 21);
    /// Inside `address`.
    pub const ADDRESS: Context = Context(1 << 22);

    /// The bit of `h1` (level 1) … `h6` (level 6).
    #[must_use]
    pub const fn heading(level: u8) -> Context {
        Context(if level >= 1 && level <= 6 { 1 << (level - 1) } else { 0 })
    }

    /// Whether any bit of `other` is set.
    #[must_use]
    pub const fn intersects(self, other: Context) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether all bits of `other` are set.
    #[must_use]
    pub const fn contains(self, other: Context) -> bool {
        self.0 & other.0 == other.0
    }

    /// The bits of both.
    #[must_use]
    pub const fn union(self, other: Context) -> Context {
        Context(self.0 | other.0)
    }

    /// Whether no bit is set.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The bit that an element sets for its content.
    #[inline]
    pub(crate) fn from_tag(tag: Tag) -> Context {
        CONTEXTS[tag.known_index()]
    }
}

static CONTEXTS: [Context; 192] = {
    let mut table = [Context(0); 192];
    macro_rules! set { ($($tag:ident $context:ident;)*) => { $(table[Tag::$tag.0 as usize] = Context::$context;)* } }
    set! {
        P P; DIV DIV; A A; LI LIST; DD LIST; DT LIST; TD CELL; TH CELL; PRE PRE; LISTING PRE; XMP PRE; BLOCKQUOTE QUOTE;
        NAV NAV; MENU NAV; HEADER HEADER; FOOTER FOOTER; ASIDE ASIDE; MAIN MAIN; ARTICLE ARTICLE; FORM FORM; FIELDSET FORM;
        FIGCAPTION CAPTION; CAPTION CAPTION; BUTTON CONTROL; LABEL CONTROL; LEGEND CONTROL; ADDRESS ADDRESS;
    }
    table[Tag::H1.0 as usize] = Context::heading(1);
    table[Tag::H2.0 as usize] = Context::heading(2);
    table[Tag::H3.0 as usize] = Context::heading(3);
    table[Tag::H4.0 as usize] = Context::heading(4);
    table[Tag::H5.0 as usize] = Context::heading(5);
    table[Tag::H6.0 as usize] = Context::heading(6);
    table
};

/// Stored form of a block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record {
    /// Index of its first text run; its runs end where those of the next block start.
    pub(crate) runs: u32,
    pub(crate) counts: Counts,
    pub(crate) context: Context,
    pub(crate) facts: Facts,
    /// Number of enclosing non-inline elements: boilerpipe's tag level.
    pub(crate) level: u16,
    /// What separates its text from that of the previous block: nothing, white space, or a line break.
    pub(crate) boundary: WordBoundary,
}

/// What separates a block's text from that of the previous block.
///
/// ```
/// use webstrata::{Page, block::{GapModel, WordBoundary}};
/// let page = Page::parse(b"<p>Fish <b>and ch</b>ips");
/// let boundaries: Vec<WordBoundary> = page.blocks_by(GapModel::Tags).iter().map(|b| b.boundary()).collect();
/// assert_eq!(boundaries, [WordBoundary::Line, WordBoundary::Space, WordBoundary::None]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WordBoundary {
    /// Nothing, the word continues: `ch` and `ips` in `<b>ch</b>ips`.
    None,
    /// White space within a line.
    Space,
    /// A line break.
    #[default]
    Line,
}

/// The blocks of a page as a flat table that does not borrow the page. [`Blocks`] combines the two.
///
/// ```
/// use webstrata::{block::{BlockOptions, BlockTable}, html::Dom};
/// let dom = Dom::parse("<p>one<p>two");
/// let table = BlockTable::new(&dom, &BlockOptions::default());
/// assert_eq!(table.with(&dom).iter().map(|b| b.text()).collect::<Vec<_>>(), ["one", "two"]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct BlockTable {
    records: Vec<Record>,
    /// Text nodes in document order, with the flags [`build::SPACED`] and [`build::LINKED`].
    runs: Vec<u32>,
    options: BlockOptions,
}

impl BlockTable {
    /// Builds the blocks of a page with these options.
    #[must_use]
    pub fn new(dom: &Dom<'_>, options: &BlockOptions) -> Self {
        Builder::default().build(dom, options)
    }

    /// Combines the table with the page it was built from.
    #[must_use]
    pub fn with<'p>(&'p self, dom: &'p Dom<'p>) -> Blocks<'p> {
        Blocks { dom, table: self, layout: None }
    }
}

/// The blocks of a page, in document order.
///
/// ```
/// use webstrata::Page;
/// let page = Page::parse(b"<h1>Strata</h1><p>Layers of <a href=r>rock</a>.</p>");
/// let texts: Vec<String> = page.blocks().iter().map(|b| b.text()).collect();
/// assert_eq!(texts, ["Strata", "Layers of rock."]);
/// assert_eq!(page.blocks().get(1).unwrap().counts().link_words, 1);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Blocks<'p> {
    dom: &'p Dom<'p>,
    table: &'p BlockTable,
    layout: Option<&'p Layout>,
}

impl<'p> IntoIterator for Blocks<'p> {
    type Item = Block<'p>;
    type IntoIter = BlocksIter<'p>;

    fn into_iter(self) -> BlocksIter<'p> {
        BlocksIter { blocks: self, range: 0..self.len() }
    }
}

/// Iterator over [`Blocks`].
///
/// ```
/// use webstrata::Page;
/// let page = Page::parse(b"<h1>Rain</h1><p>Again.</p><p>And again.</p>");
/// let mut blocks = page.blocks().into_iter();
/// assert_eq!((blocks.len(), blocks.next_back().unwrap().text().as_str()), (3, "And again."));
/// ```
#[derive(Clone, Debug)]
pub struct BlocksIter<'p> {
    blocks: Blocks<'p>,
    range: std::ops::Range<usize>,
}

impl<'p> Iterator for BlocksIter<'p> {
    type Item = Block<'p>;

    #[inline]
    fn next(&mut self) -> Option<Block<'p>> {
        let index = self.range.next()?;
        Some(Block { blocks: self.blocks, index })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.range.size_hint()
    }
}

impl<'p> DoubleEndedIterator for BlocksIter<'p> {
    fn next_back(&mut self) -> Option<Block<'p>> {
        let index = self.range.next_back()?;
        Some(Block { blocks: self.blocks, index })
    }
}

impl ExactSizeIterator for BlocksIter<'_> {}

impl std::iter::FusedIterator for BlocksIter<'_> {}

impl<'p> Blocks<'p> {
    /// The page they come from.
    #[must_use]
    pub fn dom(self) -> &'p Dom<'p> {
        self.dom
    }

    /// The layout of the page, if it has one.
    #[must_use]
    pub fn layout(self) -> Option<&'p Layout> {
        self.layout
    }

    /// The same blocks, with a layout of their page.
    #[must_use]
    pub fn with_layout(self, layout: Option<&'p Layout>) -> Self {
        Blocks { layout, ..self }
    }

    /// Number of blocks.
    #[must_use]
    pub fn len(self) -> usize {
        self.table.records.len()
    }

    /// Whether there are no blocks.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.table.records.is_empty()
    }

    /// Block `index`, if there is one.
    #[must_use]
    pub fn get(self, index: usize) -> Option<Block<'p>> {
        (index < self.len()).then_some(Block { blocks: self, index })
    }

    /// All blocks in document order.
    #[must_use]
    pub fn iter(self) -> BlocksIter<'p> {
        self.into_iter()
    }

    /// The options they were built with.
    #[must_use]
    pub fn options(self) -> BlockOptions {
        self.table.options
    }

    /// The options with which words were counted.
    #[must_use]
    pub fn word_options(self) -> WordOptions {
        self.table.options.words
    }

    /// Whether text inside `noscript` is included.
    pub(crate) fn includes_noscript(self) -> bool {
        self.table.options.noscript
    }

    pub(crate) fn records(self) -> &'p [Record] {
        &self.table.records
    }

    /// All runs, in document order.
    pub(crate) fn runs(self) -> &'p [u32] {
        &self.table.runs
    }

    pub(crate) fn runs_of(self, index: usize) -> &'p [u32] {
        let runs = &self.table.runs;
        let start = |index: usize| self.table.records.get(index).map_or(runs.len(), |r| r.runs as usize);
        runs.get(start(index)..start(index + 1)).unwrap_or_default()
    }

    /// The text node of a run.
    pub(crate) fn run_node(run: u32) -> u32 {
        run & !(build::SPACED | build::LINKED)
    }

    /// Whether the run is inside a link.
    pub(crate) fn run_is_linked(run: u32) -> bool {
        run & build::LINKED != 0
    }

    /// Whether white space separates the run from the previous one.
    pub(crate) fn run_is_spaced(run: u32) -> bool {
        run & build::SPACED != 0
    }
}

/// One block of a page.
///
/// ```
/// use webstrata::Page;
/// let page = Page::parse(b"<p>Fish &amp; <b>chips</b>");
/// let block = page.blocks().get(0).unwrap();
/// assert_eq!(block.text(), "Fish & chips");
/// let source: Vec<&str> = block.spans().iter().map(|s| s.slice(page.dom().source())).collect();
/// assert_eq!(source, ["Fish &amp; ", "chips"]);
/// assert_eq!(block.node().path(), "/html/body/p");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Block<'b> {
    blocks: Blocks<'b>,
    index: usize,
}

impl<'b> Block<'b> {
    fn record(self) -> &'b Record {
        &self.blocks.table.records[self.index]
    }

    /// The blocks of the page it belongs to.
    pub(crate) fn blocks(self) -> Blocks<'b> {
        self.blocks
    }

    /// The block's index in the page.
    #[must_use]
    pub fn index(self) -> usize {
        self.index
    }

    /// Numbers of words, lines and linked words in the block.
    #[must_use]
    pub fn counts(self) -> Counts {
        self.record().counts
    }

    /// The block's text density (thesis eq. 4.6).
    #[must_use]
    pub fn density(self) -> Density {
        self.record().counts.density()
    }

    /// Share of its words that are in links.
    #[must_use]
    pub fn link_density(self) -> f64 {
        self.record().counts.link_density()
    }

    /// The kinds of elements that enclose it.
    #[must_use]
    pub fn context(self) -> Context {
        self.record().context
    }

    /// Facts about the visibility of the block.
    #[must_use]
    pub fn facts(self) -> Facts {
        self.record().facts
    }

    /// Number of enclosing non-inline elements.
    #[must_use]
    pub fn level(self) -> u16 {
        self.record().level
    }

    /// The element in which its text starts.
    #[must_use]
    pub fn node(self) -> Node<'b> {
        let parent = |&run: &u32| self.blocks.dom.record(Blocks::run_node(run)).parent;
        Node::new(self.blocks.dom, self.blocks.runs_of(self.index).first().map_or(0, parent))
    }

    /// The block's text nodes.
    pub fn runs(self) -> impl Iterator<Item = NodeId> + 'b {
        self.blocks.runs_of(self.index).iter().map(|&run| NodeId(Blocks::run_node(run)))
    }

    /// Byte ranges of its text runs in the page's source, in order and without overlap.
    #[must_use]
    pub fn spans(self) -> Vec<Span> {
        self.blocks.runs_of(self.index).iter().map(|&run| self.blocks.dom.span_of(Blocks::run_node(run))).collect()
    }

    /// Tags of the gap before it; `a` is never among them.
    #[must_use]
    pub fn gap(self) -> TagSet {
        let before = self.index.checked_sub(1).and_then(|i| self.blocks.runs_of(i).last()).map(|&run| Blocks::run_node(run));
        let first = self.blocks.runs_of(self.index).first().map_or(0, |&run| Blocks::run_node(run));
        gap::between(self.blocks.dom, before, first, &self.blocks.table.options)
    }

    /// Byte range of the gap before it: from the end of the previous block (or the start of the page) to its own start.
    #[must_use]
    pub fn gap_span(self) -> Span {
        let dom = self.blocks.dom;
        let before = self
            .index
            .checked_sub(1)
            .and_then(|i| self.blocks.runs_of(i).last())
            .map_or(0, |&run| dom.span_of(Blocks::run_node(run)).end);
        let start = self.blocks.runs_of(self.index).first().map_or(before, |&run| dom.span_of(Blocks::run_node(run)).start);
        Span::new(before, start.max(before))
    }

    /// What separates its text from that of the previous block.
    #[must_use]
    pub fn boundary(self) -> WordBoundary {
        self.record().boundary
    }
}
