//! Data tables: JSON lines, one per table, or CSV.

use serde::Serialize;
use webstrata::content::{Content, Table};

/// A table as JSON.
#[derive(Serialize)]
struct Record<'t> {
    /// The page, as in the records of pages.
    id: &'t str,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'t str>,
    /// Number of the table in the page, from 1.
    table: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    caption: Option<&'t str>,
    /// The header rows; empty if there are none.
    header: Vec<Vec<&'t str>>,
    rows: Vec<Vec<&'t str>>,
    /// First byte, and the one after the last.
    span: [u32; 2],
    path: &'t str,
}

/// The tables of a page as JSON, each on a line of its own.
pub(crate) fn json(id: &str, url: Option<&str>, content: &Content<'_>) -> String {
    let mut out = String::new();
    for (at, table) in content.tables().iter().enumerate() {
        let mut rows = table.bounded_rows();
        let header = rows.by_ref().take(table.header_rows()).collect();
        let span = [table.span().start, table.span().end];
        let record =
            Record { id, url, table: at + 1, caption: table.caption(), header, rows: rows.collect(), span, path: table.path() };
        // Strings and numbers can always be serialised.
        out.push_str(&serde_json::to_string(&record).unwrap_or_default());
        out.push('\n');
    }
    out
}

/// The tables of a page as CSV.
pub(crate) fn csv(content: &Content<'_>) -> Vec<String> {
    content.tables().iter().map(Table::csv).collect()
}
