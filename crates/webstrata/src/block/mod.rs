//! Blocks: the runs of text between tags, with the counts that every method of the papers needs.
//!
//! The **block-gap model** (Kohlschütter, Nejdl: A Densitometric Approach to Web Page Segmentation,
//! CIKM 2008, 3.3; thesis 4.2): a page is a sequence of blocks of character data, separated by gaps
//! of one or more tags. Two models of what makes a gap are offered, see [`GapModel`].

mod build;
mod density;
mod features;
mod gap;
pub(crate) mod noscript;
pub(crate) mod outline;
mod text;
mod tokens;
mod unspaced;
mod word_boundary;
mod words;

pub use build::{BlockOptions, GapModel};
pub use density::{Density, Threshold};
pub use features::{FEATURES, Feature, Features, Frequencies, Neighbour};
pub use outline::Mask;
pub use tokens::Token;
pub use unspaced::is_unspaced;
pub(crate) use words::Counter;
pub use words::{Counts, UnspacedTokens, WordOptions};

use crate::html::{Dom, Facts, INLINE, Node, NodeId, Tag, TagSet};
use crate::span::Span;
use build::Builder;

/// Elements that stand inside a line and end a word.
pub(crate) const INLINE_OBJECTS: TagSet = TagSet::from_tags(&[Tag::IMG, Tag::PICTURE, Tag::SOURCE, Tag::SVG, Tag::MATH]);

/// What encloses a block: one bit for each kind of element (and each fact) that some ancestor is.
///
/// ```
/// use webstrata::{Page, block::Context};
/// let page = Page::parse(b"<nav><ul><li>one</ul></nav>");
/// let block = page.blocks().get(0).unwrap();
/// assert!(block.context().contains(Context::NAV) && block.context().contains(Context::LIST));
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

    /// Has it any bit of `other`?
    #[must_use]
    pub const fn contains(self, other: Context) -> bool {
        self.0 & other.0 != 0
    }

    /// The bit that an element gives to what it contains.
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

/// One block as stored.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record {
    /// First of its text runs; they end where the next block's start.
    pub(crate) runs: u32,
    pub(crate) counts: Counts,
    pub(crate) context: Context,
    pub(crate) facts: Facts,
    /// Open elements round it that are not inline: boilerpipe's tag level.
    pub(crate) level: u16,
    /// What stands between its text and that of the block before: nothing, white space, or a line's end.
    pub(crate) boundary: WordBoundary,
}

/// How a block's text goes on from the one before.
///
/// ```
/// use webstrata::{Page, block::{GapModel, WordBoundary}};
/// let page = Page::parse(b"<p>Fish <b>and ch</b>ips");
/// let boundaries: Vec<WordBoundary> = page.blocks_by(GapModel::Tags).iter().map(|b| b.boundary()).collect();
/// assert_eq!(boundaries, [WordBoundary::Line, WordBoundary::Space, WordBoundary::None]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum WordBoundary {
    /// In the same word: `ch` and `ips` in `<b>ch</b>ips`.
    None,
    /// In the same line, with white space between them.
    Space,
    /// On a new line.
    #[default]
    Line,
}

/// The blocks of a page as a flat table, without the page: what can be kept beside it. [`Blocks`] is the two together.
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
    /// Text nodes, in document order, with the mark of those that white space precedes.
    runs: Vec<u32>,
    options: BlockOptions,
}

impl BlockTable {
    /// The blocks of a page under these options.
    #[must_use]
    pub fn new(dom: &Dom<'_>, options: &BlockOptions) -> Self {
        Builder::default().build(dom, options)
    }

    /// The table and the page that it was made from.
    #[must_use]
    pub fn with<'p>(&'p self, dom: &'p Dom<'p>) -> Blocks<'p> {
        Blocks { dom, table: self }
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
}

impl<'p> Blocks<'p> {
    /// The page they come from.
    #[must_use]
    pub fn dom(self) -> &'p Dom<'p> {
        self.dom
    }

    /// How many there are.
    #[must_use]
    pub fn len(self) -> usize {
        self.table.records.len()
    }

    /// Is there none?
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.table.records.is_empty()
    }

    /// Block number `index`.
    #[must_use]
    pub fn get(self, index: usize) -> Option<Block<'p>> {
        (index < self.len()).then_some(Block { blocks: self, index })
    }

    /// All blocks in document order.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = Block<'p>> + ExactSizeIterator {
        (0..self.len()).map(move |index| Block { blocks: self, index })
    }

    /// How they were made.
    #[must_use]
    pub fn options(self) -> BlockOptions {
        self.table.options
    }

    /// How words were counted.
    #[must_use]
    pub fn word_options(self) -> WordOptions {
        self.table.options.words
    }

    /// Does text inside `noscript` count?
    pub(crate) fn includes_noscript(self) -> bool {
        self.table.options.noscript
    }

    pub(crate) fn records(self) -> &'p [Record] {
        &self.table.records
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

    /// Is the run inside a link?
    pub(crate) fn run_is_linked(run: u32) -> bool {
        run & build::LINKED != 0
    }

    /// Is the run separated from the one before it?
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

    /// Its number.
    #[must_use]
    pub fn index(self) -> usize {
        self.index
    }

    /// Its words, lines and linked words.
    #[must_use]
    pub fn counts(self) -> Counts {
        self.record().counts
    }

    /// Its text density (thesis eq. 4.6).
    #[must_use]
    pub fn density(self) -> Density {
        self.record().counts.density()
    }

    /// Share of its words that stand in links.
    #[must_use]
    pub fn link_density(self) -> f64 {
        self.record().counts.link_density()
    }

    /// What encloses it.
    #[must_use]
    pub fn context(self) -> Context {
        self.record().context
    }

    /// What is known about whether it can be seen.
    #[must_use]
    pub fn facts(self) -> Facts {
        self.record().facts
    }

    /// How many open elements that are not inline are round it.
    #[must_use]
    pub fn level(self) -> u16 {
        self.record().level
    }

    /// The element that its text starts in.
    #[must_use]
    pub fn node(self) -> Node<'b> {
        let parent = |&run: &u32| self.blocks.dom.record(Blocks::run_node(run)).parent;
        Node::new(self.blocks.dom, self.blocks.runs_of(self.index).first().map_or(0, parent))
    }

    /// Numbers of its text nodes.
    pub fn runs(self) -> impl Iterator<Item = NodeId> + 'b {
        self.blocks.runs_of(self.index).iter().map(|&run| NodeId(Blocks::run_node(run)))
    }

    /// Byte ranges of its text runs in the page's source, in order; they never overlap.
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

    /// Byte range of the gap before it: from the end of the block before (or the start of the page) to its own start.
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

    /// How its text goes on from the block before.
    #[must_use]
    pub fn boundary(self) -> WordBoundary {
        self.record().boundary
    }
}
