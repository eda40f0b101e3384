//! Pages with blocks marked by annotators (Kreuzer, Hage, Feelders: A Quantitative Comparison of Semantic Web
//! Page Segmentation Approaches, ICWE 2015; data sets "popular" and "random").
//!
//! A block is one element with `data-block` (`1`: top level, `2`: below it) and `data-block-type`; all
//! its text belongs to the block. We read the marks as follows:
//! - the tree is webstrata's own, of the marked page; a block's text is that of the element's descendants;
//! - of nested blocks of the same level, the innermost counts;
//! - at [`Level::Sub`], text belongs to its level 2 block, or to its level 1 block if it is in none;
//! - text outside blocks has no label: scores cover the marked text only.
//!
//! The annotation tool left traces that a method could exploit: the two attributes, a `style`
//! element, `class=""` and the class `highlight` on elements it touched. All of them are removed before a
//! method sees the page. The rest is the original page byte for byte, and offsets are mapped back to the
//! marked page, which has the labels.
//!
//! Files are decoded first (some are not UTF-8); offsets refer to the UTF-8 text.

use super::{LabelledSpans, parse_utf8};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use webstrata::decode::{DecodeOptions, decode};
use webstrata::html::{Dom, Node, NodeKind, Tag};
use webstrata::{Page, Span};

/// Pages whose serialiser wrote end tags as `<\/script>`. Elsewhere `<\/` is ordinary JavaScript.
const ESCAPED_END_TAGS: [&str; 2] = ["www.treasury.gov", "www.fifa.com"];

/// The tool's class for the element under the pointer.
const TOOL_CLASS: &str = "highlight";

/// Identifies the tool's style sheet.
const TOOL_STYLE: &str = "[data-block]";

/// The blocks that are gold segments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Level 1 only.
    Top,
    /// Level 2, or level 1 where there is none.
    Sub,
}

/// The set cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {path} (the set is a folder with annotated pages in html/)", path = .path.display())]
pub struct ReadError {
    pub(super) path: PathBuf,
    pub(super) source: io::Error,
}

/// The innermost blocks that contain a text, each identified by the offset of its mark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Marks {
    pub(super) top: Option<u32>,
    pub(super) sub: Option<u32>,
}

/// A marked page: the page as methods see it, and its annotations.
///
/// ```
/// use webstrata_lab::gold::seg_popular::{Level, MarkedPage};
/// let page = MarkedPage::new("made.up", b"<div class='' data-block='1' data-block-type='Header'>Rain</div>or shine");
/// assert_eq!(page.html(), "<div>Rain</div>or shine");
/// assert!(page.label_at(5, Level::Top).is_some());
/// assert!(page.label_at(15, Level::Top).is_none());
/// ```
#[derive(Clone, Debug)]
pub struct MarkedPage {
    id: String,
    html: String,
    kept: Kept,
    marks: LabelledSpans<Marks>,
    blocks: usize,
}

impl MarkedPage {
    /// Parses a marked page. The id, which is the page's host, selects the repair that two pages need.
    #[must_use]
    pub fn new(id: &str, bytes: &[u8]) -> Self {
        let mut source = decode(bytes, &DecodeOptions::default()).text.into_owned();
        if ESCAPED_END_TAGS.contains(&id) {
            source = source.replace("<\\/", "</");
        }
        let dom = Dom::parse(&source);
        let traces = traces(&dom);
        let (marks, blocks) = marks(&dom);
        let kept = Kept::without(&traces, source.len());
        MarkedPage { id: id.to_owned(), html: kept.cut(&source), kept, marks, blocks }
    }

    /// A page without annotations of its own, with marks from another source.
    pub(super) fn from_marks(id: &str, html: String, marks: LabelledSpans<Marks>, blocks: usize) -> Self {
        let kept = Kept::without(&[], html.len());
        MarkedPage { id: id.to_owned(), html, kept, marks, blocks }
    }

