//! Text with looks and links inside one part.

use super::direction::{Direction, Letters};
use super::escape::{address, attribute, text};
use crate::content::render::{Event, Style};

/// Looks and their tags, from the outermost to the innermost.
const LOOKS: [(Style, &str, &str); 4] = [
    (Style::STRONG, "<strong>", "</strong>"),
    (Style::EMPHASIS, "<em>", "</em>"),
    (Style::STRIKETHROUGH, "<del>", "</del>"),
    (Style::CODE, "<code>", "</code>"),
];

/// The leaf that is being written.
#[derive(Default)]
pub(super) struct Inline {
    /// Of the document.
    direction: Direction,
    letters: Letters,
    /// Where the tag of the leaf ends: there its direction is written, if it is not that of the document.
    tag_end: Option<usize>,
    /// Where the address of the link stands that is open.
    link: Option<String>,
    /// The line has something on it.
    written: bool,
}

impl Inline {
    pub(super) fn new(direction: Direction) -> Self {
        Inline { direction, ..Inline::default() }
    }

    /// Begins a leaf whose start tag ends at `tag_end`.
    pub(super) fn begin(&mut self, tag_end: usize) {
        self.tag_end = Some(tag_end);
        self.letters = Letters::default();
        self.written = false;
    }

    /// Begins preformatted text.
    pub(super) fn preformatted(&mut self) {
        self.tag_end = None;
    }

    /// Ends the leaf.
    pub(super) fn end(&mut self, out: &mut String) {
        self.lead_to(None, out);
        if let (Some(at), Some(direction)) = (self.tag_end.take(), self.letters.other_than(self.direction)) {
            let mut dir = String::new();
            attribute("dir", direction.name(), &mut dir);
            out.insert_str(at, &dir);
        }
    }

    pub(super) fn event(&mut self, event: &Event<&str>, out: &mut String) {
        match event {
            Event::Text { text: content, .. } if self.tag_end.is_none() => text(content, out),
            Event::Text { text: content, style, link } => self.text(content, *style, *link, out),
            Event::Break => {
                self.lead_to(None, out);
                out.push_str("<br>");
                self.written = false;
            }
            Event::Image { alt, source, link } => {
                self.space(*link, out);
                self.lead_to(*link, out);
                out.push_str("<img");
                address("src", source, out);
                attribute("alt", alt, out);
                out.push('>');
                self.written = true;
            }
            Event::Math { tex, .. } => {
                self.lead_to(None, out);
                out.push_str("<code class=\"language-tex\">");
                text(tex, out);
                out.push_str("</code>");
                self.written = true;
            }
            Event::Start(_) | Event::End(_) | Event::Rule | Event::Reference { .. } => {}
        }
    }

    /// A reference to the note with this label, or raised text where there is none.
    pub(super) fn reference(&mut self, shown: &str, label: Option<&str>, out: &mut String) {
        self.lead_to(None, out);
        out.push_str("<sup>");
        if let Some(label) = label {
            out.push_str("<a");
            attribute("href", &format!("#note-{label}"), out);
            out.push('>');
        }
        text(shown.trim(), out);
        out.push_str(if label.is_some() { "</a></sup>" } else { "</sup>" });
        self.written = true;
    }

    fn text(&mut self, content: &str, style: Style, link: Option<&str>, out: &mut String) {
        let inner = content.trim_start();
        if inner.len() < content.len() {
            self.space(link, out);
        }
        if inner.is_empty() {
            return;
        }
        self.lead_to(link, out);
        self.letters.count(inner);
        for (look, open, _) in LOOKS {
            if style.contains(look) {
                out.push_str(open);
            }
        }
        text(inner, out);
        for (look, _, close) in LOOKS.into_iter().rev() {
            if style.contains(look) {
                out.push_str(close);
            }
        }
        self.written = true;
    }

    /// A space before what leads to `link`: inside a link that goes on, outside all others.
    fn space(&mut self, link: Option<&str>, out: &mut String) {
        if self.link.as_deref() != link {
            self.lead_to(None, out);
        }
        if self.written && !out.ends_with(' ') {
            out.push(' ');
        }
    }

    /// Ends the link that is open and begins one to `link`, unless they are the same.
    fn lead_to(&mut self, link: Option<&str>, out: &mut String) {
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
