//! What a graph is made of: finds out what was named, and opens or builds it.

use super::progress::{progress, say};
use crate::args::{GraphInput, Saying};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use webstrata_corpus::graph::Graph;
use webstrata_corpus::graph::build::{self, BuildOptions, Built, Pages};
use webstrata_corpus::store;

/// What was named.
pub(super) enum Kind {
    /// A graph as `rank build` writes it.
    Graph,
    /// The folder of a run.
    Run,
    /// A BVGraph, by the name that its files share.
    BvGraph(PathBuf),
    /// Anything else is an edge list.
    Edges,
}

impl Kind {
    pub(super) fn detect(path: &Path) -> Kind {
        if path.is_dir() {
            return Kind::Run;
        }
        if Graph::is_graph(path) {
            return Kind::Graph;
        }
        let name = if path.extension().is_some_and(|ending| ending == "graph") { path.with_extension("") } else { path.to_owned() };
        let mut properties = name.clone().into_os_string();
        properties.push(".properties");
        if Path::new(&properties).is_file() { Kind::BvGraph(name) } else { Kind::Edges }
    }
}

fn options(input: &GraphInput, beside: Option<&Path>) -> BuildOptions {
    let pages = match (input.names, input.pages) {
        (true, _) => Pages::Names,
        (_, Some(pages)) => Pages::Count(pages as usize),
        _ => Pages::Auto,
    };
    let mut options = BuildOptions { pages, memory: input.memory.0, ..BuildOptions::default() };
    if let Some(folder) = &input.temp_dir {
        options.temp_dir.clone_from(folder);
    } else if let Some(folder) = beside.and_then(Path::parent) {
        // Where the graph has room, what is sorted has.
        options.temp_dir = if folder.as_os_str().is_empty() { ".".into() } else { folder.to_owned() };
    }
    options
}

/// The graph that was named, in memory or mapped; with `out` it is written there if it is not a graph already.
pub(super) fn open(input: &GraphInput, out: Option<&Path>, saying: &Saying) -> Result<Graph> {
    let path = &input.graph;
    if (input.names || input.pages.is_some()) && !matches!(Kind::detect(path), Kind::Edges) {
        bail!("--names and --pages are for edge lists; {} knows its pages", path.display());
    }
    let options = options(input, out);
    let shown = progress(saying);
    let built: Built = match Kind::detect(path) {
        Kind::Graph => return Ok(Graph::open_with_layers(path)?),
        Kind::Run => build::links_of_run(path, store::links(path)?, out, &options)?,
        Kind::BvGraph(name) => build::bvgraph(&name, out, &options)?,
        Kind::Edges => build::edge_list(path, out, &options, &mut |bytes| {
            shown.update(|| format!("{} MB read", bytes >> 20));
            true
        })?,
    };
    drop(shown);
    if built.counts.left_out > 0 {
        say(
            saying.quiet,
            &format!("{} of {} links lead to no Web page and are left out", built.counts.left_out, built.counts.read),
        );
    }
    Ok(built.graph)
}

/// Opens a graph that is a file.
pub(super) fn graph_file(path: &Path) -> Result<()> {
    if !Graph::is_graph(path) {
        bail!("{} is no graph; make one with `webstrata rank build {} --out FILE`", path.display(), path.display());
    }
    Ok(())
}

/// What is said of a graph.
pub(super) fn described(graph: &Graph) -> String {
    let hosts = match graph.num_hosts() {
        _ if !graph.knows_hosts() => String::new(),
        1 => " on one host".to_owned(),
        hosts => format!(" on {hosts} hosts"),
    };
    format!("{} pages{hosts}, {} links", graph.num_pages(), graph.num_links())
}

/// The file for a result; `-` is standard output, as no name is.
pub(super) fn file(out: Option<&PathBuf>) -> Option<&PathBuf> {
    out.filter(|out| out.as_os_str() != "-")
}

/// An output must not take the place of what is read.
pub(super) fn refuse_same(input: &Path, outputs: &[Option<&PathBuf>]) -> Result<()> {
    let same = |one: &Path, two: &Path| {
        one == two || one.canonicalize().ok().zip(two.canonicalize().ok()).is_some_and(|(one, two)| one == two)
    };
    match outputs.iter().flatten().find(|out| same(input, out)) {
        Some(out) => bail!("the result would take the place of {}; give it another name", out.display()),
        None => Ok(()),
    }
}

/// Reads a list of pages to jump to.
pub(super) fn preference(path: &Path, graph: &Graph) -> Result<Vec<(u32, f64)>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let (mut pages, mut unknown) = (Vec::new(), 0);
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#')) {
        let (name, weight) = line.split_once('\t').unwrap_or((line.trim(), "1"));
        let weight = weight.trim().parse::<f64>().ok().filter(|weight| *weight >= 0.0 && weight.is_finite());
        let Some(weight) = weight else {
            bail!("{}, line {}: a weight is a number of 0 and more", path.display(), at + 1);
        };
        match graph.find(name) {
            Some(page) => pages.push((page as u32, weight)),
            None => unknown += 1,
        }
    }
    if pages.is_empty() {
        bail!("{}: none of {unknown} pages is in the graph; give their names as the graph has them", path.display());
    }
    Ok(pages)
}
