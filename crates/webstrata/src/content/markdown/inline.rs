//! Styled text and links inside one paragraph, heading or cell.
//!
//! Styled runs never nest, so delimiters come in adjacent pairs. They are written only where CommonMark is certain to
//! recognise the first as opening and the second as closing.

use super::escape::{Escape, Place, address, escape, longest_run, may_be_in_address};
use crate::content::raised;
use crate::content::render::{Event, Style};
use std::iter::Peekable;

/// The leaf being written.
#[derive(Clone, Copy)]
pub(super) enum Leaf<'p> {
    Paragraph(&'p str),
    Heading,
    Cell,
}

/// Writes the events of a leaf up to its end.
pub(super) fn write<'d>(leaf: Leaf<'_>, math: bool, events: &mut Peekable<impl Iterator<Item = Event<&'d str>>>, out: &mut String) {
    let mut writer = Writer { out, leaf, start: true, linked: false, math, after: 0 };
    let mut preceded = false;
    while let Some(event) = events.next_if(|event| !matches!(event, Event::End(_))) {
        match link_of(&event) {
            // Adjacent events with the same target form one link.
            Some(link) => writer.link(link, event, preceded, events),
            None => writer.event(&event, preceded, events.peek().and_then(|next| first_char(next, None))),
        }
        preceded = true;
    }
}

fn link_of<'d>(event: &Event<&'d str>) -> Option<&'d str> {
    match event {
        Event::Text { link, .. } | Event::Image { link, .. } => *link,
        _ => None,
    }
}

/// The first character of an event when the text before it is in `link`; `None` at the end of a line.
fn first_char(event: &Event<&str>, link: Option<&str>) -> Option<char> {
    match event {
        Event::Text { text, style, link: target } if *target == link || text.starts_with(' ') => {
            if starts_with_space(text, *style) || *target != link {
                return text.chars().next();
            }
            let tag = is_tagged(text, *style).then_some('<');
            raised::characters(text, *style).and_then(|raised| raised.chars().next()).or(tag).or_else(|| text.chars().next())
        }
        Event::Image { .. } => Some(' '),
        Event::Text { .. } | Event::Reference { .. } => Some('['),
        Event::Math { .. } => Some('$'),
        _ => None,
    }
}

/// Appends TeX, replacing vertical bars with commands.
fn without_bars(tex: &str, out: &mut String) {
    let mut chars = tex.chars();
    while let Some(c) = chars.next() {
        match (c, if c == '\\' { chars.next() } else { None }) {
            ('|', _) => out.push_str("\\vert{}"),
            ('\\', Some('|')) => out.push_str("\\Vert{}"),
            (c, next) => out.extend([Some(c), next].into_iter().flatten()),
        }
    }
}

/// Character class in the rules for delimiters. `Unsure` may be either a letter or punctuation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CharClass {
    Space,
    Punctuation,
    Letter,
    Unsure,
}

fn char_class(c: Option<char>) -> CharClass {
    match c {
        None => CharClass::Space,
        Some(c) if c.is_whitespace() => CharClass::Space,
        Some(c) if c.is_ascii_punctuation() => CharClass::Punctuation,
        // Circled letters are both alphabetic and symbols.
        Some('\u{2460}'..='\u{24ff}' | '\u{1f100}'..='\u{1f1ff}') => CharClass::Unsure,
        Some(c) if c.is_alphanumeric() => CharClass::Letter,
        Some(_) => CharClass::Unsure,
    }
}

/// Maximum length of raised text that is written between tags.
const MAX_RAISED_BYTES: usize = 24;

/// Whether a text is written between `<sup>` or `<sub>` tags: it is short and has only letters, digits and the symbols of a
/// formula. These tags are the only HTML besides `<br>`, and renderers that drop HTML keep the text between them.
fn is_tagged(text: &str, style: Style) -> bool {
    let text = text.trim_start();
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '+' | '-' | '−' | '=' | '(' | ')' | ',' | '.' | '/' | ' ' | '′');
    style.intersects(Style::RAISED)
        && !style.contains(Style::CODE)
        && (1..=MAX_RAISED_BYTES).contains(&text.len())
        && text.chars().all(fits)
        && text.contains(char::is_alphanumeric)
}

