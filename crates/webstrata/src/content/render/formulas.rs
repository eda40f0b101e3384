//! Formulas: inline, or in a paragraph of their own.

use super::build::Walk;
use super::frame::Frame;
use super::marks::{CONTENT, FIRST, SPACED, visible};
use super::{Event, Part, Style, mathml};
use crate::formula::{Formula, Formulas};
use crate::html::{Tag, flag};
use crate::span::Span;

/// The formulas of the page, and the traversal's state about the last one.
#[derive(Debug)]
pub(super) struct FormulaState<'c> {
    all: &'c Formulas,
    /// Whether the last output was an inline formula, so that text after it continues the line.
    pub(super) inline: bool,
    /// Start of the last formula in running text that was written.
    written: Option<(u32, u32)>,
    /// The text node after the last display formula, and how many of its bytes were written with the formula.
    tail: (u32, usize),
}

impl<'c> FormulaState<'c> {
    pub(super) fn new(all: &'c Formulas) -> Self {
        FormulaState { all, inline: false, written: None, tail: (0, 0) }
    }

    /// Discards state about the nodes around the last formula.
    pub(super) fn forget_positions(&mut self) {
        *self = FormulaState::new(self.all);
    }

    /// Whether a text node contains parts of kept formulas.
    pub(super) fn contains_formula_text(&self, id: u32) -> bool {
        !self.all.is_empty() && (self.tail.0 == id || self.all.touching(id).any(|formula| formula.kept))
    }
}

