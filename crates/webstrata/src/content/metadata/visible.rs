//! Visible metadata: headings, `time` elements, and bylines and dates in lines of text.

use super::candidates::{Field, collapse};
use super::date::Date;
use super::hints::{Hints, has_year, introduces_date, introduces_name};
use super::markup::Walk;
use super::source::Source;
use crate::html::{Node, Tag, address};
use crate::span::Span;

/// Maximum number of headings per level.
const MAX_HEADINGS: usize = 32;

/// How a heading was recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    /// `h1`.
    First,
    /// `h2`.
    Second,
    /// Its class marks it as the title.
    Marked,
}

/// A heading.
#[derive(Debug)]
pub(super) struct Heading {
    pub(super) level: Level,
    pub(super) text: String,
    pub(super) span: Span,
    /// Whether it is outside the content: in navigation, a sidebar or comments.
    pub(super) aside: bool,
}

impl<'d> Walk<'d, '_> {
    pub(super) fn heading(&mut self, node: Node<'d>, level: Level) {
        if self.headings.iter().filter(|h| h.level == level).count() < MAX_HEADINGS
            && let Some((mut text, span)) = self.text(node)
        {
            // Buttons at the end: "Rain Copy link".
            for button in node.descendants().rev().filter(|n| n.tag() == Tag::BUTTON) {
                if let Some(rest) = text.strip_suffix(button.text().as_str()) {
                    text.truncate(rest.trim_end().len());
                }
            }
            let text = collapse(&text);
            // A heading that links to the home page is the name of the site.
            let home = |n: Node<'_>| n.tag() == Tag::A && n.attribute("href").is_some_and(|href| address::is_home(&href));
            if node.descendants().any(home) || node.parent().is_some_and(home) {
                if level == Level::First {
                    self.candidates.add(Field::Site, 50, &text, Source::Element("h1"), Some(span));
                }
                return;
            }
            let aside = node.number() < self.aside.0;
            self.headings.push(Heading { level, text, span, aside });
        }
    }

    /// The date of an element whose class marks it as a date. hAtom has the machine-readable form in `title`.
    pub(super) fn date_text(&mut self, node: Node<'d>) -> Option<(String, Span)> {
        let digits = |text: &str| text.bytes().filter(u8::is_ascii_digit).count() >= 6;
        let attribute = node
            .attributes()
            .find(|a| matches!(a.name().to_ascii_lowercase().as_str(), "title" | "datetime" | "content") && digits(&a.value()));
        match attribute {
            Some(a) => Some((a.value().into_owned(), a.span())),
            None => self.text(node).filter(|(text, _)| text.len() < 120),
        }
    }

    pub(super) fn time(&mut self, node: Node<'d>, hints: &Hints) {
        let aside = node.number() < self.aside.0;
        let attribute = node.attributes().find(|a| a.name().eq_ignore_ascii_case("datetime"));
        let value =
            attribute.map(|a| (a.value().into_owned(), a.span())).filter(|(text, _)| text.bytes().any(|b| b.is_ascii_digit()));
        let Some((text, span)) = value.or_else(|| self.text(node)) else { return };
        let modified = hints.modified && !hints.published;
        let rank = match (aside, hints.published || node.has_attribute("pubdate")) {
            (false, true) => 50,
            (false, false) => 52,
            (true, _) => 70,
        };
        self.candidates.add(
            if modified { Field::Modified } else { Field::Published },
            rank,
            &text,
            Source::Element("time"),
            Some(span),
        );
    }

    /// Lines of text that start with "By" or consist mostly of a date.
    pub(super) fn plain_text(&mut self, node: Node<'d>) {
        let record = self.dom.record(node.number());
        if node.number() < self.aside.0 || record.to - record.from > 120 || self.plain_dates == 0 {
            return;
        }
        let own = node.span().slice(self.dom.source());
        let text = own.trim_start();
        let by = text.get(..2).is_some_and(|s| s.eq_ignore_ascii_case("by")) && !text[2..].starts_with(char::is_alphanumeric);
        let by = by
            || text
                .get(..10)
                .is_some_and(|s| matches!(s.to_ascii_lowercase().as_str(), "written by" | "posted by " | "started by"));
        let by = by || introduces_name(text.trim_end());
        let year = has_year(text.as_bytes());
        if !by && !year {
            return;
        }
        let Some(parent) = node.parent().filter(|p| !matches!(p.tag(), Tag::SCRIPT | Tag::STYLE | Tag::TITLE | Tag::TIME)) else {
            return;
        };
        self.plain_dates -= 1;
        if year {
            let whole = text.trim();
            let rank = if introduces_date(whole) { 57 } else { 60 };
            let field = if whole.to_lowercase().contains("updated") { Field::Modified } else { Field::Published };
            self.candidates.add(field, rank, whole, Source::Text("date"), Some(node.span()));
            // "May 13, 2024 by Jo Ash", but not "Copyright 2024 by Rock Press".
            if let Some((date, name)) = whole.split_once(" by ")
                && name.starts_with(char::is_uppercase)
                && Date::parse(date, None).is_some()
            {
                self.candidates.add(Field::Author, 58, name, Source::Text("byline"), Some(node.span()));
            }
        }
        if !by {
            return;
        }
        let Some((mut text, mut span)) = self.text(parent).filter(|(text, _)| text.len() < 160) else { return };
        // Text before "by" is a date or a topic.
        if let Some(at) = text.find(own.trim()).filter(|at| *at > 0 && own.trim().len() > 12) {
            text.drain(..at);
        }
        // "Written by" in an element of its own: the name is in the next.
        let next = |node: Node<'d>| {
            let next = node.next_sibling()?;
            if next.tag() == Tag::TEXT { next.next_sibling() } else { Some(next) }
        };
        if text.split(' ').all(introduces_name)
            && let Some(next) = next(parent).and_then(|next| self.text(next)).filter(|(next, _)| next.len() < 80)
        {
            text = format!("{text} {}", next.0);
            span = next.1;
        }
        if text.split(' ').find(|w| !introduces_name(w)).is_some_and(|w| w.starts_with(char::is_uppercase)) {
            self.candidates.add(Field::Author, 58, &text, Source::Text("byline"), Some(span));
        }
    }
}
