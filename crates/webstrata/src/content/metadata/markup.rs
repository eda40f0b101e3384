//! One traversal of the tree that reads metadata elements and those whose class, id or shape suggests an author or a date.

use super::candidates::{Candidates, Field};
use super::hints::{Hints, KnownHints};
use super::items::Items;
use super::json;
use super::link_hints::{is_author_path, is_license_address, is_tag_path, path};
use super::meta;
use super::microdata::Microdata;
use super::source::Source;
use super::visible::{Heading, Level};
use crate::html::{Attributes, Dom, Node, Tag};
use crate::span::{Span, floor_char_boundary};

/// Maximum number of nodes and bytes in a title, byline or date.
const MAX_NODES: u32 = 300;
const MAX_BYTES: u32 = 20_000;
/// Maximum number of text bytes examined in all elements together; nested elements count each time.
const TEXT_BUDGET: u32 = 8 << 20;
/// Maximum number of bytes and values of JSON-LD.
const JSON_BYTES: usize = 8 << 20;
const JSON_VALUES: usize = 200_000;

/// Number of bytes in the text sample, and minimum size of a text run that enters it.
const SAMPLE: usize = 6000;
const SAMPLE_RUN: u32 = 50;

/// State of the traversal.
#[derive(Debug)]
pub(super) struct Walk<'d, 'g> {
    pub(super) dom: &'d Dom<'d>,
    pub(super) candidates: &'g mut Candidates,
    attributes: Attributes<'d>,
    known_hints: KnownHints<'d>,
    pub(super) microdata: Microdata,
    pub(super) rdfa: Microdata,
    pub(super) json: Items,
    pub(super) headings: Vec<Heading>,
    /// End of the current element outside the content (a node number), and the byte offset where that element starts.
    pub(super) aside: (u32, u32),
    text_budget: u32,
    json_bytes: usize,
    json_values: usize,
    pub(super) plain_dates: u32,
    /// Nodes before this number are in a list of tags, or before one.
    tags_end: u32,
    /// Sample of text that is probably content, for language detection.
    pub(super) sample: String,
}

impl<'d, 'g> Walk<'d, 'g> {
    pub(super) fn new(dom: &'d Dom<'d>, candidates: &'g mut Candidates) -> Self {
        Walk {
            dom,
            candidates,
            attributes: Attributes::new(dom),
            known_hints: KnownHints::new(),
            microdata: Microdata::default(),
            rdfa: Microdata::default(),
            json: Items::default(),
            headings: Vec::new(),
            aside: (0, u32::MAX),
            text_budget: TEXT_BUDGET,
            json_bytes: JSON_BYTES,
            json_values: JSON_VALUES,
            plain_dates: 400,
            tags_end: 0,
            sample: String::new(),
        }
    }

    /// Walks the whole tree.
    pub(super) fn run(&mut self) {
        let mut titled = false;
        for node in self.dom.nodes() {
            match node.tag() {
                Tag::TEXT => {
                    self.plain_text(node);
                    self.sample_text(node);
                }
                _ if node.is_foreign() => {}
                Tag::META => {
                    meta::meta(node, self.candidates);
                    self.element(node);
                }
                Tag::LINK => {
                    meta::link(node, self.candidates);
                    self.element(node);
                }
                Tag::SCRIPT => self.script(node),
                Tag::TITLE if !titled => {
                    titled = true;
                    if let Some((text, span)) = self.text(node) {
                        self.candidates.add(Field::Title, 40, &text, Source::Element("title"), Some(span));
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
                        self.candidates.add(field, 10, &attribute.value(), source, Some(attribute.span()));
                    }
                    self.element(node);
                }
                _ => self.element(node),
            }
        }
        self.json.index();
        self.microdata.items.index();
        self.rdfa.items.index();
    }

