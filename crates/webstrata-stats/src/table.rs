//! Tables: aligned text, Markdown, CSV.

use std::fmt::Write;

/// Rows of cells under a header. The first column is text, the others are numbers.
///
/// ```
/// use webstrata_stats::table::Table;
/// let mut table = Table::new(&["method", "F1"]);
/// table.row(vec!["article".into(), ".967".into()]);
/// assert_eq!(table.text(), "method     F1\narticle  .967\n");
/// assert_eq!(table.markdown(), "| method | F1 |\n|---|---:|\n| article | .967 |\n");
/// assert_eq!(table.csv(), "method,F1\narticle,.967\n");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    heading: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Creates a table without rows.
    #[must_use]
    pub fn new(heading: &[&str]) -> Self {
        Table { heading: heading.iter().map(|&cell| cell.to_owned()).collect(), rows: Vec::new() }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// Whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The header, then the rows.
    pub fn lines(&self) -> impl Iterator<Item = &Vec<String>> {
        std::iter::once(&self.heading).chain(&self.rows)
    }

    /// The table as text with aligned columns, for terminals.
    #[must_use]
    pub fn text(&self) -> String {
        let wide = |cell: &String| cell.chars().count();
        let width = |column: usize| self.lines().filter_map(|line| line.get(column)).map(wide).max().unwrap_or(0);
        let widths: Vec<usize> = (0..self.heading.len()).map(width).collect();
        let mut out = String::new();
        for line in self.lines() {
            let mut written = String::new();
            for (at, (cell, width)) in line.iter().zip(&widths).enumerate() {
                let _ = if at == 0 { write!(written, "{cell:width$}") } else { write!(written, "  {cell:>width$}") };
            }
            out.push_str(written.trim_end());
            out.push('\n');
        }
        out
    }

    /// The table as Markdown.
    #[must_use]
    pub fn markdown(&self) -> String {
        let line = |cells: &Vec<String>| format!("| {} |\n", cells.join(" | "));
        let rule = "---:|".repeat(self.heading.len().saturating_sub(1));
        let rows: String = self.rows.iter().map(line).collect();
        format!("{}|---|{rule}\n{rows}", line(&self.heading))
    }

    /// The table as CSV.
    #[must_use]
    pub fn csv(&self) -> String {
        self.lines().map(|line| line.iter().map(|cell| field(cell)).collect::<Vec<_>>().join(",") + "\n").collect()
    }
}

/// Quotes a CSV field if necessary.
#[must_use]
pub fn field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

/// Formats a share as in tables: `.967`, `1.000`, or a dash for NaN.
///
/// ```
/// use webstrata_stats::table::share;
/// assert_eq!([share(0.9666), share(1.0), share(f64::NAN), share(-0.02)], [".967", "1.000", "–", "-.020"]);
/// ```
#[must_use]
pub fn share(value: f64) -> String {
    if value.is_nan() {
        return "–".to_owned();
    }
    let text = format!("{value:.3}");
    if let Some(rest) = text.strip_prefix("0.") {
        return format!(".{rest}");
    }
    text.strip_prefix("-0.").map_or(text.clone(), |rest| format!("-.{rest}"))
}
