//! The data tables of the content, as values.

use super::Content;
use super::render::{CellShape, Document, Event, Part, RenderOptions};
use crate::html::{Node, Paths};
use crate::span::{Span, offset};

/// A data table of the content.
///
/// ```
/// use webstrata::{ExtractOptions, Page, label::Preset};
/// let html = "<table><caption>Rain</caption><tr><th>Valley<th>May<th>June<tr><td>Orrin<td colspan=2>none</table>";
/// let page = Page::parse(html.as_bytes());
/// let tables = page.extract_with(&ExtractOptions::from(Preset::KeepEverything)).tables();
/// let table = &tables[0];
/// assert_eq!((table.caption(), table.header_rows()), (Some("Rain"), 1));
/// assert_eq!(table.rows().collect::<Vec<_>>(), [["Valley", "May", "June"], ["Orrin", "none", "none"]]);
/// assert_eq!(table.csv(), "Valley,May,June\nOrrin,none,none\n");
/// assert_eq!((table.span().slice(html), table.path()), (html, "/html/body/table"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    text: String,
    cells: Vec<Cell>,
    /// Number of cells before each row.
    rows: Vec<u32>,
    columns: u8,
    header_rows: u16,
    caption: Option<Span>,
    span: Span,
    path: String,
}

/// Stored form of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cell {
    text: Span,
    shape: CellShape,
}

/// A cell of a [`Table`], at the position where it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TableCell<'t> {
    /// Its row, from 0.
    pub row: usize,
    /// Its first column, and the number of rows and columns that it spans.
    pub shape: CellShape,
    /// Its text; lines are separated by line feeds.
    pub text: &'t str,
}

impl Table {
    /// The caption, if there is one.
    #[must_use]
    pub fn caption(&self) -> Option<&str> {
        self.caption.map(|caption| caption.slice(&self.text))
    }

    /// Number of columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns.into()
    }

    /// Number of rows, header rows included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether it has no rows. Tables extracted from a page are never empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Number of rows at the top that consist of header cells.
    #[must_use]
    pub fn header_rows(&self) -> usize {
        self.header_rows.into()
    }

    /// Span of the table element in the page's source, from its start tag to its last descendant.
    #[must_use]
    pub fn span(&self) -> Span {
        self.span
    }

    /// Path of the table element, a valid XPath.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The table's non-empty cells in document order.
    pub fn cells(&self) -> impl Iterator<Item = TableCell<'_>> {
        let mut row = 0;
        self.cells.iter().enumerate().map(move |(at, cell)| {
            while self.rows.get(row + 1).is_some_and(|&start| start as usize <= at) {
                row += 1;
            }
            TableCell { row, shape: cell.shape, text: cell.text.slice(&self.text) }
        })
    }

    /// The table's rows, including header rows, each with a value for every column. The value of a spanning cell is repeated in every row and
    /// column it covers, so that each row is self-contained; a position without a cell is empty.
    pub fn rows(&self) -> impl Iterator<Item = Vec<&str>> {
        // For each column: the text of the cell above, and the row before which it ends.
        let mut above: Vec<(&str, usize)> = vec![("", 0); self.columns()];
        (0..self.rows.len()).map(move |row| {
            let start = self.rows[row] as usize;
            let end = self.rows.get(row + 1).map_or(self.cells.len(), |&end| end as usize);
            for cell in self.cells.get(start..end).unwrap_or_default() {
                let columns = usize::from(cell.shape.column)..usize::from(cell.shape.column) + usize::from(cell.shape.columns);
                let value = (cell.text.slice(&self.text), row + usize::from(cell.shape.rows));
                above.get_mut(columns).into_iter().for_each(|places| places.fill(value));
            }
            above.iter().map(|&(text, until)| if until > row { text } else { "" }).collect()
        })
    }

    /// The rows as CSV. Values that contain commas, quotes or newlines are quoted, with quotes doubled (RFC 4180); others are
    /// written as they are. A row ends with a line feed. Long values of spanning cells are not repeated where that would
    /// make the output many times as long as the table.
    #[must_use]
    pub fn csv(&self) -> String {
        let mut out = String::with_capacity(self.text.len() * 2);
        for row in self.bounded_rows() {
            for (column, value) in row.iter().enumerate() {
                if column > 0 {
                    out.push(',');
                }
                if value.contains([',', '"', '\n', '\r']) {
                    out.push('"');
                    out.push_str(&value.replace('"', "\"\""));
                    out.push('"');
                } else {
                    out.push_str(value);
                }
            }
            out.push('\n');
        }
        out
    }

    /// The rows, without further repetition of values once it would make the table many times as long as its text.
    pub fn bounded_rows(&self) -> impl Iterator<Item = Vec<&str>> {
        let mut left = self.text.len() * 8 + 4096;
        self.rows().map(move |mut row| {
            for value in &mut row {
                if value.len() > left {
                    *value = "";
                }
                left -= value.len();
            }
            row
        })
    }
}

