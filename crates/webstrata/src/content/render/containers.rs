//! The containers around a text: quotes, lists with items, tables with rows and cells, footnotes.

use super::numbering::Numbering;
use super::{CellShape, Part, TableShape};
use crate::span::{Span, offset};

/// Maximum nesting depth of containers; deeper text belongs to the innermost one allowed.
const MAX_DEPTH: u8 = 40;

/// Maximum nesting depth of quotes.
const MAX_QUOTES: u8 = 12;

/// Maximum number of table columns; further ones share the last.
pub(super) const MAX_COLUMNS: usize = 128;

/// Maximum number of rows that a cell spans, as in browsers.
const MAX_ROWS: u32 = 65_534;

/// Index of a container; 0 is the page.
pub(super) type ContainerId = u32;

#[derive(Clone, Copy, Debug)]
struct Container {
    parent: ContainerId,
    kind: Kind,
    depth: u8,
    /// Number of enclosing quotes.
    quotes: u8,
}

/// A compact form of [`Part`] for parts that contain others, since there may be very many containers.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Paragraph,
    Quote,
    List,
    Ordered(u32),
    Item,
    Table,
    Row,
    Cell(CellShape),
    Caption,
    /// The label is an index into a table: few containers are notes.
    Note(u32),
}

/// Column positions of the cells of a table.
#[derive(Debug, Default)]
struct Grid {
    row: u32,
    column: usize,
    /// For each column: the row up to which a cell from above extends.
    taken_until: Vec<u32>,
    /// Number of rows left in the current row group, including the current one. No cell extends beyond its group.
    rows_left: Option<u32>,
}

/// All containers of a page, each with its parent.
#[derive(Debug)]
pub(super) struct Containers {
    all: Vec<Container>,
    labels: Vec<Span>,
    grids: Vec<(ContainerId, Grid)>,
    /// The tables, ascending, with their elements.
    tables: Vec<(ContainerId, u32)>,
    pub(super) numbering: Numbering,
}

impl Default for Containers {
    fn default() -> Self {
        Containers {
            all: vec![Container { parent: 0, kind: Kind::Paragraph, depth: 0, quotes: 0 }],
            labels: Vec::new(),
            grids: Vec::new(),
            tables: Vec::new(),
            numbering: Numbering::default(),
        }
    }
}

impl Containers {
    pub(super) fn part(&self, id: ContainerId) -> Part<Span> {
        match self.all.get(id as usize).map_or(Kind::Paragraph, |c| c.kind) {
            Kind::Paragraph => Part::Paragraph,
            Kind::Quote => Part::Quote,
            Kind::List => Part::List(None),
            Kind::Ordered(start) => Part::List(Some(start)),
            Kind::Item => Part::Item,
            Kind::Table => Part::Table(TableShape::default()),
            Kind::Row => Part::Row,
            Kind::Cell(shape) => Part::Cell(shape),
            Kind::Caption => Part::Caption,
            Kind::Note(label) => Part::Note(self.labels.get(label as usize).copied().unwrap_or_default()),
        }
    }

    /// Sets the number of the first item of a list that has no items yet.
    pub(super) fn start_with(&mut self, list: ContainerId, number: u32) {
        if let Some(container) = self.all.get_mut(list as usize) {
            container.kind = Kind::Ordered(number);
        }
    }

    /// The element of a table.
    pub(super) fn table_element(&self, id: ContainerId) -> u32 {
        let at = self.tables.binary_search_by_key(&id, |&(table, _)| table);
        at.ok().and_then(|at| self.tables.get(at)).map_or(0, |&(_, element)| element)
    }

    pub(super) fn parent(&self, id: ContainerId) -> ContainerId {
        self.all.get(id as usize).map_or(0, |c| c.parent)
    }

    /// A new container inside `parent`, or `parent` itself at the maximum depth.
    pub(super) fn inside(&mut self, parent: ContainerId, part: Part<Span>) -> ContainerId {
        let (depth, quotes) = self.all.get(parent as usize).map_or((0, 0), |c| (c.depth, c.quotes));
        let quote = part == Part::Quote;
        if (depth >= MAX_DEPTH && !matches!(part, Part::Row | Part::Cell(_) | Part::Caption | Part::Item))
            || (quote && quotes >= MAX_QUOTES)
        {
            return parent;
        }
        let kind = match part {
            Part::Note(label) => {
                self.labels.push(label);
                Kind::Note(offset(self.labels.len() - 1))
            }
            Part::Quote => Kind::Quote,
            Part::List(None) => Kind::List,
            Part::List(Some(start)) => Kind::Ordered(start),
            Part::Item => Kind::Item,
            Part::Table(_) => Kind::Table,
            Part::Row => Kind::Row,
            Part::Cell(shape) => Kind::Cell(shape),
            Part::Caption => Kind::Caption,
            // Leaves contain no parts.
            Part::Heading(_) | Part::Paragraph | Part::Code(_) => Kind::Paragraph,
        };
        self.all.push(Container { parent, kind, depth: depth + 1, quotes: quotes + u8::from(quote) });
        (self.all.len() - 1) as ContainerId
    }

