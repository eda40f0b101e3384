//! Content as a small document of headings, paragraphs, lists, tables, code and quotes, built from the runs of content
//! and the elements around them. The writers of Markdown, HTML and plain text consume it.
//!
//! A document is a flat list of events and one string. It is built in passes that each visit every node or event once:
//! `notes.rs` finds footnotes, `build.rs` walks the tree, `formulas.rs` writes formulas, `table.rs` gives tables their final shape.

mod attached;
mod build;
mod code;
mod containers;
mod enclosed;
mod event_buffer;
mod formulas;
mod frame;
mod images;
mod language;
mod lists;
mod marks;
mod mathml;
mod media;
mod notes;
mod numbering;
mod output;
mod outside;
mod permalinks;
mod shape;
mod table;
mod tables;
mod tasks;

pub use shape::{CellShape, TableShape};

use super::Content;
use crate::options::setters;

/// How a document is rendered.
///
/// ```
/// use webstrata::{ExtractOptions, Page, content::RenderOptions, label::Preset};
/// let page = Page::parse(b"<p>See <a href=more.html>more</a>.");
/// let content = page.extract_with(&ExtractOptions::from(Preset::KeepEverything));
/// let options = RenderOptions::default().base("https://example.org/a/b.html".to_owned());
/// assert_eq!(content.markdown(&options), "See [more](https://example.org/a/more.html).\n");
/// assert_eq!(content.markdown(&options.links(false)), "See more.\n");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct RenderOptions {
    /// URL of the page, against which relative URLs are resolved.
    pub base: Option<String>,
    /// Whether links are kept; otherwise only their text is.
    pub links: bool,
    /// Whether images are kept if the text before and after them is content; audio and video become links to their files. Captions
    /// and credits are kept with them, unless [`ExtractOptions::drop_roles`](crate::ExtractOptions::drop_roles) names these roles.
    pub images: bool,
    /// How tables are written in Markdown.
    pub markdown_tables: MarkdownTables,
}

setters! { RenderOptions { links: bool, images: bool, markdown_tables: MarkdownTables } into { base: Option<String> } }

impl Default for RenderOptions {
    fn default() -> Self {
        RenderOptions { base: None, links: true, images: false, markdown_tables: MarkdownTables::Auto }
    }
}

/// How tables are written in Markdown.
///
/// ```
/// use webstrata::{ExtractOptions, Page, content::{MarkdownTables, RenderOptions}, label::Preset};
/// let page = Page::parse(b"<table><tr><th>a<th>b<tr><td>1<td><ol><li>x<li>y</ol></table>");
/// let content = page.extract_with(&ExtractOptions::from(Preset::KeepEverything));
/// let options = RenderOptions::default();
/// assert!(content.markdown(&options).starts_with("<table>"));
/// let gfm = content.markdown(&options.markdown_tables(MarkdownTables::Gfm));
/// assert_eq!(gfm, "| a | b |\n| --- | --- |\n| 1 | x<br>y |\n");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MarkdownTables {
    /// As pipe tables if every cell can be written as lines; as HTML if a cell contains code, a numbered or nested list,
    /// a quotation or a table. The default.
    #[default]
    Auto,
    /// Always as pipe tables (GitHub Flavored Markdown). Lines in a cell are separated by `<br>`.
    Gfm,
    /// Always as HTML, with spans, header cells and captions. The HTML is as clean as that of [`Content::html`].
    Html,
}

/// Inline styles of a run of text, one bit each.
///
/// ```
/// use webstrata::content::Style;
/// let both = Style::STRONG.union(Style::EMPHASIS);
/// assert!(both.contains(Style::STRONG) && !both.contains(Style::CODE));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Style(u8);

impl Style {
    /// Styles of letters. If two runs with different styles meet inside a word, the second takes the style of the first.
    pub(super) const LETTER_STYLES: Style = Style(7);

    /// No style.
    pub const PLAIN: Style = Style(0);
    /// `strong`, `b`, defined terms, summaries.
    pub const STRONG: Style = Style(1);
    /// `em`, `i` and similar elements.
    pub const EMPHASIS: Style = Style(2);
    /// `del`, `s`, `strike`.
    pub const STRIKETHROUGH: Style = Style(4);
    /// `code`, `kbd`, `samp`, `tt`.
    pub const CODE: Style = Style(8);
    /// `sup`.
    pub const SUPERSCRIPT: Style = Style(16);
    /// `sub`.
    pub const SUBSCRIPT: Style = Style(32);
    /// Raised or lowered text directly after a word. The page has no space before it, but the text does, to keep the words apart
    /// where the style is lost (`10<sup>6</sup>` is not 106).
    pub const ATTACHED: Style = Style(64);
    /// Text that the page shows but does not contain: quotation marks of `q`, parentheses around a ruby annotation, the name
    /// of a video.
    pub const GENERATED: Style = Style(128);
    /// `sup` or `sub`.
    pub(super) const RAISED: Style = Style(48);

    /// Whether all bits of `other` are set.
    #[must_use]
    pub const fn contains(self, other: Style) -> bool {
        self.0 & other.0 == other.0
    }

    /// The bits of both.
    #[must_use]
    pub const fn union(self, other: Style) -> Style {
        Style(self.0 | other.0)
    }

    /// Whether any bit of `other` is set.
    #[must_use]
    pub const fn intersects(self, other: Style) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether no bit is set.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The bits that are not in `other`.
    #[must_use]
    pub const fn difference(self, other: Style) -> Style {
        Style(self.0 & !other.0)
    }
}

