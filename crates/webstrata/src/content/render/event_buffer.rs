//! The events of a document, encoded as bytes.
//!
//! A page of one-letter list items has five events for every five bytes of source; as plain values they would take thirty times
//! its size. Encoded, most events take one byte and a text about four, because a string is stored as an offset from the
//! previous one.

use super::{CellShape, Event, Part, Style, TableShape};
use crate::span::Span;

/// An append-only sequence of events.
#[derive(Clone, Debug, Default)]
pub(in crate::content) struct EventBuffer {
    bytes: Vec<u8>,
    position: Position,
    /// The last event, which may still be extended.
    last: Option<Event<Span>>,
}

/// The position that spans are relative to.
#[derive(Clone, Copy, Debug, Default)]
struct Position {
    /// End of the last span.
    end: u32,
    /// The last link.
    link: Option<Span>,
}

/// Event codes: a part starts with an even code and ends with the next odd one.
mod kind {
    pub(super) const HEADING: u8 = 0; // six levels
    pub(super) const PARAGRAPH: u8 = 12;
    pub(super) const CODE: u8 = 14;
    pub(super) const QUOTE: u8 = 16;
    pub(super) const LIST: u8 = 18;
    pub(super) const ORDERED: u8 = 20;
    pub(super) const ITEM: u8 = 22;
    pub(super) const TABLE: u8 = 24;
    pub(super) const ROW: u8 = 26;
    pub(super) const CELL: u8 = 28;
    pub(super) const HEAD: u8 = 30;
    pub(super) const NOTE: u8 = 32;
    pub(super) const BREAK: u8 = 34;
    pub(super) const RULE: u8 = 35;
    pub(super) const IMAGE: u8 = 36;
    pub(super) const MATH: u8 = 37;
    pub(super) const REFERENCE: u8 = 38;
    pub(super) const PLAIN: u8 = 39;
    pub(super) const TEXT: u8 = 40;
    pub(super) const TASK: u8 = 41;
    pub(super) const TASK_CHECKED: u8 = 42;
    pub(super) const CAPTION: u8 = 44;
    pub(super) const ANY_CELL: u8 = 46; // with its full shape
    pub(super) const DISPLAY: u8 = 48;
}

/// Link codes: none, the same as before, a new one.
const NO_LINK: u32 = 0;
const SAME_LINK: u32 = 1;
const NEW_LINK: u32 = 2;

impl EventBuffer {
    pub(super) fn push(&mut self, event: Event<Span>) {
        if let Some(before) = self.last.replace(event) {
            self.write(before);
        }
    }

    /// The last event.
    pub(super) fn last_mut(&mut self) -> Option<&mut Event<Span>> {
        self.last.as_mut()
    }

    /// Removes a line break at the end.
    pub(super) fn drop_last_break(&mut self) {
        self.last.take_if(|event| *event == Event::Break);
    }

    /// All events.
    pub(in crate::content) fn iter(&self) -> impl Iterator<Item = Event<Span>> {
        let mut reader = Reader { rest: &self.bytes, position: Position::default() };
        std::iter::from_fn(move || reader.event()).chain(self.last)
    }

    fn write(&mut self, event: Event<Span>) {
        match event {
            Event::Start(part) => self.part(part, 0),
            Event::End(part) => self.part(part, 1),
            Event::Text { text, style: Style::PLAIN, link: None } => {
                self.bytes.push(kind::PLAIN);
                self.span(text);
            }
            Event::Text { text, style, link } => {
                self.bytes.extend([kind::TEXT, style.0]);
                self.span(text);
                self.link(link);
            }
            Event::Break => self.bytes.push(kind::BREAK),
            Event::Rule => self.bytes.push(kind::RULE),
            Event::Task(checked) => self.bytes.push(if checked { kind::TASK_CHECKED } else { kind::TASK }),
            Event::Image { alt, source, link } => {
                self.bytes.push(kind::IMAGE);
                self.span(alt);
                self.span(source);
                self.link(link);
            }
            Event::Math { tex, text, mathml, display } => {
                self.pair(if display { kind::DISPLAY } else { kind::MATH }, tex, text);
                self.span(mathml);
            }
            Event::Reference { label, text } => self.pair(kind::REFERENCE, label, text),
        }
    }

