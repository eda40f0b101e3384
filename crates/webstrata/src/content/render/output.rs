//! The events of a document as they are written: leaves, the containers round them, text with its white space folded.

use super::chain::{Containers, Link};
use super::marks::visible;
use super::{Document, Event, Part, Style};
use crate::html::is_white;
use crate::span::{Span, offset};

/// A document that is being written.
#[derive(Debug, Default)]
pub(super) struct Output {
    pub(super) containers: Containers,
    pub(super) document: Document,
    /// Containers that are open, and the leaf inside them with its heading level.
    pub(super) open: Vec<Link>,
    path: Vec<Link>,
    pub(super) leaf: Option<(Link, u8)>,
    /// The line has no text yet.
    pub(super) fresh: bool,
    /// White space came before the next text.
    pub(super) space: bool,
}

impl Output {
    pub(super) fn begin(&mut self) {
        self.fresh = true;
        self.space = false;
    }

    pub(super) fn start(&mut self, home: Link, heading: u8) {
        self.sync(home);
        self.document.events.push(Event::Start(if heading > 0 { Part::Heading(heading) } else { Part::Paragraph }));
        self.leaf = Some((home, heading));
        self.begin();
    }

    /// Ends the leaf, and ends and begins containers until those round `home` are open.
    pub(super) fn sync(&mut self, home: Link) {
        if let Some((_, heading)) = self.leaf.take() {
            self.document.events.push(Event::End(if heading > 0 { Part::Heading(heading) } else { Part::Paragraph }));
        }
        let mut path = std::mem::take(&mut self.path);
        self.containers.path(home, &mut path);
        let common = self.open.iter().zip(&path).take_while(|(a, b)| a == b).count();
        for &link in self.open[common..].iter().rev() {
            self.document.events.push(Event::End(self.containers.part(link)));
        }
        self.open.truncate(common);
        for &link in &path[common..] {
            let part = self.containers.part(link);
            if part == Part::Item {
                self.containers.count_item(link);
            }
            self.document.events.push_cell(Event::Start(part), self.containers.is_head(link));
            self.open.push(link);
        }
        self.path = path;
    }

    /// Appends a run of text, its white space folded.
    pub(super) fn push(&mut self, run: &str, style: Style, link: Option<Span>) {
        let start = self.document.strings.len();
        let run = visible(run);
        let mut words = run.split(is_white).peekable();
        while let Some(word) = words.next() {
            if !word.is_empty() {
                if self.space && !self.fresh {
                    self.document.strings.push(' ');
                }
                self.document.strings.push_str(word);
                self.space = false;
                self.fresh = false;
            }
            self.space |= words.peek().is_some();
        }
        self.document.note_text(start, style, link);
    }

    /// Appends a formula.
    pub(super) fn math(&mut self, tex: &str, text: &str) {
        if self.space && !self.fresh {
            let start = self.document.strings.len();
            self.document.strings.push(' ');
            self.document.note_text(start, Style::PLAIN, None);
        }
        let (tex, text) = (self.document.intern(tex), self.document.intern(text));
        self.document.events.push(Event::Math { tex, text });
        self.fresh = false;
        self.space = false;
    }

    /// Appends a reference. A space before it is part of its text only: the mark itself stands at the word before.
    pub(super) fn reference(&mut self, label: &str, text: &str) {
        let label = self.document.intern(label);
        let start = self.document.strings.len();
        if self.space && !self.fresh {
            self.document.strings.push(' ');
        }
        self.document.strings.push_str(text);
        let text = Span::new(offset(start), offset(self.document.strings.len()));
        self.document.events.push(Event::Reference { label, text });
        self.fresh = false;
        self.space = false;
    }
}

impl Document {
    pub(super) fn intern(&mut self, text: &str) -> Span {
        let start = self.strings.len();
        self.strings.push_str(text);
        Span::new(offset(start), offset(self.strings.len()))
    }

    /// Notes the text from `from` to the end as an event, or as part of the last one.
    fn note_text(&mut self, from: usize, style: Style, link: Option<Span>) {
        let span = Span::new(offset(from), offset(self.strings.len()));
        if span.is_empty() {
            return;
        }
        let touching = !self.strings[from..].starts_with(' ');
        let one = |before: Style| {
            let letters = |style: Style| style.meets(Style::LOOKS) && !style.contains(Style::CODE);
            before == style || (touching && letters(before) && letters(style))
        };
        if let Some(Event::Text { text, style: before, link: led }) = self.events.last_mut()
            && *led == link
            && one(*before)
            && text.end == span.start
        {
            text.end = span.end;
            return;
        }
        self.events.push(Event::Text { text: span, style, link });
    }
}
