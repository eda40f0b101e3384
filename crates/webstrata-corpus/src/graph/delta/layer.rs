//! The file of a layer: new pages with their names, links between permanent identifiers, and a checksum.

use super::super::PageId;
use super::super::error::GraphError;
use crate::io::{AtomicFile, IoError};
use std::fs;
use std::io::Write;
use std::path::Path;
use xxhash_rust::xxh3::xxh3_64;

const MAGIC: &[u8; 16] = b"webstrata layer\x01";
/// Size of a link in bytes.
const LINK: usize = 17;

/// One addition to a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Layer {
    /// Numbers of pages and hosts before this layer.
    pub(super) before: (usize, usize),
    pub(super) new_hosts: usize,
    /// New pages in the order of addition.
    pub(super) pages: Vec<(PageId, String)>,
    /// Links with their strata.
    pub(super) links: Vec<(PageId, PageId, u8)>,
}

impl Layer {
    pub(super) fn write(&self, path: &Path) -> Result<(), GraphError> {
        let mut bytes = Vec::with_capacity(self.links.len() * LINK + self.pages.len() * 64);
        for count in [self.before.0, self.before.1, self.new_hosts, self.pages.len(), self.links.len()] {
            bytes.extend_from_slice(&(count as u64).to_le_bytes());
        }
        let id = |bytes: &mut Vec<u8>, id: PageId| {
            bytes.extend_from_slice(&id.host.to_le_bytes());
            bytes.extend_from_slice(&id.local.to_le_bytes());
        };
        for (page, name) in &self.pages {
            id(&mut bytes, *page);
            bytes.extend_from_slice(&(name.len() as u32).to_le_bytes());
            bytes.extend_from_slice(name.as_bytes());
        }
        for &(from, to, stratum) in &self.links {
            id(&mut bytes, from);
            id(&mut bytes, to);
            bytes.push(stratum);
        }
        let mut file = AtomicFile::create(path)?;
        let hash = xxh3_64(&bytes).to_le_bytes();
        let written = file.write_all(MAGIC).and_then(|()| file.write_all(&bytes)).and_then(|()| file.write_all(&hash));
        written.map_err(IoError::on("write", path))?;
        file.commit()?;
        Ok(())
    }

    /// Reads a layer for a graph with `pages` pages and `hosts` hosts.
    pub(super) fn read(path: &Path, pages: usize, hosts: usize) -> Result<Layer, GraphError> {
        let bytes = fs::read(path).map_err(IoError::on("read", path))?;
        let invalid = |reason: &str| GraphError::damaged(path, reason);
        let body = bytes.strip_prefix(MAGIC.as_slice()).ok_or_else(|| invalid("it is not a layer of a graph"))?;
        let (body, hash) = body.split_last_chunk::<8>().ok_or_else(|| invalid("it is truncated"))?;
        if xxh3_64(body) != u64::from_le_bytes(*hash) {
            return Err(invalid("it has changed since it was written"));
        }
        let layer = parse(body).ok_or_else(|| invalid("it is truncated"))?;
        if layer.before != (pages, hosts) {
            return Err(invalid("it belongs to another graph"));
        }
        Ok(layer)
    }
}

fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (first, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(*first)
}

fn parse(mut bytes: &[u8]) -> Option<Layer> {
    let bytes = &mut bytes;
    let mut count = || usize::try_from(u64::from_le_bytes(take(bytes)?)).ok();
    let (before, new_hosts, pages, links) = ((count()?, count()?), count()?, count()?, count()?);
    let id = |bytes: &mut &[u8]| {
        let host = u32::from_le_bytes(take(bytes)?);
        Some(PageId { host, local: u32::from_le_bytes(take(bytes)?) })
    };
    let mut layer = Layer { before, new_hosts, pages: Vec::new(), links: Vec::new() };
    for _ in 0..pages {
        let page = id(bytes)?;
        let length = u32::from_le_bytes(take(bytes)?) as usize;
        let (name, rest) = bytes.split_at_checked(length)?;
        *bytes = rest;
        layer.pages.push((page, str::from_utf8(name).ok()?.to_owned()));
    }
    if links.checked_mul(LINK)? != bytes.len() {
        return None;
    }
    layer.links.reserve_exact(links);
    for _ in 0..links {
        let (from, to) = (id(bytes)?, id(bytes)?);
        layer.links.push((from, to, take::<1>(bytes)?[0]));
    }
    Some(layer)
}
