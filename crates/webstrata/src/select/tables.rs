//! Data tables. The other tables are layout, and their text is like any other.
//!
//! The test of `render/table.rs`, applied to the tree instead of the content: two rows and two columns, cells with lines of
//! text but neither headings nor tables, and no cell as long as an article.

use super::areas::{Area, Cause};
use crate::html::{Dom, Node, Tag};

/// A cell with more bytes of text than this is part of a layout.
const MAX_CELL_BYTES: u32 = 700;

#[derive(Clone, Copy, Debug, Default)]
struct Open {
    node: u32,
    end: u32,
    rows: u32,
    /// Rows with two cells or more.
    wide: u32,
    cells_of_row: u32,
    bytes_of_cell: u32,
    rich: bool,
}

impl Open {
    fn is_data(&self) -> bool {
        !self.rich && self.rows >= 2 && self.wide >= 2
    }
}

/// Adds the outermost data tables.
pub(super) fn find(dom: &Dom<'_>, areas: &mut Vec<Area>) {
    let mut open: Vec<Open> = Vec::new();
    for (number, record) in dom.records().iter().enumerate() {
        let number = number as u32;
        while let Some(table) = open.pop_if(|table| table.end <= number) {
            close(dom, table, areas);
        }
        let Some(table) = open.last_mut() else {
            if record.tag == Tag::TABLE {
                open.push(Open { node: number, end: record.end, ..Open::default() });
            }
            continue;
        };
        match record.tag {
            Tag::TABLE => {
                table.rich = true;
                open.push(Open { node: number, end: record.end, ..Open::default() });
            }
            Tag::TR => {
                table.rows += 1;
                table.cells_of_row = 0;
            }
            Tag::TD | Tag::TH => {
                table.cells_of_row += 1;
                table.wide += u32::from(table.cells_of_row == 2);
                table.bytes_of_cell = 0;
            }
            Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 | Tag::PRE | Tag::BLOCKQUOTE => table.rich = true,
            Tag::TEXT => {
                table.bytes_of_cell = table.bytes_of_cell.saturating_add(record.to - record.from);
                table.rich |= table.bytes_of_cell > MAX_CELL_BYTES;
            }
            _ => {}
        }
    }
    while let Some(table) = open.pop() {
        close(dom, table, areas);
    }
}

fn close(dom: &Dom<'_>, table: Open, areas: &mut Vec<Area>) {
    if table.is_data() {
        areas.push(Area::new(Node::new(dom, table.node), Cause::Tables));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data(html: &str) -> Vec<String> {
        let dom = Dom::parse(html);
        let mut areas = Vec::new();
        find(&dom, &mut areas);
        areas.iter().map(|area| Node::new(&dom, area.start).text()).collect()
    }

    #[test]
    fn data_tables_differ_from_layout_tables() {
        assert_eq!(data("<table><tr><td>a<td>b<tr><td>c<td>d</table>"), ["a b c d"]);
        assert_eq!(data("<table><tr><td>menu<td>text</table>"), [""; 0]);
        assert_eq!(data("<table><tr><td><h1>x</h1><td>b<tr><td>c<td>d</table>"), [""; 0]);
        let long = "word ".repeat(200);
        assert_eq!(data(&format!("<table><tr><td>a<td>b<tr><td>c<td>{long}</table>")), [""; 0]);
        assert_eq!(data("<table><tr><td>a<td>b<tr><td>c<td><table><tr><td>1<td>2<tr><td>3<td>4</table></table>"), ["1 2 3 4"]);
    }
}
