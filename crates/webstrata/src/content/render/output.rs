//! Writes the events of a document: leaves, the containers around them, and text with collapsed white space.

use super::containers::{ContainerId, Containers};
use super::marks::visible;
use super::{Document, Event, Part, Style};
use crate::html::{collapsed_prefix, is_white};
use crate::span::{Span, offset};

/// A document being written.
#[derive(Debug, Default)]
pub(super) struct Output {
    pub(super) containers: Containers,
    pub(super) document: Document,
    /// The open containers, and the leaf inside them with its heading level.
    pub(super) open: Vec<ContainerId>,
    path: Vec<ContainerId>,
    pub(super) leaf: Option<(ContainerId, u8)>,
    /// Whether the line has no text yet.
    pub(super) fresh: bool,
    /// Whether white space precedes the next text.
    pub(super) space: bool,
    /// The `code` element of the last text; spaces between two such elements are not code.
    code: u32,
}

impl Output {
    pub(super) fn begin(&mut self) {
        self.fresh = true;
        self.space = false;
    }

    pub(super) fn start(&mut self, text_container: ContainerId, heading: u8) {
        self.sync(text_container);
        self.document.events.push(Event::Start(if heading > 0 { Part::Heading(heading) } else { Part::Paragraph }));
        self.leaf = Some((text_container, heading));
        self.begin();
    }

    /// Ends the leaf, then closes and opens containers until those around `text_container` are open.
    pub(super) fn sync(&mut self, text_container: ContainerId) {
        if let Some((_, heading)) = self.leaf.take() {
            self.document.events.push(Event::End(if heading > 0 { Part::Heading(heading) } else { Part::Paragraph }));
        }
        let mut path = std::mem::take(&mut self.path);
        self.containers.path(text_container, &mut path);
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
            if let Part::Table(_) = part {
                self.document.tables.push(self.containers.table_element(link));
            }
            self.document.events.push(Event::Start(part));
            self.open.push(link);
        }
        self.path = path;
    }

    /// Appends a run of text, collapsing its white space.
    pub(super) fn push(&mut self, run: &str, style: Style, link: Option<Span>) {
        let start = self.document.strings.len();
        let run = visible(run);
        let mut rest = &*run;
        while !rest.is_empty() {
            let (text, after) = rest.split_at(collapsed_prefix(rest));
            if !text.is_empty() {
                if self.space && !self.fresh {
                    self.document.strings.push(' ');
                }
                self.document.strings.push_str(text);
                self.space = false;
                self.fresh = false;
            }
            rest = after.trim_start_matches(is_white);
            self.space |= rest.len() < after.len();
        }
        self.document.push_text(start, style, link);
    }

    /// Appends a run of text inside the inline element `code`, or outside any if that is 0.
    pub(super) fn push_in(&mut self, code: u32, run: &str, style: Style, link: Option<Span>) {
        let other = std::mem::replace(&mut self.code, code) != code;
        if other && style.contains(Style::CODE) && self.space && !self.fresh {
            let run = visible(run);
            let run = run.trim_start_matches(is_white);
            if run.is_empty() {
                return;
            }
            let start = self.document.strings.len();
            self.document.strings.push(' ');
            self.document.push_text(start, Style::PLAIN, None);
            self.space = false;
            self.push(run, style, link);
        } else {
            self.push(run, style, link);
        }
    }

    /// Appends punctuation that is not part of the page's text.
    pub(super) fn sign(&mut self, sign: &str) {
        let start = self.document.strings.len();
        if std::mem::take(&mut self.space) && !self.fresh {
            self.document.strings.push(' ');
        }
        self.document.strings.push_str(sign);
        self.document.push_text(start, Style::GENERATED, None);
        self.fresh = false;
    }

    /// Appends a formula.
    pub(super) fn math(&mut self, tex: &str, text: &str, mathml: &str, display: bool) {
        if self.space && !self.fresh {
            let start = self.document.strings.len();
            self.document.strings.push(' ');
            self.document.push_text(start, Style::PLAIN, None);
        }
        let (tex, text, mathml) = (self.document.intern(tex), self.document.intern(text), self.document.intern(mathml));
        self.document.events.push(Event::Math { tex, text, mathml, display });
        self.fresh = false;
        self.space = false;
    }

    /// Appends a footnote reference. A preceding space is part of its text only, since the mark attaches to the previous word.
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

    /// Adds the text from `from` to the end as an event, or extends the last one.
    fn push_text(&mut self, from: usize, style: Style, link: Option<Span>) {
        let span = Span::new(offset(from), offset(self.strings.len()));
        if span.is_empty() {
            return;
        }
        let touching = !self.strings[from..].starts_with(' ');
        let mergeable = |before: Style| {
            let letters =
                |style: Style| style.intersects(Style::LETTER_STYLES) && style.difference(Style::LETTER_STYLES).is_empty();
            (before == style && !style.contains(Style::ATTACHED)) || (touching && letters(before) && letters(style))
        };
        if let Some(Event::Text { text, style: before, link: last_link }) = self.events.last_mut()
            && *last_link == link
            && mergeable(*before)
            && text.end == span.start
        {
            text.end = span.end;
            return;
        }
        self.events.push(Event::Text { text: span, style, link });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn runs_are_collapsed_word_by_word(runs in prop::collection::vec("[a ü\\n\u{a0}]{0,12}", 0..6)) {
            let mut output = Output::default();
            let (mut plain, mut space) = (String::new(), false);
            let fresh = output.fresh;
            for run in &runs {
                output.push(run, Style::PLAIN, None);
                for (at, word) in run.split(is_white).enumerate() {
                    space |= at > 0;
                    if !word.is_empty() {
                        let separated = space && !(fresh && plain.is_empty());
                        plain += if separated { " " } else { "" };
                        plain += word;
                        space = false;
                    }
                }
            }
            prop_assert_eq!((output.document.strings, output.space), (plain, space));
        }
    }
}
