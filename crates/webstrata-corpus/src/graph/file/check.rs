//! Validates graph files: checksums, table lengths, and that every number is a valid index.

use super::super::adjacency::{self, WINDOW};
use super::super::error::GraphError;
use super::super::map::MappedFile;
use super::super::names::{BUCKET, Names};
use super::super::{Graph, STEP};
use super::Table;
use rayon::prelude::*;
use std::path::Path;
use xxhash_rust::xxh3::xxh3_64;

/// Checks the checksums of all tables.
pub(super) fn hashes(path: &Path, file: &MappedFile, tables: &[Table]) -> Result<(), GraphError> {
    let intact = |table: &Table| {
        let (offset, length) = (table.offset as usize, table.length as usize);
        file.bytes().get(offset..offset + length).is_some_and(|bytes| xxh3_64(bytes) == table.hash)
    };
    match tables.par_iter().find_first(|table| !intact(table)) {
        Some(table) => Err(GraphError::damaged(path, format!("the table at byte {} has changed", table.offset))),
        None => Ok(()),
    }
}

/// Checks the lengths of the tables.
pub(super) fn lengths(path: &Path, graph: &Graph) -> Result<(), GraphError> {
    let pages = graph.num_pages();
    let invalid = |reason: &str| Err(GraphError::damaged(path, reason));
    if graph.index.len() != (pages.div_ceil(STEP) + 1) * 2 {
        return invalid("the length of the index does not match the number of pages");
    }
    let streamed = graph.index.last().copied().unwrap_or_default();
    if graph.strata.as_ref().is_some_and(|strata| strata.len() as u64 != streamed) {
        return invalid("the number of strata differs from that of links");
    }
    match &graph.names {
        Names::Dense => {}
        Names::Numbers(numbers) if numbers.len() == pages => {}
        Names::Texts(texts)
            if texts.names.offsets.len() == pages.div_ceil(BUCKET) && texts.host_order.len() == graph.num_hosts() => {}
        _ => return invalid("the number of names differs from that of pages"),
    }
    Ok(())
}

/// Checks that every number is a valid index.
pub(super) fn graph(path: &Path, graph: &Graph) -> Result<(), GraphError> {
    let pages = graph.num_pages();
    let invalid = |reason: String| Err(GraphError::damaged(path, reason));
    let starts = &graph.starts;
    let ascend = starts.windows(2).all(|pair| pair[0] < pair[1]);
    if starts.first() != Some(&0) || !ascend || starts.last().is_none_or(|&end| end as usize != pages) {
        return invalid("hosts do not ascend from the first page to the last".into());
    }
    if let Names::Texts(texts) = &graph.names {
        let mut seen = vec![false; graph.num_hosts()];
        for &host in texts.host_order.iter() {
            match seen.get_mut(host as usize) {
                Some(seen) if !*seen => *seen = true,
                _ => return invalid("the order of hosts is not a permutation".into()),
            }
        }
        let ascend = texts.names.offsets.windows(2).all(|pair| pair[0] < pair[1]);
        if texts.names.offsets.first().is_some_and(|&offset| offset != 0) || !ascend {
            return invalid("the offsets of names do not ascend".into());
        }
        let readable = |bucket: usize| {
            let mut reader = texts.names.read(bucket);
            (0..BUCKET.min(pages - bucket * BUCKET)).all(|_| reader.advance().is_some())
        };
        if let Some(bucket) = (0..texts.names.offsets.len()).into_par_iter().find_first(|&bucket| !readable(bucket)) {
            return invalid(format!("names after page {} cannot be read", bucket * BUCKET));
        }
    }
    let steps = graph.index.len() / 2 - 1;
    if let Some(step) = (0..steps).into_par_iter().find_first(|&step| !predecessors_are_valid(graph, step)) {
        return invalid(format!("predecessors after page {} are invalid", step * STEP));
    }
    let degrees: u64 = (0..pages).into_par_iter().map(|page| u64::from(graph.out_degree(page))).sum();
    let own = (0..pages).into_par_iter().filter(|&page| graph.links_to_itself(page)).count() as u64;
    if degrees != graph.links || graph.index.last().copied().unwrap_or_default() + own != graph.links {
        return invalid("the number of links differs from the stated one".into());
    }
    Ok(())
}

/// Whether the predecessors of the pages of one index step are valid.
fn predecessors_are_valid(graph: &Graph, step: usize) -> bool {
    let entry = |at: usize| graph.index.get(at * 2).copied().zip(graph.index.get(at * 2 + 1).copied());
    let (Some((from, before)), Some((to, after))) = (entry(step), entry(step + 1)) else { return false };
    let (Ok(from), Ok(to)) = (usize::try_from(from), usize::try_from(to)) else { return false };
    let Some(mut words) = graph.adjacency.get(from..to) else { return false };
    let pages = graph.num_pages();
    let mut links = 0;
    for page in step * STEP..pages.min((step + 1) * STEP) {
        let Some(list) = adjacency::next(&mut words) else { return false };
        links += list.len() as u64;
        // Ascending within a kind, so the last is the largest.
        let near = |low: u16| page & !(WINDOW as usize - 1) | usize::from(low);
        let ascend = list.near.windows(2).all(|pair| pair[0] < pair[1]);
        let far_ascend = list.far.chunks_exact(2).is_sorted_by(|one, two| adjacency::long(one) < adjacency::long(two));
        let inside = list.near.last().is_none_or(|&low| near(low) < pages) && !list.near.contains(&(page as u16));
        let far_inside = list.far.len() < 2 || (adjacency::long(&list.far[list.far.len() - 2..]) as usize) < pages;
        if !(ascend && far_ascend && inside && far_inside) {
            return false;
        }
    }
    words.is_empty() && before.checked_add(links) == Some(after)
}
