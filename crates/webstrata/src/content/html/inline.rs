//! Styled text and links inside one leaf.

use super::direction::{Direction, Letters};
use super::escape::{address, attribute, text};
use crate::content::line::{Line, Markup};
use crate::content::raised;
use crate::content::render::{Event, Style};

/// The tags of HTML.
static MARKUP: Markup = Markup {
    styles: [
        (Style::STRONG, "<strong>", "</strong>"),
        (Style::EMPHASIS, "<em>", "</em>"),
        (Style::STRIKETHROUGH, "<del>", "</del>"),
        (Style::CODE, "<code>", "</code>"),
        (Style::SUPERSCRIPT, "<sup>", "</sup>"),
        (Style::SUBSCRIPT, "<sub>", "</sub>"),
    ],
    link: ("<a", "href", "</a>"),
    text,
    address,
};

/// The leaf being written.
pub(super) struct Inline {
    line: Line,
    /// Direction of the document.
    direction: Direction,
    letters: Letters,
    /// End of the leaf's start tag, where `dir` is inserted if its direction differs from the document's.
    tag_end: Option<usize>,
}

impl Default for Inline {
    fn default() -> Self {
        Inline::new(Direction::default())
    }
}

impl Inline {
    pub(super) fn new(direction: Direction) -> Self {
        Inline { line: Line::new(&MARKUP), direction, letters: Letters::default(), tag_end: None }
    }

    /// Starts a leaf whose start tag ends at `tag_end`.
    pub(super) fn begin(&mut self, tag_end: usize) {
        self.tag_end = Some(tag_end);
        self.letters = Letters::default();
        self.line.written = false;
    }

    /// Starts preformatted text.
    pub(super) fn preformatted(&mut self) {
        self.tag_end = None;
    }

    /// Ends the leaf.
    pub(super) fn end(&mut self, out: &mut String) {
        self.line.switch_link(None, out);
        if let (Some(at), Some(direction)) = (self.tag_end.take(), self.letters.differing_from(self.direction)) {
            let mut dir = String::new();
            attribute("dir", direction.name(), &mut dir);
            out.insert_str(at, &dir);
        }
    }

    pub(super) fn event(&mut self, event: &Event<&str>, out: &mut String) {
        match event {
            Event::Text { text: content, .. } if self.tag_end.is_none() => text(content, out),
            Event::Text { text: content, style, link } => {
                if let Some(shown) = self.line.text(raised::attached(content, *style), *style, *link, out) {
                    self.letters.count(shown);
                }
            }
            Event::Task(checked) => self.line.task(*checked, out),
            Event::Break => self.line.end("<br>", out),
            Event::Image { alt, source, link } => {
                self.line.space(*link, out);
                self.line.switch_link(*link, out);
                out.push_str("<img");
                address("src", source, out);
                attribute("alt", alt, out);
                out.push('>');
                self.line.written = true;
            }
            Event::Math { tex, mathml, display, .. } => {
                self.line.switch_link(None, out);
                if mathml.is_empty() {
                    out.push_str(if *display { "<span class=\"math display\">\\[" } else { "<span class=\"math inline\">\\(" });
                    text(tex, out);
                    out.push_str(if *display { "\\]</span>" } else { "\\)</span>" });
                } else {
                    // Written by `render/mathml.rs`, from its own list of elements and attributes.
                    out.push_str(mathml);
                }
                self.line.written = true;
            }
            Event::Start(_) | Event::End(_) | Event::Rule | Event::Reference { .. } => {}
        }
    }

    /// Writes a reference to the note with this label, or superscript text if there is no such note.
    pub(super) fn reference(&mut self, shown_text: &str, label: Option<&str>, out: &mut String) {
        self.line.switch_link(None, out);
        out.push_str("<sup>");
        if let Some(label) = label {
            out.push_str("<a");
            attribute("href", &format!("#note-{label}"), out);
            out.push('>');
        }
        text(shown_text.trim(), out);
        out.push_str(if label.is_some() { "</a></sup>" } else { "</sup>" });
        self.line.written = true;
    }
}
