//! A serialised SOM tree: a first line that identifies it, the tree, a checksum. The same pages give the same bytes in any order.
//!
//! Files may come from anywhere: every index and length is checked, and nothing is allocated beyond the size of the file.

use super::sample::Sample;
use super::tree::{MAX_NODES, Som, SomNode};
use crate::site::file::{self, FileError};
use roaring::RoaringBitmap;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The first line; the number is the version.
const MAGIC: &[u8] = b"webstrata som 1\n";

/// The root has no parent.
const NO_PARENT: u32 = u32::MAX;

#[derive(Serialize, Deserialize)]
struct Stored<'s> {
    labels: Vec<Cow<'s, str>>,
    pages: Vec<u8>,
    cut: u64,
    nodes: Vec<StoredNode<'s>>,
}

#[derive(Serialize, Deserialize)]
struct StoredNode<'s> {
    parent: u32,
    label: u32,
    number: u32,
    counter: u32,
    words: u64,
    linked: u64,
    pages: Vec<u8>,
    sample: Cow<'s, Sample>,
}

impl Som {
    /// Serialises the tree.
    ///
    /// ```
    /// use webstrata_corpus::site::som::{PageTree, Som};
    /// let mut som = Som::default();
    /// som.add(7, &PageTree::new(&webstrata::Page::parse(b"<h1>Rain</h1><p>One.")));
    /// let file = som.to_bytes().unwrap();
    /// let again = Som::from_bytes(&file).unwrap();
    /// assert_eq!(again.to_bytes().unwrap(), file);
    /// assert!(again.has(7) && Som::from_bytes(&file[..file.len() - 1]).is_err());
    /// ```
    ///
    /// # Errors
    /// If it cannot be serialised, which does not happen in memory.
    pub fn to_bytes(&self) -> Result<Vec<u8>, FileError> {
        let order = self.ordered();
        let mut place_of = vec![0u32; self.nodes.len()];
        for (place, &at) in order.iter().enumerate() {
            place_of[at] = place as u32;
        }
        let mut used: Vec<u32> = (0..self.labels.len() as u32).collect();
        used.sort_by(|&a, &b| self.labels[a as usize].cmp(&self.labels[b as usize]));
        let mut label_of = vec![0u32; self.labels.len()];
        for (place, &label) in used.iter().enumerate() {
            label_of[label as usize] = place as u32;
        }
        let mut nodes = Vec::with_capacity(order.len());
        for &at in &order {
            let node = &self.nodes[at];
            nodes.push(StoredNode {
                parent: if at == 0 { NO_PARENT } else { place_of[node.parent as usize] },
                label: label_of[node.label as usize],
                number: node.number,
                counter: node.counter,
                words: node.words,
                linked: node.linked,
                pages: bitmap_bytes(&node.pages)?,
                sample: Cow::Borrowed(&node.sample),
            });
        }
        let labels = used.iter().map(|&label| Cow::Borrowed(&*self.labels[label as usize])).collect();
        file::pack(MAGIC, &Stored { labels, pages: bitmap_bytes(&self.pages)?, cut: self.cut, nodes })
    }

    /// Reads a serialised tree.
    ///
    /// # Errors
    /// If the bytes are not a tree or have a different version, or if they are damaged or inconsistent.
    pub fn from_bytes(bytes: &[u8]) -> Result<Som, FileError> {
        let stored: Stored<'_> = file::unpack(MAGIC, bytes)?;
        if stored.nodes.len() > MAX_NODES {
            return Err(FileError::Inconsistent("it has more nodes than a tree can have"));
        }
        let mut som = Som { pages: bitmap(&stored.pages)?, cut: stored.cut, ..Som::default() };
        for label in stored.labels {
            let place = som.labels.len() as u32;
            if som.label_of.insert(label.as_ref().into(), place).is_some() {
                return Err(FileError::Inconsistent("a label occurs twice"));
            }
            som.labels.push(label.into());
        }
        for (at, node) in stored.nodes.into_iter().enumerate() {
            let pages = bitmap(&node.pages)?;
            let root = at == 0;
            let sound = node.parent == NO_PARENT && root || !root && (node.parent as usize) < at;
            if !sound || node.label as usize >= som.labels.len() {
                return Err(FileError::Inconsistent("a node has no parent or no label"));
            }
            let above = if root { som.pages.len() } else { u64::from(som.nodes[node.parent as usize].counter) };
            if u64::from(node.counter) > above || pages.len() > u64::from(node.counter) || !pages.is_subset(&som.pages) {
                return Err(FileError::Inconsistent("a node has more pages than the site"));
            }
            if !node.sample.is_valid() {
                return Err(FileError::Inconsistent("a sample of texts is malformed"));
            }
            if som.place_of.insert((node.parent, node.label, node.number), at as u32).is_some() {
                return Err(FileError::Inconsistent("a node occurs twice"));
            }
            let depth = if root { 0 } else { som.nodes[node.parent as usize].depth + 1 };
            som.nodes.push(SomNode {
                parent: if root { 0 } else { node.parent },
                label: node.label,
                number: node.number,
                depth,
                counter: node.counter,
                pages,
                words: node.words,
                linked: node.linked,
                sample: node.sample.into_owned(),
            });
        }
        Ok(som)
    }
}

fn bitmap_bytes(bitmap: &RoaringBitmap) -> Result<Vec<u8>, FileError> {
    let mut bytes = Vec::with_capacity(bitmap.serialized_size());
    bitmap.serialize_into(&mut bytes).map_err(FileError::Io)?;
    Ok(bytes)
}

fn bitmap(bytes: &[u8]) -> Result<RoaringBitmap, FileError> {
    RoaringBitmap::deserialize_from(bytes).map_err(|_| FileError::Inconsistent("a list of pages is malformed"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::som::PageTree;
    use webstrata::Page;

    fn site(pages: u32) -> Som {
        let mut som = Som::default();
        for page in 0..pages {
            let html = format!("<div id=m><a href=/>Home</a></div><h1>{page}</h1><p>One</p><p>{}</p>", page % 3);
            som.add(page, &PageTree::new(&Page::parse(html.as_bytes())));
        }
        som
    }

    #[test]
    fn a_tree_that_was_read_is_the_same_and_can_grow() {
        let mut whole = site(40);
        let mut again = Som::from_bytes(&site(20).to_bytes().unwrap()).unwrap();
        for page in (20..40).rev() {
            let html = format!("<div id=m><a href=/>Home</a></div><h1>{page}</h1><p>One</p><p>{}</p>", page % 3);
            again.add(page, &PageTree::new(&Page::parse(html.as_bytes())));
        }
        assert_eq!(again.to_bytes().unwrap(), whole.to_bytes().unwrap());
        assert!(!whole.add(3, &PageTree::default()), "a page is added once");
    }

    #[test]
    fn damage_is_noticed_and_no_file_causes_a_panic() {
        let file = site(12).to_bytes().unwrap();
        for at in 0..file.len() {
            let mut broken = file.clone();
            broken[at] ^= 0x55;
            assert!(Som::from_bytes(&broken).is_err(), "byte {at}");
            assert!(Som::from_bytes(&file[..at]).is_err(), "cut at {at}");
            // With a correct checksum and damaged contents: an error or a valid tree.
            let payload = MAGIC.len()..file.len() - 8;
            if payload.contains(&at) {
                file::reseal(&mut broken);
                if let Ok(som) = Som::from_bytes(&broken) {
                    let _ = som.classes(&crate::site::som::SomOptions::default());
                }
            }
        }
    }
}
