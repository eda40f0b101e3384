//! Tables that are data and tables that are layout: what the walk wrote as a table is settled here.
//!
//! A table is data when it has two rows and two columns of content and its cells hold no more than lines of text.
//! Layout loses its cells and keeps what is in them. In data, a cell holds lines; what else was in it loses its form.

use super::event_buffer::EventBuffer;
use super::{Document, Event, Part};

/// A cell with more bytes of text than this is a place in a layout.
const CELL_BYTES: u32 = 700;

/// What is known of a table.
#[derive(Clone, Copy, Debug, Default)]
struct Facts {
    rows: u32,
    cells: u32,
    /// Columns that have content, a bit each.
    columns: u128,
    /// Cells with a table in them.
    nested: u32,
    /// Bytes of text in the cell at hand.
    bytes: u32,
    /// Something in it is more than lines of text.
    rich: bool,
    cell_is_nested: bool,
    /// The most cells of content in a row.
    widest: u32,
    row_cells: u32,
}

impl Facts {
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

/// Facts of all tables, in the order in which they begin.
fn survey(events: &EventBuffer) -> Vec<Facts> {
    let mut all: Vec<Facts> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    for (event, _) in events.iter() {
        if let Event::Start(Part::Table(_)) = event {
            if let Some(outer) = open.last().and_then(|&t| all.get_mut(t)) {
                outer.nested += u32::from(!outer.cell_is_nested);
                outer.cell_is_nested = true;
            }
            open.push(all.len());
            all.push(Facts::default());
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
                let facts = &mut all[at];
                facts.cells += 1;
                facts.row_cells += 1;
                facts.widest = facts.widest.max(facts.row_cells);
                facts.columns |= 1 << (column & 127);
                facts.bytes = 0;
                facts.cell_is_nested = false;
            }
            Event::Start(Part::Heading(_) | Part::Code(_) | Part::Quote | Part::Note(_)) => all[at].rich = true,
            Event::Text { text, .. } => {
                // Text of an inner table is text of the outer one's cell; few tables are nested deeper than three.
                for &table in open.iter().rev().take(8) {
                    let facts = &mut all[table];
                    facts.bytes = facts.bytes.saturating_add(text.len());
                    facts.rich |= facts.bytes > CELL_BYTES;
                }
            }
            _ => {}
        }
    }
    all
}

/// Settles what the tables of a document are.
pub(super) fn settle(mut document: Document) -> Document {
    if !document.events.iter().any(|(event, _)| matches!(event, Event::Start(Part::Table(_)))) {
        return document;
    }
    let facts = survey(&document.events);
    let mut next = 0;
    let mut events = EventBuffer::default();
    // Tables that are open: the columns of data, none for layout. Inside data, how many more are open.
    let mut layouts = 0u32;
    let mut data: Option<(u128, u32)> = None;
    let mut lines = 0u32; // lines that the cell has
    for (event, head) in document.events.iter() {
        let Some((columns, inner)) = &mut data else {
            match event {
                Event::Start(Part::Table(_)) => {
                    let table = facts.get(next).copied().unwrap_or_default();
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
        let place = |column: u8| (*columns & ((1u128 << (column & 127)) - 1)).count_ones() as u8;
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
                events.push_cell(Event::Start(Part::Cell(place(column))), head);
                lines = 0;
            }
            Event::End(Part::Cell(column)) if *inner == 0 => events.push(Event::End(Part::Cell(place(column)))),
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
