//! The containers round a text: quotes, lists and their items, tables with rows and cells, footnotes.

use super::Part;
use super::numbering::Numbering;
use crate::span::{Span, offset};

/// Containers nest no deeper than this; text below stands in the innermost that is left.
const MAX_DEPTH: u8 = 40;

/// Nor do quotes alone.
const MAX_QUOTES: u8 = 12;

/// Columns of a table that are told apart.
pub(super) const MAX_COLUMNS: usize = 128;

/// Number of a container; 0 is the page.
pub(super) type ContainerId = u32;

#[derive(Clone, Copy, Debug)]
struct Container {
    parent: ContainerId,
    /// Labels of notes stand in a table: most containers are no notes, and there may be very many of them.
    part: Part<u32>,
    depth: u8,
    /// A cell with a heading in it.
    head: bool,
    /// Quotes that it is in.
    quotes: u8,
}

/// Where the cells of a table go.
#[derive(Debug, Default)]
struct Grid {
    row: u32,
    column: usize,
    /// By column: the row up to which a cell from above reaches.
    taken: Vec<u32>,
}

/// All containers of a page, each with the one round it.
#[derive(Debug)]
pub(super) struct Containers {
    all: Vec<Container>,
    labels: Vec<Span>,
    grids: Vec<(ContainerId, Grid)>,
    pub(super) numbering: Numbering,
}

impl Default for Containers {
    fn default() -> Self {
        Containers {
            all: vec![Container { parent: 0, part: Part::Paragraph, depth: 0, head: false, quotes: 0 }],
            labels: Vec::new(),
            grids: Vec::new(),
            numbering: Numbering::default(),
        }
    }
}

impl Containers {
    pub(super) fn part(&self, link: ContainerId) -> Part<Span> {
        let part = self.all.get(link as usize).map_or(Part::Paragraph, |c| c.part);
        part.map(|label| self.labels.get(label as usize).copied().unwrap_or_default())
    }

    /// Sets the number of the first item of a list of which nothing has been written.
    pub(super) fn start_with(&mut self, list: ContainerId, number: u32) {
        if let Some(container) = self.all.get_mut(list as usize) {
            container.part = Part::List(Some(number));
        }
    }

    /// Is it a cell with a heading in it?
    pub(super) fn is_head(&self, link: ContainerId) -> bool {
        self.all.get(link as usize).is_some_and(|c| c.head)
    }

    pub(super) fn parent(&self, link: ContainerId) -> ContainerId {
        self.all.get(link as usize).map_or(0, |c| c.parent)
    }

    /// A container inside `parent`, or `parent` itself where that is deep enough.
    pub(super) fn inside(&mut self, parent: ContainerId, part: Part<Span>) -> ContainerId {
        let (depth, quotes) = self.all.get(parent as usize).map_or((0, 0), |c| (c.depth, c.quotes));
        let quote = part == Part::Quote;
        if (depth >= MAX_DEPTH && !matches!(part, Part::Row | Part::Cell(_) | Part::Item)) || (quote && quotes >= MAX_QUOTES) {
            return parent;
        }
        let part = match part {
            Part::Note(label) => {
                self.labels.push(label);
                Part::Note(offset(self.labels.len() - 1))
            }
            other => other.map(|_| 0),
        };
        self.all.push(Container { parent, part, depth: depth + 1, head: false, quotes: quotes + u8::from(quote) });
        (self.all.len() - 1) as ContainerId
    }

    /// Where text and other containers go: a list has items only, a table rows, a row cells.
    pub(super) fn home(&self, mut link: ContainerId) -> ContainerId {
        while matches!(self.part(link), Part::List(_) | Part::Table(_) | Part::Row) {
            link = self.parent(link);
        }
        link
    }

    pub(super) fn table(&mut self, parent: ContainerId) -> ContainerId {
        let home = self.home(parent);
        let link = self.inside(home, Part::Table(0));
        if link != home {
            // Tables that ended are below all that may still be open.
            while self.grids.last().is_some_and(|&(open, _)| !self.is_round(open, link)) {
                self.grids.pop();
            }
            self.grids.push((link, Grid::default()));
        }
        link
    }

    fn is_round(&self, outer: ContainerId, mut link: ContainerId) -> bool {
        while link > outer {
            link = self.parent(link);
        }
        link == outer
    }

    fn grid(&mut self, table: ContainerId) -> Option<&mut Grid> {
        while self.grids.last().is_some_and(|&(open, _)| open > table) {
            self.grids.pop();
        }
        self.grids.last_mut().filter(|(open, _)| *open == table).map(|(_, grid)| grid)
    }

    pub(super) fn row(&mut self, table: ContainerId) -> ContainerId {
        if !matches!(self.part(table), Part::Table(_)) {
            return table;
        }
        if let Some(grid) = self.grid(table) {
            grid.row += 1;
            grid.column = 0;
        }
        self.inside(table, Part::Row)
    }

    pub(super) fn cell(&mut self, row: ContainerId, head: bool, columns: usize, rows: u32) -> ContainerId {
        if self.part(row) != Part::Row {
            return row;
        }
        let table = self.parent(row);
        let mut at = 0;
        if let Some(grid) = self.grid(table) {
            while grid.taken.get(grid.column).is_some_and(|&until| until > grid.row) {
                grid.column += 1;
            }
            at = grid.column.min(MAX_COLUMNS - 1);
            let end = grid.column.saturating_add(columns.max(1)).min(MAX_COLUMNS);
            if rows != 1 && end > at {
                let until = if rows == 0 { u32::MAX } else { grid.row.saturating_add(rows) };
                if grid.taken.len() < end {
                    grid.taken.resize(end, 0);
                }
                grid.taken[at..end].fill(until);
            }
            grid.column = end;
        }
        let cell = self.inside(row, Part::Cell(at as u8));
        if let Some(container) = self.all.get_mut(cell as usize) {
            container.head = head;
        }
        cell
    }

    /// The containers from the outermost to `link`.
    pub(super) fn path(&self, mut link: ContainerId, path: &mut Vec<ContainerId>) {
        path.clear();
        while link != 0 {
            path.push(link);
            link = self.parent(link);
        }
        path.reverse();
    }
}
