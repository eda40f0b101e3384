//! Similarity of tables: tree edit distance over rows and cells.
//!
//! A table is a tree: the root has rows, a row has cells, a cell has a text. Deleting or inserting a cell costs 1, a row 1 plus its
//! cells; replacing a cell costs 1 minus the [similarity] of the texts. The similarity of two tables is
//! 1 − D / max(n, m), where D is the minimum cost and n and m are the numbers of nodes: TEDS (Zhong et al., ECCV 2020) without
//! the distinction between header and data cells, and with spans [expanded](Grid::expand).

use super::edit::similarity;

/// A cell and the number of rows and columns it spans.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Its text.
    pub text: String,
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub cols: usize,
}

/// Contents of the positions that a cell spans, apart from the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Covered {
    /// The text of the cell.
    Repeated,
    /// Nothing.
    Empty,
}

/// A table as rows of texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grid {
    /// The rows.
    pub rows: Vec<Vec<String>>,
}

/// Maximum number of columns; wider spans are clipped.
const MAX_COLUMNS: usize = 1000;

impl Grid {
    /// Expands spans. Drops empty rows and columns and empty cells at the end of a row: they only serve as spacing, and Markdown
    /// cannot represent them.
    ///
    /// ```
    /// use webstrata_lab::metrics::grid::{Cell, Covered, Grid};
    /// let cell = |text: &str, rows, cols| Cell { text: text.into(), rows, cols };
    /// let rows = [vec![cell("a", 2, 1), cell("b", 1, 2)], vec![cell("c", 1, 1), cell("d", 1, 1)]];
    /// assert_eq!(Grid::expand(&rows, Covered::Repeated).rows, [["a", "b", "b"], ["a", "c", "d"]]);
    /// assert_eq!(Grid::expand(&rows, Covered::Empty).rows, [vec!["a", "b"], vec!["", "c", "d"]]);
    /// ```
    #[must_use]
    pub fn expand(rows: &[Vec<Cell>], covered: Covered) -> Grid {
        let again = |text: &str| if covered == Covered::Repeated { text.to_owned() } else { String::new() };
        // For each column: the text of a cell above and the number of rows it still spans.
        let mut hanging: Vec<(String, usize)> = Vec::new();
        let mut grid = Grid::default();
        for row in rows {
            let mut line: Vec<String> = Vec::new();
            let mut take = |line: &mut Vec<String>| {
                while let Some((text, left)) = hanging.get_mut(line.len()).filter(|(_, left)| *left > 0) {
                    *left -= 1;
                    line.push(text.clone());
                }
            };
            let mut fresh = Vec::new();
            for cell in row {
                take(&mut line);
                for column in 0..cell.cols.clamp(1, MAX_COLUMNS) {
                    fresh.push((line.len(), again(&cell.text), cell.rows.saturating_sub(1)));
                    line.push(if column == 0 { cell.text.clone() } else { again(&cell.text) });
                }
            }
            take(&mut line);
            for (column, text, left) in fresh.into_iter().filter(|(.., left)| *left > 0) {
                if hanging.len() <= column {
                    hanging.resize(column + 1, (String::new(), 0));
                }
                hanging[column] = (text, left);
            }
            grid.rows.push(line);
        }
        grid.trim();
        grid
    }

    /// Drops empty rows, columns and trailing cells.
    fn trim(&mut self) {
        let width = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let is_used: Vec<bool> =
            (0..width).map(|at| self.rows.iter().any(|row| row.get(at).is_some_and(|text| !text.is_empty()))).collect();
        for row in &mut self.rows {
            let mut at = 0;
            row.retain(|_| {
                at += 1;
                is_used[at - 1]
            });
            while row.last().is_some_and(String::is_empty) {
                row.pop();
            }
        }
        self.rows.retain(|row| !row.is_empty());
    }

    /// Number of nodes of the tree.
    fn nodes(&self) -> usize {
        1 + self.rows.iter().map(|row| 1 + row.len()).sum::<usize>()
    }

    /// One row per line, cells separated by bars.
    #[must_use]
    pub fn text(&self) -> String {
        self.rows.iter().map(|row| row.join(" | ")).collect::<Vec<_>>().join("\n")
    }
}

