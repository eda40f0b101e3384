//! Binned columns: values are cut at quantiles, and a row stores the index of its bin.

use rayon::prelude::*;

/// A binned table, column by column.
#[derive(Clone, Debug)]
pub struct Binned {
    bins: Vec<Vec<u8>>,
    /// For each column: the upper bound of each bin but the last.
    edges: Vec<Vec<f32>>,
}

/// Number of rows used to estimate quantiles.
const SAMPLE: usize = 50_000;

impl Binned {
    /// Bins rows of `columns` values each, stored consecutively in `rows`, into at most `max_bins` bins (2 to 256) per column.
    ///
    /// ```
    /// use webstrata_lab::learn::boost::Binned;
    /// let table = Binned::new(&[1.0, 5.0, 2.0, 5.0, 3.0, 6.0], 2, 63);
    /// assert_eq!((table.columns(), table.rows()), (2, 3));
    /// ```
    #[must_use]
    pub fn new(rows: &[f32], columns: usize, max_bins: usize) -> Binned {
        let count = rows.len().checked_div(columns).unwrap_or(0);
        let step = count.div_ceil(SAMPLE).max(1);
        let column = |column: usize| {
            let mut sample: Vec<f32> = (0..count).step_by(step).map(|row| rows[row * columns + column]).collect();
            sample.sort_unstable_by(f32::total_cmp);
            let edges = edges(&sample, max_bins.clamp(2, 256));
            let bin = |row: usize| edges.partition_point(|edge| *edge < rows[row * columns + column]) as u8;
            ((0..count).map(bin).collect::<Vec<u8>>(), edges)
        };
        let (bins, edges) = (0..columns).into_par_iter().map(column).unzip();
        Binned { bins, edges }
    }

    /// The table of a subset of rows.
    pub(super) fn subset(&self, rows: &[u32]) -> Binned {
        let bins = self.bins.par_iter().map(|bins| rows.iter().map(|&row| bins[row as usize]).collect()).collect();
        Binned { bins, edges: self.edges.clone() }
    }

    /// Number of columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.bins.len()
    }

    /// Number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.bins.first().map_or(0, Vec::len)
    }

    pub(super) fn column(&self, column: usize) -> &[u8] {
        &self.bins[column]
    }

    pub(super) fn bins_of(&self, column: usize) -> usize {
        self.edges[column].len() + 1
    }

    /// Upper bound of bin `bin`.
    pub(super) fn edge(&self, column: usize, bin: usize) -> f32 {
        self.edges[column][bin]
    }
}

/// Edges between distinct sorted values, so that bins have about equal size. An edge is
/// the midpoint of its neighbours, so that unseen values go to the nearer side.
fn edges(sorted: &[f32], most: usize) -> Vec<f32> {
    let distinct = sorted.chunk_by(|a, b| a == b).count();
    let mut edges: Vec<f32> = Vec::new();
    let target = if distinct <= most { 1 } else { sorted.len().div_ceil(most) };
    let mut filled = 0;
    let groups: Vec<&[f32]> = sorted.chunk_by(|a, b| a == b).collect();
    for pair in groups.windows(2) {
        filled += pair[0].len();
        if filled >= target && edges.len() + 1 < most {
            let midpoint = pair[0][0] + (pair[1][0] - pair[0][0]) / 2.0;
            edges.push(if midpoint < pair[1][0] { midpoint } else { pair[0][0] });
            filled = 0;
        }
    }
    edges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_values_get_a_bin_each() {
        let table = Binned::new(&[3.0, 1.0, 2.0, 1.0], 1, 8);
        assert_eq!(table.column(0), [2, 0, 1, 0]);
        assert_eq!((table.edge(0, 0), table.edge(0, 1), table.bins_of(0)), (1.5, 2.5, 3));
    }

    #[test]
    fn many_values_are_binned_evenly() {
        let rows: Vec<f32> = (0..1000).map(|n| (n * n) as f32).collect();
        let table = Binned::new(&rows, 1, 10);
        assert_eq!(table.bins_of(0), 10);
        for bin in 0..10 {
            let size = table.column(0).iter().filter(|&&b| b == bin).count();
            assert!((99..=101).contains(&size), "{bin}: {size}");
        }
        // Bins of rows agree with the edges.
        for (row, &bin) in rows.iter().zip(table.column(0)) {
            assert!(bin == 9 || *row <= table.edge(0, usize::from(bin)));
            assert!(bin == 0 || *row > table.edge(0, usize::from(bin) - 1));
        }
    }

    #[test]
    fn one_value_has_no_edge() {
        assert_eq!(Binned::new(&[7.0; 5], 1, 63).bins_of(0), 1);
        assert_eq!(Binned::new(&[], 3, 63).rows(), 0);
    }
}
