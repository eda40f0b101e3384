//! Finds the formulas of a page in one walk over its nodes.

use super::evidence::{Dollars, Evidence};
use super::markup::{Classes, from_code, from_math, from_mathjax, from_row, from_script, mathjax_source};
use super::raw::{self, Found};
use super::tex::clean;
use super::{Formula, image};
use crate::html::{Attributes, Dom, HIDDEN, Node, Tag, TagSet};
use memchr::memchr2;
use std::ops::Range;

/// Elements without formulas: their text is literal or not shown.
const SKIPPED: TagSet = TagSet::from_tags(&[
    Tag::PRE,
    Tag::LISTING,
    Tag::XMP,
    Tag::SVG,
    Tag::SELECT,
    Tag::TEXTAREA,
    Tag::TITLE,
    Tag::FRAMESET,
    Tag::ANNOTATION,
    Tag::ANNOTATION_XML,
]);

/// Elements in whose text delimiters have no meaning.
const LITERAL: TagSet = TagSet::from_tags(&[Tag::CODE, Tag::KBD, Tag::SAMP, Tag::TT]);

/// What to look for in the text of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reading {
    Nothing,
    /// TeX between delimiters.
    Delimited,
}

pub(super) fn find(dom: &Dom<'_>) -> Vec<Formula> {
    let evidence = Evidence::of(dom);
    if !evidence.any() {
        return Vec::new();
    }
    let math = dom.records().iter().enumerate().filter(|(_, record)| record.tag == Tag::MATH).map(|(id, _)| id as u32).collect();
    let mut finder = Finder { dom, evidence, math, found: Vec::new(), readings: Vec::new(), text: String::new() };
    let mut attributes = Attributes::new(dom);
    let mut id = 0;
    while (id as usize) < dom.len() {
        while finder.readings.pop_if(|(end, _)| *end <= id).is_some() {}
        id = finder.node(id, &mut attributes).max(id + 1);
    }
    finder.found
}

struct Finder<'d> {
    dom: &'d Dom<'d>,
    evidence: Evidence,
    /// All `math` elements.
    math: Vec<u32>,
    found: Vec<Formula>,
    /// The ends of enclosing elements, and how to read their text.
    readings: Vec<(u32, Reading)>,
    text: String,
}

impl<'d> Finder<'d> {
    /// Reads a node and returns the next one to read.
    fn node(&mut self, id: u32, attributes: &mut Attributes<'d>) -> u32 {
        let record = self.dom.record(id);
        let node = Node::new(self.dom, id);
        if matches!(record.tag, Tag::PRE | Tag::CODE)
            && let Some(formula) = from_code(node)
        {
            return self.add(formula);
        }
        match record.tag {
            Tag::TEXT => return self.text(id),
            Tag::MATH => return self.add(from_math(node)),
            Tag::IMG => {
                if let Some(formula) = image::read(node) {
                    return self.add(formula);
                }
            }
            Tag::SCRIPT => {
                if let Some(formula) = from_script(node) {
                    return self.add(formula);
                }
                return record.end;
            }
            tag if tag.flags() & HIDDEN != 0 || SKIPPED.contains(tag) => return record.end,
            tag if LITERAL.contains(tag) => self.readings.push((record.end, Reading::Nothing)),
            tag if tag.is_custom() => {
                let name = node.name();
                if name.eq_ignore_ascii_case("mjx-container") {
                    let display = node.attribute("display").is_some_and(|value| &*value == "true");
                    let mathml = self.wrapped(id..record.end, display);
                    let mut formula = mathml.clone().unwrap_or(Formula { nodes: id..record.end, display, ..Formula::default() });
                    // The source is more precise than the MathML generated from it.
                    let source = mathjax_source(node);
                    let has_source = source.is_some();
                    if let Some(found) = source {
                        formula.tex = found.tex;
                        formula.display |= found.display;
                    }
                    if has_source || mathml.is_some() {
                        return self.add(formula);
                    }
                } else if name.eq_ignore_ascii_case("math-renderer") {
                    self.readings.push((record.end, Reading::Delimited));
                }
            }
            _ => {}
        }
        let class = attributes.for_node(id).find(|attribute| attribute.name().eq_ignore_ascii_case("class"));
        let Some(class) = class else { return id + 1 };
        let classes = Classes::read(&class.value());
        self.element(node, id..record.end, classes).map_or(id + 1, |formula| self.add(formula))
    }