/// The similarity of two tables, between 0 and 1.
///
/// ```
/// use webstrata_lab::metrics::grid::{Grid, tree_similarity};
/// let grid = |rows: &[&[&str]]| Grid { rows: rows.iter().map(|row| row.iter().map(|&c| c.to_owned()).collect()).collect() };
/// let gold = grid(&[&["a", "b"], &["c", "d"]]);
/// assert_eq!(tree_similarity(&gold, &gold), 1.0);
/// // One row of two cells is missing: 3 of 7 nodes.
/// assert_eq!(tree_similarity(&gold, &grid(&[&["a", "b"]])), 1.0 - 3.0 / 7.0);
/// ```
#[must_use]
pub fn tree_similarity(a: &Grid, b: &Grid) -> f64 {
    if a == b {
        return 1.0;
    }
    let whole = |row: &Vec<String>| 1.0 + row.len() as f64;
    let cost = edit(&a.rows, &b.rows, whole, |a, b| edit(a, b, |_| 1.0, |a, b| 1.0 - similarity(a, b)));
    1.0 - cost / a.nodes().max(b.nodes()) as f64
}

/// The minimum cost of turning one list into another. Common prefixes and suffixes cost nothing.
fn edit<T: PartialEq>(a: &[T], b: &[T], alone: impl Fn(&T) -> f64, replace: impl Fn(&T, &T) -> f64) -> f64 {
    let start = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[start..], &b[start..]);
    let end = a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[..a.len() - end], &b[..b.len() - end]);
    let mut row: Vec<f64> = std::iter::once(0.0)
        .chain(b.iter().scan(0.0, |sum, y| {
            *sum += alone(y);
            Some(*sum)
        }))
        .collect();
    for x in a {
        let mut corner = row[0];
        row[0] += alone(x);
        for (j, y) in b.iter().enumerate() {
            let replaced = corner + if x == y { 0.0 } else { replace(x, y) };
            corner = row[j + 1];
            row[j + 1] = replaced.min(row[j] + alone(y)).min(corner + alone(x));
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(text: &str) -> Grid {
        Grid { rows: text.lines().map(|line| line.split('|').map(|cell| cell.trim().to_owned()).collect()).collect() }
    }

    #[test]
    fn values_computed_by_hand() {
        let gold = grid("a|b\nc|d");
        assert_eq!(tree_similarity(&gold, &Grid::default()), 1.0 - 6.0 / 7.0);
        // One of four cells has a different text.
        assert_eq!(tree_similarity(&gold, &grid("a|b\nc|x")), 1.0 - 1.0 / 7.0);
        // One more cell in each row: 2 of 9 nodes.
        assert_eq!(tree_similarity(&gold, &grid("a|x|b\nc|x|d")), 1.0 - 2.0 / 9.0);
        // Rows in another order: one row is removed and added again.
        assert_eq!(tree_similarity(&grid("a|b|c\nd|e|f"), &grid("d|e|f\na|b|c")), 1.0 - 6.0 / 9.0);
        assert_eq!(grid("a|b\nc|d").text(), "a | b\nc | d");
    }

    #[test]
    fn spans_reach_over_rows_and_columns() {
        let cell = |text: &str, rows, cols| Cell { text: text.to_owned(), rows, cols };
        let rows = [vec![cell("a", 2, 2), cell("b", 1, 1)], vec![cell("c", 1, 1)], vec![cell("d", 1, 1), cell("e", 1, 2)]];
        assert_eq!(Grid::expand(&rows, Covered::Repeated), grid("a|a|b\na|a|c\nd|e|e"));
        // Spanned positions count where another row has text in their column.
        assert_eq!(Grid::expand(&rows, Covered::Empty).rows, [vec!["a", "", "b"], vec!["", "", "c"], vec!["d", "e"]]);
        // Hostile spans are clipped.
        assert_eq!(Grid::expand(&[vec![cell("a", usize::MAX, usize::MAX)]], Covered::Repeated).rows[0].len(), MAX_COLUMNS);
    }

    #[test]
    fn empty_ends_do_not_count() {
        let cell = |text: &str| Cell { text: text.to_owned(), rows: 1, cols: 1 };
        let rows = [vec![cell(""), cell("")], vec![cell("a"), cell(""), cell("")], vec![]];
        assert_eq!(Grid::expand(&rows, Covered::Empty).rows, [["a"]]);
    }
}
