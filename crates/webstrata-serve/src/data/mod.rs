//! The data in the server's folder: tables of a run, an index, site evidence, a graph, ranks.

mod links;
mod pages;
mod sites;
mod sources;

use crate::ServeError;
pub(crate) use links::{Backlink, Backlinks, Links, RankedPage};
pub(crate) use pages::PageTables;
pub(crate) use sites::Sites;
pub(crate) use sources::SourceFiles;
use std::path::{Path, PathBuf};
use webstrata_corpus::graph::{Graph, delta};
use webstrata_corpus::store::Manifest;
use webstrata_search::{Index, SearchError, TopicRanks};

/// Maximum number of folder entries to examine.
const MAX_ENTRIES: usize = 1000;

/// The data, each kind at most once: the first by name.
#[derive(Default)]
pub(crate) struct Data {
    pub(crate) tables: Option<PageTables>,
    pub(crate) index: Option<Index>,
    pub(crate) sites: Option<Sites>,
    pub(crate) links: Links,
    /// Ranks in the form that search uses.
    pub(crate) topics: Option<TopicRanks>,
    notes: Vec<String>,
}

impl Data {
    /// Opens the data in a folder and directly below it.
    pub(crate) fn open(folder: &Path) -> Result<Data, ServeError> {
        let failed = |source| ServeError::Folder { path: folder.to_owned(), source };
        let mut entries = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(failed)?.take(MAX_ENTRIES) {
            entries.push(entry.map_err(failed)?.path());
        }
        entries.sort();
        let mut data = Data::default();
        for path in std::iter::once(folder.to_owned()).chain(entries) {
            if path.is_dir() { data.folder(&path)? } else { data.file(&path)? }
        }
        if data.notes.is_empty() { Err(ServeError::Empty(folder.to_owned())) } else { Ok(data) }
    }

    /// Descriptions of the data found, one line each.
    pub(crate) fn summary(&self) -> Vec<String> {
        self.notes.clone()
    }

    fn folder(&mut self, path: &Path) -> Result<(), ServeError> {
        let damaged = |reason: String| ServeError::Damaged { path: path.to_owned(), reason };
        if self.tables.is_none() && Manifest::is_in(path) {
            let tables = PageTables::open(path).map_err(|error| damaged(error.to_string()))?;
            self.note("tables", path, &format!("{} pages", tables.pages()));
            self.tables = Some(tables);
        }
        if self.sites.is_none() && Sites::is_in(path) {
            let sites = Sites::open(path).map_err(|error| damaged(error.to_string()))?;
            self.note("sites", path, &format!("{} sites", sites.len()));
            self.sites = Some(sites);
        }
        if self.index.is_none() {
            match Index::open(path) {
                Ok(index) => {
                    self.note("index", path, &format!("{} pages", index.pages()));
                    self.index = Some(index);
                }
                Err(SearchError::NoIndex(_)) => {}
                Err(error) => return Err(damaged(error.to_string())),
            }
        }
        Ok(())
    }

    fn file(&mut self, path: &Path) -> Result<(), ServeError> {
        if self.links.graph.is_none() && Graph::is_graph(path) {
            let graph = if delta::has_layers(path) { Graph::open_with_layers(path) } else { Graph::open(path) };
            let graph = graph.map_err(|error| ServeError::Damaged { path: path.to_owned(), reason: error.to_string() })?;
            self.note("graph", path, &format!("{} pages, {} links", graph.num_pages(), graph.num_links()));
            self.links.graph = Some(graph);
        }
        if self.links.ranks.is_none() && path.extension().is_some_and(|extension| extension == "tsv") {
            // The folder may contain other TSV files.
            let Ok(ranks) = webstrata_corpus::graph::topics::RankTable::read(&[path]) else { return Ok(()) };
            self.topics = TopicRanks::read(path).ok();
            self.note("ranks", path, &format!("{} pages, {} columns", ranks.num_pages(), ranks.rankings().len()));
            self.links.set_ranks(ranks, path);
        }
        Ok(())
    }

    fn note(&mut self, what: &str, path: &Path, size: &str) {
        let name: PathBuf = path.file_name().map(PathBuf::from).unwrap_or_else(|| path.to_owned());
        self.notes.push(format!("{what} {}: {size}", name.display()));
    }
}
