//! Text with looks and links inside one paragraph, heading or cell.
//!
//! Stretches follow one another and never nest, so delimiters come in pairs side by side. They are written only
//! where the rules of CommonMark surely see the first as opening and the second as closing.

use super::escape::{Place, address, escape, longest_run};
use crate::content::render::{Event, Style};
use std::iter::Peekable;

/// Where lines go.
#[derive(Clone, Copy)]
pub(super) enum Leaf<'p> {
    Paragraph(&'p str),
    Heading,
    Cell,
}

/// Writes the events of a leaf, up to its end.
pub(super) fn write<'d>(leaf: Leaf<'_>, math: bool, events: &mut Peekable<impl Iterator<Item = Event<&'d str>>>, out: &mut String) {
    let mut writer = Writer { out, leaf, start: true, linked: false, math };
    let mut behind = false;
    while let Some(event) = events.next_if(|event| !matches!(event, Event::End(_))) {
        match link_of(&event) {
            // All that leads to the same place is one link.
            Some(link) => writer.link(link, event, behind, events),
            None => writer.event(&event, behind, events.peek().and_then(|next| first_char(next, None))),
        }
        behind = true;
    }
}

fn link_of<'d>(event: &Event<&'d str>) -> Option<&'d str> {
    match event {
        Event::Text { link, .. } | Event::Image { link, .. } => *link,
        _ => None,
    }
}

/// The character that an event starts with where the text is in `link`; none for the end of a line.
fn first_char(event: &Event<&str>, link: Option<&str>) -> Option<char> {
    match event {
        Event::Text { text, link: led, .. } if *led == link || text.starts_with(' ') => text.chars().next(),
        Event::Image { .. } => Some(' '),
        Event::Text { .. } | Event::Reference { .. } => Some('['),
        Event::Math { .. } => Some('$'),
        _ => None,
    }
}

/// What a character is to the rules about delimiters. What is neither surely a letter nor surely a mark is both.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Space,
    Mark,
    Letter,
    Unsure,
}

fn kind(c: Option<char>) -> Kind {
    match c {
        None => Kind::Space,
        Some(c) if c.is_whitespace() => Kind::Space,
        Some(c) if c.is_ascii_punctuation() => Kind::Mark,
        // Letters in circles are alphabetic, and symbols.
        Some('\u{2460}'..='\u{24ff}' | '\u{1f100}'..='\u{1f1ff}') => Kind::Unsure,
        Some(c) if c.is_alphanumeric() => Kind::Letter,
        Some(_) => Kind::Unsure,
    }
}

struct Writer<'o, 'p> {
    out: &'o mut String,
    leaf: Leaf<'p>,
    /// Nothing was written on this line yet.
    start: bool,
    /// The text is that of a link.
    linked: bool,
    math: bool,
}

