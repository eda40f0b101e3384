//! The part of a graph that one worker has: its own pages with the links among them, and the links that lead to the pages
//! of others.

use super::super::assemble::{Assembler, InMemory};
use super::super::names::Names;
use super::super::rank::flow::{Flow, Walk};
use super::super::{Graph, GraphError, stream};
use super::deal::Deal;

/// Links from a part to the pages of another.
#[derive(Debug, Default)]
pub(super) struct Border {
    /// The pages there that our pages link to, by their numbers there, ascending.
    pub(super) targets: Vec<u32>,
    /// How many of our pages link to each.
    counts: Vec<u32>,
    /// Those pages, target by target.
    sources: Vec<u32>,
    /// The weights of these links; none where all are 1.
    weights: Vec<f64>,
}

impl Border {
    /// How many links there are.
    pub(super) fn links(&self) -> u64 {
        self.sources.len() as u64
    }

    /// One vote for each target: the sum of what its sources here carry.
    pub(super) fn votes<'b>(&'b self, carried: &'b [[f64; 1]]) -> impl Iterator<Item = f64> + 'b {
        let (mut sources, mut weights) = (self.sources.iter(), self.weights.iter());
        self.counts.iter().map(move |&count| {
            let votes = sources.by_ref().take(count as usize).map(|&source| {
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
        self.sources.push(source);
        self.weights.extend(weight);
    }
}

/// What one worker has.
#[derive(Debug)]
pub(super) struct Part {
    /// Its pages, with the links among them; out-degrees are those of the whole graph.
    pub(super) graph: Graph,
    /// Links to the pages of the others, by partition.
    pub(super) borders: Vec<Border>,
}

impl Part {
    /// Goes over all links once and keeps what concerns a partition; of links to others the weights, too, if they have `weights`.
    pub(super) fn cut(graph: &Graph, flow: &impl Flow, weights: bool, deal: &Deal, me: usize) -> Result<Part, GraphError> {
        let mut borders: Vec<Border> = (0..deal.partitions()).map(|_| Border::default()).collect();
        if deal.partitions() == 1 {
            return Ok(Part { graph: graph.clone(), borders });
        }
        let mut assembler = Assembler::new(deal.pages(me), InMemory::default())?;
        let mut starts = Vec::new();
        let mut degrees = Vec::with_capacity(deal.pages(me));
        let strata = graph.strata.as_deref();
        let (mut rest, mut link) = (graph.stream_from(0).0, 0);
        let mut walk = flow.walk(0, 0);
        let (mut kept, mut sources, mut kept_strata) = (Vec::new(), Vec::new(), Vec::new());
        for host in 0..graph.hosts() {
            let pages = graph.pages_of(host);
            let (owner, first) = deal.host(host);
            if owner == me {
                starts.push(first);
                degrees.extend_from_slice(graph.degrees.get(pages.clone()).unwrap_or_default());
            }
            for page in pages.clone() {
                let links = stream::take(&mut rest);
                walk.page(page);
                kept.clear();
                for source in links.sources(page as u32) {
                    let source = source as usize;
                    let weight = walk.weight(source);
                    let stratum = strata.and_then(|strata| strata.get(link)).copied();
                    link += 1;
                    if pages.contains(&source) {
                        if owner == me {
                            kept.push((first + (source - pages.start) as u32, stratum));
                        }
                        continue;
                    }
                    let (its_owner, local) = deal.page(graph, source);
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
                    sources.clear();
                    sources.extend(kept.iter().map(|&(source, _)| source));
                    kept_strata.clear();
                    kept_strata.extend(kept.iter().filter_map(|&(_, stratum)| stratum));
                    assembler.push_with_strata(&sources, &kept_strata)?;
                }
            }
        }
        starts.push(deal.pages(me) as u32);
        let mut part = assembler.finish(Some(starts), Names::Dense)?;
        part.degrees = degrees.into();
        part.has_hosts = graph.has_hosts;
        Ok(Part { graph: part, borders })
    }
}
