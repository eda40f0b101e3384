//! The subgraph of one worker: its own pages with the links among them, and its links to pages of other workers.

use super::partition::Partitioning;
use webstrata_corpus::graph::internals::{Assembler, InMemory, Names, WeightCursor, WeightModel, take};
use webstrata_corpus::graph::{Graph, GraphError};

/// Links from one subgraph to another.
#[derive(Debug, Default)]
pub(crate) struct Border {
    /// Target pages by their numbers in the other subgraph, ascending.
    pub(crate) targets: Vec<u32>,
    /// Number of links to each.
    counts: Vec<u32>,
    /// Sources of these links, target by target.
    predecessors: Vec<u32>,
    /// Weights of these links; empty if all are 1.
    weights: Vec<f64>,
}

impl Border {
    /// Number of links.
    pub(crate) fn num_links(&self) -> u64 {
        self.predecessors.len() as u64
    }

    /// One vote per target: the sum of what its predecessors in this subgraph carry.
    pub(crate) fn votes<'b>(&'b self, carried: &'b [[f64; 1]]) -> impl Iterator<Item = f64> + 'b {
        let (mut predecessors, mut weights) = (self.predecessors.iter(), self.weights.iter());
        self.counts.iter().map(move |&count| {
            let votes = predecessors.by_ref().take(count as usize).map(|&source| {
                let [carried] = carried.get(source as usize).copied().unwrap_or_default();
                carried * weights.next().copied().unwrap_or(1.0)
            });
            votes.sum()
        })
    }

    fn push(&mut self, target: u32, source: u32, weight: Option<f64>) {
        if self.targets.last() == Some(&target)
            && let Some(count) = self.counts.last_mut()
        {
            *count += 1;
        } else {
            self.targets.push(target);
            self.counts.push(1);
        }
        self.predecessors.push(source);
        self.weights.extend(weight);
    }
}

/// The subgraph of one worker.
#[derive(Debug)]
pub(crate) struct Subgraph {
    /// Its pages, with the links among them; out-degrees are those of the whole graph.
    pub(crate) graph: Graph,
    /// Links to the other subgraphs, by partition.
    pub(crate) borders: Vec<Border>,
}

impl Subgraph {
    /// Extracts the subgraph of a partition in one pass over all links; `weights` says whether links to others have weights.
    pub(crate) fn cut(
        graph: &Graph,
        model: &impl WeightModel,
        weights: bool,
        partitioning: &Partitioning,
        me: usize,
    ) -> Result<Subgraph, GraphError> {
        let mut borders: Vec<Border> = (0..partitioning.partitions()).map(|_| Border::default()).collect();
        if partitioning.partitions() == 1 {
            return Ok(Subgraph { graph: graph.clone(), borders });
        }
        let mut assembler = Assembler::new(partitioning.pages(me), InMemory::default())?;
        let mut starts = Vec::new();
        let mut degrees = Vec::with_capacity(partitioning.pages(me));
        let tables = graph.tables();
        let (mut rest, mut link) = (tables.adjacency, 0);
        let mut cursor = model.cursor(0, 0);
        let (mut kept, mut predecessors, mut kept_strata) = (Vec::new(), Vec::new(), Vec::new());
        for host in 0..graph.num_hosts() {
            let pages = graph.pages_of(host);
            let (owner, first) = partitioning.host(host);
            if owner == me {
                starts.push(first);
                degrees.extend_from_slice(tables.degrees.get(pages.clone()).unwrap_or_default());
            }
            for page in pages.clone() {
                let links = take(&mut rest);
                cursor.page(page);
                kept.clear();
                for source in links.predecessors(page as u32) {
                    let source = source as usize;
                    let weight = cursor.weight(source);
                    let stratum = tables.strata.and_then(|strata| strata.get(link)).copied();
                    link += 1;
                    if pages.contains(&source) {
                        if owner == me {
                            kept.push((first + (source - pages.start) as u32, stratum));
                        }
                        continue;
                    }
                    let (its_owner, local) = partitioning.page(graph, source);
                    if its_owner != me {
                        continue;
                    }
                    if owner == me {
                        kept.push((local, stratum));
                    } else if let Some(border) = borders.get_mut(owner) {
                        let target = first + (page - pages.start) as u32;
                        border.push(target, local, weights.then_some(weight));
                    }
                }
                if owner == me {
                    kept.sort_unstable();
                    predecessors.clear();
                    predecessors.extend(kept.iter().map(|&(source, _)| source));
                    kept_strata.clear();
                    kept_strata.extend(kept.iter().filter_map(|&(_, stratum)| stratum));
                    assembler.push_with_strata(&predecessors, &kept_strata)?;
                }
            }
        }
        starts.push(partitioning.pages(me) as u32);
        let subgraph = assembler.finish(Some(starts), Names::Dense)?.as_subgraph(graph, degrees);
        Ok(Subgraph { graph: subgraph, borders })
    }
}