    fn part(&mut self, part: Part<Span>, end: u8) {
        match part {
            Part::Heading(level) => self.bytes.push(kind::HEADING + 2 * level.clamp(1, 6) - 2 + end),
            Part::Paragraph => self.bytes.push(kind::PARAGRAPH + end),
            Part::Quote => self.bytes.push(kind::QUOTE + end),
            Part::Item => self.bytes.push(kind::ITEM + end),
            Part::Row => self.bytes.push(kind::ROW + end),
            Part::Caption => self.bytes.push(kind::CAPTION + end),
            Part::Table(TableShape { columns, header_rows }) => {
                self.bytes.extend([kind::TABLE + end, columns]);
                self.number(header_rows.into());
            }
            Part::Cell(CellShape { column, columns: 1, rows: 1, header, has_parts: false }) => {
                self.bytes.extend([if header { kind::HEAD } else { kind::CELL } + end, column]);
            }
            Part::Cell(CellShape { column, columns, rows, header, has_parts }) => {
                self.bytes.extend([kind::ANY_CELL + end, column, columns, u8::from(header) | u8::from(has_parts) << 1]);
                self.number(rows.into());
            }
            Part::List(None) => self.bytes.push(kind::LIST + end),
            Part::List(Some(start)) => {
                self.bytes.push(kind::ORDERED + end);
                self.number(start);
            }
            Part::Code(name) => {
                self.bytes.push(kind::CODE + end);
                self.span(name);
            }
            Part::Note(label) => {
                self.bytes.push(kind::NOTE + end);
                self.span(label);
            }
        }
    }

    fn pair(&mut self, kind: u8, a: Span, b: Span) {
        self.bytes.push(kind);
        self.span(a);
        self.span(b);
    }

    fn span(&mut self, span: Span) {
        let delta = span.start.wrapping_sub(self.position.end) as i32;
        self.number(((delta << 1) ^ (delta >> 31)) as u32);
        self.number(span.len());
        self.position.end = span.end;
    }

    fn link(&mut self, link: Option<Span>) {
        match link {
            None => self.number(NO_LINK),
            Some(_) if link == self.position.link => self.number(SAME_LINK),
            Some(span) => {
                self.number(NEW_LINK);
                self.span(span);
                self.position.link = link;
            }
        }
    }

    /// LEB128: seven bits per byte, lowest first.
    fn number(&mut self, mut number: u32) {
        while number > 127 {
            self.bytes.push(number as u8 | 128);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }
}

/// Decodes a buffer.
struct Reader<'t> {
    rest: &'t [u8],
    position: Position,
}

