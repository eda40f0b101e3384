//! Ranks as text and Parquet files. A file appears once it is complete.

use super::super::build::Lines;
use super::super::names::Names;
use super::super::{Graph, GraphError};
use super::parquet;
use super::solve::Ranks;
use crate::io::{AtomicFile, IoError};
use std::io::Write;
use std::path::Path;

/// Output format of ranks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RankFormat {
    /// `page<TAB>rank`, one line per page.
    #[default]
    Tsv,
    /// Columns `page` and `rank`.
    Parquet,
}

/// Writes the ranks of all pages in the order of their numbers (or hosts), or of the `top` best, highest first.
///
/// # Errors
/// If the file cannot be written.
pub fn write(path: &Path, graph: &Graph, ranks: &Ranks, format: RankFormat, top: Option<usize>) -> Result<(), GraphError> {
    match format {
        RankFormat::Tsv => {
            let mut out = AtomicFile::create(path)?;
            write_lines(&mut out, graph, ranks, top).map_err(IoError::on("write", path))?;
            out.commit()?;
            Ok(())
        }
        RankFormat::Parquet => parquet::write(path, graph, rows(graph, ranks, top)),
    }
}

/// Writes ranks as lines.
///
/// # Errors
/// If writing fails.
pub fn write_lines(out: &mut impl Write, graph: &Graph, ranks: &Ranks, top: Option<usize>) -> std::io::Result<()> {
    let mut names = graph.names.reader();
    for (page, rank) in rows(graph, ranks, top) {
        writeln!(out, "{}\t{rank}", names.get(page))?;
    }
    Ok(())
}

/// Pages with their ranks, in output order.
fn rows<'r>(graph: &Graph, ranks: &'r Ranks, top: Option<usize>) -> Box<dyn Iterator<Item = (usize, f64)> + 'r> {
    if let Some(top) = top {
        return Box::new(ranks.top(top).into_iter());
    }
    let of = |page: usize| (page, ranks.values.get(page).copied().unwrap_or_default());
    match &graph.names {
        // Pages added later follow the others.
        Names::Numbers(numbers) if !numbers.is_sorted() => {
            let mut order: Vec<usize> = (0..numbers.len()).collect();
            order.sort_unstable_by_key(|&page| numbers[page]);
            Box::new(order.into_iter().map(of))
        }
        _ => Box::new((0..graph.num_pages()).map(of)),
    }
}

/// Writes the residual of each iteration: `iteration,residual`.
///
/// # Errors
/// If the file cannot be written.
pub fn write_residuals(path: &Path, ranks: &Ranks) -> Result<(), GraphError> {
    let lines = ranks.residuals.iter().enumerate().map(|(at, residual)| format!("{},{residual:e}\n", at + 1));
    let text: String = std::iter::once("iteration,residual\n".to_owned()).chain(lines).collect();
    crate::io::write_atomically(path, text.as_bytes())?;
    Ok(())
}

/// Reads starting ranks written by [`write()`] as TSV. Pages that are not in the file start with the mean of those that are;
/// pages that are not in the graph are skipped.
///
/// # Errors
/// If the file cannot be read, if a line is not a rank, or if it has no page of the graph.
pub fn read_start(path: &Path, graph: &Graph) -> Result<Vec<f64>, GraphError> {
    let mut lines = Lines::open(path)?;
    let mut ranks = vec![f64::NAN; graph.num_pages()];
    let (mut sum, mut count) = (0.0, 0usize);
    while lines.advance()? {
        let text = String::from_utf8_lossy(&lines.text);
        let found = text.rsplit_once('\t').and_then(|(name, rank)| Some((name, rank.trim().parse::<f64>().ok()?)));
        let Some((name, rank)) = found.filter(|(_, rank)| *rank >= 0.0 && rank.is_finite()) else {
            return Err(lines.invalid("it is not a rank; give a TSV file written by `webstrata rank pagerank --out`"));
        };
        if let Some(page) = graph.find(name) {
            if ranks[page].is_nan() {
                (sum, count) = (sum + rank, count + 1);
            }
            ranks[page] = rank;
        }
    }
    if count == 0 || sum <= 0.0 {
        let reason = format!("{} has no page of this graph; give ranks of an earlier state of it", path.display());
        return Err(GraphError::Option(reason));
    }
    let mean = sum / count as f64;
    ranks.iter_mut().filter(|rank| rank.is_nan()).for_each(|rank| *rank = mean);
    Ok(ranks)
}
