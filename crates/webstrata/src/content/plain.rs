//! Content as plain text that keeps its structure: list markers, table rows, preformatted code.

use super::render::{Document, Event, Part, RenderOptions, Style};
use super::{Content, raised};
use crate::options::setters;

/// Options of plain text.
///
/// ```
/// use webstrata::{ExtractOptions, Page, content::TextOptions, label::Preset};
/// let html = b"<ol><li>one<li>two</ol><table><tr><td>a<td>b<tr><td>c<td>d</table>";
/// let page = Page::parse(html);
/// let content = page.extract_with(&ExtractOptions::from(Preset::KeepEverything));
/// assert_eq!(content.text(), "1. one\n2. two\na | b\nc | d");
/// assert_eq!(content.text_with(&TextOptions::default().bullets(false)), "one\ntwo\na | b\nc | d");
/// assert_eq!(content.text_with(&TextOptions::BARE), "one\ntwo\na\nb\nc\nd");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct TextOptions {
    /// Whether list items start with `- ` or their number.
    pub bullets: bool,
    /// Whether a table row is one line, its cells separated by ` | `. The caption is a line before the rows; a cell that spans
    /// columns or rows is written where it starts, and the places that it covers are empty.
    pub tables: bool,
    /// Whether characters implied by the markup are written: raised digits (`10⁶`), quotation marks of `q`, the boxes of task lists.
    pub signs: bool,
    /// Whether to write formulas that the page has only as TeX in a script or in the alternative text of a picture.
    pub formulas: bool,
}

setters! { TextOptions { bullets: bool, tables: bool, signs: bool, formulas: bool } }

impl TextOptions {
    /// Only the words of the page, as used to compute scores.
    pub const BARE: TextOptions = TextOptions { bullets: false, tables: false, signs: false, formulas: false };
}

impl Default for TextOptions {
    fn default() -> Self {
        TextOptions { bullets: true, tables: true, signs: true, formulas: true }
    }
}

impl Content<'_> {
    /// The content as plain text: one line per paragraph, item and row, white space folded except in `pre`, soft hyphens and
    /// zero-width spaces removed. Letters are in reading order, even in right-to-left text.
    #[must_use]
    pub fn text(&self) -> String {
        self.text_with(&TextOptions::default())
    }

    /// The content as plain text with `options`.
    #[must_use]
    pub fn text_with(&self, options: &TextOptions) -> String {
        let render = RenderOptions { links: false, ..RenderOptions::default() };
        self.document(&render).text(options)
    }
}

impl Document {
    /// The document as plain text.
    #[must_use]
    pub fn text(&self, options: &TextOptions) -> String {
        let mut out = String::new();
        let mut lists: Vec<Option<u32>> = Vec::new();
        let mut marker: Option<String> = None;
        let mut cells = 0u32; // open cells of tables written as rows
        let mut cell_start = 0;
        let mut column = 0; // of the current row
        let mut space = false; // a space precedes text that was left out
        for event in self.events() {
            match event {
                Event::Start(Part::List(start)) => lists.push(start),
                Event::End(Part::List(_)) => drop(lists.pop()),
                Event::Start(Part::Item) if options.bullets && cells == 0 => {
                    let indent = "  ".repeat(lists.len().saturating_sub(1));
                    marker = Some(match lists.last_mut() {
                        Some(Some(number)) => {
                            let marker = format!("{indent}{number}. ");
                            *number = number.saturating_add(1);
                            marker
                        }
                        _ => format!("{indent}- "),
                    });
                }
                Event::Start(Part::Row) if options.tables && cells == 0 => {
                    line(&mut out);
                    column = 0;
                }
                Event::Start(Part::Cell(cell)) if options.tables => {
                    cells += 1;
                    if cells > 1 {
                        separate(&mut out, cell_start);
                        continue;
                    }
                    while column < cell.column {
                        out.push_str(if out.is_empty() || out.ends_with('\n') { "| " } else { " | " });
                        column += 1;
                    }
                    cell_start = out.len();
                }
                Event::End(Part::Cell(_)) => cells = cells.saturating_sub(1),
                // A cell is always part of a line.
                Event::Start(part) if part.is_leaf() && cells > 0 => separate(&mut out, cell_start),
                Event::Start(part) if part.is_leaf() => {
                    line(&mut out);
                    out.push_str(&marker.take().unwrap_or_default());
                }
                Event::Break if cells > 0 => out.push(' '),
                Event::Break => line(&mut out),
                Event::Task(checked) if options.signs => out.push_str(if checked { "[x] " } else { "[ ] " }),
                // Generated text with a link is a file name, not text of the page.
                Event::Text { text, style, link } if style.contains(Style::GENERATED) && (!options.signs || link.is_some()) => {
                    space = text.starts_with(' ');
                }
                Event::Text { text, .. } if cells > 0 && text.contains('\n') => out.push_str(&text.replace('\n', " ")),
                Event::Text { text, style, .. } => {
                    if std::mem::take(&mut space) && !text.starts_with(' ') {
                        out.push(' ');
                    }
                    // A formula that was left out leaves two adjacent spaces.
                    let text = text.strip_prefix(' ').filter(|_| out.ends_with(' ')).unwrap_or(text);
                    styled(text, style, *options, &mut out);
                }
                Event::Math { tex, text: "", .. } if options.formulas => out.push_str(tex),
                Event::Math { text, .. } | Event::Reference { text, .. } => out.push_str(text),
                _ => {}
            }
        }
        out
    }
}

/// Appends text, as superscript or subscript characters if its style requires them and they exist.
fn styled(text: &str, style: Style, options: TextOptions, out: &mut String) {
    match raised::characters(text, style).filter(|_| options.signs) {
        Some(raised) => {
            out.push_str(if text.starts_with(' ') && !style.contains(Style::ATTACHED) { " " } else { "" });
            out.push_str(&raised);
        }
        None => out.push_str(text),
    }
}

fn line(out: &mut String) {
    if !out.is_empty() && !out.ends_with('\n') {
        out.push('\n');
    }
}

/// Separates the next text from the text already in the cell that starts at `start`.
fn separate(out: &mut String, start: usize) {
    if out.len() > start && !out.ends_with(' ') {
        out.push(' ');
    }
}
