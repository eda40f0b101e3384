//! Text with looks and links inside one paragraph, heading or cell.
//!
//! Stretches follow one another and never nest, so delimiters come in pairs side by side. They are written only
//! where the rules of CommonMark surely see the first as opening and the second as closing.

use super::escape::{Place, address, escape, longest_run};
use crate::content::render::{Event, Style};

/// The inline events of a leaf, kept until it ends.
#[derive(Default)]
pub(super) struct Inline<'d> {
    events: Vec<Event<&'d str>>,
}

/// Where lines go.
#[derive(Clone, Copy)]
enum Leaf<'p> {
    Paragraph(&'p str),
    Heading,
    Cell,
}

impl<'d> Inline<'d> {
    pub(super) fn push(&mut self, event: Event<&'d str>) {
        self.events.push(event);
    }

    /// The text of preformatted lines.
    pub(super) fn code(&mut self) -> String {
        self.events.drain(..).filter_map(|event| if let Event::Text { text, .. } = event { Some(text) } else { None }).collect()
    }

    pub(super) fn paragraph(&mut self, prefix: &str, out: &mut String) {
        self.write(Leaf::Paragraph(prefix), out);
        out.push('\n');
    }

    pub(super) fn heading(&mut self, out: &mut String) {
        self.write(Leaf::Heading, out);
        out.push('\n');
    }

    pub(super) fn cell(&mut self, out: &mut String) {
        self.write(Leaf::Cell, out);
    }

    fn write(&mut self, leaf: Leaf<'_>, out: &mut String) {
        let events = std::mem::take(&mut self.events);
        let mut writer = Writer { out, leaf, start: true, linked: false };
        let mut at = 0;
        while let Some(event) = events.get(at) {
            // All that leads to the same place is one link.
            let link = link_of(event);
            let mut end = at + 1;
            while link.is_some() && events.get(end).is_some_and(|next| link_of(next) == link) {
                end += 1;
            }
            let before = at.checked_sub(1).and_then(|i| events.get(i));
            match link {
                Some(link) => writer.link(link, &events[at..end], before.is_some()),
                None => writer.event(event, before.is_some(), events.get(end).and_then(|next| first_char(next, None))),
            }
            at = end;
        }
        self.events = events;
        self.events.clear();
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
}

impl Writer<'_, '_> {
    /// Writes a link round `events`, the white space at its start outside it.
    fn link(&mut self, target: &str, events: &[Event<&str>], behind: bool) {
        let spaced = match events.first() {
            Some(Event::Text { text, .. }) => text.starts_with(' '),
            _ => behind && !self.start,
        };
        if spaced {
            self.out.push(' ');
        }
        self.out.push('[');
        self.start = false;
        self.linked = true;
        for (k, event) in events.iter().enumerate() {
            let event = match *event {
                Event::Text { text, style, .. } if k == 0 => Event::Text { text: text.trim_start(), style, link: None },
                other => other,
            };
            self.event(&event, k > 0, events.get(k + 1).map_or(Some(']'), |next| first_char(next, Some(target))));
        }
        self.linked = false;
        self.out.push_str("](");
        address(target, self.out);
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
                escape(alt, Place::Line, self.out);
                self.out.push_str("](");
                address(source, self.out);
                self.out.push(')');
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
        let delimiter = match (style.contains(Style::STRONG), style.contains(Style::EMPHASIS), style == Style::STRUCK) {
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
            escape(text, self.place(), self.out);
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
