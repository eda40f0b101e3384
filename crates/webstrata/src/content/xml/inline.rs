//! Styled text and links inside one leaf.

use super::Dialect;
use super::escape::{address, attribute, text};
use crate::content::line::{Line, Markup};
use crate::content::raised;
use crate::content::render::{Event, Style};

/// The tags of both dialects.
static MARKUP: Markup = Markup {
    styles: [
        (Style::STRONG, "<hi rend=\"#b\">", "</hi>"),
        (Style::EMPHASIS, "<hi rend=\"#i\">", "</hi>"),
        (Style::STRIKETHROUGH, "<del>", "</del>"),
        (Style::SUPERSCRIPT, "<hi rend=\"#sup\">", "</hi>"),
        (Style::SUBSCRIPT, "<hi rend=\"#sub\">", "</hi>"),
        (Style::CODE, "<code>", "</code>"),
    ],
    link: ("<ref", "target", "</ref>"),
    text,
    address,
};

/// The leaf being written.
pub(super) struct Inline {
    line: Line,
    dialect: Dialect,
    /// Whether white space is significant and nothing is styled.
    preformatted: bool,
}

impl Inline {
    pub(super) fn new(dialect: Dialect) -> Self {
        Inline { line: Line::new(&MARKUP), dialect, preformatted: false }
    }

    /// Starts a leaf.
    pub(super) fn begin(&mut self, preformatted: bool) {
        self.line.written = false;
        self.preformatted = preformatted;
    }

    /// Ends the leaf.
    pub(super) fn end(&mut self, out: &mut String) {
        self.line.switch_link(None, out);
        self.preformatted = false;
    }

    pub(super) fn event(&mut self, event: &Event<&str>, out: &mut String) {
        match event {
            Event::Text { text: content, .. } if self.preformatted => text(content, out),
            Event::Text { text: content, style, link } => {
                self.line.text(raised::attached(content, *style), *style, *link, out);
            }
            Event::Task(checked) => self.line.task(*checked, out),
            Event::Break => self.line.end(if self.preformatted { "\n" } else { "<lb/>" }, out),
            Event::Image { alt, source, link } => {
                self.line.space(*link, out);
                self.line.switch_link(*link, out);
                self.image(alt, source, out);
            }
            Event::Math { tex, .. } => {
                self.line.switch_link(None, out);
                out.push_str("<formula notation=\"TeX\">");
                text(tex, out);
                out.push_str("</formula>");
                self.line.written = true;
            }
            Event::Start(_) | Event::End(_) | Event::Rule | Event::Reference { .. } => {}
        }
    }

    fn image(&mut self, alt: &str, source: &str, out: &mut String) {
        out.push_str("<graphic");
        match self.dialect {
            Dialect::Plain => {
                address("src", source, out);
                attribute("alt", alt, out);
                out.push_str("/>");
            }
            Dialect::Tei => {
                address("url", source, out);
                out.push('>');
                if !alt.is_empty() {
                    out.push_str("<desc>");
                    text(alt, out);
                    out.push_str("</desc>");
                }
                out.push_str("</graphic>");
            }
        }
        self.line.written = true;
    }

    /// Writes a reference to the note with this identifier, or superscript text if there is no such note.
    pub(super) fn reference(&mut self, shown: &str, note: Option<&str>, out: &mut String) {
        self.line.switch_link(None, out);
        match note {
            Some(note) => {
                out.push_str("<ref");
                attribute("target", &format!("#{note}"), out);
                attribute("type", "note", out);
                out.push('>');
                text(shown.trim(), out);
                out.push_str("</ref>");
            }
            None => {
                out.push_str("<hi rend=\"#sup\">");
                text(shown.trim(), out);
                out.push_str("</hi>");
            }
        }
        self.line.written = true;
    }
}