    /// Reads a file of the set; its name is the page's id.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn read(path: &Path) -> Result<Self, ReadError> {
        let bytes = fs::read(path).map_err(|source| ReadError { path: path.to_owned(), source })?;
        Ok(MarkedPage::new(&path.file_stem().unwrap_or_default().to_string_lossy(), &bytes))
    }

    /// Reads all pages of a set, sorted by name. If its `gold.jsonl` has segments, returns the pages that have them, marked accordingly.
    ///
    /// # Errors
    /// If the folder or one of its files cannot be read.
    pub fn read_all(set: &Path) -> Result<Vec<Self>, ReadError> {
        if let Some(pages) = super::segments::read(set)? {
            return Ok(pages);
        }
        let folder = set.join("html");
        let error = |source| ReadError { path: folder.clone(), source };
        let entries: Result<Vec<_>, _> = fs::read_dir(&folder).map_err(error)?.collect();
        let mut files: Vec<PathBuf> = entries.map_err(error)?.into_iter().map(|entry| entry.path()).collect();
        files.retain(|path| path.extension().is_some_and(|ending| ending == "html"));
        files.sort();
        files.iter().map(|path| MarkedPage::read(path)).collect()
    }

    /// The page's host.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The page as methods see it, without marks and other traces of the tool.
    #[must_use]
    pub fn html(&self) -> &str {
        &self.html
    }

    /// Parses that page.
    #[must_use]
    pub fn parse(&self) -> Page<'_> {
        parse_utf8(&self.html)
    }

    /// Number of marked blocks of both levels, including those without text.
    #[must_use]
    pub fn blocks(&self) -> usize {
        self.blocks
    }

    /// The block of the text at this byte of [`MarkedPage::html`]; `None` outside blocks and text.
    #[must_use]
    pub fn label_at(&self, byte: u32, level: Level) -> Option<u32> {
        let marks = self.marks.at(self.kept.original(byte)?)?;
        match level {
            Level::Top => marks.top,
            Level::Sub => marks.sub.or(marks.top),
        }
    }
}

/// The blocks of each run of text, and the number of blocks.
fn marks(dom: &Dom<'_>) -> (LabelledSpans<Marks>, usize) {
    let mut by_node: Vec<Marks> = Vec::with_capacity(dom.len());
    let mut by_tag: BTreeMap<u32, (Tag, Marks)> = BTreeMap::new();
    let mut runs = Vec::new();
    for node in dom.nodes() {
        // Parents precede their children.
        let outer = node.parent().map_or_else(Marks::default, |parent| by_node[parent.id().index()]);
        if node.kind() == NodeKind::Text {
            runs.push((node.span(), outer));
        }
        let own = if node.is_implied() {
            // A formatting element that the parser reopened has the position of its tag, so it is the same block.
            by_tag.get(&node.span().start).filter(|(tag, _)| *tag == node.tag()).map(|(_, marks)| *marks)
        } else {
            let own = Marks::from_node(node);
            by_tag.extend(own.map(|marks| (node.span().start, (node.tag(), marks))));
            own
        };
        by_node.push(own.map_or(outer, |own| Marks { top: own.top.or(outer.top), sub: own.sub.or(outer.sub) }));
    }
    let blocks = by_tag.values().map(|(_, marks)| usize::from(marks.top.is_some()) + usize::from(marks.sub.is_some())).sum();
    (runs.into_iter().collect(), blocks)
}

impl Marks {
    /// The marks of one element.
    fn from_node(node: Node<'_>) -> Option<Marks> {
        let mark = node.attributes().find(|attribute| attribute.name().eq_ignore_ascii_case("data-block"))?;
        let block = Some(mark.span().start);
        let value = mark.value();
        let has = |level: &str| value.split_ascii_whitespace().any(|word| word == level);
        Some(Marks { top: block.filter(|_| has("1")), sub: block.filter(|_| has("2")) })
    }
}

