//! Resolves the final shape of the tables that the traversal wrote.
//!
//! The traversal writes every row and cell of a data table (`tables.rs`), including empty ones. Here rows and columns without
//! content are removed and spans shortened accordingly; cells that consist of lines only become leaves; leading rows of header cells
//! are counted. A table with fewer than two rows or columns left, because the rest was not content, is unwrapped: its text stays.

use super::event_buffer::EventBuffer;
use super::{CellShape, Document, Event, Part, TableShape};

/// The kind of content in a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Cell {
    #[default]
    Empty,
    /// Lines of text.
    Lines,
    /// Other parts, such as lists.
    Parts,
}

/// Statistics of a table.
#[derive(Clone, Debug, Default)]
struct Stats {
    /// For each row: the number of rows before it that have content.
    before: Vec<u32>,
    /// Rows with content.
    rows: u32,
    /// Cells with content.
    cells: u32,
    /// Columns in which a cell with content starts, one bit each.
    columns: u128,
    /// Maximum number of cells with content in a row.
    widest: u32,
    /// Whether a cell contains other parts.
    has_parts: bool,
    headers: Headers,
}

/// The leading rows of header cells.
#[derive(Clone, Debug, Default)]
struct Headers {
    /// Number of header rows so far, and the row before which their cells end.
    rows: u16,
    reach: u32,
    ended: bool,
    /// The smallest and largest number of header rows such that no cell extends below the header.
    first: u16,
    last: u16,
}

impl Headers {
    /// Adds row `number`, which has content, and whose cells end before row `reach`.
    fn add(&mut self, number: u32, is_header: bool, reach: u32) {
        if self.ended {
            return;
        }
        if self.rows > 0 && self.reach <= number {
            self.last = self.rows;
            self.first = if self.first == 0 { self.rows } else { self.first };
        }
        if is_header && self.rows < u16::MAX {
            self.rows += 1;
            self.reach = self.reach.max(reach);
        } else {
            self.ended = true;
        }
    }

    /// The number of header rows. If all rows consist of header cells, only the first ones are the header.
    fn count(&self) -> u16 {
        if self.ended { self.last } else { self.first }
    }
}

impl Stats {
    fn is_table(&self) -> bool {
        let columns = self.columns.count_ones();
        self.rows >= 2
            && columns >= 2
            && self.widest >= 2
            && self.columns >> 127 == 0
            && u64::from(self.rows) * u64::from(columns) <= 16 * u64::from(self.cells) + 256
    }

    fn shape(&self) -> TableShape {
        TableShape { columns: self.columns.count_ones() as u8, header_rows: self.headers.count() }
    }

    /// The shape of a cell that starts in row `row`, counting only rows and columns with content.
    fn cell(&self, row: usize, cell: CellShape, has_parts: bool) -> CellShape {
        let below = |column: u32| 1u128.checked_shl(column).map_or(u128::MAX, |bit| bit - 1);
        let columns_before = |column: u32| (self.columns & below(column)).count_ones();
        let column = columns_before(cell.column.into());
        let columns = columns_before(u32::from(cell.column) + u32::from(cell.columns)).saturating_sub(column).max(1);
        let rows_before = |row: usize| self.before.get(row).copied().unwrap_or(self.rows);
        let rows = rows_before(row + usize::from(cell.rows)).saturating_sub(rows_before(row)).max(1);
        CellShape { column: column as u8, columns: columns as u8, rows: rows as u16, header: cell.header, has_parts }
    }
}

/// A table that is being read.
#[derive(Debug, Default)]
struct Open {
    table: usize,
    /// The current cell: its number among all cells of the document, and its shape.
    cell: Option<usize>,
    shape: CellShape,
    /// For the current row: number of cells with content, whether all of them are header cells, and the row before which they end.
    cells: u32,
    is_header: bool,
    reach: u32,
}

