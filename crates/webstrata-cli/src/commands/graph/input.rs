//! Detects the kind of a graph input, and opens or builds the graph.

use crate::args::{GraphInput, ProgressArgs};
use anyhow::{Context, Result, bail};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use webstrata_corpus::graph::Graph;
use webstrata_corpus::graph::build::{self, BuildOptions, Built, Pages};
use webstrata_corpus::progress::{Progress, error};
use webstrata_corpus::store;

/// Maximum size of a list of pages in bytes.
const MAX_LIST_LEN: u64 = 1 << 30;

/// Kind of an input.
pub(crate) enum Kind {
    /// A graph file written by `graph build`.
    Graph,
    /// The folder of a run.
    Run,
    /// A BVGraph, by the path that its files share.
    BvGraph(PathBuf),
    /// An edge list: anything else.
    Edges,
}

impl Kind {
    pub(crate) fn detect(path: &Path) -> Kind {
        if path.is_dir() {
            return Kind::Run;
        }
        if Graph::is_graph(path) {
            return Kind::Graph;
        }
        let name =
            if path.extension().is_some_and(|extension| extension == "graph") { path.with_extension("") } else { path.to_owned() };
        let mut properties = name.clone().into_os_string();
        properties.push(".properties");
        if Path::new(&properties).is_file() { Kind::BvGraph(name) } else { Kind::Edges }
    }
}

/// Starts a progress display.
pub(crate) fn start_progress(args: &ProgressArgs) -> Progress {
    Progress::new(args.progress, args.quiet)
}

/// Prints a message on standard error, unless `quiet`.
pub(crate) fn note(quiet: bool, text: &str) {
    if !quiet {
        error(text);
    }
}

fn options(input: &GraphInput, out: Option<&Path>) -> BuildOptions {
    let pages = match (input.names, input.pages) {
        (true, _) => Pages::Names,
        (_, Some(pages)) => Pages::Count(pages as usize),
        _ => Pages::Auto,
    };
    let mut options = BuildOptions { pages, memory: input.sorting.memory.0, ..BuildOptions::default() };
    if let Some(folder) = &input.sorting.temp_dir {
        options.temp_dir.clone_from(folder);
    } else if let Some(folder) = out.and_then(Path::parent) {
        // Where there is room for the graph, there is room for sorting it.
        options.temp_dir = if folder.as_os_str().is_empty() { ".".into() } else { folder.to_owned() };
    }
    options
}

/// Opens a graph file, or builds a graph, in `out` if given, otherwise in memory.
pub(crate) fn open(input: &GraphInput, out: Option<&Path>, progress: &ProgressArgs) -> Result<Graph> {
    let path = &input.graph;
    let kind = Kind::detect(path);
    if (input.names || input.pages.is_some()) && !matches!(kind, Kind::Edges) {
        bail!("--names and --pages are for edge lists; {} is not one", path.display());
    }
    let options = options(input, out);
    let display = start_progress(progress);
    let built: Built = match kind {
        Kind::Graph => return Ok(Graph::open_with_layers(path)?),
        Kind::Run => build::links_of_run(path, store::links(path)?, out, &options)?,
        Kind::BvGraph(name) => {
            build::bvgraph(&name, out, &options).with_context(|| format!("cannot read the BVGraph {}", path.display()))?
        }
        Kind::Edges => build::edge_list(path, out, &options, &mut |bytes| {
            display.update(|| format!("{} MB read", bytes >> 20));
            true
        })?,
    };
    drop(display);
    let counts = built.counts;
    if counts.left_out > 0 {
        note(progress.quiet, &format!("{} of {} links do not lead to a Web page and are left out", counts.left_out, counts.read));
    }
    Ok(built.graph)
}

/// Fails if a file is not a graph.
pub(super) fn require_graph_file(path: &Path) -> Result<()> {
    if !Graph::is_graph(path) {
        bail!("{} is not a graph file; make one with `webstrata graph build {} --out FILE`", path.display(), path.display());
    }
    Ok(())
}

/// Describes the size of a graph.
pub(crate) fn summary(graph: &Graph) -> String {
    let hosts = match graph.num_hosts() {
        _ if !graph.has_hosts() => String::new(),
        1 => " on one host".to_owned(),
        hosts => format!(" on {hosts} hosts"),
    };
    format!("{} pages{hosts}, {} links", graph.num_pages(), graph.num_links())
}

/// The output file; `None` for standard output, which is also called `-`.
pub(crate) fn output_file(out: Option<&PathBuf>) -> Option<&PathBuf> {
    out.filter(|out| out.as_os_str() != "-")
}

/// Fails if an output would overwrite an input.
pub(crate) fn refuse_overwrite(input: &Path, outputs: &[Option<&PathBuf>]) -> Result<()> {
    let same = |one: &Path, two: &Path| {
        one == two || one.canonicalize().ok().zip(two.canonicalize().ok()).is_some_and(|(one, two)| one == two)
    };
    match outputs.iter().flatten().find(|out| same(input, out)) {
        Some(out) => bail!("the output would overwrite the input {}; choose another name", out.display()),
        None => Ok(()),
    }
}

/// Reads a list of pages, one per line, with an optional weight after a tab; `-` is standard input. Returns the pages that
/// `find` knows, and how many it does not know.
pub(crate) fn weighted_pages(path: &Path, find: &dyn Fn(&str) -> Option<usize>) -> Result<(Vec<(usize, f64)>, usize)> {
    let mut text = String::new();
    let name = if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() };
    let read = if path == Path::new("-") {
        io::stdin().lock().take(MAX_LIST_LEN).read_to_string(&mut text)
    } else {
        std::fs::File::open(path).and_then(|file| file.take(MAX_LIST_LEN).read_to_string(&mut text))
    };
    read.with_context(|| format!("cannot read {name}"))?;
    let (mut pages, mut unknown) = (Vec::new(), 0);
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#')) {
        let (page, weight) = line.split_once('\t').unwrap_or((line.trim(), "1"));
        let weight = weight.trim().parse::<f64>().ok().filter(|weight| *weight >= 0.0 && weight.is_finite());
        let weight = weight.with_context(|| format!("{name}, line {}: a weight is a number of 0 or more", at + 1))?;
        match find(page) {
            Some(page) => pages.push((page, weight)),
            None => unknown += 1,
        }
    }
    if pages.is_empty() {
        bail!("{name}: none of its {unknown} pages is known; write pages as the graph names them");
    }
    Ok((pages, unknown))
}
