//! Tables in Markdown: pipe tables (GitHub Flavored Markdown), or HTML.
//!
//! In a pipe table a cell is one line. The first row is the header, even if it has no header cells: an empty header would add a
//! row that the page does not have. A cell that spans others is written once, where it starts, and the cells it covers are empty.
//! ([`Content::tables`](crate::content::Content::tables), where rows must be self-contained, repeats the value instead.) Header
//! cells in other rows look like any other cell, because Markdown has no notion of them and bold type would be mistaken for the
//! author's.

use super::inline::{self, Leaf};
use super::{Document, Event, Part, Writer};
use crate::content::MarkdownTables;
use crate::content::html::write_table;
use crate::content::render::{CellShape, Style, TableShape};
use std::iter::Peekable;

/// The table that is being written.
#[derive(Default)]
pub(super) struct Table {
    columns: u8,
    /// The next column of the current row.
    column: u8,
    /// Whether the header row has been written.
    has_header: bool,
}

/// For each top-level table: whether it is written as HTML.
pub(super) fn html_tables(document: &Document) -> std::vec::IntoIter<bool> {
    let mut html = Vec::new();
    if document.tables.is_empty() {
        return html.into_iter();
    }
    let (mut tables, mut lists) = (0u32, 0u32); // numbers of open ones
    let mut code = false;
    for event in document.events() {
        let fits = match event {
            Event::Start(Part::Table(_)) => {
                tables += 1;
                lists = 0;
                if tables == 1 {
                    html.push(document.markdown_tables == MarkdownTables::Html);
                }
                tables == 1
            }
            Event::End(Part::Table(_)) => {
                tables = tables.saturating_sub(1);
                true
            }
            _ if tables == 0 => true,
            Event::Start(Part::List(number)) => {
                lists += 1;
                number.is_none() && lists == 1
            }
            Event::Start(Part::Code(_)) => {
                code = true;
                true
            }
            Event::Text { text, .. } => !(code && text.contains('\n')),
            Event::Start(part) => {
                matches!(part, Part::Caption | Part::Row | Part::Cell(_) | Part::Paragraph | Part::Heading(_) | Part::Item)
            }
            Event::End(part) => {
                lists = lists.saturating_sub(u32::from(matches!(part, Part::List(_))));
                code = false;
                true
            }
            Event::Rule => false,
            _ => true,
        };
        if !fits && document.markdown_tables == MarkdownTables::Auto {
            html.iter_mut().last().into_iter().for_each(|html| *html = true);
        }
    }
    html.into_iter()
}

impl Writer {
    pub(super) fn start_table<'d>(&mut self, shape: TableShape, events: &mut Peekable<impl Iterator<Item = Event<&'d str>>>) {
        if self.html_tables.next() == Some(true) {
            let html = write_table(shape, events, &mut self.loose, &mut self.seen);
            self.block();
            self.html(html.trim_end());
            return;
        }
        while events.next_if(|event| matches!(event, Event::Start(Part::Caption))).is_some() {
            self.block();
            inline::write(Leaf::Paragraph(&self.prefix), self.math, events, &mut self.out);
            self.out.push('\n');
            events.next(); // the end of the caption
        }
        self.table = Table { columns: shape.columns, ..Table::default() };
        self.block();
    }

    /// Writes HTML line by line. A blank line would end the HTML block, so its newline is written as a character reference.
    fn html(&mut self, html: &str) {
        for (number, line) in html.split('\n').enumerate() {
            if number > 0 && line.trim().is_empty() {
                self.out.push_str("&#10;");
            } else if number > 0 {
                self.out.push('\n');
                self.out.push_str(&self.prefix);
            }
            self.out.push_str(line);
        }
        self.out.push('\n');
    }

    pub(super) fn start_row(&mut self) {
        if self.table.has_header {
            self.out.push_str(&self.prefix);
        }
        self.table.column = 0;
        self.out.push('|');
    }

    pub(super) fn end_row(&mut self) {
        self.skip_to(self.table.columns);
        if !std::mem::replace(&mut self.table.has_header, true) {
            self.out.push('\n');
            self.out.push_str(&self.prefix);
            self.out.push('|');
            self.out.push_str(&" --- |".repeat(self.table.columns.into()));
        }
        self.out.push('\n');
    }

    pub(super) fn cell<'d>(&mut self, cell: CellShape, events: &mut Peekable<impl Iterator<Item = Event<&'d str>>>) {
        self.skip_to(cell.column);
        self.out.push(' ');
        if cell.has_parts {
            self.cell_of_parts(events);
        } else {
            inline::write(Leaf::Cell, self.math, events, &mut self.out);
        }
        self.out.push_str(" |");
        self.table.column = self.table.column.saturating_add(1);
    }

    /// Writes the parts of a cell as lines.
    fn cell_of_parts<'d>(&mut self, events: &mut Peekable<impl Iterator<Item = Event<&'d str>>>) {
        let mut inner = 0u32; // tables open in the cell
        let mut code = false;
        let mut lines = 0u32;
        while let Some(event) = events.next() {
            match event {
                Event::Start(Part::Table(_)) => inner += 1,
                Event::End(Part::Table(_)) => inner = inner.saturating_sub(1),
                Event::End(Part::Cell(_)) if inner == 0 => return,
                Event::Start(Part::Code(_)) => code = true,
                // Cells have no list markers, but the lists must be counted.
                Event::Start(Part::List(_)) => self.seen += 1,
                Event::End(_) => code = false,
                Event::Text { text, .. } if code => {
                    for line in text.split('\n').filter(|line| !line.trim().is_empty()) {
                        self.line_break(&mut lines);
                        let line = Event::Text { text: line.trim(), style: Style::CODE, link: None };
                        inline::write(Leaf::Cell, self.math, &mut std::iter::once(line).peekable(), &mut self.out);
                    }
                }
                Event::Start(part) if part.is_leaf() => {
                    self.line_break(&mut lines);
                    inline::write(Leaf::Cell, self.math, events, &mut self.out);
                }
                _ => {}
            }
        }
    }

    fn line_break(&mut self, lines: &mut u32) {
        if *lines > 0 {
            self.out.push_str("<br>");
        }
        *lines += 1;
    }

    /// Writes empty cells up to a column.
    fn skip_to(&mut self, column: u8) {
        while self.table.column < column {
            self.out.push_str("  |");
            self.table.column += 1;
        }
    }
}
