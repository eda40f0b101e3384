//! Builds a document from the tree in one traversal of its nodes.

use super::containers::ContainerId;
use super::enclosed::Enclosed;
use super::formulas::FormulaState;
use super::frame::{FIELDS, FLOW, Frame, Pending, SKIPPED, number, style_of};
use super::marks::{CONTENT, FIRST, LONG, Marks, OTHER, SPACED, SYMBOL};
use super::notes::{self, Notes};
use super::numbering::MAX_NUMBER;
use super::output::Output;
use super::outside::Extent;
use super::tables::KeptTables;
use super::{Document, Event, Part, RenderOptions, Style, permalinks};
use crate::block::INLINE_OBJECTS;
use crate::block::listing::{self, Listing};
use crate::content::Content;
use crate::html::address;
use crate::html::{Dom, HIDDEN, INLINE, Node, Tag, flag};
use crate::span::Span;

/// State of the traversal.
pub(super) struct Walk<'c> {
    pub(super) dom: &'c Dom<'c>,
    pub(super) options: &'c RenderOptions,
    pub(super) marks: Marks,
    pub(super) tables: KeptTables,
    notes: Notes,
    pub(super) base: Option<String>,
    pub(super) frames: Vec<Frame>,
    pub(super) out: Output,
    /// Number of line breaks since the last text, and whether anything else ended the line.
    pub(super) breaks: u32,
    pub(super) hard_break: bool,
    pub(super) rule: bool,
    pub(super) after_content: bool,
    pub(super) images: Vec<Pending>,
    /// Whether a line ended since the last text or image.
    pub(super) line_ended: bool,
    /// A link whose end tag is inside another block, and where that end tag is.
    extended_link: (u32, u32),
    target: (u32, Option<Span>),
    pub(super) formulas: FormulaState<'c>,
    /// Whether the first run of a block was left out, so that the next one starts its line.
    line_pending: bool,
    pub(super) skip: u32,
    /// The listings after the current node, in reverse order, and the controls around them.
    listings: Vec<Listing>,
    controls: Vec<Listing>,
    /// Text before this node is left out.
    pub(super) dropped_until: u32,
    /// The last heading and the first node after it.
    pub(super) last_heading: (u32, u32),
    /// Where the content is.
    pub(super) extent: Extent,
    pub(super) enclosed: Vec<Enclosed>,
    /// The item that a check box starts, and whether the box is checked.
    pub(super) task: Option<(ContainerId, bool)>,
}

pub(super) fn build(content: &Content<'_>, options: &RenderOptions) -> Document {
    let mut walk = Walk::new(content, options);
    if !options.images && !walk.tables.any() && content.selection().formulas.is_empty() {
        walk.extent = Extent::of(&walk.marks);
    }
    walk.run();
    walk.out.document
}

/// Builds the same document by a traversal of all nodes.
#[cfg(test)]
pub(super) fn build_whole(content: &Content<'_>, options: &RenderOptions) -> Document {
    let mut walk = Walk::new(content, options);
    walk.run();
    walk.out.document
}

impl<'c> Walk<'c> {
    fn new(content: &'c Content<'_>, options: &'c RenderOptions) -> Self {
        let dom = content.blocks().dom();
        let marks = Marks::new(content, options.images);
        let mut listings = content.selection().listings(dom);
        let mut controls = listing::controls(dom, &listings);
        listings.reverse();
        controls.reverse();
        let element = dom.find(Tag::BASE).and_then(|n| n.attribute("href"));
        Walk {
            dom,
            options,
            notes: notes::find(dom, &marks),
            tables: KeptTables::new(content.selection(), &marks),
            marks,
            base: address::base(options.base.as_deref(), element.as_deref()),
            frames: Vec::new(),
            out: Output::default(),
            breaks: 0,
            hard_break: true,
            rule: false,
            after_content: false,
            images: Vec::new(),
            line_ended: true,
            extended_link: (0, 0),
            target: (0, None),
            formulas: FormulaState::new(&content.selection().formulas),
            line_pending: false,
            skip: 0,
            listings,
            controls,
            dropped_until: 0,
            last_heading: (0, 0),
            extent: Extent::whole(dom.len()),
            enclosed: Vec::new(),
            task: None,
        }
    }
}

