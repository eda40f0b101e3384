//! Assembles the tables of a graph page by page, in the dense order, from the predecessors of each page.

use super::error::GraphError;
use super::file::{FileWriter, NamesToWrite};
use super::mapped_slice::MappedSlice;
use super::names::{FrontCoded, Names, TextWriter, Texts};
use super::{Graph, LINKS_TO_ITSELF, MAX_PAGES, PSEUDO_HOST_PAGES, STEP, adjacency};

/// Receives what need not stay in memory: adjacency lists and strata.
pub(crate) trait Sink {
    /// Receives words of the adjacency lists.
    fn words(&mut self, words: &[u16]) -> Result<(), GraphError>;
    /// Receives the strata of the links in these words.
    fn strata(&mut self, strata: &[u8]) -> Result<(), GraphError>;
}

/// A sink that can be turned into a graph.
pub(crate) trait Finish: Sink + Sized {
    /// The graph, with hosts if they are known; names are in the order of pages, sorted by host.
    fn finish(assembler: Assembler<Self>, starts: Option<Vec<u32>>, names: NamesToWrite<'_>) -> Result<Graph, GraphError>;
}

impl Finish for InMemory {
    fn finish(assembler: Assembler<Self>, starts: Option<Vec<u32>>, names: NamesToWrite<'_>) -> Result<Graph, GraphError> {
        let names = match names {
            NamesToWrite::Dense => Names::Dense,
            NamesToWrite::Numbers(numbers) => Names::Numbers(numbers.to_vec().into()),
            NamesToWrite::Texts(next) => {
                let (mut writer, mut bytes, mut name) = (TextWriter::default(), Vec::new(), Vec::new());
                while next(&mut name)? {
                    writer.push(&name, &mut bytes);
                }
                let hosts = starts.as_ref().map_or(0, |starts| starts.len().saturating_sub(1));
                let host_order: Vec<u32> = (0..hosts as u32).collect();
                let (offsets, bytes) = (writer.offsets().into(), bytes.into());
                Names::Texts(Texts { names: FrontCoded { offsets, bytes }, host_order: host_order.into(), sorted: true })
            }
        };
        assembler.finish(starts, names)
    }
}

impl Finish for FileWriter {
    fn finish(assembler: Assembler<Self>, starts: Option<Vec<u32>>, names: NamesToWrite<'_>) -> Result<Graph, GraphError> {
        let path = assembler.sink.path().to_owned();
        assembler.finish(starts, names)?;
        // We have just written it, so it need not be verified.
        Graph::open_unchecked(&path)
    }
}

/// Collects everything in memory.
#[derive(Debug, Default)]
pub(crate) struct InMemory {
    words: Vec<u16>,
    strata: Vec<u8>,
}

impl Sink for InMemory {
    fn words(&mut self, words: &[u16]) -> Result<(), GraphError> {
        self.words.extend_from_slice(words);
        Ok(())
    }

    fn strata(&mut self, strata: &[u8]) -> Result<(), GraphError> {
        self.strata.extend_from_slice(strata);
        Ok(())
    }
}

/// A graph under construction.
#[derive(Debug)]
pub(crate) struct Assembler<S> {
    pub(crate) sink: S,
    pub(crate) degrees: Vec<u32>,
    pub(crate) index: Vec<u64>,
    pub(crate) links: u64,
    /// Links in the adjacency lists: all but those from a page to itself.
    streamed: u64,
    page: usize,
    position: u64,
    words: Vec<u16>,
    predecessors: Vec<u32>,
    strata: Vec<u8>,
}

impl<S: Sink> Assembler<S> {
    /// Starts a graph with `pages` pages.
    ///
    /// # Errors
    /// If there are too many.
    pub(crate) fn new(pages: usize, sink: S) -> Result<Self, GraphError> {
        if pages >= MAX_PAGES {
            return Err(GraphError::TooLarge);
        }
        Ok(Assembler {
            sink,
            degrees: vec![0; pages],
            index: Vec::with_capacity((pages / STEP + 1) * 2),
            links: 0,
            streamed: 0,
            page: 0,
            position: 0,
            words: Vec::new(),
            predecessors: Vec::new(),
            strata: Vec::new(),
        })
    }