    /// The formula that an element with these classes represents, if any.
    fn element(&mut self, node: Node<'_>, nodes: Range<u32>, classes: Classes) -> Option<Formula> {
        if classes.katex || classes.mediawiki {
            let formula = self.wrapped(nodes.clone(), classes.display).or_else(|| self.wrapped_image(nodes.clone(), classes));
            if formula.is_some() {
                return formula;
            }
        }
        if classes.row {
            let from = self.math.partition_point(|&id| id < nodes.start);
            let parts = &self.math[from..from + self.math[from..].partition_point(|&id| id < nodes.end)];
            let row = from_row(parts.iter().map(|&id| Node::new(self.dom, id))).filter(|_| parts.len() > 1);
            if let (Some(row), Some(&first), Some(&last)) = (row, parts.first(), parts.last()) {
                return Some(Formula { nodes: nodes.start..nodes.end, shown: first..self.dom.record(last).end, ..row });
            }
        }
        if classes.mathjax
            && let Some(formula) = from_mathjax(node, |from, to| self.next_math(from, to))
        {
            return Some(formula);
        }
        if classes.data
            && let Some(found) = node.attribute("data-tex").and_then(|tex| clean(&tex))
        {
            return Some(Formula {
                nodes: nodes.clone(),
                shown: nodes,
                tex: found.tex,
                display: found.display,
                ..Formula::default()
            });
        }
        if classes.whole && self.evidence.renderer {
            // The whole text is TeX, without delimiters.
            let text = nodes.start + 1;
            if nodes.end == text + 1
                && self.dom.record(text).tag == Tag::TEXT
                && let Some(found) = clean(&self.dom.run_text(text))
            {
                let display = classes.display || found.display;
                return Some(Formula { nodes: nodes.clone(), shown: nodes, tex: found.tex, display, ..Formula::default() });
            }
        }
        if classes.tex || classes.processed {
            self.readings.push((nodes.end, Reading::Delimited));
        } else if classes.ignored {
            self.readings.push((nodes.end, Reading::Nothing));
        }
        None
    }

    /// Adds a formula and returns the node after it.
    fn add(&mut self, formula: Formula) -> u32 {
        let end = formula.nodes.end;
        self.found.push(formula);
        end
    }

    /// The first `math` element in a range of nodes.
    fn next_math(&self, from: u32, to: u32) -> Option<u32> {
        let at = self.math.partition_point(|&id| id < from);
        self.math.get(at).copied().filter(|&id| id < to)
    }

    /// The formula whose `math` element is inside these nodes; everything else there is a copy of it.
    fn wrapped(&self, nodes: Range<u32>, display: bool) -> Option<Formula> {
        let math = from_math(Node::new(self.dom, self.next_math(nodes.start, nodes.end)?));
        Some(Formula { nodes, display: math.display || display, ..math })
    }

    /// The formula whose picture is inside these nodes.
    fn wrapped_image(&self, nodes: Range<u32>, classes: Classes) -> Option<Formula> {
        let mut children = Node::new(self.dom, nodes.start).descendants().take(8);
        let picture = image::read(children.find(|node| node.tag() == Tag::IMG)?)?;
        Some(Formula { nodes, display: picture.display || classes.display, ..picture })
    }

    /// Searches a text node, and those after it that are separated only by line breaks, for TeX between delimiters.
    fn text(&mut self, id: u32) -> u32 {
        let parent = self.dom.record(id).parent;
        let mut end = id + 1;
        loop {
            let next = self.dom.record(end);
            let after = self.dom.record(end + 1);
            let before_text = next.tag == Tag::BR && after.tag == Tag::TEXT && after.parent == parent;
            if next.parent != parent || !(next.tag == Tag::TEXT || before_text) {
                break;
            }
            end += 1;
        }
        let forced = self.readings.last().map(|(_, reading)| *reading);
        if forced == Some(Reading::Nothing) || (forced.is_none() && !self.evidence.renderer) {
            return end;
        }
        let source = |node: u32| self.dom.span_of(node).slice(self.dom.source());
        if !(id..end).any(|node| self.dom.record(node).tag == Tag::TEXT && memchr2(b'\\', b'$', source(node).as_bytes()).is_some())
        {
            return end;
        }
        let mut text = std::mem::take(&mut self.text);
        text.clear();
        let mut starts: Vec<(u32, usize)> = Vec::new(); // text nodes and their offsets in `text`
        for node in id..end {
            if self.dom.record(node).tag == Tag::TEXT {
                starts.push((node, text.len()));
                text.push_str(&self.dom.run_text(node));
            } else {
                text.push('\n');
            }
        }
        // Without a renderer, only a class suggests that single dollar signs are delimiters.
        let dollars = if self.evidence.renderer { self.evidence.dollars } else { Dollars::Doubtful };
        let mut found = Vec::new();
        raw::scan(&text, dollars, &mut found);
        for Found { at, tex, display } in found {
            let place = |offset: usize| starts[starts.partition_point(|(_, start)| *start <= offset).saturating_sub(1)];
            let ((first, from), (last, to)) = (place(at.start), place(at.end - 1));
            let within = (at.start - from) as u32..(at.end - to) as u32;
            let nodes = first..last + 1;
            self.found.push(Formula { shown: nodes.clone(), nodes, tex, display, within: Some(within), ..Formula::default() });
        }
        self.text = text;
        end
    }
}
