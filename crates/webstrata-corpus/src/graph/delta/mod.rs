//! DeltaBuilder a graph: pages and links that come later stand in layers beside it, `NAME.1`, `NAME.2` and so on, until they are merged.
//!
//! A page is called by its host and its place there, and both stay as they are: a page of a host that is known comes behind its
//! other pages, a new host behind all others. Adding costs what is added, and a look into the graph for each name; the
//! graph itself is not touched. [`Graph::open_with_layers`] merges on the way in, and [`Graph::save`] makes one file of it.

mod layer;
mod merge;
#[cfg(test)]
mod tests;

use super::build::{Lines, link_fields, page_name};
use super::error::GraphError;
use super::names::Names;
use super::vertex::{self, host_key};
use super::{Graph, MAX_PAGES, PAGES_OF_NO_HOST, PageId, Stratum};
use crate::store::{LinkRow, StoreError};
use layer::Layer;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What was added.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Added {
    /// Links that were read; those that the graph has already do no harm.
    pub links: u64,
    /// Links that lead to no Web page.
    pub left_out: u64,
    /// Pages that the graph did not have.
    pub pages: u64,
    /// Hosts that it did not have.
    pub hosts: u64,
    /// The file of the layer.
    pub layer: Option<PathBuf>,
}

/// Layers of a graph that there can be at a time.
const MAX_LAYERS: u32 = 1000;

/// The name of a layer.
fn layer_path(graph: &Path, number: u32) -> PathBuf {
    let mut name = graph.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{number}"));
    graph.with_file_name(name)
}

/// The layers that there are.
fn layers(path: &Path, graph: &Graph) -> Result<Vec<Layer>, GraphError> {
    let mut layers: Vec<Layer> = Vec::new();
    let (mut pages, mut hosts) = (graph.num_pages(), graph.num_hosts());
    for number in 1..=MAX_LAYERS {
        let path = layer_path(path, number);
        if !path.exists() {
            break;
        }
        let layer = Layer::read(&path, pages, hosts)?;
        pages += layer.pages.len();
        hosts += layer.new_hosts;
        layers.push(layer);
    }
    Ok(layers)
}

impl Graph {
    /// Opens a graph with what was added to it. Without layers this is [`Graph::open`]; with layers the graph is in memory.
    ///
    /// # Errors
    /// When one of the files cannot be read or is damaged.
    pub fn open_with_layers(path: &Path) -> Result<Graph, GraphError> {
        let graph = Graph::open(path)?;
        let layers = layers(path, &graph)?;
        if layers.is_empty() { Ok(graph) } else { merge::merge(&graph, &layers) }
    }
}

/// Was something added to a graph that has not been merged?
#[must_use]
pub fn has_layers(path: &Path) -> bool {
    layer_path(path, 1).exists()
}

/// Removes the layers of a graph, the last first: for when they have been merged and saved.
///
/// # Errors
/// When one cannot be removed.
pub fn remove_layers(path: &Path) -> Result<(), GraphError> {
    let there = (1..=MAX_LAYERS).take_while(|&number| layer_path(path, number).exists()).count() as u32;
    for number in (1..=there).rev() {
        let path = layer_path(path, number);
        std::fs::remove_file(&path).map_err(StoreError::io("remove", &path))?;
    }
    Ok(())
}

/// Adds the links of an edge list to a graph on disk. Pages are called as they are in the graph: by numbers, or by names.
///
/// # Errors
/// As for building a graph of the list; then nothing is added.
pub fn add_edge_list(graph: &Path, list: &Path) -> Result<Added, GraphError> {
    let mut growing = DeltaBuilder::open(graph)?;
    let mut lines = Lines::open(list)?;
    while lines.advance()? {
        let (from, to) = link_fields(&lines)?;
        let (from, to) = (page_name(&lines, from)?, page_name(&lines, to)?);
        growing.link(from, to, Stratum::Unknown).map_err(|reason| lines.invalid(reason))?;
    }
    if growing.added.links == 0 {
        return Err(GraphError::Empty(list.to_owned()));
    }
    growing.write()
}

/// Adds the links of a run to a graph on disk that was made of the links of a run.
///
/// # Errors
/// When links cannot be read or the layer not written; then nothing is added.
pub fn add_links_of_run(graph: &Path, links: impl IntoIterator<Item = Result<LinkRow, StoreError>>) -> Result<Added, GraphError> {
    let mut growing = DeltaBuilder::open(graph)?;
    for link in links {
        let link = link?;
        match (vertex::normalized(&link.from), vertex::normalized(&link.to)) {
            (Some(from), Some(to)) => growing.link(&from, &to, Stratum::from_link(&link)).map_err(GraphError::Option)?,
            _ => growing.added.left_out += 1,
        }
    }
    growing.write()
}