    /// The nearest container that may contain text: a list contains only items, a table rows, a row cells.
    pub(super) fn text_container(&self, mut id: ContainerId) -> ContainerId {
        while matches!(self.part(id), Part::List(_) | Part::Table(_) | Part::Row) {
            id = self.parent(id);
        }
        id
    }

    /// A new table for an element.
    pub(super) fn table(&mut self, parent: ContainerId, element: u32) -> ContainerId {
        let text_container = self.text_container(parent);
        let id = self.inside(text_container, Part::Table(TableShape::default()));
        if id != text_container {
            self.tables.push((id, element));
            // Drop the grids of tables that have ended.
            while self.grids.last().is_some_and(|&(open, _)| !self.encloses(open, id)) {
                self.grids.pop();
            }
            self.grids.push((id, Grid::default()));
        }
        id
    }

    fn encloses(&self, outer: ContainerId, mut id: ContainerId) -> bool {
        while id > outer {
            id = self.parent(id);
        }
        id == outer
    }

    fn grid(&mut self, table: ContainerId) -> Option<&mut Grid> {
        while self.grids.last().is_some_and(|&(open, _)| open > table) {
            self.grids.pop();
        }
        self.grids.last_mut().filter(|(open, _)| *open == table).map(|(_, grid)| grid)
    }

    /// Starts a group of rows of a table.
    pub(super) fn row_group(&mut self, table: ContainerId, rows: u32) {
        if let Some(grid) = self.grid(table) {
            // Starting the next row decrements the count first.
            grid.rows_left = Some(rows.saturating_add(1));
        }
    }

    /// The caption of a table that has no row yet.
    pub(super) fn caption(&mut self, table: ContainerId) -> ContainerId {
        let is_first = matches!(self.part(table), Part::Table(_)) && self.grid(table).is_some_and(|grid| grid.row == 0);
        if is_first { self.inside(table, Part::Caption) } else { table }
    }

    pub(super) fn row(&mut self, table: ContainerId) -> ContainerId {
        if !matches!(self.part(table), Part::Table(_)) {
            return table;
        }
        if let Some(grid) = self.grid(table) {
            grid.row += 1;
            grid.column = 0;
            grid.rows_left = grid.rows_left.map(|left| left.saturating_sub(1));
        }
        self.inside(table, Part::Row)
    }

    /// A new cell that spans the given number of columns and rows; 0 rows means all rows left in the group.
    pub(super) fn cell(&mut self, row: ContainerId, header: bool, columns: usize, rows: u32) -> ContainerId {
        if self.part(row) != Part::Row {
            return row;
        }
        let table = self.parent(row);
        let mut shape = CellShape { header, ..CellShape::default() };
        if let Some(grid) = self.grid(table) {
            while grid.taken_until.get(grid.column).is_some_and(|&until| until > grid.row) {
                grid.column += 1;
            }
            let at = grid.column.min(MAX_COLUMNS - 1);
            let end = at.saturating_add(columns.max(1)).min(MAX_COLUMNS);
            // A cell from above that is in the way cuts this one short.
            let free = |column: &usize| grid.taken_until.get(*column).is_none_or(|&until| until <= grid.row);
            let end = at + 1 + (at + 1..end).take_while(free).count();
            let left = grid.rows_left.unwrap_or(MAX_ROWS).max(1);
            let rows = if rows == 0 { left } else { rows.min(left) }.min(MAX_ROWS);
            if rows > 1 {
                if grid.taken_until.len() < end {
                    grid.taken_until.resize(end, 0);
                }
                grid.taken_until[at..end].fill(grid.row.saturating_add(rows));
            }
            grid.column = end;
            (shape.column, shape.columns, shape.rows) = (at as u8, (end - at) as u8, rows as u16);
        }
        self.inside(row, Part::Cell(shape))
    }

    /// The containers from the outermost to `id`.
    pub(super) fn path(&self, mut id: ContainerId, path: &mut Vec<ContainerId>) {
        path.clear();
        while id != 0 {
            path.push(id);
            id = self.parent(id);
        }
        path.reverse();
    }
}
