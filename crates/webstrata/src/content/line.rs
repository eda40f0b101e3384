//! A line of styled and linked text in a markup language, shared by clean HTML and XML.

use super::render::Style;

/// The tags and escapes of a markup language.
pub(super) struct Markup {
    /// Styles with their start and end tags, from the outermost to the innermost.
    pub(super) styles: [(Style, &'static str, &'static str); 6],
    /// Start of a link's start tag, the attribute with its address, and its end tag.
    pub(super) link: (&'static str, &'static str, &'static str),
    /// Appends escaped text.
    pub(super) text: fn(&str, &mut String),
    /// Appends an attribute with an address.
    pub(super) address: fn(&str, &str, &mut String),
}

/// The line being written.
pub(super) struct Line {
    markup: &'static Markup,
    /// Address of the open link.
    link: Option<String>,
    /// Whether the line is not empty.
    pub(super) written: bool,
}

impl Line {
    pub(super) const fn new(markup: &'static Markup) -> Self {
        Line { markup, link: None, written: false }
    }

    /// Writes styled text; returns it without the space before it, if there is any text.
    pub(super) fn text<'t>(&mut self, content: &'t str, style: Style, link: Option<&str>, out: &mut String) -> Option<&'t str> {
        let inner = content.trim_start_matches(' ');
        if inner.len() < content.len() {
            self.space(link, out);
        }
        if inner.is_empty() {
            return None;
        }
        self.switch_link(link, out);
        let styles = self.markup.styles.iter().filter(|(wanted, ..)| style.contains(*wanted));
        styles.clone().for_each(|(_, start, _)| out.push_str(start));
        (self.markup.text)(inner, out);
        styles.rev().for_each(|(_, _, end)| out.push_str(end));
        self.written = true;
        Some(inner)
    }

    /// Writes the check box of a task.
    pub(super) fn task(&mut self, checked: bool, out: &mut String) {
        out.push_str(if checked { "☑ " } else { "☐ " });
        self.written = false;
    }

    /// Ends the line with this tag.
    pub(super) fn end(&mut self, tag: &str, out: &mut String) {
        self.switch_link(None, out);
        out.push_str(tag);
        self.written = false;
    }

    /// Writes a space before text linked to `link`: inside the open link if it continues, otherwise outside.
    pub(super) fn space(&mut self, link: Option<&str>, out: &mut String) {
        if self.link.as_deref() != link {
            self.switch_link(None, out);
        }
        if self.written && !out.ends_with(' ') {
            out.push(' ');
        }
    }

    /// Closes the open link and opens one to `link`, unless they are the same.
    pub(super) fn switch_link(&mut self, link: Option<&str>, out: &mut String) {
        if self.link.as_deref() == link {
            return;
        }
        let (start, attribute, end) = self.markup.link;
        if self.link.take().is_some() {
            out.push_str(end);
        }
        if let Some(link) = link {
            out.push_str(start);
            (self.markup.address)(attribute, link, out);
            out.push('>');
            self.link = Some(link.to_owned());
        }
    }
}
