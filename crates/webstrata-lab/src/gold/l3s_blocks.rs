//! News pages with text labelled by annotators, run by run: the thesis' own set, L3S-GN1 (Kohlschütter's thesis, 4.4.3,
//! "Datasets and Gold Standard").
//!
//! `annotated/<id>.html` is the page as the annotation tool saved it from a browser. The tool left traces:
//! - `span` elements of class `x-nc-sel0` … `x-nc-sel5` directly around text, arbitrarily nested (a few have `x-text-density`
//!   and `x-link-density` as well), and the same classes on a few elements of the page. The innermost one counts; 1 is
//!   headline, 2 full text, 3 supplemental, 4 related content, 5 comments; 0, like text outside, is not content;
//! - a `style` element with the colours of the classes;
//! - the class `x-nc-invisible` on hidden elements (their text was removed), `x-nc-linearized` on `body`, and links
//!   with the address `javascript:void(0)`. Neither reveals a label to blocks and features, which ignore classes and addresses.
//!
//! Methods see the annotated file without the tool's `span` tags and its `style`: the labels were made on
//! this tree, and mapping them to the page as fetched would need an error-prone alignment (scripts had run). The label of
//! a byte is thus exact. A block gets the label of most of its words (the lower number on a tie), because a block of lines
//! can contain several runs of text.
//!
//! **Two classes**: headline, full text, supplemental text and comments are content ("we treat comments as main content"); related
//! content is not. The thesis does not say so, but its numbers do: always answering "content" has a precision of 40.7% and a recall of 63.8%,
//! so 63.8% of its words are content, while 65% have a label (table 4.8); always answering "full text or comments" has a false positive rate
//! of 59.2%, the share of these two. That only adds up if the last two rows of table 4.8 are swapped (comments 9% of the
//! words, related 1%), which the set confirms: it has six times as many words of comments as of related content.
//! **Four classes**: boilerplate, full text and comments, headline, supplemental.
//!
//! The set is licensed for research; no published model may be trained on it.

use super::set::{GoldPage, GoldSet, SetError};
use super::{LabelledSpans, parse_utf8};
use std::fs;
use std::path::{Path, PathBuf};
use webstrata::block::Blocks;
use webstrata::html::token::{RawAttribute, RawTag, Repair, Sink, TextKind, TokenizerState, tokenize};
use webstrata::{Page, Span};

/// Gold label of a run of text.
///
/// ```
/// use webstrata_lab::gold::l3s_blocks::Label;
/// assert_eq!(Label::ALL[5], Label::Comments);
/// assert_eq!(Label::FullText.name(), "full text");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Label {
    /// Not part of the article.
    #[default]
    NotContent,
    /// A headline.
    Headline,
    /// The article.
    FullText,
    /// Captions, fact boxes, dates.
    Supplemental,
    /// Links to other articles.
    Related,
    /// Readers' comments.
    Comments,
}

impl Label {
    /// Indexed by the number in the tool's classes.
    pub const ALL: [Label; 6] =
        [Label::NotContent, Label::Headline, Label::FullText, Label::Supplemental, Label::Related, Label::Comments];

    /// The name in tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        ["not content", "headline", "full text", "supplemental", "related", "comments"][self as usize]
    }

    /// The label in a `class` attribute.
    fn from_classes(value: &str) -> Option<Label> {
        value.split_ascii_whitespace().find_map(|class| {
            let number: usize = class.strip_prefix("x-nc-sel")?.parse().ok()?;
            Label::ALL.get(number).copied()
        })
    }
}

/// An annotated page: the page as methods see it, and the labels of its text.
///
/// ```
/// use webstrata_lab::gold::l3s_blocks::{AnnotatedPage, Label};
/// let page = AnnotatedPage::new("<p><span class=\"x-nc-sel2\">It <b><span class=\"x-nc-sel2\">rained</span></b></span> again</p>");
/// assert_eq!(page.html(), "<p>It <b>rained</b> again</p>");
/// assert_eq!(page.label_at(9), Label::FullText);
/// let parsed = page.parse();
/// assert_eq!(page.block_labels(parsed.blocks()), [Label::FullText]);
/// ```
#[derive(Clone, Debug)]
pub struct AnnotatedPage {
    html: String,
    labels: LabelledSpans<Label>,
}