/// The tool's traces in a page, in arbitrary order.
fn traces(dom: &Dom<'_>) -> Vec<Span> {
    let mut traces = Vec::new();
    for node in dom.nodes() {
        if node.tag() == Tag::STYLE {
            traces.extend(tool_style(node));
        }
        for attribute in node.attributes() {
            let name = attribute.name();
            let whole = attribute_span(dom.source(), name, attribute.span());
            if name.eq_ignore_ascii_case("data-block") || name.eq_ignore_ascii_case("data-block-type") {
                traces.push(whole);
            } else if name.eq_ignore_ascii_case("class") {
                let value = attribute.span().slice(dom.source());
                let (tool, own): (Vec<&str>, Vec<&str>) = value.split_ascii_whitespace().partition(|class| *class == TOOL_CLASS);
                if own.is_empty() {
                    traces.push(whole);
                } else {
                    traces.extend(tool.into_iter().map(|class| word_span(dom.source(), class)));
                }
            }
        }
    }
    traces
}

/// The tool's style sheet with its end tag.
fn tool_style(style: Node<'_>) -> Option<Span> {
    let source = style.dom().source();
    let sheet = style.children().find(|child| child.span().slice(source).contains(TOOL_STYLE))?.span();
    let end = source.get(sheet.end as usize..)?.find('>')?;
    Some(Span::new(style.span().start, sheet.end + offset(end) + 1))
}