/// Whether a space precedes the text. The space before raised text counts only where Markdown cannot show the text as raised.
fn starts_with_space(text: &str, style: Style) -> bool {
    let attached = style.contains(Style::ATTACHED) && (raised::characters(text, style).is_some() || is_tagged(text, style));
    text.starts_with(' ') && !attached
}

struct Writer<'o, 'p> {
    out: &'o mut String,
    leaf: Leaf<'p>,
    /// Whether the line is still empty.
    start: bool,
    /// Whether the text is inside a link.
    linked: bool,
    math: bool,
    /// Where the last link or code ends; see [`Escape::after`].
    after: usize,
}

impl Writer<'_, '_> {
    /// Writes a link around `first` and the following events with the same target; leading white space stays outside.
    fn link<'d>(
        &mut self,
        target: &str,
        first: Event<&'d str>,
        preceded: bool,
        events: &mut Peekable<impl Iterator<Item = Event<&'d str>>>,
    ) {
        let spaced = match first {
            Event::Text { text, style, .. } => starts_with_space(text, style),
            _ => preceded && !self.start,
        };
        if spaced {
            self.out.push(' ');
        }
        let ends_word = !self.may_be_in_address();
        self.out.push('[');
        self.start = false;
        self.linked = true;
        let mut event = match first {
            Event::Text { text, style, .. } => Event::Text { text: text.trim_start(), style, link: None },
            other => other,
        };
        let mut preceded = false;
        loop {
            let next = events.peek().filter(|next| link_of(next) == Some(target));
            self.event(&event, preceded, next.map_or(Some(']'), |next| first_char(next, Some(target))));
            preceded = true;
            match events.next_if(|next| link_of(next) == Some(target)) {
                Some(next) => event = next,
                None => break,
            }
        }
        self.linked = false;
        self.out.push_str("](");
        address(target, self.math, self.out);
        self.out.push(')');
        self.after = if ends_word { self.out.len() } else { self.after };
    }

    fn event(&mut self, event: &Event<&str>, preceded: bool, next: Option<char>) {
        match event {
            Event::Text { text, style, .. } => self.text(text, *style, next),
            Event::Break => {
                match self.leaf {
                    Leaf::Paragraph(prefix) => {
                        // The backslash would become part of an address.
                        if self.may_be_in_address() {
                            self.out.push(' ');
                        }
                        self.out.push_str("\\\n");
                        self.out.push_str(prefix);
                    }
                    Leaf::Heading => self.out.push(' '),
                    Leaf::Cell => self.out.push_str("<br>"),
                }
                self.start = true;
            }
            Event::Image { alt, source, .. } => {
                if preceded && !self.start {
                    self.out.push(' ');
                }
                self.out.push_str("![");
                escape(
                    alt,
                    Escape { place: Place::Line, math: self.math, addresses: false, continues: true, after: self.after },
                    self.out,
                );
                self.out.push_str("](");
                address(source, self.math, self.out);
                self.out.push(')');
                self.start = false;
            }
            Event::Math { tex, text, display, .. } => self.math(tex, text, *display),
            Event::Task(checked) => {
                self.out.push_str(if *checked { "[x] " } else { "[ ] " });
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

    fn math(&mut self, tex: &str, text: &str, display: bool) {
        let in_cell = matches!(self.leaf, Leaf::Cell);
        // A vertical bar ends a cell, and in the column specification of an array there is no substitute for it.
        if in_cell && tex.contains('|') && tex.contains("{array}") {
            self.plain(if text.is_empty() { tex } else { text }, true);
            return;
        }
        let delimiter = if display && matches!(self.leaf, Leaf::Paragraph(_)) { "$$" } else { "$" };
        self.out.push_str(delimiter);
        if in_cell && tex.contains('|') {
            without_bars(tex, self.out);
        } else {
            self.out.push_str(tex);
        }
        self.out.push_str(delimiter);
        self.start = false;
    }

    fn text(&mut self, text: &str, style: Style, next: Option<char>) {
        let inner = text.trim_start_matches(' ');
        let tagged = is_tagged(text, style);
        let raised = raised::characters(text, style);
        if starts_with_space(text, style) {
            self.out.push(' ');
        }
        if inner.is_empty() {
            return;
        }
        let continues = next.is_some_and(|c| !c.is_whitespace());
        if let Some(raised) = raised {
            self.plain(&raised, continues);
            return;
        }
        if tagged {
            let (open, close) = if style.contains(Style::SUPERSCRIPT) { ("<sup>", "</sup>") } else { ("<sub>", "</sub>") };
            self.out.push_str(open);
            self.start = false;
            self.plain(inner, true);
            self.out.push_str(close);
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
            self.plain(inner, continues);
        } else {
            self.plain(head, true);
            self.out.push_str(delimiter);
            self.start = false;
            self.plain(core, continues || !tail.is_empty());
            self.out.push_str(delimiter);
            self.plain(tail, continues);
        }
        self.escape_bang(next);
    }

    /// Escapes a `!` that would turn the following link into an image.
    fn escape_bang(&mut self, next: Option<char>) {
        if next == Some('[') && self.out.ends_with('!') {
            self.out.pop();
            self.out.push_str("\\!");
        }
    }

    /// Writes text without style; `continues` if something other than white space follows it.
    fn plain(&mut self, text: &str, continues: bool) {
        if !text.is_empty() {
            escape(
                text,
                Escape { place: self.place(), math: self.math, addresses: !self.linked, continues, after: self.after },
                self.out,
            );
            self.start = false;
        }
    }

    /// Splits a text into the part that delimiters can enclose and the punctuation around it that must stay outside: a delimiter
    /// between punctuation and a letter is not recognised.
    fn split<'t>(&self, text: &'t str, next: Option<char>) -> (&'t str, &'t str, &'t str) {
        let letter = |c: char| char_class(Some(c)) == CharClass::Letter;
        let outside = if self.start { CharClass::Space } else { char_class(self.out.chars().next_back()) };
        let open = matches!(outside, CharClass::Space | CharClass::Punctuation);
        let close = matches!(char_class(next), CharClass::Space | CharClass::Punctuation);
        let fits = |c: Option<char>, free: bool| free || c.is_some_and(letter);
        if fits(text.chars().next(), open) && fits(text.chars().next_back(), close) {
            return ("", text, "");
        }
        let (head, rest) = text.split_at(text.find(letter).unwrap_or(text.len()));
        let (core, tail) = rest.split_at(rest.trim_end_matches(|c| !letter(c)).len());
        (head, core, tail)
    }

    /// Where the next text occurs.
    fn place(&self) -> Place {
        match self.leaf {
            Leaf::Heading => Place::Heading,
            Leaf::Paragraph(_) if self.start => Place::LineStart,
            _ => Place::Line,
        }
    }

    /// Writes inline code between backticks, one more than its longest run of them.
    fn code(&mut self, text: &str, next: Option<char>) {
        // Brackets in code inside a link could be mistaken for the end of the link text.
        if self.out.ends_with('`') || next == Some('`') || (self.linked && text.contains(['[', ']'])) {
            self.plain(text, next.is_some_and(|c| !c.is_whitespace()));
            self.escape_bang(next);
            return;
        }
        self.start = false;
        let ends_word = !self.linked && !self.may_be_in_address();
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
        self.after = if ends_word { self.out.len() } else { self.after };
    }

    /// Whether the next output may be mistaken for part of an address.
    fn may_be_in_address(&self) -> bool {
        may_be_in_address(&self.out[self.after.min(self.out.len())..])
    }
}