impl AnnotatedPage {
    /// Parses an annotated page.
    #[must_use]
    pub fn new(annotated: &str) -> Self {
        let mut stripper = Stripper { source: annotated, ..Stripper::default() };
        tokenize(annotated.as_bytes(), 0, Repair::On, &mut stripper, &mut Vec::new());
        stripper.keep_up_to(annotated.len());
        AnnotatedPage { html: stripper.html, labels: stripper.labels.into_iter().collect() }
    }

    /// The page without the tool's tags and styles.
    #[must_use]
    pub fn html(&self) -> &str {
        &self.html
    }

    /// Parses that page.
    #[must_use]
    pub fn parse(&self) -> Page<'_> {
        parse_utf8(&self.html)
    }

    /// The label of the text at this byte of [`AnnotatedPage::html`].
    #[must_use]
    pub fn label_at(&self, byte: u32) -> Label {
        self.labels.at(byte).unwrap_or_default()
    }

    /// The label of most words of each block.
    #[must_use]
    pub fn block_labels(&self, blocks: Blocks<'_>) -> Vec<Label> {
        let label = |block: webstrata::block::Block<'_>| {
            let mut words = [0u32; Label::ALL.len()];
            for token in block.tokens() {
                words[self.label_at(token.spans.first().map_or(0, |span| span.start)) as usize] += 1;
            }
            let most = words.iter().copied().max().unwrap_or(0);
            words.iter().position(|&count| count == most).map_or(Label::NotContent, |number| Label::ALL[number])
        };
        blocks.iter().map(label).collect()
    }
}

/// A page of the set with its gold.
#[derive(Clone, Debug)]
pub struct LabelledPage {
    /// The page's line of `gold.jsonl`.
    pub gold: GoldPage,
    /// The page with its labels.
    pub page: AnnotatedPage,
}

/// The set without unreadable pages, which are reported.
#[derive(Clone, Debug)]
pub struct L3sBlocks {
    /// Pages in the order of `gold.jsonl`.
    pub pages: Vec<LabelledPage>,
    /// Skipped pages, with reasons.
    pub problems: Vec<String>,
}

impl L3sBlocks {
    /// Reads the set.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use webstrata_lab::gold::l3s_blocks::L3sBlocks;
    /// # let folder = tempfile::tempdir()?;
    /// # for part in ["html", "annotated"] {
    /// #     std::fs::create_dir(folder.path().join(part))?;
    /// #     std::fs::write(folder.path().join(part).join("1.html"), "<p><span class=x-nc-sel2>It rains.</span>")?;
    /// # }
    /// # std::fs::write(folder.path().join("html/2.html"), "<p>It snows.")?;
    /// # std::fs::write(folder.path().join("gold.jsonl"), "{\"id\": \"1\"}\n{\"id\": \"2\"}")?;
    /// let set = L3sBlocks::read(folder.path())?;
    /// assert_eq!((set.pages.len(), set.problems.len()), (1, 1));
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// If there is no gold, or none of its pages can be used.
    pub fn read(folder: &Path) -> Result<L3sBlocks, SetError> {
        let GoldSet { pages: gold, mut problems, .. } = GoldSet::read(folder)?;
        let mut pages = Vec::with_capacity(gold.len());
        for gold in gold {
            let file: PathBuf = folder.join("annotated").join(format!("{}.html", gold.id));
            match fs::read(&file) {
                Ok(bytes) => pages.push(LabelledPage { page: AnnotatedPage::new(&String::from_utf8_lossy(&bytes)), gold }),
                Err(error) => problems.push(format!("no page annotated/{}.html ({error})", gold.id)),
            }
        }
        if pages.is_empty() {
            let first = problems.into_iter().next().unwrap_or_default();
            return Err(SetError::Empty { folder: folder.to_owned(), first });
        }
        Ok(L3sBlocks { pages, problems })
    }
}

/// An open element.
#[derive(Debug)]
struct Open {
    name: String,
    label: Option<Label>,
    /// Whether the tool inserted it.
    tool: bool,
}

/// Copies a page without the tool's tags and records the label of each run of text.
///
/// A browser wrote the files from its tree, so every element that is not void has an end tag, and a stack
/// of names is all that is needed.
#[derive(Debug, Default)]
struct Stripper<'s> {
    source: &'s str,
    html: String,
    /// The source has been processed up to here.
    done: usize,
    open: Vec<Open>,
    labels: Vec<(Span, Label)>,
}

const VOID: [&str; 18] = [
    "area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img", "input", "keygen", "link", "meta", "param",
    "source", "track", "wbr",
];

