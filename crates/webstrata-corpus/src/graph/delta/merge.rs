//! Merges a graph and its layers.

use super::super::assemble::{Assembler, InMemory};
use super::super::error::GraphError;
use super::super::names::{FrontCoded, Names, TextWriter, Texts};
use super::super::vertex::host_key;
use super::super::{Graph, PageId, adjacency};
use super::layer::Layer;
use std::borrow::Cow;

/// Merges layers into a graph, in memory.
pub(super) fn merge(graph: &Graph, layers: &[Layer]) -> Result<Graph, GraphError> {
    let invalid = |reason: &str| GraphError::Option(format!("the layers do not fit the graph: {reason}; build it again"));
    let hosts = graph.num_hosts() + layers.iter().map(|layer| layer.new_hosts).sum::<usize>();
    // New pages by host, in the order of addition, which is that of their positions.
    let mut new: Vec<(PageId, &str)> =
        layers.iter().flat_map(|layer| &layer.pages).map(|(id, name)| (*id, name.as_str())).collect();
    new.sort_by_key(|&(id, _)| id);
    let pages = graph.num_pages() + new.len();
    if hosts > pages {
        return Err(invalid("hosts without pages"));
    }

    // First pages of hosts, and names.
    let mut starts = Vec::with_capacity(hosts + 1);
    let mut names = NewNames::new(graph);
    let (mut page, mut at) = (0usize, 0);
    for host in 0..hosts {
        starts.push(page as u32);
        let old = if host < graph.num_hosts() { graph.pages_of(host) } else { 0..0 };
        old.clone().for_each(|page| names.push(&graph.name(page)));
        page += old.len();
        let mut local = old.len();
        while let Some(&(id, name)) = new.get(at).filter(|(id, _)| id.host as usize == host) {
            if id.local as usize != local {
                return Err(invalid("pages of a host are missing"));
            }
            names.push(name);
            (local, page, at) = (local + 1, page + 1, at + 1);
        }
        if local == 0 {
            return Err(invalid("a host without pages"));
        }
    }
    if at != new.len() {
        return Err(invalid("pages of an unknown host"));
    }
    starts.push(page as u32);

    // Links of the layers by target.
    let place = |id: PageId| {
        let (first, end) = (*starts.get(id.host as usize)?, *starts.get(id.host as usize + 1)?);
        first.checked_add(id.local).filter(|&page| page < end)
    };
    let mut added = Vec::new();
    for &(from, to, stratum) in layers.iter().flat_map(|layer| &layer.links) {
        match (place(from), place(to)) {
            (Some(from), Some(to)) => added.push((to, from, stratum)),
            _ => return Err(invalid("a link to an unknown page")),
        }
    }
    added.sort_unstable();

    // New positions of the old pages.
    let mut moved = Vec::with_capacity(graph.num_pages());
    for (host, &start) in starts.iter().enumerate().take(graph.num_hosts()) {
        moved.extend((start..).take(graph.pages_of(host).len()));
    }
    let mut assembler = Assembler::new(pages, InMemory::default())?;
    let (mut rest, mut links_before) = graph.adjacency_from(0);
    let mut added = added.into_iter().peekable();
    let mut old = moved.iter().enumerate().peekable();
    let mut list: Vec<(u32, u8)> = Vec::new();
    for page in 0..pages as u32 {
        list.clear();
        if let Some((old, _)) = old.next_if(|&(_, &new)| new == page) {
            let links = adjacency::take(&mut rest);
            let strata = graph.strata.as_deref().and_then(|strata| strata.get(links_before..)).unwrap_or_default();
            let strata = strata.iter().copied().chain(std::iter::repeat(UNKNOWN));
            links_before += links.len();
            list.extend(links.predecessors(old as u32).zip(strata).map(|(source, stratum)| (moved[source as usize], stratum)));
            if graph.links_to_itself(old) {
                list.push((page, UNKNOWN));
            }
        }
        while let Some((_, from, stratum)) = added.next_if(|&(to, ..)| to == page) {
            list.push((from, stratum));
        }
        // A link in several strata counts for the first of them.
        list.sort_unstable();
        list.dedup_by_key(|&mut (from, _)| from);
        let (predecessors, strata): (Vec<u32>, Vec<u8>) = list.iter().copied().unzip();
        assembler.push_with_strata(&predecessors, if graph.has_strata() { &strata } else { &[] })?;
    }
    let names = names.finish(&starts);
    let mut merged = assembler.finish(Some(starts), names)?;
    merged.has_hosts = graph.has_hosts;
    Ok(merged)
}

const UNKNOWN: u8 = super::super::Stratum::Unknown as u8;

/// Names of the merged graph.
enum NewNames {
    Numbers(Vec<u32>),
    Texts(TextWriter, Vec<u8>, Vec<String>),
}

impl NewNames {
    fn new(graph: &Graph) -> NewNames {
        match &graph.names {
            Names::Texts(_) => NewNames::Texts(TextWriter::default(), Vec::new(), Vec::new()),
            Names::Dense | Names::Numbers(_) => NewNames::Numbers(Vec::new()),
        }
    }

    fn push(&mut self, name: &str) {
        match self {
            // Layers of numbered pages have only numbers as names.
            NewNames::Numbers(numbers) => numbers.push(name.parse().unwrap_or_default()),
            NewNames::Texts(writer, bytes, hosts) => {
                writer.push(name.as_bytes(), bytes);
                let key = host_key(name);
                if hosts.last().map(String::as_str) != Some(&key) {
                    hosts.push(Cow::into_owned(key));
                }
            }
        }
    }

    fn finish(self, starts: &[u32]) -> Names {
        match self {
            NewNames::Numbers(numbers) if numbers.iter().enumerate().all(|(page, &number)| page == number as usize) => Names::Dense,
            NewNames::Numbers(numbers) => Names::Numbers(numbers.into()),
            NewNames::Texts(writer, bytes, hosts) => {
                let mut order: Vec<u32> = (0..starts.len() as u32 - 1).collect();
                order.sort_by(|&one, &two| hosts.get(one as usize).cmp(&hosts.get(two as usize)));
                Names::Texts(Texts {
                    names: FrontCoded { offsets: writer.offsets().into(), bytes: bytes.into() },
                    host_order: order.into(),
                    sorted: false,
                })
            }
        }
    }
}