/// An attribute with its quotes and the preceding white space.
fn attribute_span(source: &str, name: &str, value: Span) -> Span {
    let bytes = source.as_bytes();
    let start = offset_in(source, name);
    let name_end = start + offset(name.len());
    let mut end = value.end.max(name_end);
    let is_quote = |at: u32| matches!(bytes.get(at as usize), Some(b'"' | b'\''));
    if value.start > name_end && is_quote(value.start - 1) && is_quote(end) {
        end += 1;
    }
    // Without white space after it, the preceding white space is needed to separate its neighbours.
    let separated = bytes.get(end as usize).is_none_or(|byte| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/'));
    let start = if separated { whitespace_start(source, start) } else { start };
    Span::new(start, end)
}

/// A word of an attribute's value with the preceding white space.
fn word_span(source: &str, word: &str) -> Span {
    let start = offset_in(source, word);
    Span::new(whitespace_start(source, start), start + offset(word.len()))
}

/// Start of the white space before `at`.
fn whitespace_start(source: &str, at: u32) -> u32 {
    let white = source.as_bytes()[..at as usize].iter().rev().take_while(|byte| byte.is_ascii_whitespace()).count();
    at - offset(white)
}

/// Offset of `part`, a slice of `source`.
fn offset_in(source: &str, part: &str) -> u32 {
    offset(part.as_ptr().addr() - source.as_ptr().addr())
}

/// Offsets have 32 bits; the parser truncates longer pages.
fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// The parts of a text that remain after cutting, and their original positions.
#[derive(Clone, Debug, Default)]
struct Kept {
    /// Start in the remaining text, and the part in the original; ascending.
    parts: Vec<(u32, Span)>,
}

impl Kept {
    /// The remainder of a text of `len` bytes. The spans may overlap.
    fn without(cut: &[Span], len: usize) -> Self {
        let mut cut = cut.to_vec();
        cut.sort();
        let mut parts = Vec::new();
        let (mut start, mut at) = (0, 0);
        for span in cut.into_iter().chain([Span::new(offset(len), offset(len))]) {
            if span.start > at {
                parts.push((start, Span::new(at, span.start)));
                start += span.start - at;
            }
            at = at.max(span.end);
        }
        Kept { parts }
    }

    fn cut(&self, source: &str) -> String {
        self.parts.iter().map(|(_, part)| part.slice(source)).collect()
    }

    /// The original position of a byte of the remaining text.
    fn original(&self, byte: u32) -> Option<u32> {
        let before = self.parts.partition_point(|(start, _)| *start <= byte);
        let (start, part) = self.parts.get(before.checked_sub(1)?)?;
        Some(part.start + (byte - start)).filter(|original| *original < part.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn html(marked: &str) -> String {
        MarkedPage::new("made.up", marked.as_bytes()).html().to_owned()
    }

    /// Label of the first byte of `text`.
    fn label(page: &MarkedPage, text: &str, level: Level) -> Option<u32> {
        page.label_at(offset(page.html().find(text).unwrap_or(usize::MAX)), level)
    }

    #[test]
    fn traces_are_removed_and_the_rest_stays() {
        for (marked, plain) in [
            (r#"<p data-block="1" data-block-type="Menu" id="a">x"#, r#"<p id="a">x"#),
            (r#"<p id="a" data-block="1"  data-block-type='Menu'>x"#, r#"<p id="a">x"#),
            (r#"<p class="" data-block=2 data-block-type=Ad>x"#, "<p>x"),
            (r#"<p DATA-BLOCK="1" Data-Block-Type="Ad"/>x"#, "<p/>x"),
            (r#"<p class="highlight">x<p class=" ">y<p class>z"#, "<p>x<p>y<p>z"),
            (r#"<p class="a highlight b">x"#, r#"<p class="a b">x"#),
            (r#"<p class="highlight b">x"#, r#"<p class=" b">x"#),
            (r#"<p class="highlights">x"#, r#"<p class="highlights">x"#),
            (r#"<p class=""id="a">x"#, r#"<p id="a">x"#),
            (r#"<p data-blocks="1">data-block="1""#, r#"<p data-blocks="1">data-block="1""#),
            ("<style type=a>*[data-block] {}</style ><style>p {}</style>x", "<style>p {}</style>x"),
        ] {
            assert_eq!(html(marked), plain, "{marked}");
        }
    }

    #[test]
    fn the_innermost_block_of_the_deepest_level_counts() {
        let page = MarkedPage::new(
            "made.up",
            b"zero<div data-block=1 data-block-type=Content>one <b data-block=2 data-block-type=Title>two\
              <i data-block=2 data-block-type=Author>three</i></b><p data-block=1 data-block-type=Ad>four</p></div>\
              <u data-block='2 1' data-block-type='Menu Sidebar'>five</u>",
        );
        assert_eq!(page.blocks(), 6);
        let [zero, one, two, three, four, five] =
            ["zero", "one", "two", "three", "four", "five"].map(|text| label(&page, text, Level::Sub));
        assert_eq!(zero, None);
        let mut labels = [one, two, three, four, five];
        labels.sort();
        assert!(labels[0].is_some() && labels.windows(2).all(|pair| pair[0] != pair[1]));
        assert_eq!(label(&page, "three", Level::Top), one);
        assert_ne!(label(&page, "four", Level::Top), one);
        assert_eq!(label(&page, "five", Level::Top), five);
    }

    #[test]
    fn reopened_elements_are_one_block() {
        let page = MarkedPage::new("made.up", b"<p><b data-block=2 data-block-type=Title>one<p>two</b> three");
        assert_eq!(label(&page, "one", Level::Sub), label(&page, "two", Level::Sub));
        assert_eq!(label(&page, "three", Level::Sub), None);
        assert_eq!(page.blocks(), 1);
    }

    #[test]
    fn remaining_bytes_map_to_their_originals() {
        let marked = "<p class='' id=a data-block=1 data-block-type=Ad>Bäume <b class='highlight'>und</b> Wälder";
        let page = MarkedPage::new("made.up", marked.as_bytes());
        assert_eq!(page.html(), "<p id=a>Bäume <b>und</b> Wälder");
        for (at, byte) in page.html().bytes().enumerate() {
            let original = page.kept.original(offset(at)).map(|original| marked.as_bytes()[original as usize]);
            assert_eq!(original, Some(byte));
        }
        assert_eq!(page.kept.original(offset(page.html().len())), None);
    }

    #[test]
    fn only_two_pages_are_repaired_and_others_are_decoded() {
        let escaped = b"<script>write('<\\/script><p data-block=1 data-block-type=Ad>text')</script>";
        assert_eq!(MarkedPage::new("www.fifa.com", escaped).blocks(), 1);
        assert_eq!(MarkedPage::new("made.up", escaped).blocks(), 0);
        let latin = MarkedPage::new("made.up", b"<meta charset=iso-8859-1><p data-block=1 data-block-type=Ad>caf\xe9 au lait");
        assert!(latin.html().ends_with("<p>café au lait"));
        assert!(label(&latin, "au lait", Level::Top).is_some());
    }
}
