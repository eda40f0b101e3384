//! Data tables in the traversal of the tree: identifies the elements that are their parts, and the order in which to read them.

use super::Part;
use super::build::Walk;
use super::containers::ContainerId;
use super::frame::{Frame, number};
use super::marks::Marks;
use crate::html::{Dom, Node, Tag};
use crate::select::Selection;
use crate::select::table_marks::{TablePart, part_of_role, part_of_tag};
use crate::select::tables::DataTable;

/// The data tables that have content, in document order.
#[derive(Debug, Default)]
pub(super) struct KeptTables {
    all: Vec<DataTable>,
    has_aria: bool,
    /// For each part of a table read out of order: the node where it ends, the node to continue with, and the number of frames
    /// around it. Innermost last.
    jumps: Vec<(u32, u32, usize)>,
    /// Start of the first part of the table entered last, if that table is read out of order.
    first: Option<u32>,
}

impl KeptTables {
    pub(super) fn new(selection: &Selection, marks: &Marks) -> Self {
        let tables = selection.tables();
        if tables.is_empty() {
            return KeptTables::default();
        }
        let kept = marks.with_content(tables.iter().map(|table| (table.node, table.end)));
        let all: Vec<DataTable> = tables.iter().zip(kept).filter(|(_, kept)| *kept).map(|(&table, _)| table).collect();
        KeptTables { has_aria: all.iter().any(|table| table.aria), all, jumps: Vec::new(), first: None }
    }

    /// Whether the page has any data tables with content.
    pub(super) fn any(&self) -> bool {
        !self.all.is_empty()
    }

    fn table(&self, id: u32) -> Option<DataTable> {
        let at = self.all.binary_search_by_key(&id, |table| table.node).ok()?;
        self.all.get(at).copied()
    }

    /// The part of a table that an element may be. A `table` counts only if it is in the list.
    pub(super) fn part(&self, dom: &Dom<'_>, id: u32, tag: Tag) -> Option<TablePart> {
        if self.all.is_empty() {
            return None;
        }
        let by_role = || Node::new(dom, id).attribute("role").and_then(|role| part_of_role(&role));
        let part = part_of_tag(tag).or_else(|| if self.has_aria { by_role() } else { None })?;
        (part != TablePart::Table || self.table(id).is_some()).then_some(part)
    }

    /// The node to continue with after entering table `id`, unless that is its first child.
    pub(super) fn first_part(&mut self, id: u32) -> Option<u32> {
        self.first.take().filter(|&first| first > id)
    }
}

impl Walk<'_> {
    /// Enters a part of a table, if the element is one.
    pub(super) fn enter_table_part(&mut self, part: Option<TablePart>, id: u32, tag: Tag, frame: &mut Frame) {
        let outer = frame.container;
        let node = Node::new(self.dom, id);
        match part {
            Some(TablePart::Table) => {
                frame.container = self.out.containers.table(outer, id);
                (frame.in_cell, frame.in_head) = (false, false);
                if self.tables.table(id).is_some_and(|table| table.out_of_order) {
                    self.plan(node);
                }
            }
            Some(TablePart::Row) => {
                frame.container = self.out.containers.row(outer);
                self.write_empty(outer, *frame, id);
            }
            Some(cell) => {
                let columns = number(node, "colspan").unwrap_or(1) as usize;
                let rows = number(node, "rowspan").unwrap_or(1);
                let header = cell == TablePart::HeaderCell || frame.in_head;
                frame.container = self.out.containers.cell(outer, header, columns, rows);
                frame.in_cell |= frame.container != outer;
                self.write_empty(outer, *frame, id);
            }
            None if !matches!(self.out.containers.part(outer), Part::Table(_)) => {}
            None => match tag {
                Tag::CAPTION => frame.container = self.out.containers.caption(outer),
                Tag::THEAD | Tag::TBODY | Tag::TFOOT => {
                    frame.in_head = tag == Tag::THEAD;
                    let rows = node.children().filter(|child| child.tag() == Tag::TR).count();
                    self.out.containers.row_group(outer, rows as u32);
                }
                _ => {}
            },
        }
    }

    /// Writes a row or a cell before its content is known, since empty ones also take their place. Those before the first content
    /// of the table are not written.
    fn write_empty(&mut self, outer: ContainerId, frame: Frame, id: u32) {
        let containers = &self.out.containers;
        let table = if matches!(containers.part(outer), Part::Row) { containers.parent(outer) } else { outer };
        if frame.container == outer || !self.out.open.contains(&table) {
            return;
        }
        if !self.images.is_empty() {
            // They belong to the previous cell, or before the table.
            self.line_ended = true;
            self.flush_images(id, true, frame);
        }
        self.out.sync(frame.container);
    }

    /// Plans the order of a table's children: captions, head, body, foot.
    fn plan(&mut self, table: Node<'_>) {
        let rank = |tag: Tag| match tag {
            Tag::CAPTION => 0,
            Tag::THEAD => 1,
            Tag::TFOOT => 3,
            _ => 2,
        };
        let mut parts: Vec<(u8, u32, u32)> = Vec::new();
        for child in table.children() {
            let (rank, id) = (rank(child.tag()), child.number());
            let end = self.dom.record(id).end.max(id + 1);
            match parts.last_mut() {
                Some(last) if last.0 == rank && last.2 == id => last.2 = end,
                _ => parts.push((rank, id, end)),
            }
        }
        parts.sort_by_key(|part| part.0);
        let after = self.dom.record(table.number()).end;
        self.tables.first = parts.first().map(|part| part.1);
        // A stack, so the last part is pushed first.
        for at in (0..parts.len()).rev() {
            let next = parts.get(at + 1).map_or(after, |next| next.1);
            self.tables.jumps.push((parts[at].2, next, self.frames.len() + 1));
        }
    }

    /// The node to continue with: `id`, unless a part of a table read out of order ended before it.
    pub(super) fn in_reading_order(&mut self, id: u32) -> u32 {
        let mut id = id;
        while let Some(&(end, next, frames)) = self.tables.jumps.last()
            && id >= end
        {
            self.tables.jumps.pop();
            // The table itself may end with its part, but stays open.
            self.close_frames_above(frames);
            self.close_enclosed(end);
            // State about later nodes ends with the part.
            self.forget_positions();
            id = next;
        }
        id
    }
}