impl Content<'_> {
    /// The data tables of the content, in document order, without layout tables. A table inside another one follows it.
    #[must_use]
    pub fn tables(&self) -> Vec<Table> {
        if self.selection().tables().is_empty() {
            return Vec::new();
        }
        let document = self.document(&RenderOptions::default().links(false));
        if document.tables.is_empty() {
            return Vec::new();
        }
        let dom = self.blocks().dom();
        let paths = Paths::new(dom);
        let mut tables = read(&document);
        for (table, &element) in tables.iter_mut().zip(&document.tables) {
            let end = dom.record(element).end;
            // The end tag is not stored; the last descendant is.
            let last = dom.span_of(end.saturating_sub(1).max(element)).end;
            table.span = Span::new(dom.span_of(element).start, end_of_tag(dom.source(), last));
            table.path = paths.path(Node::new(dom, element));
        }
        tables
    }
}

/// The offset after the end tags that directly follow `from`, up to that of the table.
fn end_of_tag(source: &str, from: u32) -> u32 {
    let mut at = from as usize;
    loop {
        let rest = source.get(at..).unwrap_or_default();
        let tag = rest.trim_start();
        let name = tag.strip_prefix("</").map(|tag| tag.trim_start_matches(|c: char| c.is_ascii_alphanumeric()).len());
        let (Some(after), Some(close)) = (name, tag.find('>')) else { return from };
        let is_table = tag.get(2..tag.len() - after).is_some_and(|name| name.eq_ignore_ascii_case("table"));
        at += rest.len() - tag.len() + close + 1;
        if is_table {
            return offset(at);
        }
        if at - from as usize > 4096 {
            return from;
        }
    }
}

/// Reads the tables of a document.
fn read(document: &Document) -> Vec<Table> {
    let mut tables: Vec<Table> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    for event in document.events() {
        if let Event::Start(Part::Table(shape)) = event {
            open.push(tables.len());
            tables.push(Table {
                text: String::new(),
                cells: Vec::new(),
                rows: Vec::new(),
                columns: shape.columns,
                header_rows: shape.header_rows,
                caption: None,
                span: Span::default(),
                path: String::new(),
            });
            continue;
        }
        let Some(&top) = open.last() else { continue };
        match event {
            Event::End(Part::Table(_)) => drop(open.pop()),
            Event::Start(Part::Caption) => {
                let start = offset(tables[top].text.len());
                tables[top].caption.get_or_insert(Span::new(start, start));
            }
            Event::End(Part::Caption) => {
                let end = offset(tables[top].text.len());
                tables[top].caption.iter_mut().for_each(|caption| caption.end = end);
            }
            Event::Start(Part::Row) => {
                let cells = offset(tables[top].cells.len());
                tables[top].rows.push(cells);
            }
            Event::Start(Part::Cell(shape)) => {
                line(&mut tables, &open[..open.len() - 1]);
                let start = offset(tables[top].text.len());
                tables[top].cells.push(Cell { text: Span::new(start, start), shape });
            }
            Event::End(Part::Cell(_)) => {
                let start = tables[top].cells.last().map_or(0, |cell| cell.text.start as usize);
                let length = tables[top].text[start..].trim_end().len();
                tables[top].text.truncate(start + length);
                let end = offset(tables[top].text.len());
                tables[top].cells.iter_mut().last().into_iter().for_each(|cell| cell.text.end = end);
            }
            Event::Start(part) if part.is_leaf() => line(&mut tables, &open),
            Event::Break => line(&mut tables, &open),
            Event::Text { text, .. } | Event::Math { text, .. } | Event::Reference { text, .. } => {
                // A cell also contains the text of its nested tables.
                open.iter().rev().take(MAX_TABLES).for_each(|&table| push(&mut tables[table], text));
            }
            _ => {}
        }
    }
    tables
}

/// Maximum number of enclosing tables to which a text is added; the text of deeper tables is not part of the outermost ones.
const MAX_TABLES: usize = 4;

fn push(table: &mut Table, text: &str) {
    let start = table.cells.last().map_or(0, |cell| cell.text.start as usize);
    let fresh = table.text.len() == start || table.text.ends_with('\n');
    table.text.push_str(if fresh { text.trim_start() } else { text });
}

/// Starts a line in the open cells.
fn line(tables: &mut [Table], open: &[usize]) {
    for &table in open.iter().rev().take(MAX_TABLES) {
        let table = &mut tables[table];
        let start = table.cells.last().map_or(0, |cell| cell.text.start as usize);
        if table.text.len() > start && !table.text.ends_with('\n') {
            table.text.push('\n');
        }
    }
}