    /// Samples long runs of text outside links and navigation.
    fn sample_text(&mut self, node: Node<'d>) {
        let record = self.dom.record(node.number());
        if record.to - record.from < SAMPLE_RUN || self.sample.len() >= SAMPLE || node.number() < self.aside.0 {
            return;
        }
        let is_prose = |n: Node<'d>| {
            !matches!(
                n.tag(),
                Tag::A
                    | Tag::SCRIPT
                    | Tag::STYLE
                    | Tag::TITLE
                    | Tag::NOSCRIPT
                    | Tag::TEMPLATE
                    | Tag::TEXTAREA
                    | Tag::PRE
                    | Tag::CODE
            ) && !n.is_foreign()
        };
        if node.ancestors().take(4).all(is_prose) {
            let text = self.dom.run_text(node.number());
            self.sample.push_str(&text[..floor_char_boundary(&text, SAMPLE)]);
            self.sample.push(' ');
        }
    }

    /// Whether this span is outside the content.
    pub(super) fn is_aside(&self, span: Span) -> bool {
        span.start >= self.aside.1
    }

    /// Text and span of a small element.
    pub(super) fn text(&mut self, node: Node<'d>) -> Option<(String, Span)> {
        let (number, end) = (node.number(), self.dom.record(node.number()).end);
        let nodes = end.saturating_sub(number);
        if !(2..=MAX_NODES).contains(&nodes) {
            return None;
        }
        let span = Span::new(self.dom.record(number + 1).from, self.dom.record(end - 1).to);
        self.text_budget = self.text_budget.checked_sub(span.len()).filter(|_| span.len() <= MAX_BYTES)?;
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
            self.json.add_json_ld(value);
        }
    }

    fn element(&mut self, node: Node<'d>) {
        let number = node.number();
        if number >= self.aside.0 {
            self.aside = (0, u32::MAX);
        }
        let (mut hints, mut prop, mut scope, mut rel, mut href) = (Hints::default(), None, false, false, false);
        let (mut property, mut types, mut tag, mut tag_link) = (None, None, false, false);
        for attribute in self.attributes.for_node(number) {
            let name = attribute.name();
            match name.len() {
                2 if name.eq_ignore_ascii_case("id") => self.known_hints.read(attribute, &mut hints),
                3 if name.eq_ignore_ascii_case("rel") => {
                    let value = attribute.value().to_ascii_lowercase();
                    rel = value.split_ascii_whitespace().any(|t| t == "author");
                    tag = node.tag() == Tag::A && value.split_ascii_whitespace().any(|t| t == "tag");
                    if node.tag() == Tag::A && value.contains("license") {
                        meta::link(node, self.candidates);
                    }
                }
                4 if name.eq_ignore_ascii_case("href") => {
                    let value = attribute.value();
                    let path = path(&value);
                    href = is_author_path(path);
                    // Lists of current topics outside the article also have such addresses.
                    let own = || is_tag_path(path) && node.ancestors().take(24).any(|n| n.tag() == Tag::ARTICLE);
                    tag_link = node.tag() == Tag::A && (number < self.tags_end || own());
                    if is_license_address(&value) && node.tag() == Tag::A {
                        self.candidates.add(Field::License, 30, &value, Source::Markup("license link"), Some(attribute.span()));
                    }
                }
                5 if name.eq_ignore_ascii_case("class") => self.known_hints.read(attribute, &mut hints),
                6 if name.eq_ignore_ascii_case("typeof") => types = Some((attribute.value(), attribute.span())),
                8 if name.eq_ignore_ascii_case("itemprop") => prop = Some(attribute.value()),
                8 if name.eq_ignore_ascii_case("property") => property = Some(attribute.value()),
                9 if name.eq_ignore_ascii_case("itemscope") => scope = true,
                11 if name.eq_ignore_ascii_case("data-testid") => self.known_hints.read(attribute, &mut hints),
                _ => {}
            }
        }
        let record = self.dom.record(number);
        let large = (record.end - number) as usize > (self.dom.len() / 2).max(100);
        let container = matches!(node.tag(), Tag::HTML | Tag::BODY | Tag::MAIN | Tag::ARTICLE) || large;
        let marked = hints.author.is_some() || hints.date;
        let outside_content = matches!(node.tag(), Tag::FOOTER | Tag::NAV) || (node.tag() == Tag::ASIDE && !marked);
        if !container && number >= self.aside.0 && (hints.aside || outside_content) {
            // The footer of an article may name its author.
            if !(node.tag() == Tag::FOOTER && !hints.aside && node.ancestors().take(32).any(|n| n.tag() == Tag::ARTICLE)) {
                self.aside = (record.end, record.from);
            }
        }
        if prop.is_some() || scope {
            self.microdata(node, prop.as_deref(), scope);
        }
        if property.is_some() || types.is_some() {
            self.rdfa(node, property.as_deref(), types.as_ref().map(|(types, span)| (&**types, *span)));
        }
        match node.tag() {
            Tag::H1 => self.heading(node, Level::First),
            _ if hints.title && !container => self.heading(node, Level::Marked),
            Tag::H2 => self.heading(node, Level::Second),
            _ => {}
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
                self.candidates.add(Field::Author, rank, &text, source, Some(span));
            }
        }
        if in_aside {
            return;
        }
        if tag && let Some((text, span)) = self.text(node).filter(|(text, _)| text.len() < 60) {
            self.candidates.add(Field::Tag, 22, text.trim_start_matches('#'), Source::Markup("rel=tag"), Some(span));
        }
        if tag_link
            && !tag
            && let Some((text, span)) = self.text(node).filter(|(text, _)| text.len() < 40)
        {
            self.candidates.add(Field::Tag, 23, &text, Source::Markup("tag link"), Some(span));
        }
        if hints.tags && !container {
            self.tags_end = record.end;
        }
        if hints.date
            && let Some((text, span)) = self.date_text(node)
        {
            let field = if hints.modified { Field::Modified } else { Field::Published };
            self.candidates.add(field, if hints.published { 53 } else { 56 }, &text, Source::Markup("date"), Some(span));
        }
    }
}
