//! Styled text and links inside one leaf.

use super::Dialect;
use super::escape::{address, attribute, text};
use crate::content::raised;
use crate::content::render::{Event, Style};

/// Styles with their elements, from the outermost to the innermost.
const STYLES: [(Style, &str, &str); 6] = [
    (Style::STRONG, "<hi rend=\"#b\">", "</hi>"),
    (Style::EMPHASIS, "<hi rend=\"#i\">", "</hi>"),
    (Style::STRIKETHROUGH, "<del>", "</del>"),
    (Style::SUPERSCRIPT, "<hi rend=\"#sup\">", "</hi>"),
    (Style::SUBSCRIPT, "<hi rend=\"#sub\">", "</hi>"),
    (Style::CODE, "<code>", "</code>"),
];

/// The leaf being written.
#[derive(Debug)]
pub(super) struct Inline {
    dialect: Dialect,
    /// Target of the open link.
    link: Option<String>,
    /// The line is not empty.
    written: bool,
    /// White space counts, and nothing is styled.
    preformatted: bool,
}

impl Inline {
    pub(super) fn new(dialect: Dialect) -> Self {
        Inline { dialect, link: None, written: false, preformatted: false }
    }

    /// Starts a leaf.
    pub(super) fn begin(&mut self, preformatted: bool) {
        self.written = false;
        self.preformatted = preformatted;
    }

    /// Ends the leaf.
    pub(super) fn end(&mut self, out: &mut String) {
        self.switch_link(None, out);
        self.preformatted = false;
    }

    pub(super) fn event(&mut self, event: &Event<&str>, out: &mut String) {
        match event {
            Event::Text { text: content, .. } if self.preformatted => text(content, out),
            Event::Text { text: content, style, link } => self.text(raised::attached(content, *style), *style, *link, out),
            Event::Task(checked) => {
                out.push_str(if *checked { "☑ " } else { "☐ " });
                self.written = false;
            }
            Event::Break => {
                self.switch_link(None, out);
                out.push_str(if self.preformatted { "\n" } else { "<lb/>" });
                self.written = false;
            }
            Event::Image { alt, source, link } => {
                self.space(*link, out);
                self.switch_link(*link, out);
                self.image(alt, source, out);
            }
            Event::Math { tex, .. } => {
                self.switch_link(None, out);
                out.push_str("<formula notation=\"TeX\">");
                text(tex, out);
                out.push_str("</formula>");
                self.written = true;
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
        self.written = true;
    }

    /// Writes a reference to the note with this identifier, or superscript text if there is no such note.
    pub(super) fn reference(&mut self, shown: &str, note: Option<&str>, out: &mut String) {
        self.switch_link(None, out);
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
        self.written = true;
    }

    fn text(&mut self, content: &str, style: Style, link: Option<&str>, out: &mut String) {
        let inner = content.trim_start_matches(' ');
        if inner.len() < content.len() {
            self.space(link, out);
        }
        if inner.is_empty() {
            return;
        }
        self.switch_link(link, out);
        let styles = STYLES.iter().filter(|(wanted, ..)| style.contains(*wanted));
        styles.clone().for_each(|(_, open, _)| out.push_str(open));
        text(inner, out);
        styles.rev().for_each(|(_, _, close)| out.push_str(close));
        self.written = true;
    }

    /// Writes a space before text linked to `link`: inside a link that continues, otherwise outside.
    fn space(&mut self, link: Option<&str>, out: &mut String) {
        if self.link.as_deref() != link {
            self.switch_link(None, out);
        }
        if self.written && !out.ends_with(' ') {
            out.push(' ');
        }
    }

    /// Closes the open link and opens one to `link`, unless they are the same.
    fn switch_link(&mut self, link: Option<&str>, out: &mut String) {
        if self.link.as_deref() == link {
            return;
        }
        if self.link.take().is_some() {
            out.push_str("</ref>");
        }
        if let Some(link) = link {
            out.push_str("<ref");
            address("target", link, out);
            out.push('>');
            self.link = Some(link.to_owned());
        }
    }
}
