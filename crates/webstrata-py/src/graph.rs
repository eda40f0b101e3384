//! Link graphs and their ranks.

use crate::error::Kind;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use std::path::PathBuf;
use webstrata_corpus::graph::rank::{self, Preference, SolveOptions};
use webstrata_corpus::graph::{self, GraphError};

/// A graph of pages.
#[pyclass(frozen, module = "webstrata._webstrata")]
#[derive(Debug)]
pub(crate) struct Graph {
    graph: graph::Graph,
}

/// How ranks are computed.
#[derive(Debug, FromPyObject)]
#[pyo3(from_item_all)]
struct Keywords {
    damping: f64,
    tolerance: f64,
    max_iterations: usize,
    threads: usize,
    preference: Option<Vec<(PyBackedStr, f64)>>,
    top: Option<usize>,
}

fn raise(error: GraphError) -> PyErr {
    match error {
        GraphError::Option(_) => Kind::Option.raise(error),
        _ => Kind::Input.raise(error),
    }
}

#[pymethods]
impl Graph {
    /// The graph of links between addresses.
    #[staticmethod]
    fn from_links(py: Python<'_>, links: Vec<(PyBackedStr, PyBackedStr)>) -> PyResult<Self> {
        let work = || graph::Graph::from_names(links.iter().map(|(from, to)| (&**from, &**to)));
        Ok(Graph { graph: py.detach(work).map_err(raise)? })
    }

    /// The graph in a file that `webstrata graph build` wrote.
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        Ok(Graph { graph: py.detach(|| graph::Graph::open(&path)).map_err(raise)? })
    }

    #[getter]
    fn pages(&self) -> usize {
        self.graph.num_pages()
    }

    #[getter]
    fn links(&self) -> u64 {
        self.graph.num_links()
    }

    #[getter]
    fn hosts(&self) -> usize {
        self.graph.num_hosts()
    }

    /// The address of a page.
    fn name(&self, page: usize) -> Option<String> {
        (page < self.graph.num_pages()).then(|| self.graph.name(page))
    }

    /// The number of a page.
    fn find(&self, name: &str) -> Option<usize> {
        self.graph.find(name)
    }

    /// PageRank: the pages with the highest ranks first, and whether the tolerance was reached.
    fn pagerank(&self, py: Python<'_>, options: Keywords) -> PyResult<(Vec<(String, f64)>, bool)> {
        let Keywords { damping, tolerance, max_iterations, threads, preference, top } = options;
        let options = SolveOptions { damping, tolerance, max_iterations, threads, ..SolveOptions::default() };
        let preference = match preference {
            None => Preference::Uniform,
            Some(pages) => {
                let number = |(name, weight): &(PyBackedStr, f64)| {
                    let page = self.graph.find(name).and_then(|page| u32::try_from(page).ok());
                    let page = page.ok_or_else(|| Kind::Option.raise(format!("preference: there is no page {}", &**name)))?;
                    Ok((page, *weight))
                };
                Preference::Pages(pages.iter().map(number).collect::<PyResult<_>>()?)
            }
        };
        // Python may have a signal to handle between two iterations.
        let mut interrupted = None;
        let mut progress = |_: rank::Iteration| match Python::attach(|py| py.check_signals()) {
            Ok(()) => true,
            Err(error) => {
                interrupted = Some(error);
                false
            }
        };
        let solved = py.detach(|| rank::solve_with_progress(&self.graph, &[preference], &options, &mut progress));
        if let Some(error) = interrupted {
            return Err(error);
        }
        let solved = solved.map_err(raise)?;
        let Some(ranks) = solved.first() else { return Ok((Vec::new(), true)) };
        let top = top.unwrap_or(ranks.values.len());
        let named = || ranks.top(top).into_iter().map(|(page, rank)| (self.graph.name(page), rank)).collect();
        Ok((py.detach(named), ranks.converged))
    }
}
