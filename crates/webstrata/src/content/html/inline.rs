//! Styled text and links inside one leaf.

use super::direction::{Direction, Letters};
use super::escape::{address, attribute, text};
use crate::content::raised;
use crate::content::render::{Event, Style};

/// Styles and their tags, from the outermost to the innermost.
const STYLE_TAGS: [(Style, &str, &str); 6] = [
    (Style::STRONG, "<strong>", "</strong>"),
    (Style::EMPHASIS, "<em>", "</em>"),
    (Style::STRIKETHROUGH, "<del>", "</del>"),
    (Style::CODE, "<code>", "</code>"),
    (Style::SUPERSCRIPT, "<sup>", "</sup>"),
    (Style::SUBSCRIPT, "<sub>", "</sub>"),
];

/// The leaf being written.
#[derive(Default)]
pub(super) struct Inline {
    /// Direction of the document.
    direction: Direction,
    letters: Letters,
    /// End of the leaf's start tag, where `dir` is inserted if its direction differs from the document's.
    tag_end: Option<usize>,
    /// Address of the open link.
    link: Option<String>,
    /// The line is not empty.
    written: bool,
}

impl Inline {
    pub(super) fn new(direction: Direction) -> Self {
        Inline { direction, ..Inline::default() }
    }

    /// Starts a leaf whose start tag ends at `tag_end`.
    pub(super) fn begin(&mut self, tag_end: usize) {
        self.tag_end = Some(tag_end);
        self.letters = Letters::default();
        self.written = false;
    }

    /// Starts preformatted text.
    pub(super) fn preformatted(&mut self) {
        self.tag_end = None;
    }

    /// Ends the leaf.
    pub(super) fn end(&mut self, out: &mut String) {
        self.switch_link(None, out);
        if let (Some(at), Some(direction)) = (self.tag_end.take(), self.letters.differing_from(self.direction)) {
            let mut dir = String::new();
            attribute("dir", direction.name(), &mut dir);
            out.insert_str(at, &dir);
        }
    }

    pub(super) fn event(&mut self, event: &Event<&str>, out: &mut String) {
        match event {
            Event::Text { text: content, .. } if self.tag_end.is_none() => text(content, out),
            Event::Text { text: content, style, link } => self.text(raised::attached(content, *style), *style, *link, out),
            Event::Task(checked) => {
                out.push_str(if *checked { "☑ " } else { "☐ " });
                self.written = false;
            }
            Event::Break => {
                self.switch_link(None, out);
                out.push_str("<br>");
                self.written = false;
            }
            Event::Image { alt, source, link } => {
                self.space(*link, out);
                self.switch_link(*link, out);
                out.push_str("<img");
                address("src", source, out);
                attribute("alt", alt, out);
                out.push('>');
                self.written = true;
            }
            Event::Math { tex, mathml, display, .. } => {
                self.switch_link(None, out);
                if mathml.is_empty() {
                    out.push_str(if *display { "<span class=\"math display\">\\[" } else { "<span class=\"math inline\">\\(" });
                    text(tex, out);
                    out.push_str(if *display { "\\]</span>" } else { "\\)</span>" });
                } else {
                    // Written by `render/mathml.rs`, from its own list of elements and attributes.
                    out.push_str(mathml);
                }
                self.written = true;
            }
            Event::Start(_) | Event::End(_) | Event::Rule | Event::Reference { .. } => {}
        }
    }

    /// Writes a reference to the note with this label, or superscript text if there is no such note.
    pub(super) fn reference(&mut self, shown_text: &str, label: Option<&str>, out: &mut String) {
        self.switch_link(None, out);
        out.push_str("<sup>");
        if let Some(label) = label {
            out.push_str("<a");
            attribute("href", &format!("#note-{label}"), out);
            out.push('>');
        }
        text(shown_text.trim(), out);
        out.push_str(if label.is_some() { "</a></sup>" } else { "</sup>" });
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
        self.letters.count(inner);
        for (tag_style, open, _) in STYLE_TAGS {
            if style.contains(tag_style) {
                out.push_str(open);
            }
        }
        text(inner, out);
        for (tag_style, _, close) in STYLE_TAGS.into_iter().rev() {
            if style.contains(tag_style) {
                out.push_str(close);
            }
        }
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
            out.push_str("</a>");
        }
        if let Some(link) = link {
            out.push_str("<a");
            address("href", link, out);
            out.push('>');
            self.link = Some(link.to_owned());
        }
    }
}
