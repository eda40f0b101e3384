//! Distinguishes data tables from layout tables among those that the traversal wrote.
//!
//! A table is data if it has at least two rows and two columns of content and its cells contain only lines of text.
//! Layout tables are unwrapped and keep their content. In data tables a cell contains lines; other structure in it is
//! flattened.

use super::event_buffer::EventBuffer;
use super::{Document, Event, Part};

/// A cell with more bytes of text than this is part of a layout.
const MAX_CELL_BYTES: u32 = 700;

/// Statistics of a table.
#[derive(Clone, Copy, Debug, Default)]
struct TableStats {
    rows: u32,
    cells: u32,
    /// Columns with content, one bit each.
    columns: u128,
    /// Cells that contain a table.
    nested: u32,
    /// Bytes of text in the current cell.
    bytes: u32,
    /// It contains more than lines of text.
    rich: bool,
    cell_is_nested: bool,
    /// Maximum number of content cells in a row.
    widest: u32,
    row_cells: u32,
}

impl TableStats {
    fn is_data(&self) -> bool {
        let columns = self.columns.count_ones();
        !self.rich
            && self.rows >= 2
            && columns >= 2
            && self.widest >= 2
            && self.columns >> 127 == 0
            && self.nested * 4 <= self.cells
            && u64::from(self.rows) * u64::from(columns) <= 16 * u64::from(self.cells) + 256
    }
}

/// Statistics of all tables, in document order.
fn collect_stats(events: &EventBuffer) -> Vec<TableStats> {
    let mut all: Vec<TableStats> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    for (event, _) in events.iter() {
        if let Event::Start(Part::Table(_)) = event {
            if let Some(outer) = open.last().and_then(|&t| all.get_mut(t)) {
                outer.nested += u32::from(!outer.cell_is_nested);
                outer.cell_is_nested = true;
            }
            open.push(all.len());
            all.push(TableStats::default());
            continue;
        }
        let Some(&at) = open.last() else { continue };
        match event {
            Event::End(Part::Table(_)) => {
                open.pop();
                let inner = all[at];
                if let Some(outer) = open.last().and_then(|&t| all.get_mut(t)) {
                    outer.rich |= inner.rich;
                }
                continue;
            }
            Event::Start(Part::Row) => {
                all[at].rows += 1;
                all[at].row_cells = 0;
            }
            Event::Start(Part::Cell(column)) => {
                let stats = &mut all[at];
                stats.cells += 1;
                stats.row_cells += 1;
                stats.widest = stats.widest.max(stats.row_cells);
                stats.columns |= 1 << (column & 127);
                stats.bytes = 0;
                stats.cell_is_nested = false;
            }
            Event::Start(Part::Heading(_) | Part::Code(_) | Part::Quote | Part::Note(_)) => all[at].rich = true,
            Event::Text { text, .. } => {
                // Text of an inner table counts towards the outer cell too; few tables are nested deeper than three.
                for &table in open.iter().rev().take(8) {
                    let stats = &mut all[table];
                    stats.bytes = stats.bytes.saturating_add(text.len());
                    stats.rich |= stats.bytes > MAX_CELL_BYTES;
                }
            }
            _ => {}
        }
    }
    all
}

/// Keeps the data tables of a document and unwraps the layout tables.
pub(super) fn resolve_tables(mut document: Document) -> Document {
    if !document.events.iter().any(|(event, _)| matches!(event, Event::Start(Part::Table(_)))) {
        return document;
    }
    let stats = collect_stats(&document.events);
    let mut next = 0;
    let mut events = EventBuffer::default();
    // Number of open layout tables; the columns of the open data table and the number of tables open inside it.
    let mut layouts = 0u32;
    let mut data: Option<(u128, u32)> = None;
    let mut lines = 0u32; // lines in the current cell
    for (event, head) in document.events.iter() {
        let Some((columns, inner)) = &mut data else {
            match event {
                Event::Start(Part::Table(_)) => {
                    let table = stats.get(next).copied().unwrap_or_default();
                    next += 1;
                    if table.is_data() {
                        data = Some((table.columns, 0));
                        events.push(Event::Start(Part::Table(table.columns.count_ones() as u8)));
                    } else {
                        layouts += 1;
                    }
                }
                Event::End(Part::Table(_)) => layouts = layouts.saturating_sub(1),
                Event::Start(Part::Row | Part::Cell(_)) | Event::End(Part::Row | Part::Cell(_)) if layouts > 0 => {}
                other => events.push(other),
            }
            continue;
        };
        let data_column = |column: u8| (*columns & ((1u128 << (column & 127)) - 1)).count_ones() as u8;
        match event {
            Event::Start(Part::Table(_)) => {
                next += 1;
                *inner += 1;
            }
            Event::End(Part::Table(_)) if *inner == 0 => {
                let width = columns.count_ones() as u8;
                events.push(Event::End(Part::Table(width)));
                data = None;
            }
            Event::End(Part::Table(_)) => *inner -= 1,
            Event::Start(Part::Row) | Event::End(Part::Row) if *inner == 0 => events.push(event),
            Event::Start(Part::Cell(column)) if *inner == 0 => {
                events.push_cell(Event::Start(Part::Cell(data_column(column))), head);
                lines = 0;
            }
            Event::End(Part::Cell(column)) if *inner == 0 => events.push(Event::End(Part::Cell(data_column(column)))),
            Event::Start(Part::Paragraph | Part::Heading(_) | Part::Code(_)) => {
                if lines > 0 {
                    events.push(Event::Break);
                }
                lines += 1;
            }
            Event::Start(_) | Event::End(_) | Event::Rule => {}
            other => events.push(other),
        }
    }
    document.events = events;
    document
}
