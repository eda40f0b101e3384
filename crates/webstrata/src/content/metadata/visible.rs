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

/// Maximum size of a breadcrumb trail.
const MAX_TRAIL_NODES: u32 = 150;
const MAX_TRAIL_BYTES: u32 = 8000;

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
    /// Whether it ends a breadcrumb trail. Some sites put a title for search engines there and the headline elsewhere.
    pub(super) crumb: Option<Crumb>,
}

/// How a heading relates to a breadcrumb trail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Crumb {
    /// It is part of the trail.
    Certain,
    /// It follows the trail.
    Possible,
}

/// Whether a heading ends a breadcrumb trail: by its names and place, or because it follows links, the first of them to the home page.
fn crumb(heading: Node<'_>) -> Option<Crumb> {
    let says = |text: &str| text.to_ascii_lowercase().contains("breadcrumb");
    let named = |node: Node<'_>| {
        node.attributes()
            .any(|a| says(a.name()) || (matches!(a.name().to_ascii_lowercase().as_str(), "class" | "id") && says(&a.value())))
    };
    let parent = heading.parent()?;
    let in_list = parent.tag() == Tag::LI && parent.parent().is_some_and(|list| named(list) || named(parent));
    if named(heading) || in_list || heading.ancestors().take(3).any(|n| n.tag() == Tag::NAV) {
        return Some(Crumb::Certain);
    }
    let mut inner = heading;
    for depth in 0..3 {
        let parent = inner.parent()?;
        // Trails are short.
        if inner.number() - parent.number() > MAX_TRAIL_NODES
            || heading.span().start.saturating_sub(parent.span().start) > MAX_TRAIL_BYTES
        {
            return None;
        }
        let before: Vec<Node<'_>> = parent.children().take(24).take_while(|n| n.number() < inner.number()).collect();
        if before.iter().any(|n| !n.text().trim().is_empty()) {
            // Links next to the heading are on the same line; links in an element of their own are above it.
            let same_line = depth == 0 && before.iter().any(|n| n.tag() == Tag::A);
            return is_trail(&before).then_some(if same_line { Crumb::Certain } else { Crumb::Possible });
        }
        inner = parent;
    }
    None
}

/// Whether these nodes are links with separators between them, and the first leads to the home page.
fn is_trail(nodes: &[Node<'_>]) -> bool {
    let size: usize = nodes.iter().map(|n| n.descendants().take(100).count() + 1).sum();
    if size > 100 {
        return false;
    }
    let all = || nodes.iter().flat_map(|n| std::iter::once(*n).chain(n.descendants()));
    let links: Vec<Node<'_>> = all().filter(|n| n.tag() == Tag::A).collect();
    let in_link = |n: Node<'_>| n.ancestors().take(6).any(|a| a.tag() == Tag::A);
    let mut others = all().filter(|n| n.tag() == Tag::TEXT && !in_link(*n));
    links.len() >= 2
        && links[0].attribute("href").is_some_and(|href| address::is_home(&href))
        && others.all(|n| !n.text().contains(char::is_alphanumeric))
}

impl<'d> Walk<'d, '_> {
    pub(super) fn heading(&mut self, node: Node<'d>, level: Level) {
        if self.headings.iter().filter(|h| h.level == level).count() < MAX_HEADINGS
            && let Some((mut text, span)) = self.text(node)
        {
            // Trailing buttons: "Rain Copy link".
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
            let crumb = if level == Level::First { crumb(node) } else { None };
            self.headings.push(Heading { level, text, span, aside, crumb });
        }
    }

    /// The date of an element whose class marks it as one. hAtom puts the machine-readable form in `title`.
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

    /// Reads lines of text that start with "By" or consist mostly of a date.
    pub(super) fn plain_text(&mut self, node: Node<'d>) {
        let record = self.dom.record(node.number());
        if node.number() < self.aside.0 || record.to - record.from > 120 || self.plain_dates == 0 {
            return;
        }
        let own = node.span().slice(self.dom.source());
        let text = own.trim_start();
        let by = text.get(..2).is_some_and(|s| s.eq_ignore_ascii_case("by")) && !text[2..].starts_with(char::is_alphanumeric);
        let starts = |start: &str| text.get(..10).is_some_and(|s| s.eq_ignore_ascii_case(start));
        let by = by || ["written by", "posted by ", "started by"].into_iter().any(starts);
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
        // "Written by" in an element of its own: the name follows it.
        if text.split(' ').all(introduces_name)
            && let Some(next) = self.text_after(parent).filter(|(next, _)| next.len() < 80)
        {
            text = format!("{text} {}", next.0.trim());
            span = next.1;
        }
        if text.split(' ').find(|w| !introduces_name(w)).is_some_and(|w| w.starts_with(char::is_uppercase)) {
            self.candidates.add(Field::Author, 58, &text, Source::Text("byline"), Some(span));
        }
    }

    /// The text after a node: the rest of the line, or the next element.
    fn text_after(&mut self, node: Node<'d>) -> Option<(String, Span)> {
        let next = node.next_sibling()?;
        if next.tag() != Tag::TEXT {
            return self.text(next);
        }
        let text = self.dom.run_text(next.number());
        if text.contains(char::is_alphanumeric) {
            return Some((text.into_owned(), next.span()));
        }
        self.text(next.next_sibling()?)
    }
}