impl Writer<'_, '_> {
    /// Writes a link round `first` and what follows it and leads to the same place, the white space at its start outside it.
    fn link<'d>(
        &mut self,
        target: &str,
        first: Event<&'d str>,
        behind: bool,
        events: &mut Peekable<impl Iterator<Item = Event<&'d str>>>,
    ) {
        let spaced = match first {
            Event::Text { text, .. } => text.starts_with(' '),
            _ => behind && !self.start,
        };
        if spaced {
            self.out.push(' ');
        }
        self.out.push('[');
        self.start = false;
        self.linked = true;
        let mut event = match first {
            Event::Text { text, style, .. } => Event::Text { text: text.trim_start(), style, link: None },
            other => other,
        };
        let mut behind = false;
        loop {
            let next = events.peek().filter(|next| link_of(next) == Some(target));
            self.event(&event, behind, next.map_or(Some(']'), |next| first_char(next, Some(target))));
            behind = true;
            match events.next_if(|next| link_of(next) == Some(target)) {
                Some(next) => event = next,
                None => break,
            }
        }
        self.linked = false;
        self.out.push_str("](");
        address(target, self.math, self.out);
        self.out.push(')');
    }

    fn event(&mut self, event: &Event<&str>, behind: bool, next: Option<char>) {
        match event {
            Event::Text { text, style, .. } => self.text(text, *style, next),
            Event::Break => {
                match self.leaf {
                    Leaf::Paragraph(prefix) => {
                        self.out.push_str("\\\n");
                        self.out.push_str(prefix);
                    }
                    Leaf::Heading => self.out.push(' '),
                    Leaf::Cell => self.out.push_str("<br>"),
                }
                self.start = true;
            }
            Event::Image { alt, source, .. } => {
                if behind && !self.start {
                    self.out.push(' ');
                }
                self.out.push_str("![");
                escape(alt, Place::Line, self.math, self.out);
                self.out.push_str("](");
                address(source, self.math, self.out);
                self.out.push(')');
                self.start = false;
            }
            // A bar ends a cell, and TeX has no other way to write it.
            Event::Math { tex, text } if matches!(self.leaf, Leaf::Cell) && tex.contains('|') => self.plain(text),
            Event::Math { tex, .. } => {
                self.out.push('$');
                self.out.push_str(tex);
                self.out.push('$');
                self.start = false;
            }
            Event::Reference { label, .. } => {
                self.out.push_str("[^");
                self.out.push_str(label);
                self.out.push(']');
                self.start = false;
            }
            Event::Start(_) | Event::End(_) | Event::Rule => {}
        }
    }

    fn text(&mut self, text: &str, style: Style, next: Option<char>) {
        let inner = text.trim_start();
        if inner.len() < text.len() {
            self.out.push(' ');
        }
        if inner.is_empty() {
            return;
        }
        if style.contains(Style::CODE) {
            self.code(inner, next);
            return;
        }
        let (head, core, tail) = self.split(inner, next);
        let delimiter = match (style.contains(Style::STRONG), style.contains(Style::EMPHASIS), style == Style::STRIKETHROUGH) {
            _ if core.is_empty() || (head.is_empty() && self.out.ends_with(['*', '~'])) => "",
            (_, _, true) => "~~",
            (true, true, _) => "***",
            (true, false, _) => "**",
            (false, true, _) => "*",
            _ => "",
        };
        if delimiter.is_empty() {
            self.plain(inner);
        } else {
            self.plain(head);
            self.out.push_str(delimiter);
            self.start = false;
            self.plain(core);
            self.out.push_str(delimiter);
            self.plain(tail);
        }
        self.guard(next);
    }

    /// A mark that would make an image of the link behind it is escaped.
    fn guard(&mut self, next: Option<char>) {
        if next == Some('[') && self.out.ends_with('!') {
            self.out.pop();
            self.out.push_str("\\!");
        }
    }

    fn plain(&mut self, text: &str) {
        if !text.is_empty() {
            escape(text, self.place(), self.math, self.out);
            self.start = false;
        }
    }

    /// The part of a text that delimiters can stand round, and what has to stay outside: marks beside which a
    /// delimiter, with a letter on its other side, is not seen as one.
    fn split<'t>(&self, text: &'t str, next: Option<char>) -> (&'t str, &'t str, &'t str) {
        let letter = |c: char| kind(Some(c)) == Kind::Letter;
        let outside = if self.start { Kind::Space } else { kind(self.out.chars().next_back()) };
        let open = matches!(outside, Kind::Space | Kind::Mark);
        let close = matches!(kind(next), Kind::Space | Kind::Mark);
        let fits = |c: Option<char>, free: bool| free || c.is_some_and(letter);
        if fits(text.chars().next(), open) && fits(text.chars().next_back(), close) {
            return ("", text, "");
        }
        let (head, rest) = text.split_at(text.find(letter).unwrap_or(text.len()));
        let (core, tail) = rest.split_at(rest.trim_end_matches(|c| !letter(c)).len());
        (head, core, tail)
    }

    /// Where the next text stands.
    fn place(&self) -> Place {
        match self.leaf {
            Leaf::Heading => Place::Heading,
            Leaf::Paragraph(_) if self.start => Place::LineStart,
            _ => Place::Line,
        }
    }

    /// Writes code in a line, between more backticks than it has in a row.
    fn code(&mut self, text: &str, next: Option<char>) {
        // Brackets in the code of a link could be seen as the end of its text.
        if self.out.ends_with('`') || next == Some('`') || (self.linked && text.contains(['[', ']'])) {
            self.plain(text);
            self.guard(next);
            return;
        }
        self.start = false;
        let fence = "`".repeat(longest_run(text, '`') + 1);
        let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
        self.out.push_str(&fence);
        self.out.push_str(pad);
        if matches!(self.leaf, Leaf::Cell) {
            self.out.push_str(&text.replace('|', "\\|"));
        } else {
            self.out.push_str(text);
        }
        self.out.push_str(pad);
        self.out.push_str(&fence);
    }
}
