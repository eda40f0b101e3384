//! Additions to a graph: pages and links in layers beside its file, `NAME.1`, `NAME.2` and so on, until they are merged.
//!
//! Permanent identifiers do not change: a new page of a known host follows its other pages, a new host follows all others. The cost
//! is proportional to the addition, with one lookup per name; the graph file itself is not changed. [`Graph::open_with_layers`] merges when
//! opening, and [`Graph::save`] writes the result as one file.

mod layer;
mod merge;
#[cfg(test)]
mod tests;

use super::build::{Lines, link_fields, page_name};
use super::error::GraphError;
use super::names::Names;
use super::vertex::{self, host_key};
use super::{Graph, MAX_PAGES, PSEUDO_HOST_PAGES, PageId, Stratum};
use crate::io::IoError;
use crate::store::{LinkRow, StoreError};
use layer::Layer;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Summary of an addition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Added {
    /// Links that were read, including those that the graph already had.
    pub links: u64,
    /// Links left out because they do not lead to a Web page.
    pub left_out: u64,
    /// New pages.
    pub pages: u64,
    /// New hosts.
    pub hosts: u64,
    /// File of the layer.
    pub layer: Option<PathBuf>,
}

/// Maximum number of layers.
const MAX_LAYERS: u32 = 1000;

/// The path of a layer.
fn layer_path(graph: &Path, number: u32) -> PathBuf {
    let mut name = graph.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{number}"));
    graph.with_file_name(name)
}

/// Reads all layers.
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
    /// Opens a graph and merges its layers. Without layers this is [`Graph::open`]; with layers the graph is in memory.
    ///
    /// # Errors
    /// If a file cannot be read or is damaged.
    pub fn open_with_layers(path: &Path) -> Result<Graph, GraphError> {
        let graph = Graph::open(path)?;
        let layers = layers(path, &graph)?;
        if layers.is_empty() { Ok(graph) } else { merge::merge(&graph, &layers) }
    }
}

/// Whether a graph has layers that have not been merged.
#[must_use]
pub fn has_layers(path: &Path) -> bool {
    layer_path(path, 1).exists()
}

/// Removes the layers of a graph, the last first, after they were merged and saved.
///
/// # Errors
/// If one cannot be removed.
pub fn remove_layers(path: &Path) -> Result<(), GraphError> {
    let there = (1..=MAX_LAYERS).take_while(|&number| layer_path(path, number).exists()).count() as u32;
    for number in (1..=there).rev() {
        let path = layer_path(path, number);
        std::fs::remove_file(&path).map_err(IoError::on("remove", &path))?;
    }
    Ok(())
}

/// Adds the links of an edge list to a graph file. Pages are named as in the graph: by numbers or by names.
///
/// # Errors
/// As for building a graph from the list; then nothing is added.
pub fn add_edge_list(graph: &Path, list: &Path) -> Result<Added, GraphError> {
    let mut builder = DeltaBuilder::open(graph)?;
    let mut lines = Lines::open(list)?;
    while lines.advance()? {
        let (from, to) = link_fields(&lines)?;
        let (from, to) = (page_name(&lines, from)?, page_name(&lines, to)?);
        builder.link(from, to, Stratum::Unknown).map_err(|reason| lines.invalid(reason))?;
    }
    if builder.added.links == 0 {
        return Err(GraphError::Empty(list.to_owned()));
    }
    builder.write()
}

/// Adds the links of a run to a graph file that was built from a run.
///
/// # Errors
/// If links cannot be read or the layer cannot be written; then nothing is added.
pub fn add_links_of_run(graph: &Path, links: impl IntoIterator<Item = Result<LinkRow, StoreError>>) -> Result<Added, GraphError> {
    let mut builder = DeltaBuilder::open(graph)?;
    for link in links {
        let link = link?;
        match (vertex::normalized(&link.source), vertex::normalized(&link.target)) {
            (Some(from), Some(to)) => builder.link(&from, &to, Stratum::from_link(&link)).map_err(GraphError::Option)?,
            _ => builder.added.left_out += 1,
        }
    }
    builder.write()
}

/// Collects additions to a graph.
struct DeltaBuilder {
    path: PathBuf,
    graph: Graph,
    number: u32,
    /// Pages looked up or added so far, by name.
    pages: BTreeMap<String, PageId>,
    /// Hosts looked up or added so far, by key.
    hosts: BTreeMap<String, u32>,
    /// Number of pages of each host that was extended.
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
                "{} has {MAX_LAYERS} layers; merge them with `webstrata graph build`",
                path.display()
            )));
        }
        let (mut known_pages, mut hosts, mut sizes) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let (mut pages, mut host_count) = (graph.num_pages(), graph.num_hosts());
        for layer in before {
            pages += layer.pages.len();
            host_count += layer.new_hosts;
            for (id, name) in layer.pages {
                if id.host as usize >= graph.num_hosts() && id.local == 0 {
                    hosts.insert(host_key(&name).into_owned(), id.host);
                }
                sizes.insert(id.host, id.local + 1);
                known_pages.insert(name, id);
            }
        }
        let layer = Layer { before: (pages, host_count), new_hosts: 0, pages: Vec::new(), links: Vec::new() };
        Ok(DeltaBuilder { path: path.to_owned(), graph, number, pages: known_pages, hosts, sizes, layer, added: Added::default() })
    }

    /// Adds a link. The error says what is wrong with a name.
    fn link(&mut self, from: &str, to: &str, stratum: Stratum) -> Result<(), String> {
        let (from, to) = (self.page(from)?, self.page(to)?);
        self.layer.links.push((from, to, stratum as u8));
        self.added.links += 1;
        Ok(())
    }

    /// The page with this name, added if it is new.
    fn page(&mut self, name: &str) -> Result<PageId, String> {
        if let Some(&id) = self.pages.get(name) {
            return Ok(id);
        }
        if let Some(page) = self.graph.find(name) {
            let id = self.graph.id(page);
            self.pages.insert(name.to_owned(), id);
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
                number.ok_or_else(|| format!("{name:?} is not a number in range, but the pages of the graph are numbers"))?;
                self.last_host()
            }
        };
        let size = self.sizes.entry(host).or_insert_with(|| self.graph.pages_of(host as usize).len() as u32);
        let id = PageId { host, local: *size };
        *size += 1;
        self.layer.pages.push((id, name.to_owned()));
        self.pages.insert(name.to_owned(), id);
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

    /// The host of a new page if pages are numbers: ranges of new pages are treated as hosts.
    fn last_host(&mut self) -> u32 {
        match self.sizes.last_key_value() {
            Some((&host, &size)) if host as usize >= self.graph.num_hosts() && (size as usize) < PSEUDO_HOST_PAGES => host,
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