/// A part of a document that contains text or other parts. `S` is the string type.
///
/// ```
/// use webstrata::content::Part;
/// assert!(Part::Heading::<&str>(2).is_leaf() && !Part::Item::<&str>.is_leaf());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part<S> {
    /// A heading of level 1 to 6.
    Heading(u8),
    /// A paragraph, a caption, a term or its definition.
    Paragraph,
    /// Preformatted text with its white space, and the language named by its class or an empty string.
    Code(S),
    /// A quotation.
    Quote,
    /// A list; for an ordered one, the number of its first item.
    List(Option<u32>),
    /// An item of a list.
    Item,
    /// A table: captions, then rows.
    Table(TableShape),
    /// The caption of a table.
    Caption,
    /// A row.
    Row,
    /// A cell. Most contain their text directly, with lines separated by [`Event::Break`]; see [`CellShape::has_parts`].
    Cell(CellShape),
    /// A footnote with this label.
    Note(S),
}

impl<S> Part<S> {
    /// Whether it contains text rather than other parts.
    #[must_use]
    pub const fn is_leaf(&self) -> bool {
        match self {
            Part::Heading(_) | Part::Paragraph | Part::Code(_) | Part::Caption => true,
            Part::Cell(cell) => !cell.has_parts,
            _ => false,
        }
    }

    fn map<T>(self, f: impl Fn(S) -> T) -> Part<T> {
        match self {
            Part::Heading(level) => Part::Heading(level),
            Part::Paragraph => Part::Paragraph,
            Part::Code(language) => Part::Code(f(language)),
            Part::Quote => Part::Quote,
            Part::List(start) => Part::List(start),
            Part::Item => Part::Item,
            Part::Table(shape) => Part::Table(shape),
            Part::Caption => Part::Caption,
            Part::Row => Part::Row,
            Part::Cell(shape) => Part::Cell(shape),
            Part::Note(label) => Part::Note(f(label)),
        }
    }
}

/// An event of a document. `S` is the string type.
///
/// ```
/// use webstrata::{ExtractOptions, Page, content::{Event, Part, RenderOptions, Style}, label::Preset};
/// let page = Page::parse(b"<ol start=3><li>one <b>two</b></ol>");
/// let document = page.extract_with(&ExtractOptions::from(Preset::KeepEverything)).document(&RenderOptions::default());
/// let events: Vec<Event<&str>> = document.events().collect();
/// assert_eq!(events[0], Event::Start(Part::List(Some(3))));
/// assert_eq!(events[4], Event::Text { text: " two", style: Style::STRONG, link: None });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Event<S> {
    /// A part begins.
    Start(Part<S>),
    /// The innermost open part ends.
    End(Part<S>),
    /// Text with white space collapsed, except in [`Part::Code`]; a space between two runs starts the second.
    Text {
        /// The text.
        text: S,
        /// Its style.
        style: Style,
        /// Link target.
        link: Option<S>,
    },
    /// A new line in the same part.
    Break,
    /// The check box of a task list item, at the start of its text, and whether it is checked.
    Task(bool),
    /// A horizontal rule between parts.
    Rule,
    /// An image; it ends a word.
    Image {
        /// Its alternative text.
        alt: S,
        /// Its address.
        source: S,
        /// Link target.
        link: Option<S>,
    },
    /// A formula.
    Math {
        /// Its TeX: one line, balanced braces, no dollar signs, no delimiters.
        tex: S,
        /// The visible characters, on one line; empty if the page has the formula only in a script or in a picture.
        text: S,
        /// The formula as presentation MathML only; empty if the page has none.
        mathml: S,
        /// Whether it is on a line of its own.
        display: bool,
    },
    /// A reference to the footnote with this label.
    Reference {
        /// The label.
        label: S,
        /// The text of the reference on the page, with a leading space if one separates it from the previous word.
        text: S,
    },
}

impl<S> Event<S> {
    fn map<T>(self, f: impl Fn(S) -> T + Copy) -> Event<T> {
        match self {
            Event::Start(part) => Event::Start(part.map(f)),
            Event::End(part) => Event::End(part.map(f)),
            Event::Text { text, style, link } => Event::Text { text: f(text), style, link: link.map(f) },
            Event::Break => Event::Break,
            Event::Task(checked) => Event::Task(checked),
            Event::Rule => Event::Rule,
            Event::Image { alt, source, link } => Event::Image { alt: f(alt), source: f(source), link: link.map(f) },
            Event::Math { tex, text, mathml, display } => Event::Math { tex: f(tex), text: f(text), mathml: f(mathml), display },
            Event::Reference { label, text } => Event::Reference { label: f(label), text: f(text) },
        }
    }
}

/// Content with its structure. Soft hyphens and zero-width spaces are removed; joiners between letters are kept.
///
/// ```
/// use webstrata::{ExtractOptions, Page, content::RenderOptions, label::Preset};
/// let page = Page::parse(b"<h2>Rain</h2><ul><li>in <i>spring</i><li>in autumn</ul>");
/// let document = page.extract_with(&ExtractOptions::from(Preset::KeepEverything)).document(&RenderOptions::default());
/// assert_eq!(document.markdown(), "## Rain\n\n- in *spring*\n- in autumn\n");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Document {
    strings: String,
    events: event_buffer::EventBuffer,
    /// The elements of its tables, in document order.
    pub(super) tables: Vec<u32>,
    pub(super) markdown_tables: MarkdownTables,
}

impl Document {
    /// The document's events in document order; parts are well nested, and all text is in leaves.
    pub fn events(&self) -> impl Iterator<Item = Event<&str>> {
        self.events.iter().map(|event| event.map(|span| span.slice(&self.strings)))
    }
}

impl Content<'_> {
    /// The content with its structure.
    #[must_use]
    pub fn document(&self, options: &RenderOptions) -> Document {
        let document = table::resolve_tables(build::build(self, options));
        Document { markdown_tables: options.markdown_tables, ..document }
    }
}
