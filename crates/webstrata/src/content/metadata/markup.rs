//! One walk over the tree: elements that carry metadata are read, and those whose class, identifier or form
//! says that they show an author or a date.

use super::gather::{Field, Gathered};
use super::hints::{Hints, has_year, is_author_address, is_by, starts_with_verb};
use super::items::Items;
use super::json;
use super::meta;
use super::microdata::Microdata;
use super::source::Source;
use crate::html::{Dom, Node, Tag};
use crate::span::Span;

/// Elements with more nodes or more bytes below them are no titles, bylines or dates.
const MOST_NODES: u32 = 300;
const MOST_BYTES: u32 = 20_000;
/// Bytes of text that are looked at altogether, over all elements, which may nest.
const TEXT_BUDGET: u32 = 8 << 20;
/// Bytes and values of JSON-LD.
const JSON_BYTES: usize = 8 << 20;
const JSON_VALUES: usize = 200_000;

/// A heading.
#[derive(Debug)]
pub(super) struct Heading {
    pub(super) text: String,
    pub(super) span: Span,
    /// Does it stand among navigation, in a sidebar, below comments?
    pub(super) aside: bool,
}

/// The walk's state.
#[derive(Debug)]
pub(super) struct Walk<'d, 'g> {
    pub(super) dom: &'d Dom<'d>,
    pub(super) gathered: &'g mut Gathered,
    pub(super) microdata: Microdata,
    pub(super) json: Items,
    pub(super) headings: Vec<Heading>,
    /// Nodes before this one stand beside the content; the element that says so starts at the byte.
    aside: (u32, u32),
    text_budget: u32,
    json_bytes: usize,
    json_values: usize,
    plain_dates: u32,
}

impl<'d, 'g> Walk<'d, 'g> {
    pub(super) fn new(dom: &'d Dom<'d>, gathered: &'g mut Gathered) -> Self {
        Walk {
            dom,
            gathered,
            microdata: Microdata::default(),
            json: Items::default(),
            headings: Vec::new(),
            aside: (0, u32::MAX),
            text_budget: TEXT_BUDGET,
            json_bytes: JSON_BYTES,
            json_values: JSON_VALUES,
            plain_dates: 400,
        }
    }

    /// Walks the whole tree.
    pub(super) fn run(&mut self) {
        let mut titled = false;
        for node in self.dom.nodes() {
            match node.tag() {
                Tag::TEXT => self.plain_text(node),
                _ if node.is_foreign() => {}
                Tag::META => {
                    meta::meta(node, self.gathered);
                    self.element(node);
                }
                Tag::LINK => {
                    meta::link(node, self.gathered);
                    self.element(node);
                }
                Tag::SCRIPT => self.script(node),
                Tag::TITLE if !titled => {
                    titled = true;
                    if let Some((text, span)) = self.text(node) {
                        self.gathered.add(Field::Title, 40, &text, Source::Element("title"), Some(span));
                    }
                }
                Tag::HTML => {
                    for attribute in node.attributes() {
                        let (field, source) = match attribute.name().to_ascii_lowercase().as_str() {
                            "lang" => (Field::Language, Source::Html("lang")),
                            "xml:lang" => (Field::Language, Source::Html("xml:lang")),
                            "dir" => (Field::Direction, Source::Html("dir")),
                            _ => continue,
                        };
                        self.gathered.add(field, 10, &attribute.value(), source, Some(attribute.span()));
                    }
                    self.element(node);
                }
                _ => self.element(node),
            }
        }
        self.json.index();
        self.microdata.items.index();
    }

    /// Does what stands at these bytes belong to something beside the content?
    pub(super) fn is_aside(&self, span: Span) -> bool {
        span.start >= self.aside.1
    }

    /// Text of an element that is small, and where it stands.
    pub(super) fn text(&mut self, node: Node<'d>) -> Option<(String, Span)> {
        let (number, end) = (node.number(), self.dom.record(node.number()).end);
        let nodes = end.saturating_sub(number);
        if !(2..=MOST_NODES).contains(&nodes) {
            return None;
        }
        let span = Span::new(self.dom.record(number + 1).from, self.dom.record(end - 1).to);
        self.text_budget = self.text_budget.checked_sub(span.len()).filter(|_| span.len() <= MOST_BYTES)?;
        let text = node.text();
        (!text.is_empty()).then_some((text, span))
    }

    fn script(&mut self, node: Node<'d>) {
        let kind = node.attribute("type").unwrap_or_default();
        if !kind.to_ascii_lowercase().contains("ld+json") {
            return;
        }
        let Some(child) = node.children().next() else { return };
        let source = child.span().slice(self.dom.source());
        let Some(left) = self.json_bytes.checked_sub(source.len()) else { return };
        self.json_bytes = left;
        for value in json::read(source, child.span().start, &mut self.json_values) {
            self.json.take(value);
        }
    }