impl Reader<'_> {
    fn event(&mut self) -> Option<Event<Span>> {
        Some(match self.byte()? {
            kind::PLAIN => Event::Text { text: self.span()?, style: Style::PLAIN, link: None },
            kind::TEXT => {
                let style = Style(self.byte()?);
                Event::Text { text: self.span()?, style, link: self.link()? }
            }
            kind::BREAK => Event::Break,
            kind::RULE => Event::Rule,
            kind::TASK => Event::Task(false),
            kind::TASK_CHECKED => Event::Task(true),
            kind::IMAGE => Event::Image { alt: self.span()?, source: self.span()?, link: self.link()? },
            math @ (kind::MATH | kind::DISPLAY) => {
                let (tex, text, mathml) = (self.span()?, self.span()?, self.span()?);
                Event::Math { tex, text, mathml, display: math == kind::DISPLAY }
            }
            kind::REFERENCE => Event::Reference { label: self.span()?, text: self.span()? },
            part => {
                let end = part & 1 == 1;
                let part = match part & !1 {
                    kind::PARAGRAPH => Part::Paragraph,
                    kind::CODE => Part::Code(self.span()?),
                    kind::QUOTE => Part::Quote,
                    kind::LIST => Part::List(None),
                    kind::ORDERED => Part::List(Some(self.number()?)),
                    kind::ITEM => Part::Item,
                    kind::TABLE => Part::Table(TableShape { columns: self.byte()?, header_rows: self.number()? as u16 }),
                    kind::CAPTION => Part::Caption,
                    kind::ROW => Part::Row,
                    kind::CELL => Part::Cell(CellShape { column: self.byte()?, ..CellShape::default() }),
                    kind::HEAD => Part::Cell(CellShape { column: self.byte()?, header: true, ..CellShape::default() }),
                    kind::ANY_CELL => {
                        let (column, columns, flags) = (self.byte()?, self.byte()?, self.byte()?);
                        let rows = self.number()? as u16;
                        Part::Cell(CellShape { column, columns, rows, header: flags & 1 != 0, has_parts: flags & 2 != 0 })
                    }
                    kind::NOTE => Part::Note(self.span()?),
                    heading => Part::Heading(heading / 2 + 1),
                };
                if end { Event::End(part) } else { Event::Start(part) }
            }
        })
    }

    fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(first)
    }

    fn number(&mut self) -> Option<u32> {
        let mut number = 0;
        for shift in (0..35).step_by(7) {
            let byte = self.byte()?;
            number |= u32::from(byte & 127) << shift;
            if byte < 128 {
                break;
            }
        }
        Some(number)
    }

    fn span(&mut self) -> Option<Span> {
        let delta = self.number()?;
        let delta = (delta >> 1) ^ (delta & 1).wrapping_neg();
        let start = self.position.end.wrapping_add(delta);
        let end = start.wrapping_add(self.number()?);
        self.position.end = end;
        Some(Span::new(start, end))
    }

    fn link(&mut self) -> Option<Option<Span>> {
        match self.number()? {
            NO_LINK => Some(None),
            SAME_LINK => Some(self.position.link),
            _ => {
                self.position.link = Some(self.span()?);
                Some(self.position.link)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_round_trip() {
        let span = |start, end| Span::new(start, end);
        let far = span(3_000_000_000, 3_000_000_300);
        let mut events = vec![Event::Break, Event::Rule, Event::Task(false), Event::Task(true)];
        for link in [None, Some(span(9, 20)), Some(span(9, 20)), Some(far), None, Some(span(0, 1))] {
            events.push(Event::Text { text: span(5, 9), style: Style::STRONG, link });
            events.push(Event::Image { alt: span(5, 5), source: far, link });
            events.push(Event::Text { text: span(7, 8), style: Style::PLAIN, link });
        }
        events.push(Event::Math { tex: span(1, 2), text: far, mathml: span(0, 0), display: false });
        events.push(Event::Math { tex: span(1, 2), text: far, mathml: span(4, 9), display: true });
        events.push(Event::Reference { label: far, text: span(0, 9) });
        let parts = (1..=6).map(Part::Heading).chain([
            Part::Paragraph,
            Part::Code(span(0, 0)),
            Part::Quote,
            Part::List(None),
            Part::List(Some(0)),
            Part::List(Some(u32::MAX)),
            Part::Item,
            Part::Table(TableShape { columns: 255, header_rows: u16::MAX }),
            Part::Caption,
            Part::Row,
            Part::Cell(CellShape::default()),
            Part::Cell(CellShape { column: 127, header: true, ..CellShape::default() }),
            Part::Cell(CellShape { column: 3, columns: 125, rows: u16::MAX, header: true, has_parts: false }),
            Part::Cell(CellShape { has_parts: true, ..CellShape::default() }),
            Part::Note(far),
        ]);
        events.extend(parts.flat_map(|part| [Event::Start(part), Event::End(part)]));
        let mut buffer = EventBuffer::default();
        events.iter().for_each(|&event| buffer.push(event));
        assert!(buffer.iter().eq(events.iter().copied()));
    }
}
