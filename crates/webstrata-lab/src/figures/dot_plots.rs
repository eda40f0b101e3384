//! Figure 3.1: links as dots, by source and target.

use super::Figure;
use crate::plot::{Chart, ChartKind, Legend, Series};
use crate::table::Table;
use std::ops::Range;
use webstrata_corpus::graph::Graph;

/// Rows and columns of a dot-plot.
const CELLS: usize = 64;

/// Figure 3.1a and b: all links, and the links within one part, of pages sorted by address.
#[must_use]
pub fn sorted(graph: &Graph) -> Vec<Figure> {
    let pages = graph.num_pages();
    let whole = Raster::new(graph, 0..pages, |page| page);
    // The part with the most links, like .com in the thesis.
    let eighth = |k: usize| k * pages / 8..(k + 1) * pages / 8;
    let Some(part) = (0..8).map(|k| Raster::new(graph, eighth(k), |page| page)).max_by_key(Raster::links) else {
        return Vec::new();
    };
    vec![
        whole.figure("figure-3.1a", "Links of cnr-2000, pages sorted by address"),
        part.figure("figure-3.1b", "Links within the eighth of the pages of cnr-2000 with the most of them"),
    ]
}

/// Figure 3.1c: all links of pages grouped by host, with hosts in random order.
#[must_use]
pub fn grouped(graph: &Graph) -> Vec<Figure> {
    // Hosts of a generated graph are in random order.
    let raster = Raster::new(graph, 0..graph.num_pages(), |page| page);
    vec![raster.figure("figure-3.1c", "Links of the generated graph, pages grouped by host")]
}

/// Links between groups of pages.
#[derive(Clone)]
pub(super) struct Raster {
    /// Links by row (source) and column (target).
    cells: Vec<u64>,
}

impl Raster {
    /// Counts links within a range of pages; `place` returns the position of each page in the drawing order.
    pub(super) fn new(graph: &Graph, pages: Range<usize>, place: impl Fn(usize) -> usize) -> Self {
        let mut cells = vec![0; CELLS * CELLS];
        let cell = |page: usize| (place(page) - pages.start) * CELLS / pages.len().max(1);
        for (target, sources) in graph.scan(pages.clone()) {
            for source in sources.map(|source| source as usize).filter(|source| pages.contains(source)) {
                cells[cell(source) * CELLS + cell(target)] += 1;
            }
        }
        Raster { cells }
    }

    fn links(&self) -> u64 {
        self.cells.iter().sum()
    }

    /// The share of links in cells at most `apart` cells from the diagonal.
    fn near_diagonal(&self, apart: usize) -> f64 {
        let near = |at: usize| (at / CELLS).abs_diff(at % CELLS) <= apart;
        let links: u64 = (0..self.cells.len()).filter(|&at| near(at)).map(|at| self.cells[at]).sum();
        links as f64 / self.links().max(1) as f64
    }

    /// Draws cells by shade: the fullest cells that together have half of the links are black, and so on.
    pub(super) fn figure(&self, file: &str, title: &str) -> Figure {
        let mut order: Vec<usize> = (0..self.cells.len()).filter(|&at| self.cells[at] > 0).collect();
        order.sort_by_key(|&at| (std::cmp::Reverse(self.cells[at]), at));
        let shades = [(0.5, "half of the links"), (0.8, "80%"), (0.95, "95%"), (0.99, "99%"), (1.1, "all links")];
        let mut series: Vec<Series> = shades.iter().map(|(_, name)| Series { name: (*name).into(), points: Vec::new() }).collect();
        let (all, mut seen) = (self.links().max(1) as f64, 0.0);
        for at in order {
            let shade = shades.iter().position(|(share, _)| seen / all < *share).unwrap_or(shades.len() - 1);
            series[shade].points.push(((at % CELLS) as f64, (at / CELLS) as f64));
            seen += self.cells[at] as f64;
        }
        series.reverse();
        let chart = Chart {
            title: title.into(),
            x: "page linked to".into(),
            y: "page with the link".into(),
            legend: Legend::Beside,
            ..Chart::new(ChartKind::Cells, series)
        };
        let mut numbers = Table::new(&["source", "target", "links"]);
        for (at, links) in self.cells.iter().enumerate().filter(|(_, links)| **links > 0) {
            numbers.row(vec![(at / CELLS).to_string(), (at % CELLS).to_string(), links.to_string()]);
        }
        let percent = |share: f64| format!("{:.1}%", share * 100.0);
        let mut summary = Table::new(&["links", "share", "of a random graph"]);
        let cells = (CELLS * CELLS) as f64;
        summary.row(vec!["on the diagonal".into(), percent(self.near_diagonal(0)), percent(CELLS as f64 / cells)]);
        let beside = (3 * CELLS - 2) as f64 / cells;
        summary.row(vec!["on it or beside it".into(), percent(self.near_diagonal(1)), percent(beside)]);
        Figure { file: file.into(), title: title.into(), charts: vec![chart], numbers, summary }
    }
}