    /// Adds the next page. Its predecessors must be ascending, unique page numbers; the page itself may be among them.
    ///
    /// # Errors
    /// If the sink fails.
    pub(crate) fn push(&mut self, predecessors: &[u32]) -> Result<(), GraphError> {
        self.push_with_strata(predecessors, &[])
    }

    /// Adds the next page as [`Assembler::push`] does, with the strata of its links (all or none).
    ///
    /// # Errors
    /// If the sink fails.
    pub(crate) fn push_with_strata(&mut self, predecessors: &[u32], strata: &[u8]) -> Result<(), GraphError> {
        let page = self.page as u32;
        if self.page.is_multiple_of(STEP) {
            self.index.push(self.position);
            self.index.push(self.streamed);
        }
        let mut kept = predecessors;
        for &source in predecessors {
            if let Some(degree) = self.degrees.get_mut(source as usize) {
                *degree += 1;
            }
        }
        if let Ok(own) = predecessors.binary_search(&page) {
            self.degrees[self.page] |= LINKS_TO_ITSELF;
            self.predecessors.clear();
            self.predecessors.extend(predecessors.iter().copied().filter(|&source| source != page));
            kept = &self.predecessors;
            self.strata.clear();
            self.strata.extend(strata.iter().enumerate().filter(|&(at, _)| at != own).map(|(_, &stratum)| stratum));
        } else {
            self.strata.clear();
            self.strata.extend_from_slice(strata);
        }
        self.words.clear();
        adjacency::put(&mut self.words, page, kept);
        self.sink.words(&self.words)?;
        if !strata.is_empty() {
            // In the order of the list: near ones first.
            let window = |source: u32| source & !(adjacency::WINDOW - 1);
            let is_near = |at: &usize| window(kept[*at]) == window(page);
            let order = (0..kept.len()).filter(is_near).chain((0..kept.len()).filter(|at| !is_near(at)));
            let in_order: Vec<u8> = order.filter_map(|at| self.strata.get(at).copied()).collect();
            self.sink.strata(&in_order)?;
        }
        self.page += 1;
        self.position += self.words.len() as u64;
        self.streamed += kept.len() as u64;
        self.links += predecessors.len() as u64;
        Ok(())
    }

    /// Adds the remaining pages, which have no predecessors, and the end of the index.
    pub(crate) fn close(&mut self) -> Result<(), GraphError> {
        while self.page < self.degrees.len() {
            self.push(&[])?;
        }
        self.index.push(self.position);
        self.index.push(self.streamed);
        Ok(())
    }
}

impl Assembler<InMemory> {
    /// The graph. Without hosts, ranges of pages are treated as hosts.
    ///
    /// # Errors
    /// If the sink fails.
    pub(crate) fn finish(mut self, starts: Option<Vec<u32>>, names: Names) -> Result<Graph, GraphError> {
        self.close()?;
        let has_hosts = starts.is_some();
        let starts = starts.unwrap_or_else(|| pseudo_host_starts(self.degrees.len()));
        let strata = std::mem::take(&mut self.sink.strata);
        let strata: Option<MappedSlice<u8>> = (!strata.is_empty() && strata.len() as u64 == self.streamed).then(|| strata.into());
        Ok(Graph {
            starts: starts.into(),
            has_hosts,
            degrees: self.degrees.into(),
            index: self.index.into(),
            adjacency: self.sink.words.into(),
            strata,
            names,
            links: self.links,
        })
    }
}

/// First pages of the ranges that are treated as hosts if pages are numbers.
pub(crate) fn pseudo_host_starts(pages: usize) -> Vec<u32> {
    let mut starts: Vec<u32> = (0..pages).step_by(PSEUDO_HOST_PAGES).map(|page| page as u32).collect();
    starts.push(pages as u32);
    starts
}