/// Identifies the tool's style sheet.
const TOOL_STYLE: &str = ".x-nc-sel0";

impl Stripper<'_> {
    fn keep_up_to(&mut self, at: usize) {
        self.html.push_str(self.source.get(self.done..at).unwrap_or(""));
        self.done = at.max(self.done);
    }

    fn name(&self, start: usize, end: usize) -> String {
        self.source.get(start..end).unwrap_or("").to_ascii_lowercase()
    }
}

impl Sink for Stripper<'_> {
    fn text(&mut self, start: usize, end: usize, _: TextKind) {
        let text = self.source.get(start..end).unwrap_or("");
        if self.open.last().is_some_and(|open| open.name == "style") && text.contains(TOOL_STYLE) {
            // The element stays, but empty, so nothing of it is visible.
            self.keep_up_to(start);
            self.done = end;
            return;
        }
        self.keep_up_to(start);
        let from = self.html.len() as u32;
        self.keep_up_to(end);
        if let Some(label) = self.open.iter().rev().find_map(|open| open.label) {
            self.labels.push((Span::new(from, self.html.len() as u32), label));
        }
    }

    fn start(&mut self, tag: RawTag, attributes: &[RawAttribute]) -> TokenizerState {
        let name = self.name(tag.start + 1, tag.name_end);
        let class = attributes.iter().find(|a| self.name(a.name_start as usize, a.name_end as usize) == "class");
        let label = class.and_then(|a| Label::from_classes(self.source.get(a.value_start as usize..a.value_end as usize)?));
        let tool = label.is_some() && name == "span";
        self.keep_up_to(tag.start);
        if tool {
            self.done = tag.end;
        }
        let model = match name.as_str() {
            "script" => TokenizerState::Script,
            "style" | "xmp" | "iframe" | "noembed" | "noframes" => TokenizerState::Rawtext,
            "title" | "textarea" => TokenizerState::Rcdata,
            "plaintext" => TokenizerState::Plaintext,
            _ => TokenizerState::Data,
        };
        if !VOID.contains(&name.as_str()) {
            self.open.push(Open { name, label, tool });
        }
        model
    }

    fn end(&mut self, tag: RawTag) {
        let name = self.name(tag.start + 2, tag.name_end);
        let Some(at) = self.open.iter().rposition(|open| open.name == name) else { return };
        let tool = self.open[at].tool;
        self.open.truncate(at);
        self.keep_up_to(tag.start);
        if tool {
            self.done = tag.end;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use webstrata::block::GapModel;

    fn labels(annotated: &str, gaps: GapModel) -> Vec<Label> {
        let page = AnnotatedPage::new(annotated);
        let parsed = page.parse();
        page.block_labels(parsed.blocks_by(gaps))
    }

    #[test]
    fn the_tools_tags_are_removed_and_others_stay() {
        let annotated = "<style>.x-nc-sel0 { color: red }</style><SPAN class=\"x-nc-sel1\" x-text-density=\"1\">A<br> <span id=s>b</span></SPAN>\
            <span>c</span><div class=\"a x-nc-sel5\">d</div><script>'<span class=x-nc-sel1>'</script>";
        let page = AnnotatedPage::new(annotated);
        let want = "<style></style>A<br> <span id=s>b</span><span>c</span><div class=\"a x-nc-sel5\">d</div>\
            <script>'<span class=x-nc-sel1>'</script>";
        assert_eq!(page.html(), want);
        let at = |text: &str| page.label_at(page.html().find(text).unwrap_or(0) as u32);
        assert_eq!(
            [at("A<"), at("b<"), at("c<"), at("d<")],
            [Label::Headline, Label::Headline, Label::NotContent, Label::Comments]
        );
    }

    #[test]
    fn the_innermost_label_and_the_majority_of_words_count() {
        let annotated = "<p><span class=x-nc-sel2>one two <b><span class=x-nc-sel0>three four five</span></b></span></p>\
            <p><span class=x-nc-sel3>six</span> <b>seven</b></p><p><span class=x-nc-sel4>eight</span></p>";
        assert_eq!(labels(annotated, GapModel::Lines), [Label::NotContent, Label::NotContent, Label::Related]);
        let tags = labels(annotated, GapModel::Tags);
        assert_eq!(tags, [Label::FullText, Label::NotContent, Label::Supplemental, Label::NotContent, Label::Related]);
    }
}