impl Walk<'_> {
    /// Writes the formula whose elements start at this node, if it is kept, and returns the node after it.
    pub(super) fn formula(&mut self, id: u32, flags: u16) -> Option<u32> {
        let formulas = self.formulas.all;
        if formulas.is_empty() {
            return None;
        }
        self.out.space |= self.formulas.inline && flags & flag::SPACE_BEFORE != 0;
        let formula =
            formulas.starting_at(id).first().filter(|f| f.within.is_none() && f.kept && id >= self.skip.max(self.dropped_until))?;
        let frame = self.frames.last().copied().filter(|frame| frame.pre == 0).or(self.frames.is_empty().then(Frame::default))?;
        let (mut text, mut first_mark, mut spaced) = (String::new(), None, false);
        for node in formula.nodes.clone() {
            let mark = self.marks.get(node);
            spaced |= first_mark.is_none() && self.dom.record(node).flags & flag::SPACE_BEFORE != 0;
            if mark & CONTENT != 0 {
                first_mark.get_or_insert(mark);
                if mark & (SPACED | FIRST) != 0 {
                    text.push(' ');
                }
                text.push_str(&visible(&self.dom.run_text(node)));
            }
        }
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        // A formula without text in a block is spaced only if white space precedes its first node.
        let spaced = spaced && (first_mark.is_some() || flags & flag::SPACE_BEFORE != 0);
        self.write_formula(formula, &text, frame, first_mark.unwrap_or(0), spaced);
        Some(formula.nodes.end.max(id + 1))
    }

    fn write_formula(&mut self, formula: &Formula, text: &str, frame: Frame, mark: u8, spaced: bool) {
        let text_container = self.out.containers.text_container(frame.container);
        let in_leaf = self.out.leaf.is_some_and(|(at, _)| at == text_container);
        let first = self.hard_break || self.breaks > 0 || !self.after_content || !in_leaf;
        let inline_images = self.flush_images(formula.nodes.start, first, frame);
        let display = formula.display && frame.heading == 0;
        let mathml = formula.mathml.and_then(|math| mathml::clean(self.dom, math, &formula.tex, display)).unwrap_or_default();
        if display {
            let next = formula.nodes.end;
            let text_follows = self.dom.record(next).tag == Tag::TEXT && self.marks.is_content(next);
            let behind = if text_follows { self.dom.run_text(next) } else { "".into() };
            let tail = punctuation(&behind);
            self.formulas.tail = (next, tail.len());
            self.own_line(&frame, formula, text, &mathml, tail);
            return;
        }
        if first {
            self.line(&frame, mark | FIRST);
            inline_images.into_iter().for_each(|image| self.write_inline(image));
        }
        self.out.space |= spaced && !first;
        self.out.math(&formula.tex, text, &mathml, false);
        self.written();
        self.formulas.inline = true;
    }

    /// Writes a formula as a paragraph, with the punctuation mark that follows it.
    fn own_line(&mut self, frame: &Frame, formula: &Formula, text: &str, mathml: &str, tail: &str) {
        let text_container = self.out.containers.text_container(frame.container);
        let opened = matches!(self.out.document.events.last_mut(), Some(Event::Start(Part::Paragraph)));
        self.out.document.events.drop_last_break();
        if !opened || self.out.leaf != Some((text_container, 0)) {
            if self.rule && self.after_content {
                self.out.sync(0);
                self.out.document.events.push(Event::Rule);
            }
            self.out.start(text_container, 0);
        }
        self.out.begin();
        self.out.math(&formula.tex, text, mathml, true);
        self.out.push(tail, Style::PLAIN, None);
        self.out.sync(text_container);
        self.written();
        self.hard_break = true;
        self.line_ended = true;
        self.formulas.inline = false;
    }

    /// Writes a text node with formulas in it. Its line has been started.
    pub(super) fn text_with_formulas(&mut self, id: u32, frame: Frame, style: Style, link: Option<Span>) {
        let (dom, formulas) = (self.dom, self.formulas.all);
        let text = dom.run_text(id);
        let mut rest = if self.formulas.tail.0 == id { self.formulas.tail.1 } else { 0 };
        self.written();
        for formula in formulas.touching(id).filter(|formula| formula.kept) {
            let range = formula.range_in(id, text.len());
            self.piece(text.get(rest..range.start).unwrap_or_default(), frame, style, link);
            rest = range.end;
            let start = Some((formula.nodes.start, formula.within.as_ref().map_or(0, |within| within.start)));
            if self.formulas.written == start {
                continue;
            }
            self.formulas.written = start;
            let source = self.source_of(formula, &text);
            if formula.display && frame.heading == 0 {
                let tail = punctuation(text.get(rest..).unwrap_or_default());
                rest += tail.len();
                self.own_line(&frame, formula, &source, "", tail);
            } else {
                if self.out.leaf.is_none() {
                    self.line(&frame, FIRST);
                }
                self.out.math(&formula.tex, &source, "", false);
                self.written();
            }
        }
        self.piece(text.get(rest..).unwrap_or_default(), frame, style, link);
    }

    /// Writes a piece of text between formulas.
    fn piece(&mut self, text: &str, frame: Frame, style: Style, link: Option<Span>) {
        if self.out.leaf.is_none() {
            if text.trim().is_empty() {
                return;
            }
            self.line(&frame, FIRST);
        }
        self.out.push(text, style, link);
        if !text.trim().is_empty() {
            self.written();
        }
    }

    /// The TeX of a formula in running text as it is on the page, on one line. `text` is the decoded text of its node, used if the
    /// formula has only one: a node may have many formulas, and decoding it for each would be slow.
    fn source_of(&self, formula: &Formula, text: &str) -> String {
        let mut source = String::new();
        if formula.nodes.len() == 1 {
            source.push_str(&visible(text.get(formula.range_in(formula.nodes.start, text.len())).unwrap_or_default()));
            return source.split_whitespace().collect::<Vec<_>>().join(" ");
        }
        for node in formula.nodes.clone().filter(|&node| self.dom.record(node).tag == Tag::TEXT) {
            let text = self.dom.run_text(node);
            source.push(' ');
            source.push_str(&visible(text.get(formula.range_in(node, text.len())).unwrap_or_default()));
        }
        source.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Whether a text node is the rest of a formula that was already written. If text follows the formula, it continues the line.
    pub(super) fn continues_formula(&mut self, id: u32) -> bool {
        if self.formulas.tail.0 == id && self.formulas.tail.1 > 0 {
            return self.dom.run_text(id).get(self.formulas.tail.1..).is_none_or(|rest| rest.trim().is_empty());
        }
        if self.formulas.written.is_none() {
            return false;
        }
        let formulas = self.formulas.all;
        let Some(formula) = formulas.touching(id).next().filter(|f| f.kept && f.nodes.start < id) else { return false };
        if self.formulas.written != Some((formula.nodes.start, formula.within.as_ref().map_or(0, |within| within.start))) {
            return false;
        }
        let text = self.dom.run_text(id);
        let display = self.out.leaf.is_none();
        self.written();
        self.hard_break = display;
        self.formulas.inline = !display;
        text.get(formula.range_in(id, text.len()).end..).is_none_or(|rest| rest.trim().is_empty())
    }
}

/// The punctuation mark that a text starts with, if nothing follows it directly.
fn punctuation(text: &str) -> &str {
    let mark = text.starts_with(['.', ',', ';', ':']);
    let ends = text.get(1..).is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace));
    if mark && ends { &text[..1] } else { "" }
}
