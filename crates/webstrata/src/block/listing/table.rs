//! Tables that only lay out a listing: line numbers in one column, code in another.

use super::{NEAR, PREFORMATTED, names};
use crate::html::{Node, Tag};

/// Number of rows examined.
const ROWS: usize = 3;

/// Maximum number of cells per row; diffs have two columns of line numbers.
const CELLS: usize = 4;

/// Whether a table is a listing.
pub(crate) fn is_listing(table: Node<'_>) -> bool {
    let sections = table.children().take(CELLS).filter(|n| matches!(n.tag(), Tag::TBODY | Tag::THEAD));
    let rows = table.children().chain(sections.flat_map(|n| n.children())).filter(|n| n.tag() == Tag::TR);
    let mut seen = 0;
    for row in rows.take(ROWS) {
        if !is_row(row) {
            return false;
        }
        seen += 1;
    }
    seen > 0
}

/// Whether a row consists of cells with numbers, followed by one with code.
fn is_row(row: Node<'_>) -> bool {
    let mut cells = row.children().take(CELLS + 1).filter(|n| matches!(n.tag(), Tag::TD | Tag::TH)).peekable();
    let mut numbers = 0;
    while let Some(cell) = cells.next() {
        if cells.peek().is_none() {
            return numbers > 0 && numbers < CELLS && is_code(cell, row);
        }
        if !is_numbers(cell) {
            return false;
        }
        numbers += 1;
    }
    false
}

/// Whether a cell contains only line numbers: it has such a name or a `pre`, and no letters.
fn is_numbers(cell: Node<'_>) -> bool {
    let inside = || cell.descendants().take(4);
    let named = names::has(cell, names::is_line_number)
        || cell.has_attribute("data-line-number")
        || inside().any(|n| names::has(n, names::is_line_number) || n.has_attribute("data-line-number"));
    let preformatted = || inside().any(|n| PREFORMATTED.contains(n.tag()));
    (named || preformatted()) && names::has_no_letters(cell)
}

/// Whether a cell contains code: it has a `pre` or `code`, or the class of a line of code.
fn is_code(cell: Node<'_>, row: Node<'_>) -> bool {
    let code_name = |name: &str| {
        let lower = name.to_ascii_lowercase();
        lower.contains("code") || names::is_line(name)
    };
    names::has(cell, code_name)
        || names::has(row, code_name)
        || cell.descendants().take(NEAR).any(|n| PREFORMATTED.contains(n.tag()) || n.tag() == Tag::CODE)
}