    fn element(&mut self, node: Node<'d>) {
        let number = node.number();
        if number >= self.aside.0 {
            self.aside = (0, u32::MAX);
        }
        let (mut hints, mut prop, mut scope, mut rel, mut href) = (Hints::default(), None, false, false, false);
        for attribute in node.attributes() {
            let name = attribute.name();
            match name.len() {
                2 if name.eq_ignore_ascii_case("id") => hints.read(&attribute.value()),
                3 if name.eq_ignore_ascii_case("rel") => {
                    rel = attribute.value().split_ascii_whitespace().any(|t| t.eq_ignore_ascii_case("author"));
                    if node.tag() == Tag::A && attribute.value().to_ascii_lowercase().contains("license") {
                        meta::link(node, self.gathered);
                    }
                }
                4 if name.eq_ignore_ascii_case("href") => href = is_author_address(&attribute.value()),
                5 if name.eq_ignore_ascii_case("class") => hints.read(&attribute.value()),
                8 if name.eq_ignore_ascii_case("itemprop") => prop = Some(attribute.value()),
                9 if name.eq_ignore_ascii_case("itemscope") => scope = true,
                11 if name.eq_ignore_ascii_case("data-testid") => hints.read(&attribute.value()),
                _ => {}
            }
        }
        let record = self.dom.record(number);
        let large = (record.end - number) as usize > (self.dom.len() / 2).max(100);
        let container = matches!(node.tag(), Tag::HTML | Tag::BODY | Tag::MAIN | Tag::ARTICLE) || large;
        let marked = hints.author.is_some() || hints.date;
        let beside = matches!(node.tag(), Tag::FOOTER | Tag::NAV) || (node.tag() == Tag::ASIDE && !marked);
        if !container && number >= self.aside.0 && (hints.aside || beside) {
            // The footer of an article has its author.
            if !(node.tag() == Tag::FOOTER && !hints.aside && node.ancestors().take(32).any(|n| n.tag() == Tag::ARTICLE)) {
                self.aside = (record.end, record.from);
            }
        }
        if prop.is_some() || scope {
            self.microdata(node, prop.as_deref(), scope);
        }
        if node.tag() == Tag::H1 {
            self.heading(node);
        }
        if node.tag() == Tag::TIME {
            self.time(node, &hints);
            return;
        }
        let in_aside = number < self.aside.0;
        if container
            || (in_aside && !rel)
            || matches!(node.tag(), Tag::META | Tag::LINK | Tag::STYLE | Tag::TEMPLATE | Tag::NOSCRIPT | Tag::IMG)
        {
            return;
        }
        if rel || href || hints.author.is_some() {
            let (rank, source) = match (rel, hints.author) {
                (true, _) => (if in_aside { 57 } else { 50 }, Source::Markup("rel=author")),
                (_, Some(rank)) => (rank, Source::Markup("byline")),
                _ => (53, Source::Markup("author link")),
            };
            if let Some((text, span)) = self.text(node).filter(|(text, _)| text.len() < 400) {
                self.gathered.add(Field::Author, rank, &text, source, Some(span));
            }
        }
        if in_aside {
            return;
        }
        if hints.date
            && let Some((text, span)) = self.text(node).filter(|(text, _)| text.len() < 120)
        {
            let field = if hints.modified { Field::Modified } else { Field::Published };
            self.gathered.add(field, if hints.published { 53 } else { 56 }, &text, Source::Markup("date"), Some(span));
        }
    }

    fn heading(&mut self, node: Node<'d>) {
        if self.headings.len() < 32
            && let Some((text, span)) = self.text(node)
        {
            let aside = node.number() < self.aside.0;
            self.headings.push(Heading { text, span, aside });
        }
    }

    fn time(&mut self, node: Node<'d>, hints: &Hints) {
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
        self.gathered.add(
            if modified { Field::Modified } else { Field::Published },
            rank,
            &text,
            Source::Element("time"),
            Some(span),
        );
    }

    /// Lines of text that start with "By" or hold a date and little else.
    fn plain_text(&mut self, node: Node<'d>) {
        let record = self.dom.record(node.number());
        if node.number() < self.aside.0 || record.to - record.from > 120 || self.plain_dates == 0 {
            return;
        }
        let source = node.span().slice(self.dom.source());
        let text = source.trim_start();
        let by = text.get(..2).is_some_and(|s| s.eq_ignore_ascii_case("by")) && !text[2..].starts_with(char::is_alphanumeric);
        let by = by
            || text
                .get(..10)
                .is_some_and(|s| matches!(s.to_ascii_lowercase().as_str(), "written by" | "posted by " | "started by"));
        let by = by || is_by(text.trim_end());
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
            let rank = if starts_with_verb(whole) { 57 } else { 60 };
            let field = if whole.to_lowercase().contains("updated") { Field::Modified } else { Field::Published };
            self.gathered.add(field, rank, whole, Source::Text("date"), Some(node.span()));
        }
        if !by {
            return;
        }
        let Some((mut text, mut span)) = self.text(parent).filter(|(text, _)| text.len() < 160) else { return };
        // "Written by" in an element of its own: the name is in the next.
        if text.split(' ').all(is_by)
            && let Some(next) = parent.next_sibling().and_then(|next| self.text(next)).filter(|(next, _)| next.len() < 80)
        {
            text = format!("{text} {}", next.0);
            span = next.1;
        }
        if text.split(' ').find(|w| !is_by(w)).is_some_and(|w| w.starts_with(char::is_uppercase)) {
            self.gathered.add(Field::Author, 58, &text, Source::Text("byline"), Some(span));
        }
    }
}
