//! The merged tree: all pages of a site in one (section 4.2 of the paper).
//!
//! Nodes are found by parent, label and number, so the time to add a page depends only on the page. A node's data are
//! sums, sets and samples that do not depend on the order of the pages; only the nodes' indices do, and they are sorted
//! before anything is written.

use super::page_tree::{PageTree, push_own};
use super::sample::Sample;
use roaring::RoaringBitmap;
use std::collections::HashMap;

/// Maximum number of nodes: one takes some 200 bytes, and the pages of a site may all differ. Regular sites stay far below it (30,000
/// pages of a documentation site have some ten thousand nodes).
pub const MAX_NODES: usize = 2_000_000;

/// A node of the merged tree.
#[derive(Clone, Debug)]
pub(super) struct SomNode {
    /// Index of its parent, before its own; the root is its own parent.
    pub(super) parent: u32,
    pub(super) label: u32,
    pub(super) number: u32,
    pub(super) depth: u32,
    /// Pages with it.
    pub(super) counter: u32,
    /// Pages on which it has text.
    pub(super) pages: RoaringBitmap,
    pub(super) words: u64,
    pub(super) linked: u64,
    pub(super) sample: Sample,
}

/// The SOM tree of a site.
///
/// ```
/// use webstrata::Page;
/// use webstrata_corpus::site::som::{PageTree, Som, SomOptions};
/// let mut som = Som::default();
/// let text = ["One is short.", "Two is a little longer.", "Three."];
/// for (number, text) in (0..).zip(text) {
///     let html = format!("<div id=menu><a href=/>Home</a></div><h1>Page {number}</h1><p>{text}</p>");
///     som.add(number, &PageTree::new(&Page::parse(html.as_bytes())));
/// }
/// let classes = som.classes(&SomOptions::default());
/// let labels: Vec<&str> = classes.iter().map(|class| class.label.as_str()).collect();
/// assert_eq!(labels, ["a/href/div/id/body/html", "h1/body/html", "p/body/html"]);
/// assert!(classes[0].constancy == 1.0 && classes[2].constancy < 0.5);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Som {
    pub(super) labels: Vec<Box<str>>,
    pub(super) label_of: HashMap<Box<str>, u32>,
    pub(super) nodes: Vec<SomNode>,
    pub(super) place_of: HashMap<(u32, u32, u32), u32>,
    pub(super) pages: RoaringBitmap,
    /// Nodes that did not fit.
    pub(super) cut: u64,
}

/// The parent of the root in lookups.
const NO_PARENT: u32 = u32::MAX;

impl Som {
    /// Adds a page under a unique number. Returns false if there already is a page with this number.
    pub fn add(&mut self, number: u32, page: &PageTree) -> bool {
        if !self.pages.insert(number) {
            return false;
        }
        let labels: Vec<u32> = page.labels.iter().map(|label| self.label(label)).collect();
        let mut places: Vec<Option<u32>> = Vec::with_capacity(page.nodes.len());
        for (at, node) in page.nodes.iter().enumerate() {
            let parent = if at == 0 { Some(NO_PARENT) } else { places[node.parent as usize] };
            let place = parent.and_then(|parent| self.node(parent, labels[node.label as usize], node.number));
            places.push(place);
            let Some(place) = place else { continue };
            let merged = &mut self.nodes[place as usize];
            merged.counter += 1;
            if let Some(text) = &node.text {
                merged.pages.insert(number);
                merged.words += u64::from(text.words);
                merged.linked += u64::from(text.linked);
                merged.sample.add(number, text);
            }
        }
        true
    }

    /// Adds all pages of another tree, with the same result as adding them one by one.
    ///
    /// # Errors
    /// The number of a page that is in both trees; then nothing is added.
    pub fn merge(&mut self, other: &Som) -> Result<(), u32> {
        if let Some(both) = (&self.pages & &other.pages).min() {
            return Err(both);
        }
        self.pages |= &other.pages;
        self.cut += other.cut;
        let labels: Vec<u32> = other.labels.iter().map(|label| self.label(label)).collect();
        let mut places: Vec<Option<u32>> = Vec::with_capacity(other.nodes.len());
        for (at, node) in other.nodes.iter().enumerate() {
            let parent = if at == 0 { Some(NO_PARENT) } else { places[node.parent as usize] };
            let place = parent.and_then(|parent| self.node(parent, labels[node.label as usize], node.number));
            places.push(place);
            let Some(place) = place else { continue };
            let merged = &mut self.nodes[place as usize];
            merged.counter += node.counter;
            merged.pages |= &node.pages;
            merged.words += node.words;
            merged.linked += node.linked;
            merged.sample.join(&node.sample);
        }
        Ok(())
    }

    /// Number of pages.
    #[must_use]
    pub fn pages(&self) -> u64 {
        self.pages.len()
    }

    /// Whether this page is in the tree.
    #[must_use]
    pub fn has(&self, page: u32) -> bool {
        self.pages.contains(page)
    }

    /// Number of nodes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether it has no pages.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Nodes that did not fit because the tree has [`MAX_NODES`]; then the result may depend on the order of pages.
    #[must_use]
    pub fn cut(&self) -> u64 {
        self.cut
    }

    /// The whole label of a node, its own part first.
    pub(super) fn path(&self, place: usize) -> String {
        let mut parts = self.parts(place);
        parts.reverse();
        parts.join("/")
    }

    /// The parts of a node's label, the root's first.
    pub(super) fn parts(&self, mut place: usize) -> Vec<String> {
        let mut parts = Vec::new();
        loop {
            let node = &self.nodes[place];
            let mut part = String::new();
            push_own(&mut part, node.number, &self.labels[node.label as usize]);
            parts.push(part);
            if place == 0 {
                parts.reverse();
                return parts;
            }
            place = node.parent as usize;
        }
    }

    /// The index of a node, if there is one.
    pub(super) fn find(&self, parent: Option<u32>, label: &str, number: u32) -> Option<u32> {
        let label = *self.label_of.get(label)?;
        self.place_of.get(&(parent.unwrap_or(NO_PARENT), label, number)).copied()
    }

    fn label(&mut self, label: &str) -> u32 {
        if let Some(&known) = self.label_of.get(label) {
            return known;
        }
        let new = self.labels.len() as u32;
        self.labels.push(label.into());
        self.label_of.insert(label.into(), new);
        new
    }

    pub(super) fn node(&mut self, parent: u32, label: u32, number: u32) -> Option<u32> {
        if let Some(&known) = self.place_of.get(&(parent, label, number)) {
            return Some(known);
        }
        if self.nodes.len() >= MAX_NODES {
            self.cut += 1;
            return None;
        }
        let place = self.nodes.len() as u32;
        let (parent_place, depth) = if parent == NO_PARENT { (place, 0) } else { (parent, self.nodes[parent as usize].depth + 1) };
        self.nodes.push(SomNode {
            parent: parent_place,
            label,
            number,
            depth,
            counter: 0,
            pages: RoaringBitmap::new(),
            words: 0,
            linked: 0,
            sample: Sample::default(),
        });
        self.place_of.insert((parent, label, number), place);
        Some(place)
    }
}
