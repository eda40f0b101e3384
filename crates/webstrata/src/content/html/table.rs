//! Tables as HTML: caption, head and body, with the spans of cells.

use super::direction::Direction;
use super::escape::attribute;
use super::inline::Inline;
use super::{Open, Writer};
use crate::content::render::{CellShape, Event, Part, TableShape};

/// An open table.
#[derive(Debug, Default)]
pub(in crate::content) struct Table {
    header_rows: u16,
    /// The current row, from 1, and its next column.
    row: u32,
    column: usize,
    /// For each column: the row before which the cell in it ends.
    taken_until: Vec<u32>,
}

impl Table {
    /// Begins a row.
    pub(in crate::content) fn next_row(&mut self) {
        self.row += 1;
        self.column = 0;
    }

    /// Places a cell, and returns the number of empty cells before it.
    pub(in crate::content) fn place(&mut self, cell: CellShape) -> usize {
        let at = usize::from(cell.column);
        let end = at + usize::from(cell.columns);
        let taken = |column: &usize| self.taken_until.get(*column).is_some_and(|&until| until > self.row);
        let empty = (self.column..at).filter(|column| !taken(column)).count();
        if cell.rows > 1 {
            if self.taken_until.len() < end {
                self.taken_until.resize(end, 0);
            }
            self.taken_until[at..end].fill(self.row.saturating_add(cell.rows.into()));
        }
        self.column = end;
        empty
    }
}

/// Writes a table as HTML, given its shape and the events after its start. `loose` says for each list whether it is loose, and
/// `seen` counts the lists so far.
pub(in crate::content) fn write_table<'d>(
    start: TableShape,
    events: &mut impl Iterator<Item = Event<&'d str>>,
    loose: &mut Vec<bool>,
    seen: &mut usize,
) -> String {
    let inline = Inline::new(Direction::default());
    let mut writer = Writer { loose: std::mem::take(loose), seen: *seen, inline, ..Writer::default() };
    writer.event(Event::Start(Part::Table(start)));
    while !writer.tables.is_empty()
        && let Some(event) = events.next()
    {
        writer.event(event);
    }
    *loose = writer.loose;
    *seen = writer.seen;
    writer.out
}

impl Writer<'_> {
    pub(super) fn start_table(&mut self, shape: TableShape) {
        self.container("<table>\n", Open::Other);
        self.tables.push(Table { header_rows: shape.header_rows, ..Table::default() });
    }

    pub(super) fn end_table(&mut self) {
        let body = self.tables.pop().is_some_and(|table| table.row > 0);
        self.end_container(if body { "</tbody>\n</table>\n" } else { "</table>\n" });
    }

    pub(super) fn start_row(&mut self) {
        let Some(table) = self.tables.last_mut() else { return };
        let header_rows = u32::from(table.header_rows);
        if table.row == 0 && header_rows > 0 {
            self.out.push_str("<thead>\n");
        } else if table.row == header_rows {
            self.out.push_str(if header_rows > 0 { "</thead>\n<tbody>\n" } else { "<tbody>\n" });
        }
        table.next_row();
        self.out.push_str("<tr>");
    }

    pub(super) fn end_row(&mut self) {
        self.out.push_str("</tr>\n");
    }

    pub(super) fn start_cell(&mut self, cell: CellShape) {
        let empty = self.tables.last_mut().map_or(0, |table| table.place(cell));
        for _ in 0..empty {
            self.out.push_str("<td></td>");
        }
        let name = if cell.header { "<th" } else { "<td" };
        if (cell.columns, cell.rows, cell.has_parts) == (1, 1, false) {
            return self.leaf(name);
        }
        let mut tag = name.to_owned();
        if cell.columns > 1 {
            attribute("colspan", &cell.columns.to_string(), &mut tag);
        }
        if cell.rows > 1 {
            attribute("rowspan", &cell.rows.to_string(), &mut tag);
        }
        if cell.has_parts {
            tag.push_str(">\n");
            self.out.push_str(&tag);
            self.open.push(Open::Other);
        } else {
            self.leaf(&tag);
        }
    }

    pub(super) fn end_cell(&mut self, cell: CellShape) {
        let tag = if cell.header { "</th>" } else { "</td>" };
        if cell.has_parts { self.end_container(tag) } else { self.end_leaf(tag) }
    }
}