impl Walk<'_> {
    fn run(&mut self) {
        let total = self.dom.len() as u32;
        let mut id = 0;
        loop {
            id = self.in_reading_order(id);
            if id >= self.extent.end {
                break;
            }
            self.close_frames(id);
            if !self.enclosed.is_empty() {
                self.close_enclosed(id);
            }
            let record = self.dom.record(id);
            if let Some(next) = self.pass_over(id, &record) {
                id = next;
                continue;
            }
            if let Some(next) = self.formula(id, record.flags) {
                id = next;
                continue;
            }
            if record.tag != Tag::TEXT {
                if record.tag.flags() & HIDDEN != 0 || SKIPPED.contains(record.tag) {
                    id = record.end.max(id + 1);
                } else if FIELDS.contains(record.tag) {
                    self.hard_break = true;
                    self.line_ended = true;
                    id = record.end.max(id + 1);
                } else {
                    let foreign = record.flags & flag::FOREIGN != 0;
                    if !foreign {
                        self.gap(record.tag);
                    }
                    self.enter(id, record.tag, record.end, foreign);
                    id = self.tables.first_part(id).unwrap_or(id + 1);
                }
                continue;
            }
            let mark = self.marks.get(id);
            if mark & CONTENT != 0 && id < self.dropped_until {
                self.line_pending |= mark & FIRST != 0;
                self.out.space |= mark & SPACED != 0;
            } else if mark & CONTENT != 0 && id >= self.skip {
                self.text(id, mark);
            } else if mark & OTHER != 0 {
                self.after_content = false;
                self.hard_break = true;
                self.line_ended = true;
                self.rule = false;
                let figures = &self.frames.last().map_or(0, |f| f.figure);
                self.images.retain(|image| image.figure != 0 && image.figure == *figures);
            }
            id += 1;
        }
        self.close_enclosed(total);
        self.out.sync(0);
    }

    /// Closes the elements that end before a node.
    pub(super) fn close_frames(&mut self, id: u32) {
        while let Some(frame) = self.frames.pop_if(|frame| frame.end <= id) {
            frame.tag.into_iter().for_each(|tag| self.gap(tag));
        }
    }

    /// Closes all but the `depth` outermost elements.
    pub(super) fn close_frames_above(&mut self, depth: usize) {
        while self.frames.len() > depth
            && let Some(frame) = self.frames.pop()
        {
            frame.tag.into_iter().for_each(|tag| self.gap(tag));
        }
    }

    /// Discards state about later nodes, because earlier ones are read next.
    pub(super) fn forget_positions(&mut self) {
        (self.skip, self.dropped_until, self.extended_link) = (0, 0, (0, 0));
        self.formulas.forget_positions();
    }

    /// Records a tag between two texts.
    fn gap(&mut self, tag: Tag) {
        if tag == Tag::BR {
            self.breaks += 1;
            self.line_ended = true;
        } else if !INLINE.contains(tag) && !INLINE_OBJECTS.contains(tag) {
            self.hard_break = true;
            self.line_ended = true;
            self.rule |= tag == Tag::HR && self.after_content && self.at_top();
        }
    }

    /// Whether the current element is outside all containers.
    fn at_top(&self) -> bool {
        self.frames.last().is_none_or(|frame| self.out.containers.text_container(frame.container) == 0)
    }

    fn enter(&mut self, id: u32, tag: Tag, end: u32, foreign: bool) {
        let outer = self.frames.last().copied().unwrap_or_default();
        if tag == Tag::IMG && self.options.images && id >= self.skip {
            self.image(id, outer);
        }
        if matches!(tag, Tag::VIDEO | Tag::AUDIO) && self.options.images && self.options.links && id >= self.skip {
            self.media(id, outer);
        }
        if tag == Tag::INPUT && outer.container != 0 {
            self.check_box(id, outer);
        }
        let part = self.tables.part(self.dom, id, tag);
        // An empty cell still takes up a column, and an empty row still counts for the cells that span it.
        if end <= id + 1 && part.is_none() {
            return;
        }
        if starts(&mut self.controls, id) {
            self.dropped_until = self.dropped_until.max(end);
        }
        if outer.pre != 0 {
            self.frames.push(Frame { end, tag: (!foreign).then_some(tag), ..outer });
            return;
        }
        let mut frame = Frame { end, tag: (!foreign).then_some(tag), implied: 0, style: outer.style.union(style_of(tag)), ..outer };
        let text_container = self.out.containers.text_container(outer.container);
        let node = Node::new(self.dom, id);
        if FLOW.contains(tag) {
            (frame.heading, frame.heading_node) = (0, 0);
        }
        if frame.style.contains(Style::CODE) {
            frame.code = if frame.code == 0 { id } else { frame.code };
        }
        let heading = if id == self.last_heading.1 { self.last_heading.0 } else { frame.heading_node };
        let dropped = if heading != 0 && matches!(tag, Tag::A | Tag::SPAN | Tag::BUTTON | Tag::DIV | Tag::SUP | Tag::SMALL) {
            permalinks::is_permalink(self.dom, id, heading)
        } else {
            tag == Tag::A && permalinks::is_sign(self.dom, id)
        };
        if dropped {
            self.dropped_until = self.dropped_until.max(end);
        }
        if matches!(tag, Tag::Q | Tag::RT | Tag::SPAN) {
            self.enclose(id, tag, outer.tag);
        }
        if self.starts_listing(id) {
            frame.pre = id;
            self.frames.push(frame);
            return;
        }
        match tag {
            Tag::A => {
                let to_itself = frame.heading_node != 0 && permalinks::links_to_itself(self.dom, id, frame.heading_node);
                frame.link = if to_itself { 0 } else { id };
                self.extend_link(id, end);
            }
            Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 => {
                frame.heading = tag.name().as_bytes().get(1).map_or(1, |digit| digit.wrapping_sub(b'0').clamp(1, 6));
                frame.heading_node = id;
                self.last_heading = (id, end);
            }
            Tag::FIGURE => frame.figure = end,
            Tag::BLOCKQUOTE => frame.container = self.out.containers.inside(text_container, Part::Quote),
            Tag::UL | Tag::OL | Tag::MENU | Tag::DIR => {
                // A list directly inside a list rather than an item: it belongs to the previous item.
                let list = self.out.containers.current(outer.container);
                let item = self.out.open.iter().copied().find(|&open| self.out.containers.parent(open) == list);
                let in_list = matches!(self.out.containers.part(outer.container), Part::List(_));
                let parent = item.filter(|_| in_list).unwrap_or(text_container);
                let start = (tag == Tag::OL).then(|| number(node, "start").unwrap_or(1).min(MAX_NUMBER));
                frame.container = self.out.containers.inside(parent, Part::List(start));
                if tag == Tag::OL && node.has_attribute("reversed") {
                    let items = || node.children().filter(|n| n.tag() == Tag::LI && n.children().next().is_some()).count();
                    let from = number(node, "start").unwrap_or_else(|| items() as u32);
                    self.out.containers.count_down(frame.container, from.min(MAX_NUMBER));
                }
            }
            Tag::LI => frame.container = self.item(outer.container, number(node, "value")),
            _ => {}
        }
        if self.tables.any() {
            self.enter_table_part(part, id, tag, &mut frame);
        }
        if let Some(label) = self.notes.notes.get(&id) {
            let label = self.out.document.intern(label);
            frame.container = self.out.containers.inside(0, Part::Note(label));
        }
        self.frames.push(frame);
    }

    /// Whether a listing starts at a node. Must be called with nodes in document order.
    pub(super) fn starts_listing(&mut self, id: u32) -> bool {
        starts(&mut self.listings, id)
    }

    /// Records a link that extends beyond its element.
    pub(super) fn extend_link(&mut self, id: u32, end: u32) {
        let formatting_end = self.dom.formatting_end(id, &self.dom.record(id));
        if formatting_end > end {
            self.extended_link = (id, formatting_end);
        }
    }

    fn text(&mut self, id: u32, mark: u8) {
        if self.continues_formula(id) {
            return;
        }
        let frame = self.frames.last().copied().unwrap_or_default();
        let link_node = if frame.link == 0 && id < self.extended_link.1 { self.extended_link.0 } else { frame.link };
        // After code in the middle of a line there is no open leaf to continue.
        let no_leaf = frame.pre == 0 && self.out.leaf.is_none();
        let after_formula = std::mem::take(&mut self.formulas.inline) && !no_leaf && !self.hard_break && self.breaks == 0;
        let mut first = (mark & FIRST != 0 && !after_formula) || self.line_pending || no_leaf;
        if self.tables.any() {
            if mark & SYMBOL != 0 && !frame.in_cell {
                return;
            }
            // Cells may be inline elements, and symbols belong to no block.
            let container = self.out.containers.text_container(frame.container);
            first |= self.out.leaf.is_some_and(|(of_leaf, _)| of_leaf != container);
            first |= mark & SYMBOL != 0 && (self.hard_break || self.breaks > 0);
        }
        self.line_pending = first && self.notes.back.contains(&link_node);
        if self.notes.back.contains(&link_node) {
            self.out.space |= mark & SPACED != 0;
            return;
        }
        let inline_images = self.flush_images(id, first, frame);
        if frame.pre != 0 {
            self.preformatted(frame);
        } else {
            if first {
                self.line(&frame, mark);
                inline_images.into_iter().for_each(|image| self.write_inline(image));
            }
            self.out.space |= !first && mark & SPACED != 0 && !after_formula;
            if let Some((label, text)) = self.notes.references.get(&link_node).filter(|_| self.allows_references()) {
                let (label, text) = (label.clone(), text.clone());
                self.out.reference(&label, &text);
                self.skip = self.dom.record(link_node).end;
            } else {
                let link = if self.options.links && link_node != 0 { self.target_of(link_node) } else { None };
                let style = if self.out.leaf.is_some_and(|(_, level)| level > 0) {
                    frame.style.difference(Style::STRONG)
                } else {
                    frame.style
                };
                if self.formulas.contains_formula_text(id) {
                    self.text_with_formulas(id, frame, style, link);
                    return;
                }
                let dom = self.dom;
                let run = dom.run_text(id);
                if !self.enclosed.is_empty() {
                    self.open_enclosed(id);
                }
                self.out.push_in(frame.code, &run, self.raised(id, style, &run), link);
            }
        }
        self.written();
    }

    /// Records that text was written.
    pub(super) fn written(&mut self) {
        self.breaks = 0;
        self.hard_break = false;
        self.line_ended = false;
        self.rule = false;
        self.after_content = true;
    }

    /// Whether a footnote reference may be written here. Not in headings, which are used without the notes.
    fn allows_references(&self) -> bool {
        self.out.leaf.is_some_and(|(_, level)| level == 0)
    }

    /// Starts the line of a block, in the open leaf or in a new one.
    pub(super) fn line(&mut self, frame: &Frame, mark: u8) {
        let text_container = self.out.containers.text_container(frame.container);
        let heading = if mark & LONG != 0 { 0 } else { frame.heading };
        let continues = self.out.leaf == Some((text_container, heading)) && !self.hard_break && self.after_content;
        if continues && (heading > 0 || self.breaks == 1) {
            self.out.document.events.push(Event::Break);
            self.out.begin();
            return;
        }
        if self.rule && self.after_content {
            self.out.sync(0);
            self.out.document.events.push(Event::Rule);
        }
        self.out.start(text_container, heading);
        self.write_box();
    }

    pub(super) fn target_of(&mut self, id: u32) -> Option<Span> {
        if self.target.0 != id {
            let href = Node::new(self.dom, id).attribute("href");
            let target = href.and_then(|href| address::target(self.base.as_deref(), &href));
            self.target = (id, target.map(|target| self.out.document.intern(&target)));
        }
        self.target.1
    }
}

/// Whether the next of these listings starts at `id`. Earlier ones are removed.
fn starts(next: &mut Vec<Listing>, id: u32) -> bool {
    while next.pop_if(|listing| listing.node < id).is_some() {}
    next.last().is_some_and(|listing| listing.node == id)
}