/// Statistics of all tables, and the kind of content in each cell, in document order.
fn collect(events: &EventBuffer) -> (Vec<Stats>, Vec<Cell>) {
    let (mut tables, mut cells): (Vec<Stats>, Vec<Cell>) = Default::default();
    let mut open: Vec<Open> = Vec::new();
    for event in events.iter() {
        if let Event::Start(Part::Table(_)) = event {
            open.push(Open { table: tables.len(), ..Open::default() });
            tables.push(Stats::default());
            continue;
        }
        let Some(top) = open.last_mut() else { continue };
        let stats = &mut tables[top.table];
        match event {
            Event::End(Part::Table(_)) => {
                let (rows, has_parts) = (stats.rows, stats.has_parts || stats.is_table());
                open.pop();
                if let Some(outer) = open.last().filter(|_| rows > 0) {
                    mark(&mut cells, outer.cell, if has_parts { Cell::Parts } else { Cell::Lines });
                }
            }
            Event::Start(Part::Row) => (top.cells, top.is_header, top.reach) = (0, true, 0),
            Event::End(Part::Row) => {
                let number = stats.before.len() as u32;
                stats.before.push(stats.rows);
                if top.cells > 0 {
                    stats.rows += 1;
                    stats.widest = stats.widest.max(top.cells);
                    stats.headers.add(number, top.is_header, top.reach);
                }
            }
            Event::Start(Part::Cell(shape)) => {
                (top.cell, top.shape) = (Some(cells.len()), shape);
                cells.push(Cell::Empty);
            }
            Event::End(Part::Cell(_)) => {
                let content = top.cell.take().and_then(|cell| cells.get(cell)).copied().unwrap_or_default();
                if content != Cell::Empty {
                    top.cells += 1;
                    top.is_header &= top.shape.header;
                    top.reach = top.reach.max(stats.before.len() as u32 + u32::from(top.shape.rows));
                    stats.cells += 1;
                    stats.columns |= 1 << (top.shape.column & 127);
                    stats.has_parts |= content == Cell::Parts;
                }
            }
            Event::Start(Part::Paragraph | Part::Caption) | Event::End(_) | Event::Break | Event::Rule => {}
            Event::Start(_) => mark(&mut cells, top.cell, Cell::Parts),
            Event::Text { .. } | Event::Task(_) | Event::Image { .. } | Event::Math { .. } | Event::Reference { .. } => {
                mark(&mut cells, top.cell, Cell::Lines);
            }
        }
    }
    (tables, cells)
}

fn mark(cells: &mut [Cell], at: Option<usize>, content: Cell) {
    if let Some(cell) = at.and_then(|at| cells.get_mut(at)) {
        *cell = (*cell).max(content);
    }
}

/// A table that is being written.
struct Writing {
    table: usize,
    row: usize,
    is_table: bool,
    /// The number of lines in the current cell, if it consists of lines.
    lines: Option<u32>,
    shape: Option<CellShape>,
}

/// Resolves the final shape of a document's tables.
pub(super) fn resolve_tables(mut document: Document) -> Document {
    if document.tables.is_empty() {
        return document;
    }
    let (tables, cells) = collect(&document.events);
    let mut events = EventBuffer::default();
    let mut elements = Vec::new();
    let (mut next_table, mut next_cell) = (0, 0);
    let mut open: Vec<Writing> = Vec::new();
    for event in document.events.iter() {
        if let Event::Start(Part::Table(_)) = event {
            let stats = &tables[next_table];
            // A cell of lines cannot contain a table.
            let is_table = stats.is_table() && open.last().is_none_or(|outer| outer.lines.is_none());
            if is_table {
                events.push(Event::Start(Part::Table(stats.shape())));
                elements.extend(document.tables.get(next_table));
            }
            let lines = open.last().filter(|_| !is_table).and_then(|outer| outer.lines);
            open.push(Writing { table: next_table, row: 0, is_table, lines, shape: None });
            next_table += 1;
            continue;
        }
        let Some(top) = open.last_mut() else {
            events.push(event);
            continue;
        };
        let stats = &tables[top.table];
        let row_is_kept =
            stats.before.get(top.row).is_some_and(|&before| stats.before.get(top.row + 1).copied().unwrap_or(stats.rows) > before);
        match event {
            Event::End(Part::Table(_)) => {
                if top.is_table {
                    events.push(Event::End(Part::Table(stats.shape())));
                }
                let (lines, is_table) = (top.lines, top.is_table);
                open.pop();
                if let Some(outer) = open.last_mut().filter(|_| !is_table) {
                    outer.lines = lines;
                }
            }
            Event::Start(Part::Row) if top.is_table && row_is_kept => events.push(event),
            Event::End(Part::Row) => {
                if top.is_table && row_is_kept {
                    events.push(event);
                }
                top.row += 1;
            }
            Event::Start(Part::Cell(shape)) => {
                let content = cells.get(next_cell).copied().unwrap_or_default();
                next_cell += 1;
                if top.is_table && content != Cell::Empty {
                    let shape = stats.cell(top.row, shape, content == Cell::Parts);
                    events.push(Event::Start(Part::Cell(shape)));
                    top.shape = Some(shape);
                    top.lines = (content == Cell::Lines).then_some(0);
                }
            }
            Event::End(Part::Cell(_)) => {
                if let Some(shape) = top.shape.take() {
                    events.push(Event::End(Part::Cell(shape)));
                    top.lines = None;
                }
            }
            Event::Start(Part::Caption) if top.is_table => {
                events.push(event);
                top.lines = Some(0);
            }
            Event::End(Part::Caption) if top.is_table => {
                events.push(event);
                top.lines = None;
            }
            Event::Start(Part::Row | Part::Caption) | Event::End(Part::Caption) => {}
            other => match (&mut top.lines, other) {
                (Some(lines), Event::Start(part)) if part.is_leaf() => {
                    if *lines > 0 {
                        events.push(Event::Break);
                    }
                    *lines += 1;
                }
                (Some(_), Event::Start(_) | Event::End(_) | Event::Rule) => {}
                (_, other) => events.push(other),
            },
        }
    }
    document.events = events;
    document.tables = elements;
    document
}