/// A graph to which links are added.
struct DeltaBuilder {
    path: PathBuf,
    graph: Graph,
    number: u32,
    /// Pages of earlier layers and of this one, by name.
    known: BTreeMap<String, PageId>,
    /// Hosts of earlier layers and of this one, by key.
    hosts: BTreeMap<String, u32>,
    /// Pages of each host that has got some.
    sizes: BTreeMap<u32, u32>,
    layer: Layer,
    added: Added,
}

impl DeltaBuilder {
    fn open(path: &Path) -> Result<DeltaBuilder, GraphError> {
        let graph = Graph::open_unchecked(path)?;
        let before = layers(path, &graph)?;
        let number = before.len() as u32 + 1;
        if number > MAX_LAYERS {
            return Err(GraphError::Option(format!(
                "{} has {MAX_LAYERS} layers; merge them with `webstrata rank build`",
                path.display()
            )));
        }
        let (mut known, mut hosts, mut sizes) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let (mut pages, mut host_count) = (graph.num_pages(), graph.num_hosts());
        for layer in before {
            pages += layer.pages.len();
            host_count += layer.new_hosts;
            for (id, name) in layer.pages {
                if id.host as usize >= graph.num_hosts() && id.local == 0 {
                    hosts.insert(host_key(&name).into_owned(), id.host);
                }
                sizes.insert(id.host, id.local + 1);
                known.insert(name, id);
            }
        }
        let layer = Layer { before: (pages, host_count), new_hosts: 0, pages: Vec::new(), links: Vec::new() };
        Ok(DeltaBuilder { path: path.to_owned(), graph, number, known, hosts, sizes, layer, added: Added::default() })
    }

    /// Adds a link. An error says what is wrong with a name.
    fn link(&mut self, from: &str, to: &str, stratum: Stratum) -> Result<(), String> {
        let (from, to) = (self.page(from)?, self.page(to)?);
        self.layer.links.push((from, to, stratum as u8));
        self.added.links += 1;
        Ok(())
    }

    /// The page that is called so, made if there is none.
    fn page(&mut self, name: &str) -> Result<PageId, String> {
        if let Some(&id) = self.known.get(name) {
            return Ok(id);
        }
        if let Some(page) = self.graph.find(name) {
            let id = self.graph.id(page);
            self.known.insert(name.to_owned(), id);
            return Ok(id);
        }
        if self.layer.before.0 + self.layer.pages.len() + 1 >= MAX_PAGES {
            return Err(GraphError::TooLarge.to_string());
        }
        let host = match &self.graph.names {
            Names::Texts(_) => self.host(name),
            Names::Dense | Names::Numbers(_) => {
                let number =
                    name.parse::<u32>().ok().filter(|&number| number.to_string() == name && (number as usize) < MAX_PAGES - 1);
                number.ok_or_else(|| format!("{name:?} is out of range or no number, but the pages of the graph are numbers"))?;
                self.last_host()
            }
        };
        let size = self.sizes.entry(host).or_insert_with(|| self.graph.pages_of(host as usize).len() as u32);
        let id = PageId { host, local: *size };
        *size += 1;
        self.layer.pages.push((id, name.to_owned()));
        self.known.insert(name.to_owned(), id);
        self.added.pages += 1;
        Ok(id)
    }

    fn host(&mut self, name: &str) -> u32 {
        let key = host_key(name).into_owned();
        if let Some(&host) = self.hosts.get(&key) {
            return host;
        }
        let host = match self.graph.find_host(&key) {
            Some(host) => host as u32,
            None => self.new_host(),
        };
        self.hosts.insert(key, host);
        host
    }

    fn new_host(&mut self) -> u32 {
        let host = (self.layer.before.1 + self.layer.new_hosts) as u32;
        self.layer.new_hosts += 1;
        self.added.hosts += 1;
        self.sizes.insert(host, 0);
        host
    }

    /// Where numbers are all that is known, new pages make a host when the last one that is new is full.
    fn last_host(&mut self) -> u32 {
        match self.sizes.last_key_value() {
            Some((&host, &size)) if host as usize >= self.graph.num_hosts() && (size as usize) < PAGES_OF_NO_HOST => host,
            _ => self.new_host(),
        }
    }

    fn write(mut self) -> Result<Added, GraphError> {
        if self.layer.links.is_empty() {
            return Ok(self.added);
        }
        let path = layer_path(&self.path, self.number);
        self.layer.write(&path)?;
        self.added.layer = Some(path);
        Ok(self.added)
    }
}
